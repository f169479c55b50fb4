//! Variables of a run, and the journal of the writes that branches and calls may undo.

use std::sync::Arc;

use hir::{Name, SlotId};
use rustc_hash::{FxHashMap, FxHashSet};
use types::Value;

use crate::frame::{Frame, FrameId, VariableState};
use crate::program::FactsAndData;

/// Variables of all open frames and of the top scope.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    frames: Vec<Option<Frame>>,
    free_frames: Vec<FrameId>,
    /// Top-scope variables that the program set.
    pub(crate) globals: FxHashMap<Name, VariableState>,
    /// Narrowing of elements by conditions, in addition to the values of their collections.
    pub(crate) narrowed: FxHashMap<Arc<ElementPath>, Value>,
    journal: Journal,
}

/// Writes inside branches and calls. Those of a branch are undone at its end, and joined with those of the others.
/// Empty outside of branches and calls.
#[derive(Debug, Default)]
struct Journal {
    /// Number of active forks.
    forks: u32,
    /// Number of active calls of lambdas and functions.
    calls: u32,
    writes: Vec<VariableWrite>,
    /// Closed frames that `writes` may still reference, so their ids cannot be reused yet.
    closed: Vec<FrameId>,
}

/// Variable with a state: before a write in the journal, afterwards in the result of a branch.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VariableWrite {
    pub(crate) target: VariableTarget,
    pub(crate) state: VariableState,
}

/// State of the journal at the beginning of a branch or call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JournalMark {
    writes: usize,
    closed: usize,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VariableTarget {
    Slot(FrameId, u32),
    Global(Name),
    /// Narrowing of an element by conditions, in addition to the value of its collection.
    Element(Arc<ElementPath>),
}

/// Path to an element of a variable, at any depth. Without keys: a top-scope variable that this program does
/// not set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ElementPath {
    pub(crate) root: VariableTarget,
    pub(crate) keys: Vec<Value>,
}

impl ElementPath {
    pub(crate) fn of_assumed(name: &str) -> ElementPath {
        ElementPath { root: VariableTarget::Global(name.into()), keys: Vec::new() }
    }
}

impl VariableTarget {
    /// Returns the frame that owns the target.
    fn frame(&self) -> Option<FrameId> {
        match self {
            VariableTarget::Slot(frame, _) => Some(*frame),
            VariableTarget::Global(_) => None,
            VariableTarget::Element(element) => element.root.frame(),
        }
    }
}

impl Variables {
    pub(super) fn open_frame(&mut self, frame: Frame) -> FrameId {
        match self.free_frames.pop() {
            Some(id) => {
                self.frames[id.0 as usize] = Some(frame);
                id
            }
            None => {
                self.frames.push(Some(frame));
                FrameId(self.frames.len() as u32 - 1)
            }
        }
    }

    /// Closes a frame. Its id is reused as soon as no recorded write references it.
    pub(super) fn close_frame(&mut self, id: FrameId) {
        self.frames[id.0 as usize] = None;
        if !self.narrowed.is_empty() {
            self.narrowed.retain(|element, _| element.root.frame() != Some(id));
        }
        if self.is_recording() {
            self.journal.closed.push(id);
        } else {
            self.free_frames.push(id);
        }
    }

    /// Returns a frame; `None` once it is closed.
    pub(crate) fn open(&self, id: FrameId) -> Option<&Frame> {
        self.frames[id.0 as usize].as_ref()
    }

    pub(super) fn open_mut(&mut self, id: FrameId) -> Option<&mut Frame> {
        self.frames[id.0 as usize].as_mut()
    }

    #[expect(clippy::expect_used, reason = "ids are made by open_frame only, and no closed one is kept")]
    pub(crate) fn frame(&self, id: FrameId) -> &Frame {
        self.open(id).expect("an open frame")
    }

