//! Catalogs of nodes and classes, with source locations for editors and the command line.

pub(crate) mod environment_overview;
pub(crate) mod node_reads;

use std::collections::BTreeMap;

use compile::{
    CompileError, CompileRequest, EntryPoint, FileReader, ProjectCompilation, SourceRange, UnknownInput,
};
use eval::{LogEntry, LogLevel};
use hir::Name;
use plugins::puppetfile::PuppetfileModule;
use project::{Db, Environment};
use syntax::TextRange;

use crate::{Analysis, Cancellable, FileId, NodeProperty};

/// An environment, valid as long as its host lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnvironmentId(pub(crate) Environment);

/// Result of a compile.
#[derive(Debug)]
pub struct Compiled {
    inner: ProjectCompilation,
    /// Error that ended the compile, if any.
    pub failure: Option<CompileDiagnostic>,
    /// Dependency cycle, which prevents the agent from applying the catalog. Its `calls` are the other
    /// relationships of the cycle, then the resources.
    pub cycle: Option<CompileDiagnostic>,
    /// Resources of a complete catalog that no agent accepts.
    pub refused: Vec<CompileDiagnostic>,
    /// Errors and warnings that did not end the compile.
    pub diagnostics: Vec<CompileDiagnostic>,
    /// Parts that were not evaluated, and possible failures.
    inconclusive_reasons: Vec<String>,
    /// Number of possible failures at the end of `inconclusive_reasons`.
    possible_failures: usize,
    /// Properties of the node that the compile has read, if the request asks for them.
    pub node_reads: Vec<NodeProperty>,
}

/// Outcome of a compile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Compiles,
    /// Something was not evaluated, so the outcome is not known.
    Inconclusive,
    Fails,
}

impl Verdict {
    /// Returns the symbol that represents the verdict in tables.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Compiles => "✓",
            Verdict::Inconclusive => "?",
            Verdict::Fails => "✗",
        }
    }
}

/// A diagnostic of a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileDiagnostic {
    pub code: check::Code,
    pub message: String,
    /// `None` if the diagnostic has no location in the code.
    pub location: Option<SourceLocation>,
    /// Locations of the arguments, attributes or defaults at fault, if they are more exact than the location
    /// that Puppet reports.
    pub parts: Vec<SourceLocation>,
    /// Calls, includes and declarations that led there, innermost first.
    pub calls: Vec<SourceLocation>,
    /// Location of the earlier declaration or definition of a duplicate.
    pub earlier: Option<SourceLocation>,
}

/// A location in source code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceLocation {
    /// `None` for the code that was compiled instead of the main manifest.
    pub file: Option<FileId>,
    pub range: TextRange,
    /// Line that Puppet reports, 1-based.
    pub line: u32,
    /// Column that Puppet reports, 1-based, in characters.
    pub column: u32,
}

impl CompileDiagnostic {
    /// Returns whether this reports a dependency cycle.
    pub fn is_cycle(&self) -> bool {
        self.code == eval::DEPENDENCY_CYCLE
    }
}

impl Compiled {
    /// Returns the catalog. If the compile failed, it contains what had been added by then.
    pub fn catalog(&self) -> &eval::Catalog {
        &self.inner.compilation.catalog
    }

