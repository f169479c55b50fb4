//! Progress reports for long-running background work.

use std::sync::atomic::{AtomicU32, Ordering};

use lsp_types::ProgressToken;
use tokio::sync::mpsc;
use tower_lsp::Client;

use super::client::ClientHandle;

/// True if the client offers to cancel the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CancelButton {
    /// The client sends `window/workDoneProgress/cancel`.
    Shown,
    /// The result is incomplete without the work.
    Hidden,
}

/// An active progress report; it ends when dropped.
pub(super) struct Progress {
    messages: Option<mpsc::UnboundedSender<String>>,
}

impl Progress {
    /// Starts a report if the client supports it. Does not wait for the client. The user can only cancel a
    /// report with a cancel button.
    pub(super) fn start(client: &ClientHandle, title: &'static str, button: CancelButton) -> Progress {
        if !client.features.shows_progress {
            return Progress { messages: None };
        }
        static LAST_TOKEN: AtomicU32 = AtomicU32::new(0);
        let number = LAST_TOKEN.fetch_add(1, Ordering::Relaxed) + 1;
        let token = ProgressToken::String(format!("puppet-analyzer/{number}"));
        let (sender, receiver) = mpsc::unbounded_channel();
        client.outbox.ask(move |client| show(client, token, title, button, receiver));
        Progress { messages: Some(sender) }
    }

    pub(super) fn report(&self, message: String) {
        if let Some(messages) = &self.messages {
            // Fails if the client has rejected the report.
            let _ = messages.send(message);
        }
    }
}

async fn show(
    client: Client,
    token: ProgressToken,
    title: &'static str,
    button: CancelButton,
    mut messages: mpsc::UnboundedReceiver<String>,
) {
    if client.create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    let progress = client.progress(token, title);
    match button {
        CancelButton::Shown => {
            let progress = progress.with_cancel_button().begin().await;
            while let Some(message) = latest(&mut messages).await {
                progress.report_with_message(message, None).await;
            }
            progress.finish().await;
        }
        CancelButton::Hidden => {
            let progress = progress.begin().await;
            while let Some(message) = latest(&mut messages).await {
                progress.report(message).await;
            }
            progress.finish().await;
        }
    }
}

/// Waits for a message and returns the latest one; `None` once the report has ended.
async fn latest(messages: &mut mpsc::UnboundedReceiver<String>) -> Option<String> {
    let mut message = messages.recv().await?;
    while let Ok(newer) = messages.try_recv() {
        message = newer;
    }
    Some(message)
}
