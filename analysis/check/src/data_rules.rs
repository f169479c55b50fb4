//! Findings in Hiera configurations and data files.

mod encrypted;
mod interpolations;
mod keys;
mod levels;
mod options;
mod parameters;
mod recursion;
mod secrets;

use std::cell::LazyCell;

use codes::{Code, DowngradeReason};
use hiera::DataFormat;
use hiera::config::ConfigSeverity;
use hiera::data::{Content, DataFindingKind, HieraData};
use hir::{NameUseKind, VariableBinding};
use project::vfs::ByteOrderMark;
use project::{Contents, Db, Environment, File, FileKind, NameKind};
use syntax::{Severity, TextRange};
use types::Value;
use validation::Strict;

use crate::rules::legacy_fact;

use crate::rules::legacy_fact::is_legacy_fact;
use crate::{Diagnostic, DiagnosticTag, FixData, upgrade};

/// Returns the findings in a Hiera configuration or data file, by position; none for other files.
pub(crate) fn data_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if let Contents::NotUtf8(mark) = file.contents(db) {
        return vec![not_utf8(db, file, mark.as_ref())];
    }
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    let mut found = match project::file_kind(db, file) {
        FileKind::HieraConfiguration => {
            let mut found = configuration(db, file, &text);
            if let Some(config) = project::hiera_configuration(db, file) {
                levels::check(db, file, &config, &text, &mut found);
            }
            let data = hiera::data::read(DataFormat::Yaml, &text);
            levels::check_functions(db, file, &data, &mut found);
            interpolations::check_configuration(db, file, &text, &data, &mut found);
            legacy_facts(db, file, &text, &data, &mut found);
            found
        }
        FileKind::Data if project::is_hiera_data(db, file) => {
            let data = project::hiera_data(db, file);
            let mut found = Vec::new();
            findings(&data, &mut found);
            found.extend(not_a_hash(db, file, &data));
            interpolations::check(db, file, &text, &data, &mut found);
            legacy_facts(db, file, &text, &data, &mut found);
            upgrade::data::calling_variables(db, file, &text, &data, &mut found);
            parameters::check(db, file, &data, &mut found);
            options::check(db, file, &data, &mut found);
            keys::check(db, file, &data, &mut found);
            encrypted::check(&data, &mut found);
            secrets::check(&data, &mut found);
            recursion::check(db, file, &text, &data, &mut found);
            found
        }
        FileKind::Data => upgrade::data::of_unknown_configuration(db, file, &text),
        _ => return Vec::new(),
    };
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity(), it.code));
    found
}

/// Reports a file that is not valid UTF-8. Puppet fails when it reads such a file, except for JSON.
fn not_utf8(db: &dyn Db, file: File, mark: Option<&ByteOrderMark>) -> Diagnostic {
    let kind = project::file_kind(db, file);
    let is_json = DataFormat::of_path(file.path(db).as_str()) == Some(DataFormat::Json);
    let (what, severity) = match kind {
        FileKind::HieraConfiguration => ("Hiera configuration", Severity::Error),
        _ if !is_json && project::is_unreadable_hiera_data(db, file) => ("data file", Severity::Error),
        _ => ("data file", Severity::Warning),
    };
    let problem = match mark {
        Some(mark) => format!("{what} is {}", mark.description()),
        None => format!("{what} is not valid UTF-8"),
    };
    let message = codes::with_help(problem, "save the file as UTF-8");
    Diagnostic::new(Code::NotUtf8, TextRange::empty(0), message)
        .downgraded(DowngradeReason::Tolerated, severity)
}

/// Reports a file whose contents are not a hash. Puppet rejects such a file in strict mode, and ignores it
/// otherwise. An empty YAML file has no data.
fn not_a_hash(db: &dyn Db, file: File, data: &HieraData) -> Option<Diagnostic> {
    let root = data.root.as_ref().filter(|_| data.is_not_hash() && data.failure.is_none())?;
    let is_yaml = data.format == DataFormat::Yaml;
    if matches!(root.value, Value::Unknown(_))
        || is_yaml && matches!(root.value, Value::Undef | Value::Boolean(false))
    {
        return None;
    }
    let environment = file.environments(db).first()?;
    let is_strict = environment.strict(db) == Strict::Error;
    let problem = "data file does not contain a hash";
    let severity = if is_strict || !is_yaml { Severity::Error } else { Severity::Warning };
    let new = |message: String| {
        let diagnostic = Diagnostic::new(Code::DataNotAHash, root.range, message);
        diagnostic.downgraded(DowngradeReason::Strict, severity)
    };
    let text = project::text(db, file)?;
    let colons = if is_yaml && root.value.as_str().is_some() {
        colons_without_space(&text[root.range.as_range()])
    } else {
        None
    };
    let Some(colons) = colons else { return Some(new(problem.to_owned())) };
    let space = |at: &u32| (TextRange::empty(root.range.start + at), " ".into());
    let fix = FixData::Edits { edits: colons.iter().map(space).collect(), is_safe: false };
    Some(new(codes::with_help(problem, "add a space after each colon: `key: value`")).with_data(fix))
}

