//! Settings and their sources.

use disk::config;
use ide::FilePath;
use lsp_types::MessageType;
use serde_json::Value;

use super::{MainLoop, client_requests, settings_file};

impl MainLoop {
    pub(super) fn set_root_settings(
        &mut self,
        root: &FilePath,
        files: &config::RepositorySettings,
        puppet_lint: ide::PuppetLintConfiguration,
    ) {
        if !self.roots.contains_key(root) {
            return;
        }
        self.layers.set_puppet_lint(root, Some(puppet_lint));
        let findings = self.layers.set_root(root, files);
        let nearest = files.files().next_back();
        let (file, text) =
            nearest.map_or_else(|| (root.join(config::FILE_NAME), ""), |(file, text)| (file.clone(), text));
        for finding in findings.iter().filter(|it| it.is_error()) {
            self.invalid_settings(file.as_str(), &finding.message);
        }
        let had_findings = match findings.is_empty() {
            true => self.invalid_settings_files.remove(&file),
            false => !self.invalid_settings_files.insert(file.clone()),
        };
        if had_findings || !findings.is_empty() {
            settings_file::publish(&file, text, &findings, &self.features, &self.outbox);
        }
        self.settings_changed();
    }

    /// Reads the user's own settings, which apply to all workspaces.
    pub(super) fn read_user_settings(&mut self) {
        if let Some((file, text)) = config::user_file() {
            for finding in self.layers.set_user(&text) {
                self.invalid_settings(&file.display().to_string(), &finding.message);
            }
        }
        self.layers.trust(config::trusted_folders());
        self.settings_changed();
    }

    pub(super) fn set_client_settings(&mut self, value: &Value) {
        for finding in self.layers.set_client(value) {
            if finding.is_error() {
                self.invalid_settings("client settings", &finding.message);
            } else {
                let message = format!("puppet-analyzer: client settings: {}", finding.message);
                self.outbox.show(MessageType::Warning, message);
            }
        }
        self.settings_changed();
    }

    fn invalid_settings(&self, source: &str, error: &str) {
        let message =
            format!("puppet-analyzer: {source}: {error}. The last valid settings remain in effect.");
        self.outbox.show(MessageType::Error, message);
    }

    pub(super) fn settings_changed(&mut self) {
        let config = self.layers.config();
        if config == self.config {
            return;
        }
        if config.inlay_hints != self.config.inlay_hints && self.features.refreshes_inlay_hints {
            client_requests::refresh_inlay_hints(&self.outbox);
        }
        if config.code_lenses != self.config.code_lenses && self.features.refreshes_code_lenses {
            client_requests::refresh_code_lenses(&self.outbox);
        }
        self.batch.settings = Some(config.settings.clone());
        self.config = config;
        self.find_trusted_folders();
        self.has_changes = true;
        self.due.everything = true;
    }
}
