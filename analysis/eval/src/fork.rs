//! Unknown conditions: every branch runs from the same state, then states and values are joined.

use std::sync::Arc;

use operators::MatchData;
use rustc_hash::FxHashMap;
use types::{Indistinguishable, IteratorValue, Origin, Type, TypeEnvironment, Value};

use crate::error::{Certainty, Exit, Outcome, is_deliberate};
use crate::evaluator::{Evaluator, JournalMark, PendingExit, PendingMark, VariableTarget, VariableWrite};
use crate::frame::{FrameId, Site, VariableState};
use crate::world::World;

/// State at the beginning of a call that jumps may leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallMark {
    journal: JournalMark,
    walks: usize,
    pub(crate) pending: PendingMark,
}

/// Result and state of one branch.
struct Branch {
    result: Outcome,
    writes: Vec<VariableWrite>,
    walks: Walks,
    matched: Option<Arc<MatchData>>,
    /// Output of the template being rendered.
    output: Vec<Value>,
}

/// Iterators that were advanced, with the number of elements taken from each.
type Walks = Vec<(Arc<IteratorValue>, usize)>;

/// Maximum number of alternatives in the type of a joined value.
const MAX_ALTERNATIVES: usize = 8;

impl Evaluator<'_> {
    /// Returns the nesting depth of branches that may not be taken.
    pub(crate) fn fork_depth(&self) -> u32 {
        self.variables.fork_depth()
    }

    /// Returns true inside a branch that may not be taken.
    pub(crate) fn is_forked(&self) -> bool {
        self.variables.fork_depth() > 0
    }

    /// Returns true for code that may not run: in a branch that may not be taken, or after a jump that may have been
    /// made.
    pub(crate) fn may_be_skipped(&self) -> bool {
        self.is_forked() || !self.machine.jumps.is_empty()
    }

    /// Begins a call that jumps may leave. [`Evaluator::end_call`] ends it.
    pub(crate) fn begin_call(&mut self) -> CallMark {
        let walks = self.world.walks.borrow().len();
        CallMark { journal: self.variables.begin_call(), walks, pending: self.machine.jumps.mark() }
    }

    /// Ends a call whose frame is closed.
    pub(crate) fn end_call(&mut self, mark: CallMark) {
        let is_left_earlier = self.machine.jumps.has_more_than(mark.pending);
        self.variables.end_call(mark.journal, is_left_earlier);
        if is_left_earlier {
            self.world.invalidate_walks(mark.walks);
        }
    }

    /// Runs each of `count` branches from the same state, and joins their results.
    ///
    /// `site` is the expression that decides between them, with their code. `origin` is the reason that the taken branch
    /// is unknown.
    pub(crate) fn fork(
        &mut self,
        site: Site,
        count: usize,
        origin: Origin,
        mut run: impl FnMut(&mut Self, usize) -> Outcome,
    ) -> Outcome {
        let frame = site.frame;
        let size = self.catalog.size();
        let first_walk = self.world.walks.borrow().len();
        let matched = self.frame(frame).matched.clone();
        let position = self.templates.position();
        let mut branches = Vec::with_capacity(count);
        for index in 0..count {
            let mark = self.variables.begin_branch();
            let result = run(self, index);
            let writes = self.variables.end_branch(mark, self.world.program);
            let walks = self.world.undo_walks(first_walk);
            let left = std::mem::replace(&mut self.frame_mut(frame).matched, matched.clone());
            if let Err(Exit::Cancelled) = result {
                return result;
            }
            let output = self.templates.take_since(position);
            branches.push(Branch { result, writes, walks, matched: left, output });
        }
        if self.catalog.size() != size || branches.iter().any(|it| it.result.is_err()) {
            let errors = branches.iter().filter_map(|it| match &it.result {
                Err(Exit::Error(error)) => Some(&error.message),
                _ => None,
            });
            let is_certain = errors.clone().count() == branches.len();
            let failure = errors.clone().next().filter(|_| !is_certain).cloned();
            self.note_decision(site, failure);
        }
        self.world.join_walks(&branches);
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

    fn join_branches(&mut self, frame: FrameId, branches: Vec<Branch>, origin: Origin) -> Outcome {
        let mut live = Vec::new();
        let (mut matches, mut outputs) = (Vec::new(), Vec::new());
        let mut first_error = None;
        let mut first_exit = None;
        let first_pending = self.machine.jumps.mark();
        for branch in branches {
            if !matches!(branch.result, Err(Exit::Error(_))) {
                outputs.push(branch.output);
            }
            match branch.result {
                Ok(value) => {
                    live.push((value, branch.writes));
                    matches.push(branch.matched);
                }
                Err(Exit::Error(error)) => {
                    first_error.get_or_insert(error);
                }
                Err(exit) => {
                    self.machine.jumps.add(&exit);
                    first_exit.get_or_insert(exit);
                }
            }
        }
        self.join_outputs(&outputs, first_exit.is_some() && !live.is_empty(), origin);
        if live.is_empty() {
            // Every branch leaves: by a jump if at least one jumps, otherwise the failure is certain.
            return match (first_exit, first_error) {
                (Some(exit), _) => {
                    // The first jump is made now, the others stay pending.
                    self.machine.jumps.remove_first(first_pending);
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
            let before = self.variables.read(&target, self.world.program);
            // A branch that does not write keeps the previous state; including that state once is
            // sufficient.
            let missing = states.iter().enumerate().position(|(at, (branch, _))| at != *branch);
            let missing = missing.or((states.len() < live.len()).then_some(states.len()));
            if let Some(at) = missing {
                states.insert(at, (at, before));
            }
            let joined = join_slots(states.iter().map(|(_, state)| state), origin, env);
            self.variables.write(target, joined);
        }
        Ok(join_values(live.into_iter().map(|(value, _)| value), origin, env))
    }

    /// Joins the output that branches write to a template. If `may_end`, the output that follows may be missing.
    fn join_outputs(&mut self, outputs: &[Vec<Value>], may_end: bool, origin: Origin) {
        let Some((first, others)) = outputs.split_first() else { return };
        if !may_end && others.iter().all(|it| it == first) {
            first.iter().for_each(|value| self.templates.write(value.clone()));
            return;
        }
        let text = Value::unknown(Type::STRING, origin);
        let is_sensitive = outputs.iter().flatten().any(|it| matches!(it, Value::Sensitive(_)));
        self.templates.write(if is_sensitive { Value::sensitive(text) } else { text });
    }

    /// Removes the pending jumps since `mark` that end here, and joins their values with the regular one.
    pub(crate) fn join_pending(
        &mut self,
        mark: PendingMark,
        result: Outcome,
        ends_here: impl Fn(&PendingExit) -> bool,
    ) -> Outcome {
        let Some(values) = self.machine.jumps.take(mark, ends_here) else { return result };
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
                self.machine.jumps.add(&exit);
                Ok(join_values(values, Origin::Join, self.world))
            }
            other => other,
        }
    }
}

