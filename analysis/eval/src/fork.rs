//! Unknown conditions: every branch runs from the same state, then states and values are joined.

use std::sync::Arc;

use hir::Name;
use operators::MatchData;
use rustc_hash::{FxHashMap, FxHashSet};
use types::{Indistinguishable, IteratorValue, Origin, Type, TypeEnvironment, Value};

use crate::error::{Certainty, Exit, ExprPlace, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, VariableState};

/// Writes of branches, to be undone and joined. Empty outside of forks.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Number of active forks.
    forks: u32,
    /// Number of active calls of lambdas and functions.
    calls: u32,
    /// Written targets and their previous states.
    writes: Vec<(VariableTarget, VariableState)>,
    /// Jumps that branches may have made, to be joined at their destination.
    pub(crate) pending: Vec<PendingExit>,
    /// Closed frames that `writes` may still reference, so their ids cannot be reused yet.
    closed: Vec<FrameId>,
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
    pub(crate) fn frame(&self) -> Option<FrameId> {
        match self {
            VariableTarget::Slot(frame, _) => Some(*frame),
            VariableTarget::Global(_) => None,
            VariableTarget::Element(element) => element.root.frame(),
        }
    }
}

/// Jump that only some branches make.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PendingExit {
    Next(Value),
    Break(ExprPlace),
    Return(Value),
}

/// State of the journal at the beginning of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallMark {
    writes: usize,
    walks: usize,
    pub(crate) pending: usize,
    closed: usize,
}

/// Result and state of one branch.
struct Branch {
    result: Outcome,
    writes: Vec<(VariableTarget, VariableState)>,
    walks: Walks,
    matched: Option<Arc<MatchData>>,
}

/// Iterators that were advanced, with the number of elements taken from each.
type Walks = Vec<(Arc<IteratorValue>, usize)>;

/// Maximum number of alternatives in the type of a joined value.
const MAX_ALTERNATIVES: usize = 8;

