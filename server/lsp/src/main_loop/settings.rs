//! Settings and their sources.

use disk::config::{self, ConfigLayers};
use ide::FilePath;
use lsp_types::MessageType;
use rustc_hash::FxHashSet;
use serde_json::Value;

use super::client::ClientHandle;
use super::context::LoopContext;
use super::settings_file;

/// Settings of a session, by source. [`SessionSettings::apply`] puts changes into effect.
#[derive(Default)]
pub(super) struct SessionSettings {
    layers: ConfigLayers,
    /// Settings that the client has pushed.
    sent: Value,
    /// Files with the facts of the nodes that the setting `nodes` names.
    node_files: Vec<String>,
    /// Settings files with published diagnostics.
    invalid_files: FxHashSet<FilePath>,
}

impl SessionSettings {
    /// Sets the settings files that apply to a workspace folder, and publishes their diagnostics.
    pub(super) fn set_root(
        &mut self,
        root: &FilePath,
        files: &config::RepositorySettings,
        puppet_lint: ide::PuppetLintConfiguration,
        client: &ClientHandle,
    ) {
        self.layers.set_puppet_lint(root, Some(puppet_lint));
        let findings = self.layers.set_root(root, files);
        let nearest = files.files().next_back();
        let (file, text) =
            nearest.map_or_else(|| (root.join(config::FILE_NAME), ""), |(file, text)| (file.clone(), text));
        for finding in findings.iter().filter(|it| it.is_error()) {
            show_invalid(file.as_str(), &finding.message, client);
        }
        let had_findings = if findings.is_empty() {
            self.invalid_files.remove(&file)
        } else {
            !self.invalid_files.insert(file.clone())
        };
        if had_findings || !findings.is_empty() {
            settings_file::publish(&file, text, &findings, client);
        }
    }

    /// Removes the settings of a folder that is no longer part of the workspace.
    pub(super) fn remove_root(&mut self, root: &FilePath) {
        self.layers.remove_root(root);
        self.layers.set_puppet_lint(root, None);
    }

    /// Reads the user's own settings, which apply to all workspaces.
    pub(super) fn read_user(&mut self, client: &ClientHandle) {
        if let Some((file, text)) = config::user_file() {
            for finding in self.layers.set_user(&text) {
                show_invalid(&file.display().to_string(), &finding.message, client);
            }
        }
        self.layers.trust(config::trusted_folders());
    }

    /// Sets the settings that the client has pushed.
    pub(super) fn set_sent(&mut self, value: Value) {
        self.sent = value;
    }

    /// Sets the settings that the client has answered with; those that it has pushed if it has no answer.
    pub(super) fn set_answered(&mut self, value: &Value, client: &ClientHandle) {
        if value.is_null() {
            // A client without an answer may have pushed its settings before.
            self.set_client(&self.sent.clone(), client);
        } else {
            self.set_client(value, client);
        }
    }

    pub(super) fn set_client(&mut self, value: &Value, client: &ClientHandle) {
        for finding in self.layers.set_client(value) {
            if finding.is_error() {
                show_invalid("client settings", &finding.message, client);
            } else {
                let message = format!("puppet-analyzer: client settings: {}", finding.message);
                client.outbox.show(MessageType::Warning, message);
            }
        }
    }

    /// Trusts a folder on behalf of the user, also in later sessions.
    pub(super) fn trust(&mut self, folder: &FilePath, client: &ClientHandle) {
        self.layers.trust([folder.to_native()]);
        if let Err(error) = config::trust_permanently(&folder.to_native()) {
            let message = format!("{} is trusted for this session only: {error}", folder.as_str());
            client.log(MessageType::Warning, message);
        }
    }

    /// Sets the files with the facts of nodes.
    pub(super) fn set_node_files(&mut self, files: Vec<String>) {
        self.node_files = files;
    }

    /// Returns the folders that the client's settings name.
    pub(super) fn named_folders(&self) -> impl Iterator<Item = &String> {
        self.layers.named_by_client()
    }

    /// Puts the current settings into effect. Returns whether they have changed.
    pub(super) fn apply(&self, ctx: &mut LoopContext) -> bool {
        let mut config = self.layers.config();
        if config.nodes.is_some() {
            config.settings.fact_files.extend(self.node_files.iter().cloned());
        }
        if config == ctx.config {
            return false;
        }
        if config.inlay_hints != ctx.config.inlay_hints {
            ctx.client.refresh_inlay_hints();
        }
        if config.code_lenses != ctx.config.code_lenses {
            ctx.client.refresh_code_lenses();
        }
        ctx.changes.set_settings(config.settings.clone());
        ctx.config = config;
        true
    }
}

fn show_invalid(source: &str, error: &str, client: &ClientHandle) {
    let message = format!("puppet-analyzer: {source}: {error}. The last valid settings remain in effect.");
    client.outbox.show(MessageType::Error, message);
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
