//! What a compile loads: the text in the place of the main manifest, and why Puppet would not load a text or file.

use codes::Code;
use std::sync::Arc;

use hir::{LoweredDefinition, LoweredFile};
use project::{Db, Environment, File, FilePlace};
use syntax::ast::{self, AstNode};
use syntax::{Language, Parse, Severity, TextRange};
use validation::{FileLocation, ValidationSettings, validate};

/// A text that is compiled in the place of the main manifest.
#[derive(Debug)]
pub(crate) struct CodeText {
    text: Arc<str>,
    parse: Parse,
    lowered: LoweredFile,
    finding: Option<LoadFinding>,
}

/// Why Puppet would not load a file, or the text that is compiled.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LoadFinding {
    /// `None` for the text.
    pub(crate) file: Option<File>,
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) range: TextRange,
    /// Where what is defined twice stands first.
    pub(crate) earlier: Option<(Option<File>, TextRange)>,
}

impl CodeText {
    pub(crate) fn new(db: &dyn Db, environment: Environment, text: &str) -> CodeText {
        let language = if environment.tasks(db) { Language::Plan } else { Language::Manifest };
        let parse = syntax::parse(text, language);
        let finding = finding_of(&parse, text, environment.strict(db), FileLocation::Free, None);
        let lowered = hir::lower_file(&parse);
        CodeText { text: text.into(), parse, lowered, finding }
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

    pub(crate) fn finding(&self) -> Option<&LoadFinding> {
        self.finding.as_ref()
    }

    pub(crate) fn definition(&self, index: usize) -> Option<&LoweredDefinition> {
        self.lowered.definitions.get(index)
    }
}

fn finding_of(
    parse: &Parse,
    text: &str,
    strict: validation::Strict,
    location: FileLocation,
    file: Option<File>,
) -> Option<LoadFinding> {
    let is_error = |it: &syntax::TextFinding| it.severity() == Severity::Error;
    let syntax_error = parse.errors().iter().find(|it| is_error(it)).cloned();
    let diagnostic = syntax_error.or_else(|| {
        let mut found = validate(parse, &ValidationSettings { strict, location });
        found.retain(is_error);
        found.into_iter().min_by_key(|it| it.range.start)
    });
    let Some(diagnostic) = diagnostic else { return parameter_like_metaparameter(parse, text, file) };
    let (code, message, range) = (diagnostic.code, diagnostic.message, diagnostic.range);
    Some(LoadFinding { file, code, message, range, earlier: None })
}

/// A parameter without a default that has the name of a metaparameter: Puppet refuses to make such a class or defined type.
fn parameter_like_metaparameter(parse: &Parse, text: &str, file: Option<File>) -> Option<LoadFinding> {
    // Few files have the name of one behind a `$`.
    let names = plugins::built_in::metaparameters();
    let is_one = |variable: &str| names.iter().any(|it| variable.starts_with(it.name.as_str()));
    if !text.split('$').skip(1).any(is_one) {
        return None;
    }
    let definitions = parse.syntax().descendants().filter_map(ast::Definition::cast);
    let mut parameters = definitions
        .filter(|it| matches!(it, ast::Definition::ClassDefinition(_) | ast::Definition::DefinedType(_)))
        .filter_map(|it| it.parameters())
        .flat_map(|list| list.parameters());
    parameters.find_map(|parameter| {
        let name = parameter.name()?;
        if parameter.default().is_some() || plugins::built_in::metaparameter(&name).is_none() {
            return None;
        }
        let message = format!(
            "the parameter ${name} has the name of a metaparameter: it needs another name, or a default"
        );
        let range = parameter.syntax().text_range();
        let code = Code::ParameterLikeMetaparameter;
        Some(LoadFinding { file, code, message, range, earlier: None })
    })
}

/// Why Puppet would not load a manifest.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_finding(db: &dyn Db, file: File) -> Option<LoadFinding> {
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    let strict = file.environments(db).first().map(|it| it.strict(db)).unwrap_or_default();
    let parse = project::parse_once(db, file);
    let finding = finding_of(&parse, text, strict, project::file_location(db, file).clone(), Some(file));
    finding.or_else(|| more_than_a_type(db, file, &parse))
}

/// A file in the folder `types` of a module that defines something besides its type.
fn more_than_a_type(db: &dyn Db, file: File, parse: &Parse) -> Option<LoadFinding> {
    match file.place(db) {
        FilePlace::Module { relative, .. } if relative.starts_with("types/") => {}
        _ => return None,
    }
    let second = parse.syntax().descendants().filter_map(ast::Definition::cast).nth(1)?;
    let message = "a file in the folder `types` defines one type and nothing else".to_owned();
    let (code, range) = (Code::IllegalTopConstructLocation, second.syntax().text_range());
    Some(LoadFinding { file: Some(file), code, message, range, earlier: None })
}
