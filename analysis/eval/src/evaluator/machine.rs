//! Progress of a run: its steps, its nesting, and the jumps that are under way.

use types::Value;

use crate::error::{Exit, ExprPlace};
use crate::program::UnitId;

/// Steps, active calls, and jumps.
#[derive(Default)]
pub(crate) struct Machine<'w> {
    steps: u64,
    is_cancelled: Option<Box<dyn Fn() -> bool + 'w>>,
    depth: u32,
    /// Active calls, outermost first.
    calls: Vec<ExprPlace>,
    /// Active functions that are written in Puppet, outermost first.
    functions: Vec<ActiveCall>,
    /// Location of the most recent `next()` or `return()`.
    pub(crate) jumped_at: Option<ExprPlace>,
    /// Jumps that branches may have made, to be joined at their destination.
    pub(crate) jumps: PendingJumps,
}

/// Active call of a function that is written in Puppet.
#[derive(Clone, Copy, Debug)]
struct ActiveCall {
    unit: UnitId,
    /// Number of enclosing branches that may not be taken.
    forks: u32,
}

/// Reason that a run cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overrun {
    TooManySteps,
    Cancelled,
}

impl<'w> Machine<'w> {
    pub(super) fn cancel_when(&mut self, is_cancelled: impl Fn() -> bool + 'w) {
        self.is_cancelled = Some(Box::new(is_cancelled));
    }
}

impl Machine<'_> {
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts steps without checking the limit.
    pub(crate) fn add_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Counts steps up to `limit`. Asks for cancellation every 1,024 steps.
    pub(super) fn count(&mut self, steps: u64, limit: u64) -> Result<(), Overrun> {
        let before = self.steps;
        self.steps += steps;
        if self.steps > limit {
            return Err(Overrun::TooManySteps);
        }
        if before >> 10 != self.steps >> 10 && self.is_cancelled.as_ref().is_some_and(|ask| ask()) {
            return Err(Overrun::Cancelled);
        }
        Ok(())
    }

    /// Begins a call. Returns false if `limit` calls are active.
    pub(super) fn enter(&mut self, place: ExprPlace, limit: u32) -> bool {
        if self.depth >= limit {
            return false;
        }
        self.depth += 1;
        self.calls.push(place);
        true
    }

    pub(super) fn leave(&mut self) {
        self.calls.pop();
        self.depth -= 1;
    }

    /// Returns the active calls, innermost first.
    pub(crate) fn calls<C: FromIterator<ExprPlace>>(&self) -> C {
        self.calls.iter().rev().copied().collect()
    }

    pub(crate) fn call_count(&self) -> usize {
        self.calls.len()
    }

    /// Replaces the active calls by others, given innermost first. [`Machine::restore_calls`] ends it.
    pub(crate) fn replace_calls(&mut self, calls: &[ExprPlace]) -> Vec<ExprPlace> {
        std::mem::replace(&mut self.calls, calls.iter().rev().copied().collect())
    }

    pub(crate) fn restore_calls(&mut self, before: Vec<ExprPlace>) {
        self.calls = before;
    }

    /// Returns the number of forks around the outermost active call of a function.
    pub(crate) fn forks_of_function(&self, function: UnitId) -> Option<u32> {
        self.functions.iter().find(|it| it.unit == function).map(|it| it.forks)
    }

    pub(crate) fn enter_function(&mut self, unit: UnitId, forks: u32) {
        self.functions.push(ActiveCall { unit, forks });
    }

    pub(crate) fn leave_function(&mut self) {
        self.functions.pop();
    }
}

/// Jump that only some branches make.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PendingExit {
    Next(Value),
    Break(ExprPlace),
    Return(Value),
}

impl PendingExit {
    fn new(exit: &Exit) -> Option<PendingExit> {
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

/// Number of pending jumps at some point in time.
#[derive(Clone, Copy, Debug)]
pub struct PendingMark(usize);

/// Jumps that branches may have made, in order.
#[derive(Default)]
pub(crate) struct PendingJumps(Vec<PendingExit>);

impl PendingJumps {
    pub(crate) fn mark(&self) -> PendingMark {
        PendingMark(self.0.len())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if there are more jumps than at `mark`.
    pub(crate) fn has_more_than(&self, mark: PendingMark) -> bool {
        self.0.len() > mark.0
    }

    /// Returns true if one of the jumps since `mark` is of a kind.
    pub(crate) fn any_since(&self, mark: PendingMark, is_meant: impl Fn(&PendingExit) -> bool) -> bool {
        self.0[mark.0.min(self.0.len())..].iter().any(is_meant)
    }

    /// Adds a jump, if `exit` is one.
    pub(crate) fn add(&mut self, exit: &Exit) {
        self.0.extend(PendingExit::new(exit));
    }

    /// Removes the first jump since `mark`, if there is one.
    pub(crate) fn remove_first(&mut self, mark: PendingMark) {
        if mark.0 < self.0.len() {
            self.0.remove(mark.0);
        }
    }

    /// Removes the jumps since `mark` that end here. Returns their values, or `None` if there are no jumps since
    /// `mark`.
    pub(crate) fn take(
        &mut self,
        mark: PendingMark,
        ends_here: impl Fn(&PendingExit) -> bool,
    ) -> Option<Vec<Value>> {
        if self.0.len() <= mark.0 {
            return None;
        }
        let (here, outside): (Vec<_>, Vec<_>) = self.0.split_off(mark.0).into_iter().partition(ends_here);
        self.0.extend(outside);
        Some(here.into_iter().map(PendingExit::into_value).collect())
    }
}
