//! Findings in Hiera configurations and data files.

mod parameters;

use codes::{Code, DowngradeReason};
use hiera::DataFormat;
use hiera::config::ConfigSeverity;
use hiera::data::{Content, DataFindingKind, DataNode, HieraData};
use hiera::interpolation;
use hir::{NameUseKind, VariableBinding};
use project::{Contents, Db, File, FileKind};
use syntax::{Severity, TextRange};

use crate::Diagnostic;
use crate::rules::legacy_fact;
use crate::rules::unknown_fact::is_legacy_fact;

/// Returns the findings in a Hiera configuration or data file, by position; none for other files.
pub(crate) fn data_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if *file.contents(db) == Contents::NotUtf8(None) {
        return vec![not_utf8(db, file)];
    }
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    let mut found = match project::file_kind(db, file) {
        FileKind::HieraConfiguration => {
            let mut found = configuration(db, file);
            legacy_facts(db, file, &text, &hiera::data::read(DataFormat::Yaml, &text), &mut found);
            found
        }
        FileKind::Data if project::is_hiera_data(db, file) => {
            let data = project::hiera_data(db, file);
            let mut found = Vec::new();
            findings(&data, &mut found);
            interpolations(&text, &data, &mut found);
            legacy_facts(db, file, &text, &data, &mut found);
            parameters::check(db, file, &data, &mut found);
            found
        }
        _ => return Vec::new(),
    };
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity(), it.code));
    found
}

/// Reports a file that is not valid UTF-8. Puppet fails when it reads such a file, except for JSON; this does
/// not depend on whether the file is read at all.
fn not_utf8(db: &dyn Db, file: File) -> Diagnostic {
    let (what, severity) = match project::file_kind(db, file) {
        FileKind::HieraConfiguration => ("Hiera configuration", Severity::Error),
        _ => ("data file", Severity::Warning),
    };
    let message = codes::with_help(format!("{what} is not valid UTF-8"), "save the file as UTF-8");
    Diagnostic::new(Code::NotUtf8, TextRange::empty(0), message)
        .downgraded(DowngradeReason::Tolerated, severity)
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
            .downgraded(DowngradeReason::Tolerated, severity)
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

/// Reports legacy facts in `%{...}`, with the range of the whole access: `::osfamily`, `facts.osfamily`.
fn legacy_facts(db: &dyn Db, file: File, text: &str, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first() else { return };
    let name_uses = project::name_uses(db, file);
    let legacy = name_uses.iter().filter(|it| match &it.kind {
        NameUseKind::Fact => true,
        NameUseKind::Variable(VariableBinding::Qualified { scope }) => scope.is_empty(),
        _ => false,
    });
    let mut legacy = legacy.filter(|it| is_legacy_fact(db, *environment, &it.name)).peekable();
    if legacy.peek().is_none() {
        return;
    }
    // `%{...}` in a comment is not interpolated.
    let mut scalars: Vec<TextRange> = Vec::new();
    if let Some(root) = &data.root {
        root.walk(&mut |node| {
            if matches!(node.content, Content::Scalar { .. }) {
                scalars.push(node.range);
            }
        });
    }
    scalars.sort_by_key(|it| it.start);
    for it in legacy {
        let before = scalars.partition_point(|scalar| scalar.start <= it.range.start);
        let is_inside = before.checked_sub(1).is_some_and(|at| scalars[at].contains_range(it.range));
        let Some(lead) = text.get(..it.range.start as usize).filter(|_| is_inside) else { continue };
        let lead = match &it.kind {
            NameUseKind::Fact => "facts.".len(),
            _ if lead.ends_with("::") => "::".len(),
            // A class that the key belongs to may have a variable of this name. Hierarchy levels seldom
            // depend on one.
            _ if project::file_kind(db, file) == FileKind::Data => continue,
            _ => 0,
        };
        let range = TextRange::new(it.range.start - lead as u32, it.range.end);
        found.push(legacy_fact::interpolated(environment.puppet_version(db), &it.name, range));
    }
}

/// Reports invalid `%{...}` in values. Keys are not interpolated.
fn interpolations(text: &str, data: &HieraData, found: &mut Vec<Diagnostic>) {
    for entry in data.entries() {
        entry.value.walk(&mut |node: &DataNode| {
            let whole = node.range.as_range();
            let Some(written) = text.get(whole.clone()) else { return };
            let after_quotes = written.trim_start_matches(['"', '\'']);
            let inner = after_quotes.trim_end_matches(['"', '\'']);
            // `alias` must be the entire string between the quotes.
            let start = node.range.start + (written.len() - after_quotes.len()) as u32;
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
