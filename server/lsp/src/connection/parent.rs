//! Ends the server when the client's process is gone and nobody has closed our input (some other process may hold it).

use std::time::Duration;

use super::ConnectionState;

const EVERY: Duration = Duration::from_secs(5);

/// Ends when the process that the client named in `initialize` is gone; never when it named none, or one that cannot be
/// seen from here (a client in another container).
pub(super) async fn gone(session: &ConnectionState) {
    let mut was_seen = false;
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(process) = session.client_process.get() else { continue };
        match (is_alive(*process), was_seen) {
            (true, _) => was_seen = true,
            (false, true) => return,
            (false, false) => {}
        }
    }
}

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return true };
    test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

/// Elsewhere the end of the input has to do.
#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
}
