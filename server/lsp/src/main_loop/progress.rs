//! Progress reports for long-running background work.

use std::sync::atomic::{AtomicU32, Ordering};

use lsp_types::ProgressToken;
use tokio::sync::mpsc;
use tower_lsp::Client;

use crate::features::ClientFeatures;
use crate::outbox::Outbox;

/// An active progress report; it ends when dropped.
pub(super) struct Progress {
    messages: Option<mpsc::UnboundedSender<String>>,
}

impl Progress {
    /// Starts a report if the client supports it. Does not wait for the client.
    pub(super) fn start(outbox: &Outbox, features: &ClientFeatures, title: &'static str) -> Progress {
        if !features.shows_progress {
            return Progress { messages: None };
        }
        static LAST_TOKEN: AtomicU32 = AtomicU32::new(0);
        let number = LAST_TOKEN.fetch_add(1, Ordering::Relaxed) + 1;
        let token = ProgressToken::String(format!("puppet-analyzer/{number}"));
        let (sender, receiver) = mpsc::unbounded_channel();
        outbox.ask(move |client| show(client, token, title, receiver));
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
    mut messages: mpsc::UnboundedReceiver<String>,
) {
    if client.create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    let progress = client.progress(token, title).begin().await;
    while let Some(mut message) = messages.recv().await {
        // Only the latest message matters.
        while let Ok(newer) = messages.try_recv() {
            message = newer;
        }
        progress.report(message).await;
    }
    progress.finish().await;
}
