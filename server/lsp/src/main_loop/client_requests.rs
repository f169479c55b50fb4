//! Requests to the client.

use disk::config;
use lsp_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType,
    Registration,
};
use serde_json::Value;

use super::{Events, FinishedOnDrop, Write};
use crate::features::ClientFeatures;
use crate::outbox::Outbox;

/// Asks the client to pull diagnostics again.
pub(super) fn refresh_diagnostics(outbox: &Outbox) {
    outbox.ask(|client| async move {
        if let Err(error) = client.workspace_diagnostic_refresh().await {
            tracing::debug!("the client failed to refresh diagnostics: {error}");
        }
    });
}

/// Asks the client to request inlay hints again.
pub(super) fn refresh_inlay_hints(outbox: &Outbox) {
    outbox.ask(|client| async move {
        if let Err(error) = client.inlay_hint_refresh().await {
            tracing::debug!("the client failed to refresh inlay hints: {error}");
        }
    });
}

/// Asks the client to request code lenses again.
pub(super) fn refresh_code_lenses(outbox: &Outbox) {
    outbox.ask(|client| async move {
        if let Err(error) = client.code_lens_refresh().await {
            tracing::debug!("the client failed to refresh code lenses: {error}");
        }
    });
}

/// Requests the `puppet-analyzer` section of the client's settings.
pub(super) fn request_settings(outbox: &Outbox, events: Events, finished: FinishedOnDrop) {
    let log = outbox.clone();
    outbox.ask(move |client| async move {
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

/// Registers for notifications about changed settings and files.
pub(super) fn register(outbox: &Outbox, features: &ClientFeatures) {
    let mut registrations = Vec::new();
    if features.registers_configuration {
        registrations.push(registration("workspace/didChangeConfiguration", None));
    }
    if features.registers_file_watchers {
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
    let log = outbox.clone();
    outbox.ask(move |client| async move {
        if let Err(error) = client.register_capability(registrations).await {
            log.log(MessageType::Warning, format!("the client rejected a registration: {error}"));
        }
    });
}

fn registration(method: &str, register_options: Option<Value>) -> Registration {
    Registration { id: format!("puppet-analyzer/{method}"), method: method.to_owned(), register_options }
}