    #[expect(clippy::expect_used, reason = "ids are made by open_frame only, and no closed one is kept")]
    pub(crate) fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        self.open_mut(id).expect("an open frame")
    }

    pub(crate) fn open_frames(&self) -> impl Iterator<Item = (FrameId, &Frame)> {
        let frames = self.frames.iter().enumerate();
        frames.filter_map(|(index, frame)| Some((FrameId(index as u32), frame.as_ref()?)))
    }

    /// Returns the frame, from `frame` outward, that runs the scope of `slot`.
    pub(super) fn frame_of_slot(&self, frame: FrameId, slot: SlotId) -> Option<FrameId> {
        let scope = self.frame(frame).unit.body.slots[slot.index()].scope;
        let mut current = Some(frame);
        while let Some(id) = current {
            let found = self.frame(id);
            if found.scope == scope {
                return Some(id);
            }
            current = found.outer;
        }
        None
    }

    /// Writes a variable, and records its previous state if the write may have to be undone.
    pub(crate) fn write(&mut self, target: VariableTarget, state: VariableState) {
        let before = match &target {
            VariableTarget::Slot(frame, index) => {
                std::mem::replace(&mut self.frame_mut(*frame).slots[*index as usize], state)
            }
            VariableTarget::Global(name) => {
                self.globals.insert(name.clone(), state).unwrap_or(VariableState::Unset)
            }
            VariableTarget::Element(element) => self.write_element(element, state),
        };
        if self.is_recording() {
            self.journal.writes.push(VariableWrite { target, state: before });
        }
    }

    fn restore(&mut self, write: VariableWrite) {
        match write.target {
            VariableTarget::Slot(frame, index) => self.frame_mut(frame).slots[index as usize] = write.state,
            VariableTarget::Global(name) => {
                self.globals.insert(name, write.state);
            }
            VariableTarget::Element(element) => {
                self.write_element(&element, write.state);
            }
        }
    }

    /// Writes an element and returns its previous state.
    fn write_element(&mut self, element: &Arc<ElementPath>, state: VariableState) -> VariableState {
        let before = match state {
            VariableState::Set(value) => self.narrowed.insert(element.clone(), value),
            VariableState::Unset | VariableState::Possible(_) => self.narrowed.remove(element),
        };
        before.map_or(VariableState::Unset, VariableState::Set)
    }

    /// Returns the state of a variable. The program's own value applies until the variable is written.
    pub(crate) fn read(&self, target: &VariableTarget, program: &dyn FactsAndData) -> VariableState {
        let set = |value: Option<Value>| value.map_or(VariableState::Unset, VariableState::Set);
        match target {
            VariableTarget::Slot(frame, index) => self.frame(*frame).slots[*index as usize].clone(),
            VariableTarget::Global(name) => match self.globals.get(name) {
                Some(VariableState::Unset) | None => set(program.global(name)),
                Some(state) => state.clone(),
            },
            VariableTarget::Element(element) => set(self.narrowed.get(element).cloned()),
        }
    }

    /// Returns the nesting depth of branches that may not be taken.
    pub(crate) fn fork_depth(&self) -> u32 {
        self.journal.forks
    }

    fn is_recording(&self) -> bool {
        self.journal.forks > 0 || self.journal.calls > 0
    }

    fn mark(&self) -> JournalMark {
        JournalMark { writes: self.journal.writes.len(), closed: self.journal.closed.len() }
    }

    /// Begins a branch that may not be taken. [`Variables::end_branch`] ends it.
    pub(crate) fn begin_branch(&mut self) -> JournalMark {
        self.journal.forks += 1;
        self.mark()
    }

    /// Undoes the writes of a branch, and returns the states that they left.
    #[expect(clippy::mutable_key_type, reason = "what a regular expression caches is not compared")]
    pub(crate) fn end_branch(&mut self, mark: JournalMark, program: &dyn FactsAndData) -> Vec<VariableWrite> {
        self.journal.forks -= 1;
        let mut left: Vec<VariableWrite> = Vec::new();
        let mut seen: FxHashSet<VariableTarget> = FxHashSet::default();
        for write in self.journal.writes.split_off(mark.writes).into_iter().rev() {
            // A frame that the branch itself opened is closed by now.
            if !self.is_open(&write.target) {
                continue;
            }
            if seen.insert(write.target.clone()) {
                let state = self.read(&write.target, program);
                left.push(VariableWrite { target: write.target.clone(), state });
            }
            self.restore(write);
        }
        self.free_frames.extend(self.journal.closed.drain(mark.closed..));
        left
    }

    /// Begins a call that jumps may leave. [`Variables::end_call`] ends it.
    pub(crate) fn begin_call(&mut self) -> JournalMark {
        self.journal.calls += 1;
        self.mark()
    }

    /// Ends a call whose frame is closed.
    ///
    /// Discards what the call learned about outer variables if a jump may have left it earlier.
    pub(crate) fn end_call(&mut self, mark: JournalMark, is_left_earlier: bool) {
        self.journal.calls -= 1;
        let writes = self.journal.writes.split_off(mark.writes.min(self.journal.writes.len()));
        let mut outside: Vec<VariableWrite> =
            writes.into_iter().filter(|write| self.is_open(&write.target)).collect();
        self.free_frames.extend(self.journal.closed.drain(mark.closed.min(self.journal.closed.len())..));
        if is_left_earlier {
            outside.into_iter().rev().for_each(|write| self.restore(write));
        } else if self.is_recording() {
            self.journal.writes.append(&mut outside);
        }
    }

    fn is_open(&self, target: &VariableTarget) -> bool {
        target.frame().is_none_or(|frame| self.open(frame).is_some())
    }

    /// Drops what conditions have established about the elements of a variable.
    pub(crate) fn drop_narrowing(&mut self, target: &VariableTarget) {
        let elements: Vec<_> = self.narrowed.keys().filter(|path| path.root == *target).cloned().collect();
        for element in elements {
            self.write(VariableTarget::Element(element), VariableState::Unset);
        }
    }
}