    /// Returns the calls of Ruby functions with unknown results, in order.
    pub fn unknown_ruby_calls(&self) -> impl Iterator<Item = UnknownRubyCall<'_>> {
        self.inner.compilation.ruby_reasons.iter().map(|it| UnknownRubyCall {
            function: it.function.as_str(),
            what: &it.what,
            path: &it.path,
            line: it.line,
        })
    }

    /// Returns the values of keys in the data of all nodes that nodes may override, so that it is unknown
    /// whether this catalog has them.
    pub fn undecided_data(&self) -> impl Iterator<Item = (&str, &types::Value)> {
        self.inner.compilation.undecided_data.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Returns the queries of PuppetDB whose rows are unknown.
    pub fn unknown_queries(&self) -> impl Iterator<Item = &str> {
        self.inner.unknown_inputs.iter().filter_map(|input| match input {
            UnknownInput::Query { query, .. } if !query.is_empty() => Some(query.as_str()),
            _ => None,
        })
    }

    /// Returns true if the code collects what other nodes export or queries PuppetDB, and the result is unknown.
    pub fn collects_unknown_exports(&self) -> bool {
        self.inner.unknown_inputs.iter().any(UnknownInput::is_about_exports)
    }

    /// Returns true if the node certainly exports what the catalog says and nothing else, provided that what
    /// it collects from other nodes is known.
    pub fn has_known_exports(&self) -> bool {
        self.failure.is_none() && self.inner.unknown_inputs.iter().all(UnknownInput::is_about_exports)
    }

    /// Returns the error that makes the catalog unusable for nodes, if any.
    pub fn problem(&self) -> Option<&CompileDiagnostic> {
        self.failure.as_ref().or(self.defects().next())
    }

    /// Returns the reasons why no agent can apply the complete catalog.
    pub fn defects(&self) -> impl Iterator<Item = &CompileDiagnostic> {
        self.cycle.iter().chain(&self.refused)
    }

    /// Returns descriptions of the parts that were not evaluated although the result may depend on them:
    /// definitions that are missing here but may exist elsewhere, and reasons why it is unknown whether
    /// Puppet would fail.
    pub fn inconclusive_reasons(&self) -> &[String] {
        &self.inconclusive_reasons
    }

    /// Returns the [`Compiled::inconclusive_reasons`] without failures that depend on unknown values.
    pub fn unknown_inputs(&self) -> &[String] {
        &self.inconclusive_reasons[..self.inconclusive_reasons.len() - self.possible_failures]
    }

    /// Returns descriptions of the definitions that fail for some of the unknown values.
    pub fn possible_failures(&self) -> &[String] {
        &self.inconclusive_reasons[self.inconclusive_reasons.len() - self.possible_failures..]
    }

    /// Returns whether nodes can use the catalog.
    pub fn verdict(&self) -> Verdict {
        match self.problem() {
            Some(_) if !self.is_undecided() => Verdict::Fails,
            None if self.inconclusive_reasons.is_empty() => Verdict::Compiles,
            _ => Verdict::Inconclusive,
        }
    }

    /// Returns whether the compile ended without a conclusive result: it exceeded a limit, or stopped at a
    /// value that is unknown.
    pub fn is_undecided(&self) -> bool {
        self.inner.is_undecided()
    }

    /// Returns the amount of work done, in the units of [`crate::Analysis::work_limit`].
    pub fn work(&self) -> u64 {
        self.inner.work()
    }

    /// Returns the code that was compiled instead of the main manifest.
    pub fn code(&self) -> Option<&str> {
        self.inner.code()
    }

    pub(crate) fn locate(&self, db: &dyn Db, place: eval::ExprPlace) -> Option<SourceLocation> {
        self.inner.locate(db, place).map(source_location)
    }
}

/// Message that the code logged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedMessage {
    /// Puppet's name of the level.
    pub level: &'static str,
    pub message: String,
    /// Location of the call, for warnings and errors.
    pub location: Option<SourceLocation>,
}

/// Call of a Ruby function with an unknown result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRubyCall<'c> {
    pub function: &'c str,
    /// Description of the unknown part.
    pub what: &'c str,
    /// Path of the Ruby file, relative to the folder of its module.
    pub path: &'c str,
    /// 1-based line of the unknown part; 0 if unknown.
    pub line: u32,
}

/// Module that is not installed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MissingModule {
    pub name: String,
    /// Advice on installing it, in the imperative; `None` if nothing in the project says so.
    pub help: Option<&'static str>,
}

impl Analysis {
    /// Returns the messages that the code of a compile logged, in order.
    pub fn logs(&self, compiled: &Compiled) -> Cancellable<Vec<LoggedMessage>> {
        let message = |db: &dyn Db, log: &LogEntry| LoggedMessage {
            level: log.level.name(),
            message: log.message.clone(),
            location: (log.level >= LogLevel::Warning).then(|| compiled.locate(db, log.place)).flatten(),
        };
        self.read(|db| compiled.inner.compilation.logs.iter().map(|log| message(db, log)).collect())
    }

