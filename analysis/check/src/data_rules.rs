//! Findings in the files of Hiera: its configurations and data.

mod parameters;

use codes::{Code, Milder};
use hiera::config::ConfigSeverity;
use hiera::data::{DataFindingKind, DataNode, HieraData};
use hiera::interpolation;
use project::{Db, File, FileKind};
use syntax::{Severity, TextRange};

use crate::Diagnostic;

/// Findings in a configuration or data file of Hiera, by position; nothing for other files.
pub(crate) fn data_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    let mut found = match project::file_kind(db, file) {
        FileKind::HieraConfiguration => configuration(db, file),
        FileKind::Data if project::is_hiera_data(db, file) => {
            let data = project::hiera_data(db, file);
            let mut found = Vec::new();
            findings(&data, &mut found);
            interpolations(&text, &data, &mut found);
            parameters::check(db, file, &data, &mut found);
            found
        }
        _ => return Vec::new(),
    };
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity(), it.code));
    found
}

fn configuration(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(config) = project::hiera_configuration(db, file) else { return Vec::new() };
    let finding = |finding: &hiera::config::ConfigFinding| {
        let severity = match finding.severity {
            ConfigSeverity::Error => Severity::Error,
            ConfigSeverity::Warning => Severity::Warning,
            ConfigSeverity::Advice => Severity::Hint,
        };
        Diagnostic::new(Code::HieraConfiguration, finding.range, finding.message.clone())
            .milder(Milder::Tolerated, severity)
    };
    config.findings.iter().map(finding).collect()
}

fn findings(data: &HieraData, found: &mut Vec<Diagnostic>) {
    for finding in &data.findings {
        let code = match finding.kind {
            DataFindingKind::Syntax => Code::DataSyntax,
            DataFindingKind::Value => Code::DataValue,
            DataFindingKind::Symbol => Code::DataSymbol,
            DataFindingKind::DuplicateKey => Code::DataDuplicateKey,
        };
        found.push(Diagnostic::new(code, finding.range, finding.message.clone()));
    }
}

/// What Hiera refuses of `%{...}`. Keys are looked up as they are written.
fn interpolations(text: &str, data: &HieraData, found: &mut Vec<Diagnostic>) {
    for entry in data.entries() {
        entry.value.walk(&mut |node: &DataNode| {
            let whole = node.range.as_range();
            let Some(written) = text.get(whole.clone()) else { return };
            let behind_quotes = written.trim_start_matches(['"', '\'']);
            let inner = behind_quotes.trim_end_matches(['"', '\'']);
            // 'alias' must be all of the text inside of the quotes.
            let start = node.range.start + (written.len() - behind_quotes.len()) as u32;
            for interpolation in interpolation::interpolations_of(text, node) {
                let local = interpolation::DataInterpolation {
                    range: TextRange::new(
                        interpolation.range.start.saturating_sub(start),
                        interpolation.range.end.saturating_sub(start),
                    ),
                    ..interpolation.clone()
                };
                if let Some(message) = interpolation::failure(&local, inner, true) {
                    found.push(Diagnostic::new(Code::DataInterpolation, interpolation.range, message));
                }
            }
        });
    }
}
