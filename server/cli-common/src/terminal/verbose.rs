//! `--verbose`: what a run reads and how long its phases take, on standard error.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time at which the run started; unset without `--verbose`.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// Enables the messages of this module.
pub fn enable() {
    let _ = STARTED.set(Instant::now());
    say(|| {
        let version = env!("CARGO_PKG_VERSION");
        let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        format!("puppet-analyzer {version} on {system} ({architecture})")
    });
}

/// Returns true if the messages are enabled, so that reports are complete instead of short.
pub fn is_enabled() -> bool {
    STARTED.get().is_some()
}

/// Prints a line if the messages are enabled.
pub fn say(line: impl FnOnce() -> String) {
    if STARTED.get().is_some() {
        super::print_to_stderr(&format!("{}\n", output::visible(&line())));
    }
}

/// A phase of a run, whose duration is printed.
pub struct VerbosePhase(Instant);

impl VerbosePhase {
    pub fn start() -> VerbosePhase {
        VerbosePhase(Instant::now())
    }

    /// Prints what was done, with the duration of the phase and the time since the start of the run.
    pub fn end(self, what: impl FnOnce() -> String) {
        let Some(started) = STARTED.get() else { return };
        let seconds = |it: Duration| format!("{:.2} s", it.as_secs_f64());
        say(|| format!("{} in {} (at {})", what(), seconds(self.0.elapsed()), seconds(started.elapsed())));
    }
}