    /// Returns the modules whose absence makes a compilation inconclusive, by the reason as
    /// [`Compiled::inconclusive_reasons`] words it.
    pub fn missing_modules(
        &self,
        environment: EnvironmentId,
        compiled: &Compiled,
    ) -> Cancellable<BTreeMap<String, MissingModule>> {
        self.read(|db| {
            let installed = environment.0.modules(db);
            let users: Vec<_> = installed.values().copied().collect();
            let missing = compiled.inner.unknown_inputs.iter().filter_map(|it| {
                let name = Name::new(it.module()?.to_lowercase());
                let is_missing = !installed.contains_key(&name);
                let help =
                    is_missing.then(|| check::installation_help(db, Some(environment.0), &users, &name))?;
                let help = Some(help).filter(|it| *it != check::INSTALL_MODULE);
                Some((it.to_string(), MissingModule { name: name.to_string(), help }))
            });
            missing.collect()
        })
    }

    /// Returns a fingerprint of the definitions, templates, files, and data that a compilation used.
    pub fn code_fingerprint(&self, compiled: &Compiled) -> Cancellable<u64> {
        self.read(|db| compiled.inner.code_fingerprint(db))
    }

    /// Returns the files of the definitions and templates that a compile used.
    pub fn code_files(&self, compiled: &Compiled) -> Cancellable<Vec<FileId>> {
        self.read(|db| compiled.inner.code_files(db).into_iter().map(FileId).collect())
    }
}

fn source_location(range: SourceRange) -> SourceLocation {
    let SourceRange { file, range, line, column } = range;
    SourceLocation { file: file.map(FileId), range, line, column }
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
        location: error.place.map(source_location),
        parts: error.parts.into_iter().map(source_location).collect(),
        calls: error.calls.into_iter().map(source_location).collect(),
        earlier: error.earlier.map(source_location),
    };
    let (failure, cycle) = (inner.error(db).map(shown), inner.cycle(db).map(shown));
    let refused = inner.refused(db).into_iter().map(shown).collect();
    let findings = inner.findings(db).into_iter().map(shown).collect();
    let possible_failures: Vec<String> = inner.possible_failures().collect();
    let inconclusive_reasons = if inner.is_undecided() {
        inner.inconclusive_reasons()
    } else {
        let inputs = inner.unknown_inputs.iter().map(ToString::to_string);
        inputs.chain(possible_failures.iter().cloned()).collect()
    };
    let (possible_failures, node_reads) =
        (possible_failures.len(), inner.node_reads.iter().cloned().map(NodeProperty).collect());
    Compiled {
        inner,
        failure,
        cycle,
        refused,
        diagnostics: findings,
        inconclusive_reasons,
        possible_failures,
        node_reads,
    }
}

/// Compiles as Puppet would. If that fails and a missing definition may be the reason, compiles again with
/// definitions treated as possibly incomplete. A part of a node (a class with any parameters) is compiled
/// that way from the start. Code given by the user is compiled strictly, with the definitions that are
/// available.
pub(crate) fn compile_with_verdict(
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
        || found.inconclusive_reasons.is_empty()
        || found.inner.has_reached_limit()
    {
        return found;
    }
    let mut again = compile(db, environment, &CompileRequest { is_incomplete: true, ..whole }, reader);
    // The first result has decided that a second is needed.
    again.node_reads.splice(0..0, found.node_reads);
    again
}

pub(crate) fn puppetfile_modules(db: &dyn Db, environment: EnvironmentId) -> Vec<(String, String)> {
    let Some(file) = project::puppetfile(db, environment.0) else { return Vec::new() };
    let modules = project::puppetfile_of(db, file).modules.iter();
    modules.map(|module| (project::installed_name(module).to_string(), version_of(module))).collect()
}

/// Returns version and options of a module in a `Puppetfile`.
pub(crate) fn version_of(module: &PuppetfileModule) -> String {
    let version = module.version.iter().map(|it| it.text.to_string());
    let options = module.options.iter().map(|it| format!("{} {}", it.name, it.value.written));
    let parts: Vec<String> = version.chain(options).collect();
    if parts.is_empty() { "latest".to_owned() } else { parts.join(", ") }
}