impl Evaluator<'_> {
    /// Returns the nesting depth of branches that may not be taken.
    pub(crate) fn fork_depth(&self) -> u32 {
        self.journal.forks
    }

    /// Returns true inside a branch that may not be taken.
    pub(crate) fn is_forked(&self) -> bool {
        self.journal.forks > 0
    }

    /// Writes a variable, and records its previous state if the write may have to be undone.
    pub(crate) fn write(&mut self, target: VariableTarget, slot: VariableState) {
        let before = match &target {
            VariableTarget::Slot(frame, index) => {
                std::mem::replace(&mut self.frame_mut(*frame).slots[*index as usize], slot)
            }
            VariableTarget::Global(name) => {
                self.globals.insert(name.clone(), slot).unwrap_or(VariableState::Unset)
            }
            VariableTarget::Element(element) => self.write_element(element, slot),
        };
        if self.journal.forks > 0 || self.journal.calls > 0 {
            self.journal.writes.push((target, before));
        }
    }

    /// Begins a call that jumps may leave. [`Evaluator::end_call`] ends it.
    pub(crate) fn begin_call(&mut self) -> CallMark {
        self.journal.calls += 1;
        CallMark {
            writes: self.journal.writes.len(),
            walks: self.world.walks.borrow().len(),
            pending: self.journal.pending.len(),
            closed: self.journal.closed.len(),
        }
    }

    /// Releases the id of a closed frame as soon as no recorded write references it.
    pub(crate) fn release_frame(&mut self, id: FrameId) {
        match self.journal.forks > 0 || self.journal.calls > 0 {
            true => self.journal.closed.push(id),
            false => self.free_frames.push(id),
        }
    }

    /// Ends a call whose frame is closed.
    ///
    /// Discards what the call learned about outer variables if a jump may have left it earlier.
    pub(crate) fn end_call(&mut self, mark: CallMark) {
        self.journal.calls -= 1;
        let writes = self.journal.writes.split_off(mark.writes.min(self.journal.writes.len()));
        let is_open = |target: &VariableTarget| {
            target.frame().is_none_or(|frame| self.frames[frame.0 as usize].is_some())
        };
        let mut outside: Vec<(VariableTarget, VariableState)> =
            writes.into_iter().filter(|(target, _)| is_open(target)).collect();
        self.free_frames.extend(self.journal.closed.drain(mark.closed.min(self.journal.closed.len())..));
        if self.journal.pending.len() > mark.pending {
            self.invalidate_walks(mark.walks);
            for (target, before) in outside.into_iter().rev() {
                self.restore(target, before);
            }
        } else if self.journal.forks > 0 || self.journal.calls > 0 {
            self.journal.writes.append(&mut outside);
        }
    }

    fn restore(&mut self, target: VariableTarget, before: VariableState) {
        match target {
            VariableTarget::Slot(frame, index) => self.frame_mut(frame).slots[index as usize] = before,
            VariableTarget::Global(name) => {
                self.globals.insert(name, before);
            }
            VariableTarget::Element(element) => {
                self.write_element(&element, before);
            }
        }
    }

    /// Writes an element and returns its previous state.
    fn write_element(&mut self, element: &Arc<ElementPath>, slot: VariableState) -> VariableState {
        let before = match slot {
            VariableState::Set(value) => self.paths.insert(element.clone(), value),
            VariableState::Unset | VariableState::Possible(_) => self.paths.remove(element),
        };
        before.map_or(VariableState::Unset, VariableState::Set)
    }

    fn read(&self, target: &VariableTarget) -> VariableState {
        match target {
            VariableTarget::Slot(frame, index) => self.frame(*frame).slots[*index as usize].clone(),
            // The program's own value applies until the variable is written.
            VariableTarget::Global(name) => match self.globals.get(name) {
                Some(VariableState::Unset) | None => {
                    self.world.program.global(name).map_or(VariableState::Unset, VariableState::Set)
                }
                Some(slot) => slot.clone(),
            },
            VariableTarget::Element(element) => {
                self.paths.get(element).cloned().map_or(VariableState::Unset, VariableState::Set)
            }
        }
    }

    /// Runs each of `count` branches from the same state, and joins their results.
    ///
    /// `origin` is the reason that the taken branch is unknown.
    pub(crate) fn fork(
        &mut self,
        frame: FrameId,
        count: usize,
        origin: Origin,
        mut run: impl FnMut(&mut Self, usize) -> Outcome,
    ) -> Outcome {
        let mark = self.journal.writes.len();
        let first_closed = self.journal.closed.len();
        let first_walk = self.world.walks.borrow().len();
        let matched = self.frame(frame).matched.clone();
        let mut branches = Vec::with_capacity(count);
        for index in 0..count {
            self.journal.forks += 1;
            let result = run(self, index);
            self.journal.forks -= 1;
            let writes = self.undo_writes(mark);
            self.free_frames.extend(self.journal.closed.drain(first_closed..));
            let walks = self.undo_walks(first_walk);
            let left = std::mem::replace(&mut self.frame_mut(frame).matched, matched.clone());
            if let Err(Exit::Cancelled) = result {
                return result;
            }
            branches.push(Branch { result, writes, walks, matched: left });
        }
        self.join_walks(&branches);
        self.join_branches(frame, branches, origin)
    }

    /// Joins the different matches that branches left, and thereby `$0`, `$1`, ….
    pub(crate) fn join_matches(
        &mut self,
        frame: FrameId,
        mut ways: Vec<Option<Arc<MatchData>>>,
        origin: Origin,
    ) {
        ways.dedup();
        if ways.len() > 1 {
            let groups = |way: &Option<Arc<MatchData>>| match way {
                Some(way) => way.groups.len(),
                None => self.count_outer_groups(frame),
            };
            let most = ways.iter().map(groups).max().unwrap_or(0);
            let env: &dyn TypeEnvironment = self.world;
            let groups = (0..most as u32).map(|group| {
                let values = ways.iter().map(|way| match way {
                    Some(way) => way.groups.get(group as usize).cloned().unwrap_or(Value::Undef),
                    None => self.read_outer_match(frame, group),
                });
                join_values(values, origin, env)
            });
            ways = vec![Some(Arc::new(MatchData { groups: groups.collect() }))];
        }
        if let Some(way) = ways.pop() {
            self.frame_mut(frame).matched = way;
        }
    }

    /// Undoes the writes since `mark`, and returns the states that they left.
    #[expect(clippy::mutable_key_type, reason = "what a regular expression caches is not compared")]
    fn undo_writes(&mut self, mark: usize) -> Vec<(VariableTarget, VariableState)> {
        let mut left: Vec<(VariableTarget, VariableState)> = Vec::new();
        let mut seen: FxHashSet<VariableTarget> = FxHashSet::default();
        for (target, before) in self.journal.writes.split_off(mark).into_iter().rev() {
            // A frame that the branch itself opened is closed by now.
            if let Some(frame) = target.frame()
                && self.frames[frame.0 as usize].is_none()
            {
                continue;
            }
            if seen.insert(target.clone()) {
                left.push((target.clone(), self.read(&target)));
            }
            self.restore(target, before);
        }
        left
    }

    /// Resets the iterators that were advanced since `mark`, and returns how far each had advanced.
    fn undo_walks(&self, mark: usize) -> Walks {
        let since = self.world.walks.borrow_mut().split_off(mark);
        let mut left = Walks::new();
        for (iterator, _) in &since {
            if !left.iter().any(|(known, _)| Arc::ptr_eq(known, iterator)) {
                left.push((iterator.clone(), iterator.taken.count()));
            }
        }
        since.iter().rev().for_each(|(iterator, before)| iterator.taken.set(*before));
        left
    }

    /// Joins the positions of iterators: a position is known if all branches that arrive here advanced
    /// equally far.
    fn join_walks(&self, branches: &[Branch]) {
        let mut walked: Vec<&Arc<IteratorValue>> = Vec::new();
        for (iterator, _) in branches.iter().flat_map(|branch| &branch.walks) {
            if !walked.iter().any(|known| Arc::ptr_eq(known, iterator)) {
                walked.push(iterator);
            }
        }
        for iterator in walked {
            let before = iterator.taken.count();
            let is_this = |walk: &&(Arc<IteratorValue>, usize)| Arc::ptr_eq(&walk.0, iterator);
            let live = branches.iter().filter(|branch| branch.result.is_ok());
            let mut taken: Vec<usize> = live
                .map(|branch| branch.walks.iter().find(is_this).map_or(before, |(_, taken)| *taken))
                .collect();
            taken.dedup();
            self.world.walks.borrow_mut().push((iterator.clone(), before));
            match taken[..] {
                [taken] => iterator.taken.set(taken),
                _ => iterator.taken.mark_unknown(),
            }
        }
    }

    /// Marks the positions of all iterators that were advanced since `mark` as unknown.
    fn invalidate_walks(&self, mark: usize) {
        let walks = self.world.walks.borrow();
        walks.iter().skip(mark).for_each(|(iterator, _)| iterator.taken.mark_unknown());
    }

    fn join_branches(&mut self, frame: FrameId, branches: Vec<Branch>, origin: Origin) -> Outcome {
        let mut live = Vec::new();
        let mut matches = Vec::new();
        let mut first_error = None;
        let mut first_exit = None;
        let first_pending = self.journal.pending.len();
        for branch in branches {
            match branch.result {
                Ok(value) => {
                    live.push((value, branch.writes));
                    matches.push(branch.matched);
                }
                Err(Exit::Error(error)) => {
                    first_error.get_or_insert(error);
                }
                Err(exit) => {
                    self.journal.pending.extend(PendingExit::new(&exit));
                    first_exit.get_or_insert(exit);
                }
            }
        }
        if live.is_empty() {
            // Every branch leaves: by a jump if at least one jumps, otherwise the failure is certain.
            return match (first_exit, first_error) {
                (Some(exit), _) => {
                    // The first jump is made now, the others stay pending.
                    if first_pending < self.journal.pending.len() {
                        self.journal.pending.remove(first_pending);
                    }
                    Err(exit)
                }
                (None, Some(error)) => Err(Exit::Error(error)),
                (None, None) => Ok(Value::Undef),
            };
        }
        if let Some(error) = first_error
            && !is_deliberate(error.code)
        {
            self.report(*error, Certainty::Possible);
        }
        self.join_matches(frame, matches, origin);
        let env: &dyn TypeEnvironment = self.world;
        for (target, mut states) in states_by_target(&mut live) {
            let before = self.read(&target);
            // A branch that does not write keeps the previous state; including that state once is
            // sufficient.
            let missing = states.iter().enumerate().position(|(at, (branch, _))| at != *branch);
            let missing = missing.or((states.len() < live.len()).then_some(states.len()));
            if let Some(at) = missing {
                states.insert(at, (at, before));
            }
            let joined = join_slots(states.iter().map(|(_, state)| state), origin, env);
            self.write(target, joined);
        }
        Ok(join_values(live.into_iter().map(|(value, _)| value), origin, env))
    }

    /// Removes the pending jumps since `mark` that end here, and joins their values with the regular one.
    pub(crate) fn join_pending(
        &mut self,
        mark: usize,
        result: Outcome,
        ends_here: impl Fn(&PendingExit) -> bool,
    ) -> Outcome {
        if self.journal.pending.len() == mark {
            return result;
        }
        let pending = self.journal.pending.split_off(mark);
        let (here, outside): (Vec<_>, Vec<_>) = pending.into_iter().partition(ends_here);
        self.journal.pending.extend(outside);
        let values: Vec<Value> = here.into_iter().map(PendingExit::into_value).collect();
        match result {
            Ok(value) => Ok(join_values([value].into_iter().chain(values), Origin::Join, self.world)),
            // The regular branch fails, another one does not.
            Err(Exit::Error(error)) if !values.is_empty() => {
                if !is_deliberate(error.code) {
                    self.report(*error, Certainty::Possible);
                }
                Ok(join_values(values, Origin::Join, self.world))
            }
            // The regular branch jumps further than the others.
            Err(exit @ (Exit::Break(_) | Exit::Return(_) | Exit::Next(_))) if !values.is_empty() => {
                self.journal.pending.extend(PendingExit::new(&exit));
                Ok(join_values(values, Origin::Join, self.world))
            }
            other => other,
        }
    }
}

