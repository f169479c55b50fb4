//! Ends the server when the client's process is gone, even if the input stays open (another process may hold
//! it).

use std::time::Duration;

use super::ConnectionState;

const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Completes when the process that the client named in `initialize` is gone. Never completes if there is
/// none, or if it is not visible from here (a client in another container).
pub(super) async fn wait_for_exit(session: &ConnectionState) {
    let mut was_seen = false;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
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

/// On other systems, only the end of the input is detected.
#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
}
