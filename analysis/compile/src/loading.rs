//! Code loaded by a compile: text that replaces the main manifest, and the reasons why Puppet would not load
//! a text or file.

use codes::Code;
use std::sync::Arc;

use hir::{LoweredDefinition, LoweredFile};
use project::{Db, Environment, File, FileRole};
use syntax::ast::{self, AstNode};
use syntax::{Language, Parse, Severity, TextFinding, TextRange};
use validation::{ExpectedNamespace, ValidationSettings, logged_warnings, validate};

/// Text that is compiled instead of the main manifest.
#[derive(Debug)]
pub(crate) struct CodeText {
    text: Arc<str>,
    parse: Parse,
    lowered: LoweredFile,
    findings: LoadFindings,
}

/// Puppet's messages on loading a file, or the text that is compiled.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LoadFindings {
    /// Error that keeps it from being loaded.
    pub(crate) refusal: Option<LoadFinding>,
    /// Logged warnings.
    pub(crate) warnings: Vec<String>,
}

/// Error that keeps Puppet from loading a file, or the text that is compiled.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LoadFinding {
    /// `None` for the text.
    pub(crate) file: Option<File>,
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) range: TextRange,
    /// Location of the first of duplicate definitions.
    pub(crate) earlier: Option<(Option<File>, TextRange)>,
}

impl CodeText {
    pub(crate) fn new(db: &dyn Db, environment: Environment, text: &str) -> CodeText {
        let language = if environment.tasks(db) { Language::Plan } else { Language::Manifest };
        let parse = syntax::parse(text, language);
        let settings = ValidationSettings {
            strict: environment.strict(db),
            version: environment.puppet_version(db),
            location: ExpectedNamespace::Free,
        };
        let findings = findings_of(&parse, text, &settings, None);
        let lowered = hir::lower_file(&parse);
        CodeText { text: text.into(), parse, lowered, findings }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn parse(&self) -> &Parse {
        &self.parse
    }

    pub(crate) fn lowered(&self) -> &LoweredFile {
        &self.lowered
    }

    pub(crate) fn findings(&self) -> &LoadFindings {
        &self.findings
    }

    pub(crate) fn definition(&self, index: usize) -> Option<&LoweredDefinition> {
        self.lowered.definitions.get(index)
    }
}

fn findings_of(parse: &Parse, text: &str, settings: &ValidationSettings, file: Option<File>) -> LoadFindings {
    let is_error = |it: &TextFinding| it.severity() == Severity::Error;
    let refused = |finding: TextFinding| {
        let TextFinding { code, message, range, .. } = finding;
        LoadFinding { file, code, message, range, earlier: None }
    };
    if let Some(error) = parse.errors().iter().find(|it| is_error(it)) {
        let warnings = logged_warnings(parse, &[]);
        return LoadFindings { refusal: Some(refused(error.clone())), warnings };
    }
    let found = validate(parse, settings);
    let mut warnings = logged_warnings(parse, &found);
    let refusal = match found.into_iter().filter(is_error).min_by_key(|it| it.range.start) {
        Some(error) => Some(refused(error)),
        None => {
            let mut alike = if project::may_name_metaparameters(text) {
                project::parameters_like_metaparameters(&parse.syntax())
            } else {
                Vec::new()
            };
            let at = alike.iter().position(is_error);
            warnings.extend(alike.iter().take(at.unwrap_or(alike.len())).map(|it| it.message.clone()));
            at.map(|at| refused(alike.swap_remove(at)))
        }
    };
    LoadFindings { refusal, warnings }
}

/// Returns Puppet's messages on loading a manifest.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_findings(db: &dyn Db, file: File) -> LoadFindings {
    let Some(text) = file.contents(db).text().filter(|_| !file.is_large(db)) else {
        return LoadFindings::default();
    };
    let parse = project::parse_once(db, file);
    let settings = project::validation_settings(db, file);
    let mut findings = findings_of(&parse, &text, &settings, Some(file));
    findings.refusal =
        findings.refusal.or_else(|| extra_definition(db, file, &parse)).or_else(|| redefined_type(db, file));
    findings
}

/// Returns an error for a type alias with the name of a built-in type.
fn redefined_type(db: &dyn Db, file: File) -> Option<LoadFinding> {
    let definitions = project::item_summary(db, file).definitions.iter().enumerate();
    let (index, message) =
        definitions.filter_map(|(index, it)| Some((index, eval::refused_alias(&it.key)?))).next()?;
    let range = project::definition_ranges(db, file).get(index)?.name;
    Some(LoadFinding { file: Some(file), code: Code::ReservedTypeName, message, range, earlier: None })
}

/// Returns an error for a file in the `types` folder of a module that defines something besides its type.
fn extra_definition(db: &dyn Db, file: File, parse: &Parse) -> Option<LoadFinding> {
    match file.role(db) {
        FileRole::Module { relative, .. } if relative.starts_with("types/") => {}
        _ => return None,
    }
    let second = parse.syntax().descendants().filter_map(ast::Definition::cast).nth(1)?;
    let message = "file in the `types` folder defines more than one type".to_owned();
    let (code, range) = (Code::IllegalTopConstructLocation, second.syntax().text_range());
    Some(LoadFinding { file: Some(file), code, message, range, earlier: None })
}