impl PendingExit {
    pub(crate) fn new(exit: &Exit) -> Option<PendingExit> {
        match exit {
            Exit::Next(value) => Some(PendingExit::Next(value.clone())),
            Exit::Break(place) => Some(PendingExit::Break(*place)),
            Exit::Return(value) => Some(PendingExit::Return(value.clone())),
            Exit::Error(_) | Exit::Cancelled => None,
        }
    }

    fn into_value(self) -> Value {
        match self {
            PendingExit::Next(value) | PendingExit::Return(value) => value,
            PendingExit::Break(_) => Value::Undef,
        }
    }
}

/// Groups the states that branches leave by target, with the index of the branch, in order of the first
/// write.
#[expect(clippy::mutable_key_type, reason = "what a regular expression caches is not compared")]
fn states_by_target(
    live: &mut [(Value, Vec<(VariableTarget, VariableState)>)],
) -> Vec<(VariableTarget, Vec<(usize, VariableState)>)> {
    let mut places: FxHashMap<VariableTarget, usize> = FxHashMap::default();
    let mut all: Vec<(VariableTarget, Vec<(usize, VariableState)>)> = Vec::new();
    for (branch, (_, writes)) in live.iter_mut().enumerate() {
        for (target, state) in std::mem::take(writes) {
            let at = *places.entry(target).or_insert_with_key(|target| {
                all.push((target.clone(), Vec::new()));
                all.len() - 1
            });
            let of_target = &mut all[at].1;
            if of_target.last().is_none_or(|(last, _)| *last != branch) {
                of_target.push((branch, state));
            }
        }
    }
    all
}

