//! Time as the main loop sees it, so that tests decide when it passes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::main_loop::{Events, LoopEvent};

/// Source of the time since the start of a server.
#[derive(Clone)]
pub(super) enum Clock {
    System(Instant),
    Manual(ManualClock),
}

/// Time that passes only when it is advanced. For tests.
#[derive(Clone, Default)]
pub struct ManualClock {
    state: Arc<ManualClockState>,
}

#[derive(Default)]
struct ManualClockState {
    milliseconds: AtomicU64,
    events: OnceLock<Events>,
}

impl ManualClock {
    /// Advances the time by a number of milliseconds.
    pub fn advance(&self, milliseconds: u64) {
        self.state.milliseconds.fetch_add(milliseconds, Ordering::SeqCst);
        if let Some(events) = self.state.events.get() {
            events.send(LoopEvent::TimePassed);
        }
    }
}

impl Clock {
    /// Creates a clock of the system's time.
    pub(super) fn system() -> Clock {
        Clock::System(Instant::now())
    }

    /// Connects the clock to the main loop that it wakes.
    pub(super) fn connect(&self, events: &Events) {
        if let Clock::Manual(clock) = self {
            // Fails if the clock is already connected.
            let _ = clock.state.events.set(events.clone());
        }
    }

    pub(super) fn now(&self) -> Duration {
        match self {
            Clock::System(start) => start.elapsed(),
            Clock::Manual(clock) => Duration::from_millis(clock.state.milliseconds.load(Ordering::SeqCst)),
        }
    }

    /// Returns the time to wait for until `deadline`; `None` if the clock wakes the main loop itself.
    pub(super) fn until(&self, deadline: Duration) -> Option<Duration> {
        match self {
            Clock::System(_) => Some(deadline.saturating_sub(self.now())),
            Clock::Manual(_) => None,
        }
    }
}
