//! Catalogs: what a node or class comes to, with places as editors and people want them.

use compile::{CompileError, CompileRequest, EntryPoint, FileReader, ProjectCompilation, SourceRange};
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
    pub failure: Option<CompileDiagnostic>,
    /// Resources that wait for each other, so that no agent can apply the catalog. Its calls are the other relationships of
    /// the circle, then the resources.
    pub circle: Option<CompileDiagnostic>,
    /// What may be wrong, or is, and did not end the compile.
    pub diagnostics: Vec<CompileDiagnostic>,
    /// What was not looked at.
    open: Vec<String>,
}

/// How a compile came out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Compiles,
    /// Something was not looked at, so that nobody knows.
    Open,
    Fails,
}

impl Verdict {
    /// The sign that stands for it in tables.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Compiles => "✓",
            Verdict::Open => "?",
            Verdict::Fails => "✗",
        }
    }
}

/// What is wrong with what is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileDiagnostic {
    pub code: check::Code,
    pub message: String,
    /// `None` where it happens nowhere in the code.
    pub place: Option<SourcePlace>,
    /// What is at fault, where that is more exact than the place that Puppet names: arguments, attributes, defaults.
    pub parts: Vec<SourcePlace>,
    /// The calls, includes and declarations that led there, innermost first.
    pub calls: Vec<SourcePlace>,
    /// Where what is declared or defined twice stands first.
    pub earlier: Option<SourcePlace>,
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

impl CompileDiagnostic {
    /// Do resources wait for each other?
    pub fn is_circle(&self) -> bool {
        self.code == eval::DEPENDENCY_CYCLE
    }
}

impl Compiled {
    /// The catalog; if the compile failed, what was there by then.
    pub fn catalog(&self) -> &eval::Catalog {
        &self.inner.compilation.catalog
    }

    /// Why calls of functions in Ruby gave nothing that is known, in order.
    pub fn ruby_reasons(&self) -> &[eval::RubyReason] {
        &self.inner.compilation.ruby_reasons
    }

    /// What the code logged, in order.
    pub fn logs(&self) -> &[eval::LogEntry] {
        &self.inner.compilation.logs
    }

    /// Why nodes cannot use the catalog, if they cannot.
    pub fn problem(&self) -> Option<&CompileDiagnostic> {
        self.failure.as_ref().or(self.circle.as_ref())
    }

    /// What was not looked at although the answer may depend on it, each part in words: what is not here but may be
    /// elsewhere, and why nobody knows whether Puppet would fail.
    pub fn open_parts(&self) -> &[String] {
        &self.open
    }

    /// How a node can use what was compiled.
    pub fn verdict(&self) -> Verdict {
        match self.problem() {
            Some(_) if !self.is_undecided() => Verdict::Fails,
            None if self.open.is_empty() => Verdict::Compiles,
            _ => Verdict::Open,
        }
    }

    /// Did the compile end so that nobody knows whether Puppet would fail: because it wants too much, or at a value of which
    /// nothing is known?
    pub fn is_undecided(&self) -> bool {
        self.inner.is_undecided()
    }

    /// How much work it was, in the units of [`crate::Analysis::work_limit`].
    pub fn work(&self) -> u64 {
        self.inner.work()
    }

    /// The text that was compiled in the place of the main manifest.
    pub fn code(&self) -> Option<&str> {
        self.inner.code()
    }

    pub(crate) fn place(&self, db: &dyn Db, place: eval::ExprPlace) -> Option<SourcePlace> {
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
    let inner = compile::compile_project(db, environment.0, request, reader);
    let shown = |error: CompileError| CompileDiagnostic {
        code: error.code,
        message: error.message,
        place: error.place.map(source_place),
        parts: error.parts.into_iter().map(source_place).collect(),
        calls: error.calls.into_iter().map(source_place).collect(),
        earlier: error.earlier.map(source_place),
    };
    let (failure, circle) = (inner.error(db).map(shown), inner.circle(db).map(shown));
    let findings = inner.findings(db).into_iter().map(shown).collect();
    let mut open: Vec<String> = inner.open_parts.iter().map(ToString::to_string).collect();
    if inner.is_undecided() {
        open = inner.open_words();
    }
    Compiled { inner, failure, circle, diagnostics: findings, open }
}

/// Compiles as Puppet would. Where that fails, and something that is not here may be the reason, compiles once more without
/// it; so does a part of what a node has at once. Code that somebody asks about is compiled as Puppet would with what is here.
pub(crate) fn judge(
    db: &dyn Db,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
) -> Compiled {
    let is_part = matches!(request.entry, EntryPoint::ClassWithAnyParameters(_));
    let whole = CompileRequest { is_incomplete: is_part, ..request.clone() };
    let found = compile(db, environment, &whole, reader);
    let is_code = matches!(request.entry, EntryPoint::Code(_));
    if is_part
        || is_code
        || found.problem().is_none()
        || found.open.is_empty()
        || found.inner.has_reached_limit()
    {
        return found;
    }
    compile(db, environment, &CompileRequest { is_incomplete: true, ..whole }, reader)
}

pub(crate) fn puppetfile_modules(db: &dyn Db, environment: EnvironmentId) -> Vec<(String, String)> {
    let Some(file) = project::puppetfile(db, environment.0) else { return Vec::new() };
    let modules = project::puppetfile_of(db, file).modules.iter();
    let said = |module: &project::PuppetfileModule| {
        let version = module.version.iter().map(|it| it.text.to_string());
        let options = module.options.iter().map(|(name, value)| format!("{name} {value}"));
        let words: Vec<String> = version.chain(options).collect();
        if words.is_empty() { "the newest".to_owned() } else { words.join(", ") }
    };
    modules.map(|module| (module.module().to_string(), said(module))).collect()
}