/// Returns the offsets after the colon that ends the key of each line; `None` if a line has no such colon.
fn colons_without_space(text: &str) -> Option<Vec<u32>> {
    let mut offsets = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let bytes = line.trim_end().as_bytes();
            let is_single = |at: &usize| {
                let is_colon = |at: usize| bytes.get(at) == Some(&b':');
                is_colon(*at) && *at > 0 && !is_colon(at - 1) && !is_colon(at + 1) && at + 1 < bytes.len()
            };
            let colon = (0..bytes.len()).find(is_single)?;
            offsets.push((start + colon + 1) as u32);
        }
        start += line.len();
    }
    Some(offsets).filter(|it| !it.is_empty())
}

fn configuration(db: &dyn Db, file: File, text: &str) -> Vec<Diagnostic> {
    let Some(config) = project::hiera_configuration(db, file) else { return Vec::new() };
    let conversion = LazyCell::new(|| {
        let layer = project::layer_of_hiera_configuration(db, file);
        hiera::config::to_version_5(text, &project::hiera_data(db, file), &config, &layer)
    });
    let finding = |finding: &hiera::config::ConfigFinding| {
        let severity = match finding.severity {
            ConfigSeverity::Error => Severity::Error,
            ConfigSeverity::Warning => Severity::Warning,
            ConfigSeverity::Advice => Severity::Hint,
        };
        let new = |message: String| {
            Diagnostic::new(Code::HieraConfiguration, finding.range, message)
                .downgraded(DowngradeReason::Tolerated, severity)
        };
        if !finding.is_about_version {
            return new(finding.message.clone());
        }
        let diagnostic = match &*conversion {
            Ok(converted) => {
                let whole = TextRange::new(0, text.len() as u32);
                let edits = vec![(whole, converted.as_str().into())];
                new(finding.message.clone()).with_data(FixData::Edits { edits, is_safe: false })
            }
            Err(reason) => {
                let (problem, _) = codes::split_message(&finding.message);
                new(codes::with_help(problem, format!("convert the file to version 5 by hand: {reason}")))
            }
        };
        diagnostic.with_tag(DiagnosticTag::Deprecated)
    };
    let mut found: Vec<Diagnostic> = config.findings.iter().map(finding).collect();
    let data = project::hiera_data(db, file);
    let ignored = data.findings.iter().filter(|it| it.kind == DataFindingKind::IgnoredAfterMark);
    found.extend(ignored.map(|it| Diagnostic::new(Code::ByteOrderMark, it.range, it.message.clone())));
    found
}

fn findings(data: &HieraData, found: &mut Vec<Diagnostic>) {
    for finding in &data.findings {
        let code = match finding.kind {
            DataFindingKind::Syntax => Code::DataSyntax,
            DataFindingKind::Value => Code::DataValue,
            DataFindingKind::Symbol => Code::DataSymbol,
            DataFindingKind::DuplicateKey => Code::DataDuplicateKey,
            DataFindingKind::ByteOrderMark | DataFindingKind::IgnoredAfterMark => Code::ByteOrderMark,
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
            // Hierarchy levels seldom depend on variables of classes.
            _ if project::file_kind(db, file) == FileKind::Data
                && may_be_variable(db, *environment, data, &it.name, it.range) =>
            {
                continue;
            }
            _ => 0,
        };
        let range = TextRange::new(it.range.start - lead as u32, it.range.end);
        found.push(legacy_fact::interpolated(environment.puppet_version(db), &it.name, range));
    }
}

/// Returns true if a name without `::` in a value may be a variable other than a fact: one of the class of the
/// key, of the code that looks up the key, or of the main manifest.
fn may_be_variable(
    db: &dyn Db,
    environment: Environment,
    data: &HieraData,
    name: &str,
    range: TextRange,
) -> bool {
    let manifests = environment.main_manifests(db);
    if manifests.iter().any(|it| compile::variables_of_manifest(db, *it).iter().any(|it| it == name)) {
        return true;
    }
    let entry = data.entries().iter().find(|it| it.value.range.contains_range(range));
    let class = entry.and_then(|it| it.key.value.as_str()?.rsplit_once("::"));
    let class = class.and_then(|(class, _)| project::resolve(db, environment, NameKind::Class, class));
    match class.and_then(|it| project::signature(db, it).as_ref()) {
        Some(class) => class.parameters.iter().any(|it| it.name == name),
        None => legacy_fact::is_common_word(name),
    }
}
