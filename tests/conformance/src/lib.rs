//! Recorded behavior of real Puppet as data, and our answers to the same questions.

pub mod catalogs;
pub mod messages;
pub mod recorded_ruby;
pub mod ruby_plugins;
pub mod style;
pub mod words;
pub mod workspace;

use syntax::{ColumnUnit, Language, LineMap, Severity};
use validation::{ExpectedNamespace, PuppetVersion, Strict, ValidationSettings, validate};

/// Settings for parsing a source.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub is_template: bool,
    /// Puppet's setting `tasks`: parses plans.
    pub tasks: bool,
    /// `off`, `warning` or `error`.
    pub strict: String,
    pub location: ExpectedNamespace,
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub is_error: bool,
    pub code: &'static str,
    pub message: String,
    /// 1-based line as Puppet counts it; the column is in characters.
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub findings: Vec<Finding>,
    /// Syntax tree in Puppet notation; `None` if the source is rejected.
    pub pn: Option<String>,
}

impl Answer {
    pub fn is_accepted(&self) -> bool {
        self.findings.iter().all(|finding| !finding.is_error)
    }
}

/// Returns the result of the parser and the static rules for a source.
pub fn answer(source: &str, question: &Question) -> Answer {
    let language = match question {
        Question { is_template: true, .. } => Language::Epp,
        Question { tasks: true, .. } => Language::Plan,
        _ => Language::Manifest,
    };
    let strict = match question.strict.as_str() {
        "off" => Strict::Off,
        "error" => Strict::Error,
        _ => Strict::Warning,
    };
    let parse = syntax::parse(source, language);
    let mut static_findings = validate(
        &parse,
        &ValidationSettings { strict, version: PuppetVersion::V7, location: question.location.clone() },
    );
    static_findings.sort_by_key(|it| it.range);
    // Puppet reports nothing else for a source with a syntax error.
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(static_findings);
    let lines = LineMap::new(source);
    let findings: Vec<Finding> = diagnostics
        .into_iter()
        .map(|it| {
            let place = lines.line_column(source, it.range.start, ColumnUnit::Utf32);
            let is_error = it.severity() == Severity::Error;
            Finding {
                is_error,
                code: it.code.as_str(),
                message: it.message,
                line: place.line + 1,
                column: place.column + 1,
            }
        })
        .collect();
    let accepted = findings.iter().all(|finding| !finding.is_error);
    let pn = accepted.then(|| syntax::pn::to_pn(&parse));
    Answer { findings, pn }
}

/// Returns the namespace expected at a path below a root with the module path `modules/` and the
/// main manifests in `manifests/`.
pub fn location_of(path: &str) -> ExpectedNamespace {
    let parts: Vec<String> = path.split('/').map(|it| it.to_lowercase()).collect();
    match parts.as_slice() {
        [root, module, folder, inner @ .., file] if root == "modules" && file.ends_with(".pp") => {
            if !matches!(folder.as_str(), "manifests" | "functions" | "types" | "plans") {
                return ExpectedNamespace::Misplaced;
            }
            let mut names = vec![module.as_str()];
            names.extend(inner.iter().map(String::as_str));
            if !(inner.is_empty() && file == "init.pp") {
                names.push(file.trim_end_matches(".pp"));
            }
            ExpectedNamespace::Module { namespace: names.join("::") }
        }
        [root, .., file] if root == "modules" && file.ends_with(".pp") => ExpectedNamespace::Misplaced,
        _ => ExpectedNamespace::Free,
    }
}
