//! Progress bar on the terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Delay before the progress bar appears.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Progress bar that is only shown for long runs with text output on a terminal.
pub struct ProgressLine {
    is_wanted: bool,
    /// Unit that is counted, such as `files checked`.
    what: &'static str,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Creates a progress bar. `is_text` is false for output that is read by programs.
    pub fn new(is_text: bool, what: &'static str) -> ProgressLine {
        ProgressLine { is_wanted: is_text && io::stderr().is_terminal(), what, bar: None }
    }

    pub fn show(&mut self, progress: RunProgress) {
        if !self.is_wanted || progress.elapsed < PROGRESS_AFTER {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let template = format!("{{bar:40}} {{pos}}/{{len}} {}, {{per_sec}}, {{eta}} left", self.what);
            let style = ProgressStyle::with_template(&template);
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    }

    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress {
    pub done: usize,
    pub total: usize,
    pub elapsed: Duration,
}
