//! Editor features as an API: offsets in, plain structs out.
//!
//! [`AnalysisHost`] writes, [`Analysis`] reads. This crate knows nothing about LSP, and hides salsa from its
//! users.
//!
//! A write cancels running reads, which end with [`Cancelled`]; callers retry or drop them. A snapshot stays
//! as it was. Threads that read need a stack of [`STACK_SIZE`] bytes.
//!
//! `compiled` compiles catalogs and returns a [`Verdict`], which all commands share: **nothing unchecked is
//! reported as correct**. `occurrences` assigns each name in a file an identifier of its meaning that is the
//! same in all files, for indexes. `evaluation` evaluates pieces of files in isolation. `secret_values` masks the
//! secrets that a project contains in text for others.

mod call_hierarchy;
mod calls;
mod class_catalogs;
mod code_lenses;
mod compiled;
mod document_links;
mod document_symbols;
mod environments;
mod evaluation;
mod file_changes;
mod folding_ranges;
mod host;
mod hover;
mod inlay_hints;
mod item_uses;
mod occurrences;
mod platform_values;
mod secret_values;
mod selection_ranges;
mod semantic_tokens;
mod signature_help;
mod workspace_symbols;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use output::secrets::masked_source;
use project::{Db, File, ProjectDatabase};
use syntax::{Language, LineMap, Parse, TextRange};
use validation::ExpectedNamespace;

pub use call_hierarchy::{CallHierarchyCall, HierarchyEntry};
pub use check::{
    Breadth, Diagnostic, DiagnosticTag, FixData, GROUPS, INSTALL_MODULE, MissingFinding,
    PuppetLintConfiguration, Related, Rule, Tier, UnknownNameKind, UpgradePath, rule, rule_by_any_name,
    rule_table, rules_named,
};
pub use class_catalogs::{ClassCatalog, ClassStatus, ModuleClass};
pub use code_lenses::{CodeLens, CodeLensKind};
pub use compiled::environment_overview::{
    EnvironmentOverview, ModuleOverview, PuppetfileEntry, PuppetfileOverview, ShownFact,
};
pub use compiled::node_reads::{NodeProperties, NodeProperty};
pub use compiled::{
    CompileDiagnostic, Compiled, EnvironmentId, LoggedMessage, MissingModule, SourceLocation,
    UnknownRubyCall, Verdict,
};
pub use completion::{CompletionDetails, CompletionItem, CompletionKind, Completions};
pub use document_links::DocumentLink;

pub use environments::{NeededPart, NodeMatcher};
pub use evaluation::{EvaluatedCode, EvaluationDiagnostic, PreparedEvaluation};
pub use file_changes::DeletedName;
pub use folding_ranges::{FoldingKind, FoldingRange};
pub use host::AnalysisHost;
pub use inlay_hints::InlayHintSettings;
pub use item_uses::{
    FactTable, ItemKind, ItemPlace, ItemUse, ItemUses, MovableKey, ReachabilityRoots, RedundantKey,
    UNUSED_ITEMS, UseVerdict, ValueMoves, ValuePlace,
};
pub use occurrences::{Occurrence, SymbolDetails, SymbolKind, SymbolName};
pub use platform_values::{PlatformClass, PlatformValues};
pub use project::vfs::{
    AUTOLOAD_FOLDERS, ByteOrderMark, ByteStore, ChangeBatch, DiskState, FilePath, FileTable, InstalledFolder,
    MAX_TEXT_LENGTH, MODULE_FOLDERS, PackedText, TextDigest, TextOnDisk, is_interesting, is_read_lazily,
    may_be_copied, needs_text,
};
pub use project::{LintLevel, LintLevels, MemoryPart, Settings};
pub use refactoring::{
    CodeAction, CodeActionKind, RenameRefusal, RenameTarget, SourceChange, SourceEdit, suppression_comments,
};
pub use secret_values::{SecretValues, Surroundings};
pub use semantic_tokens::{SemanticToken, SemanticTokenKind, SemanticTokenModifiers};

