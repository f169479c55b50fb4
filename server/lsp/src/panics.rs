//! Panic handling. A panic is a bug: it is logged with its context and fails one response, never the server.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Report of the last panic of this thread, with its query stack.
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a panic hook that records the report returned by [`catch`].
pub(super) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let mut report = info.to_string();
            if let Some(queries) = ide::query_stack() {
                report.push('\n');
                report.push_str(queries.trim_end());
            }
            LAST_PANIC.set(Some(report));
        }));
    });
}

/// Runs a function that may panic; the error is a report for the log.
pub(super) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| report(payload.as_ref()))
}

/// Returns the report of the panic of this thread that was just caught.
pub(super) fn report(payload: &(dyn std::any::Any + Send)) -> String {
    let message = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
    let message = message.unwrap_or_else(|| "unknown panic payload".to_owned());
    LAST_PANIC.take().unwrap_or(message)
}
