//! The client as the main loop sees it: its features, and requests to it.

use std::sync::Arc;

use disk::config;
use lsp_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    MessageActionItem, MessageType, Registration,
};
use serde_json::Value;

use super::events::{Events, Write};
use super::jobs::FinishedOnDrop;
use crate::features::ClientFeatures;
use crate::outbox::Outbox;

/// Sends to the client what it supports. Cheap to clone.
#[derive(Clone)]
pub(super) struct ClientHandle {
    pub(super) outbox: Outbox,
    pub(super) features: Arc<ClientFeatures>,
}

impl ClientHandle {
    pub(super) fn log(&self, kind: MessageType, message: impl Into<String>) {
        self.outbox.log(kind, message);
    }

    /// Asks the client to pull diagnostics again, if it pulls them.
    pub(super) fn refresh_diagnostics(&self) {
        if !self.features.pulls_diagnostics {
            return;
        }
        self.outbox.ask(|client| async move {
            if let Err(error) = client.workspace_diagnostic_refresh().await {
                tracing::debug!("the client failed to refresh diagnostics: {error}");
            }
        });
    }

    /// Asks the client to request inlay hints again, if it supports that.
    pub(super) fn refresh_inlay_hints(&self) {
        if !self.features.refreshes_inlay_hints {
            return;
        }
        self.outbox.ask(|client| async move {
            if let Err(error) = client.inlay_hint_refresh().await {
                tracing::debug!("the client failed to refresh inlay hints: {error}");
            }
        });
    }

    /// Asks the client to request code lenses again, if it supports that.
    pub(super) fn refresh_code_lenses(&self) {
        if !self.features.refreshes_code_lenses {
            return;
        }
        self.outbox.ask(|client| async move {
            if let Err(error) = client.code_lens_refresh().await {
                tracing::debug!("the client failed to refresh code lenses: {error}");
            }
        });
    }

    /// Requests the `puppet-analyzer` section of the client's settings.
    pub(super) fn request_settings(&self, events: Events, finished: FinishedOnDrop) {
        let log = self.outbox.clone();
        self.outbox.ask(move |client| async move {
            let item = ConfigurationItem { scope_uri: None, section: Some(config::SECTION.to_owned()) };
            match client.configuration(vec![item]).await {
                Ok(mut sections) => {
                    events.write(Write::ClientSettings(sections.pop().unwrap_or(Value::Null)));
                }
                Err(error) => {
                    log.log(MessageType::Warning, format!("cannot get settings from the client: {error}"))
                }
            }
            drop(finished);
        });
    }

    /// Shows a warning with an action. Sends `chosen` if the user chooses it.
    pub(super) fn offer(&self, message: String, action: &'static str, events: Events, chosen: Write) {
        self.outbox.ask(move |client| async move {
            let actions = [action, "Not now"]
                .map(|title| MessageActionItem { title: title.to_owned(), ..Default::default() });
            let answer =
                client.show_message_request(MessageType::Warning, message, Some(actions.into())).await;
            if answer.ok().flatten().is_some_and(|it| it.title == action) {
                events.write(chosen);
            }
        });
    }

    /// Registers for notifications about changed settings and files.
    pub(super) fn register(&self) {
        let mut registrations = Vec::new();
        if self.features.registers_configuration {
            registrations.push(registration("workspace/didChangeConfiguration", None));
        }
        if self.features.registers_file_watchers {
            // Modules serve files of any name, and moved folders matter as well.
            let everything =
                FileSystemWatcher { glob_pattern: GlobPattern::Pattern("**/*".to_owned()), kind: None };
            let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![everything] };
            registrations
                .push(registration("workspace/didChangeWatchedFiles", serde_json::to_value(options).ok()));
        }
        if registrations.is_empty() {
            return;
        }
        let log = self.outbox.clone();
        self.outbox.ask(move |client| async move {
            if let Err(error) = client.register_capability(registrations).await {
                log.log(MessageType::Warning, format!("the client rejected a registration: {error}"));
            }
        });
    }
}

fn registration(method: &str, register_options: Option<Value>) -> Registration {
    Registration { id: format!("puppet-analyzer/{method}"), method: method.to_owned(), register_options }
}