pub use document_symbols::document_symbol::{DocumentSymbol, DocumentSymbolKind};
pub use inlay_hints::hint::{InlayHint, InlayHintKind};
pub use signature_help::signature::{ShownSignature, SignatureHelp};
pub use symbols::FileId;
pub use symbols::descriptions::Hover;
pub use symbols::navigation::{NameKnowledge, Navigation, NavigationTarget};
pub use symbols::references::{Reference, ReferenceAccess};
pub use validation::{PuppetVersion, Strict};
pub use workspace_symbols::WorkspaceSymbol;

/// Stack size that threads need for reads, in bytes: evaluation recurses as deeply as the program nests.
pub const STACK_SIZE: usize = eval::STACK_SIZE;

/// A read-only snapshot. Cheap to create and to clone; every thread needs its own. The next write of the host
/// makes its reads end with [`Cancelled::PendingWrite`] and blocks until all snapshots are dropped.
pub struct Analysis {
    db: ProjectDatabase,
    files: FileTable,
    roots: Arc<[FilePath]>,
    environments: Arc<[EnvironmentId]>,
    /// Salsa resets its cancellation flag at the end of each read; this one persists.
    is_cancelled: Arc<AtomicBool>,
    saw_cancelled_query: Arc<AtomicBool>,
}

/// Reason why a read ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cancelled {
    /// The host wants to write: drop the snapshot, take a new one, and retry.
    PendingWrite,
    /// The snapshot's own [`CancellationToken`] was used.
    Local,
}

/// A result, unless the read was cancelled. A panic in a query propagates to the caller.
pub type Cancellable<T> = Result<T, Cancelled>;

/// Cancels the reads of one [`Analysis`] (not of its clones), from any thread.
#[derive(Clone)]
pub struct CancellationToken {
    running: salsa::CancellationToken,
    is_cancelled: Arc<AtomicBool>,
}

impl Analysis {
    /// Returns the manifests and templates that exist or are open, by path.
    pub fn files(&self) -> Vec<FileId> {
        self.files.files().map(FileId).collect()
    }

    /// Returns the files of all kinds that exist or are open, by path.
    pub fn all_files(&self) -> Vec<FileId> {
        self.files.all_files().map(FileId).collect()
    }

    /// Returns the manifest or template at a path, if it exists or is open.
    pub fn file_id(&self, path: &FilePath) -> Option<FileId> {
        self.files.file(path).map(FileId)
    }

    pub fn path(&self, file: FileId) -> FilePath {
        file.0.path(&self.db).clone()
    }

    /// Returns the root folder of the module that a file belongs to.
    pub fn module_folder(&self, file: FileId) -> Option<&FilePath> {
        match file.0.role(&self.db) {
            project::FileRole::Module { module, .. } => Some(module.root(&self.db)),
            project::FileRole::Loose | project::FileRole::MainManifest => None,
        }
    }

    /// Returns whether a path is in a folder of the workspace.
    pub fn is_in_workspace(&self, path: &FilePath) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    /// Returns the files of the module that a file belongs to, by path; `None` for files outside of modules.
    pub fn files_of_module(&self, file: FileId) -> Option<Vec<FileId>> {
        match file.0.role(&self.db) {
            project::FileRole::Module { module, .. } => {
                Some(module.files(&self.db).values().copied().map(FileId).collect())
            }
            _ => None,
        }
    }

    /// Returns a path for display: relative to the workspace folder that contains it, otherwise absolute.
    pub fn shown_path(&self, path: &FilePath) -> String {
        let below = self.roots.iter().filter_map(|root| path.strip_prefix(root));
        below.min_by_key(|it| it.len()).map_or_else(|| path.to_native(), str::to_owned)
    }