impl World<'_> {
    /// Resets the iterators that were advanced since `mark`, and returns how far each had advanced.
    fn undo_walks(&self, mark: usize) -> Walks {
        let since = self.walks.borrow_mut().split_off(mark);
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
            self.walks.borrow_mut().push((iterator.clone(), before));
            match taken[..] {
                [taken] => iterator.taken.set(taken),
                _ => iterator.taken.mark_unknown(),
            }
        }
    }

    /// Marks the positions of all iterators that were advanced since `mark` as unknown.
    fn invalidate_walks(&self, mark: usize) {
        let walks = self.walks.borrow();
        walks.iter().skip(mark).for_each(|(iterator, _)| iterator.taken.mark_unknown());
    }
}

/// Groups the states that branches leave by target, with the index of the branch, in order of the first
/// write.
#[expect(clippy::mutable_key_type, reason = "what a regular expression caches is not compared")]
fn states_by_target(
    live: &mut [(Value, Vec<VariableWrite>)],
) -> Vec<(VariableTarget, Vec<(usize, VariableState)>)> {
    let mut places: FxHashMap<VariableTarget, usize> = FxHashMap::default();
    let mut all: Vec<(VariableTarget, Vec<(usize, VariableState)>)> = Vec::new();
    for (branch, (_, writes)) in live.iter_mut().enumerate() {
        for VariableWrite { target, state } in std::mem::take(writes) {
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
