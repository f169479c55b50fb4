//! Diagnostics of settings files. They are always pushed: clients do not pull them, as the file is not a
//! Puppet file.

use disk::config::{SettingsFinding, SettingsFindingKind};
use ide::FilePath;
use lsp_types::{Code, Diagnostic};
use syntax::{LineMap, TextRange};

use super::client::ClientHandle;
use crate::convert::{self, PositionConverter, severity};

/// Publishes the diagnostics of a settings file, replacing earlier ones.
pub(super) fn publish(file: &FilePath, text: &str, findings: &[SettingsFinding], client: &ClientHandle) {
    let Some(uri) = convert::uri(file) else { return };
    let lines = LineMap::new(text);
    let converter = PositionConverter::new(text, &lines, client.features.column_unit);
    let diagnostics: Vec<Diagnostic> = findings
        .iter()
        .map(|finding| {
            let range = finding.range.clone().unwrap_or(0..0);
            let range = TextRange::new(range.start as u32, range.end as u32);
            let code = match finding.kind {
                SettingsFindingKind::Invalid => codes::Code::InvalidSetting,
                SettingsFindingKind::UnknownKey | SettingsFindingKind::UnknownRule => {
                    codes::Code::UnknownSetting
                }
                SettingsFindingKind::UsersOnly => codes::Code::IgnoredSetting,
            };
            Diagnostic {
                range: converter.range(range),
                severity: Some(severity(code.severity())),
                code: Some(Code::String(code.to_string())),
                source: Some("puppet-analyzer".to_owned()),
                message: finding.message.clone().into(),
                ..Diagnostic::default()
            }
        })
        .collect();
    client
        .outbox
        .notify(move |client| async move { client.publish_diagnostics(uri, diagnostics, None).await });
}
