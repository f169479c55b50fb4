//! Catalogs: what a node or class comes to, with places as editors and people want them.

use eval::{CompileRequest, FileReader, ProjectCompilation, SourceRange};
use hir::DefinitionKind;
use project::{Db, Environment};
use syntax::TextRange;

use crate::FileId;

/// An environment, for as long as its host lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnvironmentId(pub(crate) Environment);

/// What came of a compile.
#[derive(Debug)]
pub struct Compiled {
    inner: ProjectCompilation,
    /// What ended it, if something did.
    pub failure: Option<CompileFailure>,
}

/// What ended a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileFailure {
    /// In kebab case.
    pub code: &'static str,
    pub message: String,
    /// `None` where it happens nowhere in the code.
    pub place: Option<SourcePlace>,
    /// The calls, includes and declarations that led there, innermost first.
    pub calls: Vec<SourcePlace>,
}

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourcePlace {
    /// `None` for the text that was compiled in the place of the main manifest.
    pub file: Option<FileId>,
    pub range: TextRange,
    /// The line that Puppet names, from 1.
    pub line: u32,
    /// The column that Puppet names, from 1, in characters.
    pub column: u32,
}

impl Compiled {
    /// The catalog; if the compile failed, what was there by then.
    pub fn catalog(&self) -> &eval::Catalog {
        &self.inner.compilation.catalog
    }

    /// What the code logged, in order.
    pub fn logs(&self) -> &[eval::LogEntry] {
        &self.inner.compilation.logs
    }

    /// What may be wrong, or is, and did not end the compile.
    pub fn findings(&self) -> &[eval::Finding] {
        &self.inner.compilation.findings
    }

    /// The text that was compiled in the place of the main manifest.
    pub fn code(&self) -> Option<&str> {
        self.inner.code()
    }

    pub(crate) fn place(&self, db: &dyn Db, place: eval::Place) -> Option<SourcePlace> {
        self.inner.locate(db, place).map(source_place)
    }
}

fn source_place(range: SourceRange) -> SourcePlace {
    let SourceRange { file, range, line, column } = range;
    SourcePlace { file: file.map(FileId), range, line, column }
}

pub(crate) fn compile(
    db: &dyn Db,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
) -> Compiled {
    let inner = eval::compile_project(db, environment.0, request, reader);
    let failure = inner.error(db).map(|error| CompileFailure {
        code: error.code,
        message: error.message,
        place: error.place.map(source_place),
        calls: error.calls.into_iter().map(source_place).collect(),
    });
    Compiled { inner, failure }
}

pub(crate) fn classes(db: &dyn Db, environment: EnvironmentId, module: Option<&str>) -> Vec<String> {
    let of_module = |name: &str| match module {
        Some(module) => name.strip_prefix(module).is_some_and(|it| it.is_empty() || it.starts_with("::")),
        None => true,
    };
    let names = eval::classes_of(db, environment.0);
    names.iter().filter(|name| of_module(name)).map(ToString::to_string).collect()
}

pub(crate) fn nodes(db: &dyn Db, environment: EnvironmentId) -> Vec<String> {
    let mut names = Vec::new();
    for file in environment.0.main_manifests(db).iter() {
        let definitions = &project::item_summary(db, *file).definitions;
        for definition in definitions.iter().filter(|it| it.key.kind == DefinitionKind::Node) {
            names.extend(definition.hosts.iter().filter_map(name_of_host));
        }
    }
    names
}

/// What a node may be called that a host of a node definition fits; `None` for a pattern of which that is not clear.
fn name_of_host(host: &hir::HostMatch) -> Option<String> {
    match host {
        hir::HostMatch::Name(name) => Some(name.to_string()),
        hir::HostMatch::Default => Some("default".to_owned()),
        hir::HostMatch::Regex(pattern) => example_of(pattern),
        hir::HostMatch::Invalid => None,
    }
}

/// A text that a pattern of a node definition fits, for patterns as people write them: `^web\\d+\\.example\\.com$`.
fn example_of(pattern: &str) -> Option<String> {
    let mut example = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '(' if rest.peek() == Some(&'?') => return None,
            '^' | '$' | '(' | ')' | '?' | '+' | '*' => {}
            '|' => break,
            '.' => example.push('x'),
            '\\' => match rest.next()? {
                'd' | 'h' => example.push('1'),
                'w' => example.push('x'),
                'A' | 'Z' | 'z' | 'b' => {}
                's' => example.push(' '),
                literal => example.push(literal),
            },
            '[' => {
                let mut inner = rest.by_ref().take_while(|c| *c != ']');
                let first = inner.next()?;
                let second = inner.next();
                inner.for_each(drop);
                match (first, second) {
                    ('\\', Some('d')) => example.push('1'),
                    ('\\' | '^', _) => return None,
                    (first, _) => example.push(first),
                }
            }
            '{' => rest.by_ref().take_while(|c| *c != '}').for_each(drop),
            literal => example.push(literal),
        }
    }
    let regexp = types::regexp::Regexp::new(pattern).ok()?;
    regexp.is_match(&example).ok()?.then_some(example)
}

#[cfg(test)]
mod tests {
    use super::example_of;

    #[test]
    fn patterns_have_examples() {
        for (pattern, expected) in [
            (r"^web\d+\.example\.com$", Some("web1.example.com")),
            (r"^(db|cache)\d{2}$", None),
            (r"^db[0-9]+", Some("db0")),
            (r"\Awww\d*\.x", Some("www1.x")),
            (r"(?!x)", None),
        ] {
            assert_eq!(example_of(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
