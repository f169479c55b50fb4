//! Unknown conditions: every branch runs on its own, then their states and values are joined.

use std::sync::Arc;

use hir::Name;
use operators::MatchData;
use rustc_hash::{FxHashMap, FxHashSet};
use types::{Indistinguishable, IteratorValue, Origin, Type, TypeEnvironment, Value};

use crate::error::{Certainty, Exit, ExprPlace, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, VariableState};

/// What branches wrote, to take back and join. Empty while nothing is forked.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// How many forks are under way.
    forks: u32,
    /// How many calls of lambdas and functions are under way.
    calls: u32,
    /// Where something was written, and what was there before.
    writes: Vec<(VariableTarget, VariableState)>,
    /// Jumps that branches may have made, to be joined where they lead.
    pub(crate) pending: Vec<PendingExit>,
    /// Frames that are closed, but that `writes` may name: none takes their place yet.
    closed: Vec<FrameId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VariableTarget {
    Slot(FrameId, u32),
    Global(Name),
    /// What conditions say of an element, beside what its collection says.
    Element(Arc<ElementPath>),
}

/// An element of what a variable holds, at any depth; without keys, a variable of the top scope that nothing here sets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ElementPath {
    /// The variable.
    pub(crate) root: VariableTarget,
    pub(crate) keys: Vec<Value>,
}

impl ElementPath {
    pub(crate) fn of_assumed(name: &str) -> ElementPath {
        ElementPath { root: VariableTarget::Global(name.into()), keys: Vec::new() }
    }
}

impl VariableTarget {
    /// The frame that it lives and dies with.
    pub(crate) fn frame(&self) -> Option<FrameId> {
        match self {
            VariableTarget::Slot(frame, _) => Some(*frame),
            VariableTarget::Global(_) => None,
            VariableTarget::Element(element) => element.root.frame(),
        }
    }
}

/// A jump that is made on some of the ways.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PendingExit {
    Next(Value),
    Break(ExprPlace),
    Return(Value),
}

/// What was written and pending when a call began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallMark {
    writes: usize,
    walks: usize,
    pub(crate) pending: usize,
    closed: usize,
}

/// How one branch ended.
struct Branch {
    result: Outcome,
    writes: Vec<(VariableTarget, VariableState)>,
    walks: Walks,
    matched: Option<Arc<MatchData>>,
}

/// Iterators that were walked, and how much has been taken from each.
type Walks = Vec<(Arc<IteratorValue>, usize)>;

/// As many different values as a joined value remembers.
const MAX_ALTERNATIVES: usize = 8;

impl Evaluator<'_> {
    /// In how many branches, each in the other, evaluation is that may not be taken.
    pub(crate) fn fork_depth(&self) -> u32 {
        self.journal.forks
    }

    /// Is evaluation inside a branch that may not be taken?
    pub(crate) fn is_forked(&self) -> bool {
        self.journal.forks > 0
    }

    /// Writes a variable, and remembers what was there if that may have to be taken back.
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

    /// Begins a call, which jumps may leave; to be ended by [`Evaluator::end_call`].
    pub(crate) fn begin_call(&mut self) -> CallMark {
        self.journal.calls += 1;
        CallMark {
            writes: self.journal.writes.len(),
            walks: self.world.walks.borrow().len(),
            pending: self.journal.pending.len(),
            closed: self.journal.closed.len(),
        }
    }

    /// Lets other frames take the place of one that was closed, as soon as no write that is remembered names it.
    pub(crate) fn give_frame_back(&mut self, id: FrameId) {
        match self.journal.forks > 0 || self.journal.calls > 0 {
            true => self.journal.closed.push(id),
            false => self.free_frames.push(id),
        }
    }

    /// Ends a call whose frame is closed. What it found out about variables around it holds no longer where a jump may
    /// have left it earlier.
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
            self.lose_walks(mark.walks);
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

    /// Gives what was there before.
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
            // What the program says of it holds until something else is written.
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

    /// Runs each of `count` branches from the same state, and goes on with what they have in common. `origin` is why it
    /// is not known which of them is taken.
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
            let writes = self.take_back(mark);
            self.free_frames.extend(self.journal.closed.drain(first_closed..));
            let walks = self.take_back_walks(first_walk);
            let left = std::mem::replace(&mut self.frame_mut(frame).matched, matched.clone());
            if let Err(Exit::Cancelled) = result {
                return result;
            }
            branches.push(Branch { result, writes, walks, matched: left });
        }
        self.join_walks(&branches);
        self.join_branches(frame, branches, origin)
    }

    /// What `$0`, `$1`, ... are behind ways that left different matches.
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

    /// Undoes the writes since `mark`, and gives what they left.
    #[expect(clippy::mutable_key_type, reason = "what a regular expression caches is not compared")]
    fn take_back(&mut self, mark: usize) -> Vec<(VariableTarget, VariableState)> {
        let mut left: Vec<(VariableTarget, VariableState)> = Vec::new();
        let mut seen: FxHashSet<VariableTarget> = FxHashSet::default();
        for (target, before) in self.journal.writes.split_off(mark).into_iter().rev() {
            // A frame that the branch itself opened is gone by now.
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

    /// Gives iterators back what was taken since a mark, and says how much that was.
    fn take_back_walks(&self, mark: usize) -> Walks {
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

    /// What is left of iterators where branches meet: that is known where all that come here took as much.
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
                _ => iterator.taken.lose(),
            }
        }
    }

    /// Nobody knows what is left of the iterators that were walked since a mark.
    fn lose_walks(&self, mark: usize) {
        let walks = self.world.walks.borrow();
        walks.iter().skip(mark).for_each(|(iterator, _)| iterator.taken.lose());
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
            // Every way leaves: by a jump if one does, else the failure is certain.
            return match (first_exit, first_error) {
                (Some(exit), _) => {
                    // The first one is made now, the others stay pending.
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
            self.find(*error, Certainty::Possible);
        }
        self.join_matches(frame, matches, origin);
        let env: &dyn TypeEnvironment = self.world;
        for (target, mut states) in states_by_target(&mut live) {
            let before = self.read(&target);
            // Where a branch writes nothing, it is what it was; once says as much as often.
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

    /// Takes the pending jumps since `mark` that end here, and joins their values with the regular one.
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
            // The regular way fails, another does not.
            Err(Exit::Error(error)) if !values.is_empty() => {
                if !is_deliberate(error.code) {
                    self.find(*error, Certainty::Possible);
                }
                Ok(join_values(values, Origin::Join, self.world))
            }
            // The regular way jumps further than the others.
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

/// Takes what each branch leaves in each target, with the branch's number, in the order in which the targets were
/// written first.
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

/// Is it an error that the program raises on purpose? Under a condition it says nothing.
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

/// One value for all of several: the value itself where they agree, else an unknown one of the narrowest common type.
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

/// `true` and `false` together are all there is of `Boolean`.
fn with_whole_boolean(ty: Type, env: &dyn TypeEnvironment) -> Type {
    let Type::Variant(alternatives) = &ty else { return ty };
    let has = |value| alternatives.contains(&Type::Boolean(Some(value)));
    if !has(true) || !has(false) {
        return ty;
    }
    let others = alternatives.iter().filter(|it| !matches!(it, Type::Boolean(_))).cloned();
    types::common::union(others.chain([Type::BOOLEAN]), env)
}