/// Returns true for errors that a program raises on purpose, which mean nothing under a condition.
pub(crate) fn is_deliberate(code: codes::Code) -> bool {
    code == crate::function::DELIBERATE_FAILURE
}

fn join_slots<'s>(
    states: impl Iterator<Item = &'s VariableState>,
    origin: Origin,
    env: &dyn TypeEnvironment,
) -> VariableState {
    let mut values = Vec::new();
    let mut is_certain = true;
    for state in states {
        match state {
            VariableState::Unset => is_certain = false,
            VariableState::Set(value) => values.push(value.clone()),
            VariableState::Possible(value) => {
                is_certain = false;
                values.push(value.clone());
            }
        }
    }
    match (values.is_empty(), is_certain) {
        (true, _) => VariableState::Unset,
        (false, true) => VariableState::Set(join_values(values, origin, env)),
        (false, false) => VariableState::Possible(join_values(values, origin, env)),
    }
}

/// Joins several values: returns the value on which all agree, otherwise an unknown value of the narrowest
/// common type.
pub fn join_values(
    values: impl IntoIterator<Item = Value>,
    origin: Origin,
    env: &dyn TypeEnvironment,
) -> Value {
    let mut values = values.into_iter();
    let Some(first) = values.next() else { return Value::Undef };
    let mut different = Vec::new();
    for value in values {
        let is_like = |other: &Value| other.is_indistinguishable(&value);
        if !is_like(&first) && !different.iter().any(is_like) {
            different.push(value);
        }
    }
    if different.is_empty() {
        return first;
    }
    different.insert(0, first);
    let origin = different.iter().filter_map(Value::least_trustworthy).fold(origin, Origin::max);
    let all = different.iter().map(|value| operators::type_of(value, env));
    let mut joined = with_whole_boolean(types::common::union(all, env), env);
    if matches!(&joined, Type::Variant(alternatives) if alternatives.len() > MAX_ALTERNATIVES) {
        joined = types::common::generalize(&joined, env);
    }
    if matches!(&joined, Type::Variant(alternatives) if alternatives.len() > MAX_ALTERNATIVES) {
        joined = Type::Any;
    }
    Value::unknown(joined, origin)
}

/// Replaces `true` and `false` among the alternatives by `Boolean`.
fn with_whole_boolean(ty: Type, env: &dyn TypeEnvironment) -> Type {
    let Type::Variant(alternatives) = &ty else { return ty };
    let has = |value| alternatives.contains(&Type::Boolean(Some(value)));
    if !has(true) || !has(false) {
        return ty;
    }
    let others = alternatives.iter().filter(|it| !matches!(it, Type::Boolean(_))).cloned();
    types::common::union(others.chain([Type::BOOLEAN]), env)
}