    /// Returns the text of a file; `None` if it is not readable as text.
    pub fn text(&self, file: FileId) -> Cancellable<Option<Arc<str>>> {
        self.read(|db| project::text(db, file.0))
    }

    /// Returns the language of a file, determined by its name and path.
    pub fn language(&self, file: FileId) -> Cancellable<Language> {
        self.read(|db| project::language(db, file.0))
    }

    /// Returns the namespace that definitions in the file must have, as far as its path determines it.
    pub fn location(&self, file: FileId) -> Cancellable<ExpectedNamespace> {
        self.read(|db| project::file_location(db, file.0).clone())
    }

    /// Returns the line index of a file.
    pub fn line_map(&self, file: FileId) -> Cancellable<Arc<LineMap>> {
        self.read(|db| project::line_map(db, file.0))
    }

    /// Returns the syntax tree of a file.
    pub fn parse(&self, file: FileId) -> Cancellable<Parse> {
        self.read(|db| project::parse(db, file.0))
    }

    /// Returns syntax errors and diagnostics of the static rules, by position.
    pub fn syntax_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.diagnostics(file, Tier::Syntax)
    }

    /// Returns the diagnostics of one tier, filtered by the user's settings and suppression comments, by
    /// position.
    pub fn diagnostics(&self, file: FileId, tier: Tier) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::diagnostics(db, file.0, tier))
    }

    /// Returns the syntax errors of a manifest or template, which are the first of its diagnostics to be known;
    /// `None` if they are not reported one by one.
    pub fn syntax_errors(&self, file: FileId) -> Cancellable<Option<Vec<Diagnostic>>> {
        self.read(|db| check::syntax_errors(db, file.0))
    }

    /// Returns for each diagnostic of an earlier text whether a tier may lack it only because of a syntax error in
    /// the new text.
    pub fn are_muted(&self, file: FileId, tier: Tier, missing: &[MissingFinding]) -> Cancellable<Vec<bool>> {
        self.read(|db| check::are_muted(db, file.0, tier, missing))
    }

    /// Returns the diagnostics of compiles in a file, running only the compiles that `breadth` allows.
    pub fn diagnostics_of_compiles(&self, file: FileId, breadth: Breadth) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::diagnostics_of_compiles(db, file.0, breadth))
    }

    /// Applies the configured levels and suppression comments to diagnostics in a file that others have found.
    pub fn apply_settings(&self, file: FileId, found: Vec<Diagnostic>) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::apply_settings(db, file.0, found))
    }

    /// Returns the diagnostics of all tiers, by position.
    pub fn all_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.diagnostics_of_tiers(file, &Tier::LIVE)
    }

    /// Returns the diagnostics of several tiers, by position.
    pub fn diagnostics_of_tiers(&self, file: FileId, tiers: &[Tier]) -> Cancellable<Vec<Diagnostic>> {
        let _span = tracing::info_span!("diagnostics").entered();
        let mut all = Vec::new();
        for tier in tiers {
            all.extend(self.diagnostics(file, *tier)?);
        }
        all.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
        Ok(all)
    }

    /// Returns all diagnostics that have a fix, filtered by the user's settings.
    pub fn fixable_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::fixable_diagnostics(db, file.0))
    }

    /// Returns the code actions for a range: fixes of its diagnostics, and refactorings.
    pub fn code_actions(&self, file: FileId, range: TextRange) -> Cancellable<Vec<CodeAction>> {
        self.read(|db| refactoring::code_actions(db, file.0, range))
    }

    /// Returns the fixes for a range of the diagnostics `shown` as those of a later version, which this analysis has,
    /// and the upgrade of the whole file.
    pub fn upgrade_actions(
        &self,
        file: FileId,
        range: TextRange,
        upgrade: UpgradePath,
        shown: &[Diagnostic],
    ) -> Cancellable<Vec<CodeAction>> {
        self.read(|db| refactoring::upgrade_actions(db, file.0, range, upgrade, shown))
    }

    /// Fixes all diagnostics of a rule in the environments of a file, as far as the fixes do not change behavior.
    pub fn fix_workspace(&self, file: FileId, code: check::Code) -> Cancellable<SourceChange> {
        self.read(|db| refactoring::fix_workspace(db, &self.roots, file.0, code))
    }

    /// Returns the type of the expression at a range of a manifest, as far as it is known on every platform: its
    /// notation and its shape.
    pub fn expression_type(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Cancellable<Option<(String, rewrites::epp::ValueShape)>> {
        self.read(|db| evaluation::expression_type(db, file.0, range))
    }

    /// Prepares the evaluation of a selected range.
    pub fn prepare_evaluation(&self, file: FileId, range: TextRange) -> Cancellable<PreparedEvaluation> {
        self.read(|db| evaluation::prepare(db, file.0, range))
    }

    /// Returns the range to evaluate for a selection or a cursor: the expression around it, unless the
    /// selection can be evaluated alone.
    pub fn enclosing_expression(&self, file: FileId, range: TextRange) -> Cancellable<TextRange> {
        self.read(|db| {
            let text = project::text(db, file.0).unwrap_or_default();
            evaluation::enclosing_expression(&project::parse(db, file.0).syntax(), &text, range)
        })
    }

    /// Returns type, value and documentation at an offset.
    pub fn hover(&self, file: FileId, offset: u32) -> Cancellable<Option<Hover>> {
        let found = self.read(|db| hover::hover(db, file.0, offset))?;
        Ok(found.map(|hover| Hover { markdown: masked_source(&hover.markdown), ..hover }))
    }

    /// Returns the class around an offset, if the value at the offset may differ between the platforms of its
    /// module. Compiles nothing.
    pub fn class_with_values(&self, file: FileId, offset: u32) -> Cancellable<Option<PlatformClass>> {
        self.read(|db| platform_values::class_with_values(db, file.0, offset))
    }

    /// Returns the values in a class on each platform. Compiles the class for the platforms where that is not
    /// done yet, so it is meant for background threads.
    pub fn platform_values(&self, class: PlatformClass) -> Cancellable<PlatformValues> {
        self.read(|db| platform_values::platform_values(db, class))
    }

    /// Formats the values at an offset by platform as Markdown, using the `values` of the class around it;
    /// `None` if the value is the same everywhere. Compiles nothing.
    pub fn values_by_platform(
        &self,
        file: FileId,
        offset: u32,
        values: &PlatformValues,
    ) -> Cancellable<Option<String>> {
        self.read(|db| platform_values::values_by_platform(db, file.0, offset, values))
    }

    /// Returns the completions at an offset; `None` if there are none to offer.
    pub fn completions(&self, file: FileId, offset: u32) -> Cancellable<Option<Completions>> {
        self.read(|db| completion::completions(db, file.0, offset))
    }

    /// Returns the change that adds a module to the dependencies in the `metadata.json` of a file's module;
    /// `None` if it is there already, or if either module has no usable metadata.
    pub fn add_dependency(&self, file: FileId, module: &str) -> Cancellable<Option<SourceChange>> {
        self.read(|db| refactoring::add_dependency(db, file.0, module))
    }

    /// Resolves the details of an item of [`Analysis::completions`] by its label and owner.
    pub fn completion_details(
        &self,
        file: FileId,
        kind: CompletionKind,
        label: &str,
        owner: Option<&str>,
    ) -> Cancellable<Option<CompletionDetails>> {
        let found = self.read(|db| completion::details(db, file.0, kind, label, owner))?;
        Ok(found.map(|CompletionDetails { detail, documentation }| CompletionDetails {
            detail: masked_source(&detail),
            documentation: documentation.map(|text| masked_source(&text)),
        }))
    }

    /// Returns the signatures of the call whose arguments contain `offset`.
    pub fn signature_help(&self, file: FileId, offset: u32) -> Cancellable<Option<SignatureHelp>> {
        let mut found = self.read(|db| signature_help::signature_help(db, file.0, offset))?;
        for signature in found.iter_mut().flat_map(|help| &mut help.signatures) {
            signature.label = masked_source(&signature.label);
        }
        Ok(found)
    }

    /// Returns the inlay hints in a range, by position.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        settings: InlayHintSettings,
    ) -> Cancellable<Vec<InlayHint>> {
        self.read(|db| inlay_hints::inlay_hints(db, file.0, range, settings))
    }

    /// Returns the definition of the symbol at an offset.
    pub fn definition(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::definition(db, file.0, offset))
    }

    /// Returns how much is known about the name at an offset; `None` if there is no name.
    pub fn name_knowledge(&self, file: FileId, offset: u32) -> Cancellable<Option<NameKnowledge>> {
        self.read(|db| symbols::navigation::knowledge(db, file.0, offset))
    }

    /// Returns the definitions of the types that the symbol at an offset is declared with.
    pub fn type_definition(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::type_definition(db, file.0, offset))
    }

    /// Returns the providers of a resource type, the subclasses of a class, or the definition of any other
    /// symbol.
    pub fn implementation(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::implementation(db, file.0, offset))
    }

    /// Returns the references to the symbol at an offset in all files; `None` if there is no known symbol.
    pub fn references(
        &self,
        file: FileId,
        offset: u32,
        with_declarations: bool,
    ) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| symbols::references::references(db, file.0, offset, with_declarations))
    }

    /// Returns the references to the symbol at an offset in its file, by position.
    pub fn highlights(&self, file: FileId, offset: u32) -> Cancellable<Vec<Reference>> {
        self.read(|db| symbols::references::highlights(db, file.0, offset))
    }

    /// Returns the paths in a file that link to other files, by position.
    pub fn document_links(&self, file: FileId) -> Cancellable<Vec<DocumentLink>> {
        self.read(|db| document_links::document_links(db, file.0))
    }

    /// Returns the root item of a call hierarchy.
    pub fn prepare_call_hierarchy(&self, file: FileId, offset: u32) -> Cancellable<Option<HierarchyEntry>> {
        self.read(|db| call_hierarchy::prepare(db, file.0, offset))
    }

    /// Returns the definitions that call, include or declare the definition named at `offset`.
    pub fn incoming_calls(&self, file: FileId, offset: u32) -> Cancellable<Vec<CallHierarchyCall>> {
        self.read(|db| call_hierarchy::incoming(db, file.0, offset))
    }

    /// Returns the definitions that the definition named at `offset` calls, includes or declares; the ranges
    /// are in its file.
    pub fn outgoing_calls(&self, file: FileId, offset: u32) -> Cancellable<Vec<CallHierarchyCall>> {
        self.read(|db| call_hierarchy::outgoing(db, file.0, offset))
    }

    /// Returns the class at an offset as the root item of a type hierarchy.
    pub fn prepare_type_hierarchy(&self, file: FileId, offset: u32) -> Cancellable<Option<HierarchyEntry>> {
        self.read(|db| symbols::type_hierarchy::prepare(db, file.0, offset).map(HierarchyEntry::of))
    }

    /// Returns the class that the class named at `offset` inherits from.
    pub fn supertypes(&self, file: FileId, offset: u32) -> Cancellable<Vec<HierarchyEntry>> {
        let found = self.read(|db| symbols::type_hierarchy::supertypes(db, file.0, offset))?;
        Ok(found.into_iter().map(HierarchyEntry::of).collect())
    }

    /// Returns the classes that inherit from the class named at `offset`.
    pub fn subtypes(&self, file: FileId, offset: u32) -> Cancellable<Vec<HierarchyEntry>> {
        let found = self.read(|db| symbols::type_hierarchy::subtypes(db, file.0, offset))?;
        Ok(found.into_iter().map(HierarchyEntry::of).collect())
    }

    /// Returns the code lenses of a file, by position, with unresolved counts.
    pub fn code_lenses(&self, file: FileId) -> Cancellable<Vec<CodeLens>> {
        self.read(|db| code_lenses::code_lenses(db, file.0))
    }

    /// Returns the references to the definition named at `offset`; `None` if there is no such definition (any
    /// more).
    pub fn uses(&self, file: FileId, offset: u32) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| code_lenses::uses(db, file.0, offset))
    }

    /// Returns the Hiera keys that set parameters of the class named at `offset`; `None` if there is no such
    /// class (any more).
    pub fn data_of_class(&self, file: FileId, offset: u32) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| code_lenses::data(db, file.0, offset))
    }

    /// Returns the symbol at an offset that can be renamed, or the reason why it cannot.
    pub fn prepare_rename(
        &self,
        file: FileId,
        offset: u32,
    ) -> Cancellable<Result<RenameTarget, RenameRefusal>> {
        self.read(|db| refactoring::prepare(db, file.0, offset))
    }

    /// Returns the changes that rename the symbol at an offset, or the reason why it cannot be renamed.
    pub fn rename(
        &self,
        file: FileId,
        offset: u32,
        new_name: &str,
    ) -> Cancellable<Result<SourceChange, RenameRefusal>> {
        self.read(|db| refactoring::rename(db, &self.roots, file.0, offset, new_name))
    }

    /// Returns the code changes that moving files and folders requires.
    pub fn will_rename_files(&self, moves: &[(FilePath, FilePath)]) -> Cancellable<SourceChange> {
        let below = |(from, to): &(FilePath, FilePath)| {
            let files = self.files.all_files().filter_map(|file| {
                let rest = file.path(&self.db).strip_prefix(from)?;
                Some((file, if rest.is_empty() { to.clone() } else { to.join(rest) }))
            });
            files.collect::<Vec<_>>()
        };
        let moved: Vec<(File, FilePath)> = moves.iter().flat_map(below).collect();
        self.read(|db| refactoring::will_rename_files(db, moves, &moved))
    }

    /// Returns the text for a new file at a path: the definition that the autoloader expects there. `None` if
    /// nothing is expected, or it is defined elsewhere.
    pub fn text_of_new_file(&self, path: &FilePath) -> Cancellable<Option<String>> {
        let environments: Vec<_> = self.environments.iter().map(|it| it.0).collect();
        self.read(|db| file_changes::new_text(db, &environments, path))
    }

    /// Returns what the files at and below some paths define, if files elsewhere use it.
    pub fn names_of_deleted_files(&self, paths: &[FilePath]) -> Cancellable<Vec<DeletedName>> {
        let is_deleted = |file: &File| paths.iter().any(|path| file.path(&self.db).starts_with(path));
        let deleted: Vec<File> = self.files.all_files().filter(is_deleted).collect();
        self.read(|db| file_changes::deleted_names(db, &deleted))
    }

    /// Returns the symbols in all files and the Hiera keys whose name fuzzily matches `query`, best first; at most
    /// 1,000.
    pub fn workspace_symbols(&self, query: &str) -> Cancellable<Vec<WorkspaceSymbol>> {
        let limit = workspace_symbols::MAX_SYMBOLS;
        let environments: Vec<_> = self.environments.iter().map(|it| it.0).collect();
        self.read(|db| {
            workspace_symbols::workspace_symbols(db, self.files.all_files(), &environments, query, limit)
        })
    }

    /// Returns all symbols in the files at and below a path whose name fuzzily matches `query`, best first.
    pub fn symbols_below(&self, path: &FilePath, query: &str) -> Cancellable<Vec<WorkspaceSymbol>> {
        let files = self.files.all_files().filter(|file| file.path(&self.db).starts_with(path));
        self.read(|db| workspace_symbols::workspace_symbols(db, files, &[], query, usize::MAX))
    }

    /// Returns the resolved names of a file, by position; unknown names are left out.
    pub fn occurrences(&self, file: FileId) -> Cancellable<Vec<Occurrence>> {
        self.read(|db| occurrences::occurrences(db, file.0))
    }

    /// Returns the outline of a file.
    pub fn document_symbols(&self, file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        self.read(|db| document_symbols::outline(db, file.0))
    }

    /// Returns the folding ranges of a file, by position.
    pub fn folding_ranges(&self, file: FileId) -> Cancellable<Vec<FoldingRange>> {
        self.read(|db| {
            let parse = project::parse(db, file.0);
            folding_ranges::folding_ranges(&parse, parse.syntax().text())
        })
    }

    /// Returns, for each byte offset, the nested ranges around it, innermost first.
    pub fn selection_ranges(&self, file: FileId, offsets: &[u32]) -> Cancellable<Vec<Vec<TextRange>>> {
        self.read(|db| selection_ranges::selection_ranges(&project::parse(db, file.0), offsets))
    }

    /// Returns the semantic tokens that touch `range`, or of the whole file if `None`, in order. A whole file
    /// above the size limit has none.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Cancellable<Vec<SemanticToken>> {
        self.read(|db| {
            if range.is_none() && file.0.is_large(db) {
                return Vec::new();
            }
            semantic_tokens::semantic_tokens(&project::parse(db, file.0), range)
        })
    }

    /// Returns a token that cancels the reads of this snapshot from another thread.
    pub fn cancellation_token(&self) -> CancellationToken {
        CancellationToken { running: self.db.cancellation_token(), is_cancelled: self.is_cancelled.clone() }
    }

    /// Runs a read and catches its cancellation. All queries go through here.
    fn read<T>(&self, query: impl FnOnce(&dyn Db) -> T) -> Cancellable<T> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Cancelled::Local);
        }
        // A query that unwinds leaves no partial state: salsa drops the value it was about to memoize.
        let result = salsa::Cancelled::catch(AssertUnwindSafe(|| self.db.attach(|db| query(db))));
        result.map_err(|cancelled| match cancelled {
            salsa::Cancelled::PendingWrite => Cancelled::PendingWrite,
            salsa::Cancelled::Local => Cancelled::Local,
            // A read that is cancelled inside a query that may be part of a cycle leaves a mark that salsa
            // treats as a panic until the next write. If there was a real panic, the retry panics again.
            _ => {
                self.saw_cancelled_query.store(true, Ordering::Relaxed);
                Cancelled::PendingWrite
            }
        })
    }
}

impl CancellationToken {
    /// Cancels the running read and all later ones.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.running.cancel();
    }

    /// Returns whether the snapshot still exists.
    pub fn has_snapshot(&self) -> bool {
        Arc::strong_count(&self.is_cancelled) > 1
    }

    /// Returns whether the token was used.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

impl Clone for Analysis {
    fn clone(&self) -> Analysis {
        let (files, roots, environments) =
            (self.files.clone(), self.roots.clone(), self.environments.clone());
        let saw_cancelled_query = self.saw_cancelled_query.clone();
        Analysis {
            db: self.db.clone(),
            files,
            roots,
            environments,
            is_cancelled: Arc::default(),
            saw_cancelled_query,
        }
    }
}

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cancelled::PendingWrite => "content modified",
            Cancelled::Local => "cancelled on request",
        })
    }
}

impl std::error::Error for Cancelled {}

impl fmt::Debug for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analysis").finish_non_exhaustive()
    }
}

/// Returns the stack of queries of this thread, innermost first, for panic reports.
pub fn query_stack() -> Option<String> {
    salsa::Backtrace::capture().map(|it| it.to_string())
}

#[cfg(test)]
mod tests;
