//! What an editor asks, in editor words: offsets in, plain structs out.
//!
//! [`AnalysisHost`] writes, [`Analysis`] reads. Nothing here knows LSP, and salsa is not visible from here on.

mod call_hierarchy;
mod calls;
mod class_catalogs;
mod code_lenses;
mod compiled;
mod document_links;
mod document_symbols;
mod evaluation;
mod folding_ranges;
mod hover;
mod inlay_hints;
mod occurrences;
mod platform_hints;
mod platform_values;
mod selection_ranges;
mod semantic_tokens;
mod signature_help;
mod workspace_symbols;

use std::collections::BTreeSet;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use output::secrets::masked_source;
use project::vfs::Vfs;
use project::{Db, File, ProjectDatabase};
use syntax::{Language, LineMap, Parse, TextRange};
use validation::ExpectedNamespace;

pub use call_hierarchy::CallHierarchyCall;
pub use check::{
    Breadth, Diagnostic, DiagnosticTag, FixData, GROUPS, PuppetLintConfiguration, Related, Rule, Tier,
    UnknownNameKind, rule, rule_by_any_name, rule_table, rules_named,
};
pub use class_catalogs::{ClassCatalog, ClassStatus, ModuleClass};
pub use code_lenses::{CodeLens, CodeLensKind};
pub use compiled::{CompileDiagnostic, Compiled, EnvironmentId, SourcePlace, Verdict};
pub use completion::{CompletionDetails, CompletionItem, CompletionKind, Completions};
pub use document_links::DocumentLink;
pub use document_symbols::{DocumentSymbol, DocumentSymbolKind};
pub use evaluation::{EvaluatedCode, EvaluationDiagnostic, PreparedEvaluation};
pub use folding_ranges::{FoldingKind, FoldingRange};
pub use inlay_hints::{InlayHint, InlayHintKind, InlayHintSettings};
pub use occurrences::{Occurrence, SymbolDetails, SymbolKind, SymbolName};
pub use platform_values::{PlatformClass, PlatformValues};
pub use project::vfs::{
    ByteOrderMark, ByteStore, ChangeBatch, DiskState, FilePath, FileTable, InstalledFolder, MAX_TEXT_LENGTH,
    PackedText, TextDigest, TextOnDisk, is_interesting, is_read_late, may_be_copied, wants_text,
};
pub use project::{LintLevel, MemoryPart, Settings};
pub use refactoring::{CodeAction, CodeActionKind, RenameRefusal, RenameTarget, SourceChange, SourceEdit};
pub use semantic_tokens::{SemanticToken, SemanticTokenKind, SemanticTokenModifiers};
pub use signature_help::{ShownSignature, SignatureHelp};
pub use symbols::FileId;
pub use symbols::descriptions::Hover;
pub use symbols::navigation::{NameKnowledge, Navigation, NavigationTarget};
pub use symbols::references::{Reference, ReferenceAccess};
pub use symbols::type_hierarchy::HierarchyItem;
pub use validation::PuppetVersion;
pub use validation::Strict;
pub use workspace_symbols::WorkspaceSymbol;

/// The stack that a thread needs to ask questions, in bytes: evaluation nests as deeply as programs do.
pub const STACK_SIZE: usize = eval::STACK_SIZE;

/// What is kept of single files where little is kept.
const KEPT_FILES: usize = 256;

/// The only writer; one thread owns it.
#[derive(Default)]
pub struct AnalysisHost {
    db: ProjectDatabase,
    vfs: Vfs,
    stage: HostStage,
    /// Has a read met what one that was cancelled has left behind?
    met_cancelled: Arc<AtomicBool>,
}

/// Whether a host takes changes in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum HostStage {
    /// At any time.
    #[default]
    Open,
    /// They wait for [`AnalysisHost::settle`].
    Collecting,
    /// No longer.
    Settled,
}

/// A snapshot to read from. Cheap to make and to clone; every thread needs its own. A host's next write makes its reads
/// end with [`Cancelled::PendingWrite`] and waits until all snapshots are dropped.
pub struct Analysis {
    db: ProjectDatabase,
    files: FileTable,
    roots: Arc<[FilePath]>,
    environments: Arc<[EnvironmentId]>,
    /// Salsa forgets a cancellation at the end of each read; this one stays.
    is_cancelled: Arc<AtomicBool>,
    met_cancelled: Arc<AtomicBool>,
}

/// Why a read ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cancelled {
    /// The host wants to write: drop the snapshot, take a new one, ask again.
    PendingWrite,
    /// Its own [`CancellationToken`] was used.
    Local,
}

/// A result, unless the read was cancelled. A panic in a query is a panic in the caller.
pub type Cancellable<T> = Result<T, Cancelled>;

/// Ends the reads of one [`Analysis`] (not of its clones), from any thread.
#[derive(Clone)]
pub struct CancellationToken {
    running: salsa::CancellationToken,
    is_cancelled: Arc<AtomicBool>,
}

impl AnalysisHost {
    pub fn new() -> AnalysisHost {
        AnalysisHost::default()
    }

    /// One for a workspace that is read once: what it is given waits until [`AnalysisHost::settle`], and there is no file until
    /// then.
    pub fn collecting() -> AnalysisHost {
        AnalysisHost { stage: HostStage::Collecting, ..AnalysisHost::default() }
    }

    /// Writes what was collected. From then on nothing changes, and whoever has looked at some files lets all be forgotten
    /// that only those needed: [`AnalysisHost::trigger_eviction`].
    pub fn settle(&mut self) {
        if self.stage == HostStage::Collecting {
            self.vfs.settle(&mut self.db);
            check::set_lru_capacities(&mut self.db, KEPT_FILES);
            self.stage = HostStage::Settled;
        }
    }

    /// From now on these texts are not looked at, whichever files they are of: a finding says so.
    pub fn skip(&mut self, texts: impl IntoIterator<Item = TextDigest>) {
        self.vfs.skip(texts);
    }

    /// A text that was skipped is looked at from now on.
    pub fn look_at_again(&mut self, text: TextDigest) {
        self.vfs.look_at_again(text);
    }

    /// Takes in everything that changed, as one revision. Cancels all reads and waits for the snapshots to be dropped. A host that
    /// is settled takes nothing in.
    pub fn apply(&mut self, batch: ChangeBatch) {
        match self.stage {
            HostStage::Open => self.vfs.apply(&mut self.db, batch),
            HostStage::Collecting => self.vfs.collect(batch),
            HostStage::Settled => debug_assert!(false, "a change came after the workspace was settled"),
        }
    }

    /// From now on these are not compiled, and open.
    pub fn leave_out(&mut self, environment: EnvironmentId, parts: &[compile::PartCompile]) {
        let names = parts.iter().map(|part| part.name(&self.db)).collect();
        self.vfs.leave_out(&mut self.db, environment.0, names);
    }

    /// A snapshot of how things are now.
    pub fn analysis(&self) -> Analysis {
        let (files, roots) = (self.vfs.table().clone(), self.vfs.roots().into());
        let environments = self.vfs.environments().into_iter().map(EnvironmentId).collect();
        let met_cancelled = self.met_cancelled.clone();
        Analysis {
            db: self.db.clone(),
            files,
            roots,
            environments,
            is_cancelled: Arc::default(),
            met_cancelled,
        }
    }

    /// Lets the next reads work out again what a cancelled read has left half-done, if one has met such a thing since this was
    /// called last: it has ended with [`Cancelled::PendingWrite`] then. Waits as [`AnalysisHost::apply`] does.
    pub fn forget_cancelled(&mut self) {
        if self.met_cancelled.swap(false, Ordering::Relaxed) {
            salsa::Database::trigger_cancellation(&mut self.db);
        }
    }

    /// Forgets what the caches hold above their limits; worth it after a load. Waits as [`AnalysisHost::apply`] does.
    pub fn trigger_eviction(&mut self) {
        let _span = tracing::info_span!("forget").entered();
        self.db.trigger_lru_eviction();
    }

    /// What is kept, by kind, the largest part first. Waits as [`AnalysisHost::apply`] does.
    pub fn memory_parts(&mut self) -> Vec<MemoryPart> {
        project::memory_parts(&mut self.db, &self.vfs)
    }

    /// The paths at and below a folder where something is on disk.
    pub fn paths_below(&self, folder: &FilePath) -> Vec<FilePath> {
        self.vfs.paths_below(folder).cloned().collect()
    }

    /// Where the files of facts that the user names lie, whether they are there or not.
    pub fn fact_file_paths(&self) -> Vec<FilePath> {
        self.vfs.fact_file_paths().collect()
    }

    /// The folders in which environments look for modules, whether something is there or not.
    pub fn module_folders(&self) -> Vec<FilePath> {
        self.vfs.module_folders().cloned().collect()
    }

    /// The folders below an environment's own that modules are taken from although Puppet would not look there, sorted, and whether
    /// that is so because a setting says what the module path is.
    pub fn further_folders(&self, environment: &FilePath) -> (BTreeSet<FilePath>, bool) {
        self.vfs.further_folders(environment)
    }

    /// Where a setting of an environment says that its main manifest is, if nothing is there.
    pub fn absent_manifest(&self, environment: &FilePath) -> Option<&FilePath> {
        self.vfs.absent_manifest(environment)
    }

    /// Is it known what is on disk at a path, and is it something?
    pub fn is_on_disk(&self, path: &FilePath) -> bool {
        self.vfs.is_on_disk(path)
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.vfs.settings()
    }
}

impl Analysis {
    /// The manifests and templates that exist or are open, by path.
    pub fn files(&self) -> Vec<FileId> {
        self.files.files().map(FileId).collect()
    }

    /// The files of all kinds that exist or are open, by path.
    pub fn all_files(&self) -> Vec<FileId> {
        self.files.all_files().map(FileId).collect()
    }

    /// The manifest or template at a path, if it exists or is open.
    pub fn file_id(&self, path: &FilePath) -> Option<FileId> {
        self.files.file(path).map(FileId)
    }

    pub fn path(&self, file: FileId) -> FilePath {
        file.0.path(&self.db).clone()
    }

    /// The folder of the module that a file belongs to.
    pub fn module_folder(&self, file: FileId) -> Option<&FilePath> {
        match file.0.place(&self.db) {
            project::FileRole::Module { module, .. } => Some(module.root(&self.db)),
            project::FileRole::Loose | project::FileRole::MainManifest => None,
        }
    }

    /// The text of a file, `None` where it has none that can be read.
    pub fn text(&self, file: FileId) -> Cancellable<Option<Arc<str>>> {
        self.read(|db| project::text(db, file.0))
    }

    /// The language the file is written in, by its name and place.
    pub fn language(&self, file: FileId) -> Cancellable<Language> {
        self.read(|db| project::language(db, file.0))
    }

    /// What may be defined in the file, as far as its place tells for certain.
    pub fn location(&self, file: FileId) -> Cancellable<ExpectedNamespace> {
        self.read(|db| project::file_location(db, file.0).clone())
    }

    /// Where the lines of the file's text begin.
    pub fn line_map(&self, file: FileId) -> Cancellable<Arc<LineMap>> {
        self.read(|db| project::line_map(db, file.0))
    }

    /// The file's tree.
    pub fn parse(&self, file: FileId) -> Cancellable<Parse> {
        self.read(|db| project::parse(db, file.0))
    }

    /// Syntax errors and findings of the static rules, by position.
    pub fn syntax_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.diagnostics(file, Tier::Syntax)
    }

    /// The findings of one tier, as the user's settings and comments want them shown, by position.
    pub fn diagnostics(&self, file: FileId, tier: Tier) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::diagnostics(db, file.0, tier))
    }

    /// What compiles show in a file, with less than all compiles.
    pub fn diagnostics_of_compiles(&self, file: FileId, breadth: Breadth) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::diagnostics_of_compiles(db, file.0, breadth))
    }

    /// The findings of all tiers, by position.
    pub fn all_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.diagnostics_of_tiers(file, &Tier::LIVE)
    }

    /// The findings of some tiers, by position.
    pub fn diagnostics_of_tiers(&self, file: FileId, tiers: &[Tier]) -> Cancellable<Vec<Diagnostic>> {
        let _span = tracing::info_span!("diagnostics").entered();
        let mut all = Vec::new();
        for tier in tiers {
            all.extend(self.diagnostics(file, *tier)?);
        }
        all.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
        Ok(all)
    }

    /// The findings that say how they can be mended, all of them, as far as the user wants to see them.
    pub fn fixable_diagnostics(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        self.read(|db| check::fixable_diagnostics(db, file.0))
    }

    /// What can be done about a range: fixes of its findings, and changes that keep the meaning.
    pub fn code_actions(&self, file: FileId, range: TextRange) -> Cancellable<Vec<CodeAction>> {
        self.read(|db| refactoring::code_actions(db, file.0, range))
    }

    /// A piece of the file, ready to be evaluated by itself.
    pub fn prepare_evaluation(&self, file: FileId, range: TextRange) -> Cancellable<PreparedEvaluation> {
        self.read(|db| evaluation::prepare(db, file.0, range))
    }

    /// What the thing at an offset is, and what it is worth.
    pub fn hover(&self, file: FileId, offset: u32) -> Cancellable<Option<Hover>> {
        let found = self.read(|db| hover::hover(db, file.0, offset))?;
        Ok(found.map(|hover| Hover { markdown: masked_source(&hover.markdown), ..hover }))
    }

    /// The class around an offset, where the thing there may be worth something else on each platform of its module. Compiles
    /// nothing.
    pub fn class_with_values(&self, file: FileId, offset: u32) -> Cancellable<Option<PlatformClass>> {
        self.read(|db| platform_values::class_with_values(db, file.0, offset))
    }

    /// What is in a class worth on each platform: compiles it for all of them, where that was not done yet. For threads that have
    /// time.
    pub fn platform_values(&self, class: PlatformClass) -> Cancellable<PlatformValues> {
        self.read(|db| platform_values::platform_values(db, class))
    }

    /// What the thing at an offset is worth by platform, in Markdown, by the `values` of the class around it; `None` where it is
    /// worth the same everywhere. Compiles nothing.
    pub fn values_by_platform(
        &self,
        file: FileId,
        offset: u32,
        values: &PlatformValues,
    ) -> Cancellable<Option<String>> {
        self.read(|db| platform_values::values_by_platform(db, file.0, offset, values))
    }

    /// What may be written at an offset; `None` where nothing is to be offered.
    pub fn completions(&self, file: FileId, offset: u32) -> Cancellable<Option<Completions>> {
        self.read(|db| completion::completions(db, file.0, offset))
    }

    /// More about an item of [`Analysis::completions`], by its label and owner.
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

    /// How to go on with the call whose arguments an offset stands in.
    pub fn signature_help(&self, file: FileId, offset: u32) -> Cancellable<Option<SignatureHelp>> {
        let mut found = self.read(|db| signature_help::signature_help(db, file.0, offset))?;
        for signature in found.iter_mut().flat_map(|help| &mut help.signatures) {
            signature.label = masked_source(&signature.label);
        }
        Ok(found)
    }

    /// Values and types to show in a range, by position.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        settings: InlayHintSettings,
    ) -> Cancellable<Vec<InlayHint>> {
        self.read(|db| inlay_hints::inlay_hints(db, file.0, range, settings))
    }

    /// Where the thing that is named at an offset is made.
    pub fn definition(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::definition(db, file.0, offset))
    }

    /// How much is known of the name at an offset; `None` where no name is.
    pub fn name_knowledge(&self, file: FileId, offset: u32) -> Cancellable<Option<NameKnowledge>> {
        self.read(|db| symbols::navigation::knowledge(db, file.0, offset))
    }

    /// Where the types are made that the thing at an offset is declared with.
    pub fn type_definition(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::type_definition(db, file.0, offset))
    }

    /// The providers of a resource type, the heirs of a class; for anything else its definition.
    pub fn implementation(&self, file: FileId, offset: u32) -> Cancellable<Option<Navigation>> {
        self.read(|db| symbols::navigation::implementation(db, file.0, offset))
    }

    /// The places in all files that name the thing at an offset; `None` where nothing known is named.
    pub fn references(
        &self,
        file: FileId,
        offset: u32,
        with_declarations: bool,
    ) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| symbols::references::references(db, file.0, offset, with_declarations))
    }

    /// The places in the file that name the thing at an offset, by position.
    pub fn highlights(&self, file: FileId, offset: u32) -> Cancellable<Vec<Reference>> {
        self.read(|db| symbols::references::highlights(db, file.0, offset))
    }

    /// The paths in the file that lead to other files, by position.
    pub fn document_links(&self, file: FileId) -> Cancellable<Vec<DocumentLink>> {
        self.read(|db| document_links::document_links(db, file.0))
    }

    /// The definition that a hierarchy of calls begins with.
    pub fn prepare_call_hierarchy(&self, file: FileId, offset: u32) -> Cancellable<Option<HierarchyItem>> {
        self.read(|db| call_hierarchy::prepare(db, file.0, offset))
    }

    /// Who calls, includes or declares the definition whose name stands at an offset.
    pub fn incoming_calls(&self, file: FileId, offset: u32) -> Cancellable<Vec<CallHierarchyCall>> {
        self.read(|db| call_hierarchy::incoming(db, file.0, offset))
    }

    /// What the definition whose name stands at an offset calls, includes or declares; the ranges are in its file.
    pub fn outgoing_calls(&self, file: FileId, offset: u32) -> Cancellable<Vec<CallHierarchyCall>> {
        self.read(|db| call_hierarchy::outgoing(db, file.0, offset))
    }

    /// The class at an offset, as the begin of a hierarchy.
    pub fn prepare_type_hierarchy(&self, file: FileId, offset: u32) -> Cancellable<Option<HierarchyItem>> {
        self.read(|db| symbols::type_hierarchy::prepare(db, file.0, offset))
    }

    /// The class that the class whose name stands at an offset inherits.
    pub fn supertypes(&self, file: FileId, offset: u32) -> Cancellable<Vec<HierarchyItem>> {
        self.read(|db| symbols::type_hierarchy::supertypes(db, file.0, offset))
    }

    /// The classes that inherit the class whose name stands at an offset.
    pub fn subtypes(&self, file: FileId, offset: u32) -> Cancellable<Vec<HierarchyItem>> {
        self.read(|db| symbols::type_hierarchy::subtypes(db, file.0, offset))
    }

    /// The definitions of the file that can say how often they are used, by position.
    pub fn code_lenses(&self, file: FileId) -> Cancellable<Vec<CodeLens>> {
        self.read(|db| code_lenses::code_lenses(db, file.0))
    }

    /// Where the definition whose name stands at an offset is used; `None` where there is none (any more).
    pub fn uses(&self, file: FileId, offset: u32) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| code_lenses::uses(db, file.0, offset))
    }

    /// The places in Hiera's data that give the class whose name stands at an offset its parameters; `None` where there
    /// is none (any more).
    pub fn data_of_class(&self, file: FileId, offset: u32) -> Cancellable<Option<Vec<Reference>>> {
        self.read(|db| code_lenses::data(db, file.0, offset))
    }

    /// What can get another name at an offset, or why nothing can.
    pub fn prepare_rename(
        &self,
        file: FileId,
        offset: u32,
    ) -> Cancellable<Result<RenameTarget, RenameRefusal>> {
        self.read(|db| refactoring::prepare(db, file.0, offset))
    }

    /// All that changes when the thing at an offset gets another name, or why it cannot.
    pub fn rename(
        &self,
        file: FileId,
        offset: u32,
        new_name: &str,
    ) -> Cancellable<Result<SourceChange, RenameRefusal>> {
        self.read(|db| refactoring::rename(db, &self.roots, file.0, offset, new_name))
    }

    /// What changes in the code when files and folders are moved from one path to another.
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

    /// What in all files has a name that fits some letters, best first; at most 1,000.
    pub fn workspace_symbols(&self, query: &str) -> Cancellable<Vec<WorkspaceSymbol>> {
        let most = workspace_symbols::MAX_COUNT;
        self.read(|db| workspace_symbols::workspace_symbols(db, self.files.all_files(), query, most))
    }

    /// Everything in the files at and below a path that has a name that fits some letters, best first.
    pub fn symbols_below(&self, path: &FilePath, query: &str) -> Cancellable<Vec<WorkspaceSymbol>> {
        let files = self.files.all_files().filter(|file| file.path(&self.db).starts_with(path));
        self.read(|db| workspace_symbols::workspace_symbols(db, files, query, usize::MAX))
    }

    /// The names of the file with what they mean, by position; those of which nothing is known are left out.
    pub fn occurrences(&self, file: FileId) -> Cancellable<Vec<Occurrence>> {
        self.read(|db| occurrences::occurrences(db, file.0))
    }

    /// The outline of the file.
    pub fn document_symbols(&self, file: FileId) -> Cancellable<Vec<DocumentSymbol>> {
        self.read(|db| document_symbols::document_symbols(&project::parse(db, file.0)))
    }

    /// What can be folded away, by position.
    pub fn folding_ranges(&self, file: FileId) -> Cancellable<Vec<FoldingRange>> {
        self.read(|db| {
            let parse = project::parse(db, file.0);
            folding_ranges::folding_ranges(&parse, parse.syntax().text())
        })
    }

    /// For each offset (in bytes) the ranges around it, innermost first, each inside the next.
    pub fn selection_ranges(&self, file: FileId, offsets: &[u32]) -> Cancellable<Vec<Vec<TextRange>>> {
        self.read(|db| selection_ranges::selection_ranges(&project::parse(db, file.0), offsets))
    }

    /// What each word that touches `range` is (of the whole file when there is none), in order. Nothing for a file
    /// above the size limit as a whole.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Cancellable<Vec<SemanticToken>> {
        self.read(|db| {
            if range.is_none() && file.0.is_large(db) {
                return Vec::new();
            }
            semantic_tokens::semantic_tokens(&project::parse(db, file.0), range)
        })
    }

    /// The environments there are, by folder, that of all that lies in no other first.
    pub fn environments(&self) -> Vec<EnvironmentId> {
        self.environments.to_vec()
    }

    /// The folder of an environment; `None` for that of all that lies in no other.
    pub fn environment_root(&self, environment: EnvironmentId) -> Option<FilePath> {
        environment.0.root(&self.db).clone()
    }

    /// Does an environment have a main manifest?
    pub fn has_main_manifest(&self, environment: EnvironmentId) -> bool {
        !environment.0.main_manifests(&self.db).is_empty()
    }

    /// Is a resource type written in Ruby, or one of Puppet's own?
    pub fn has_native_type(&self, environment: EnvironmentId, name: &str) -> Cancellable<bool> {
        self.read(|db| project::native_type_exists(db, &[environment.0], name))
    }

    /// The names of the modules of an environment with their folders, by name. The environment's own files are the module
    /// `environment`.
    pub fn modules(&self, environment: EnvironmentId) -> Vec<(String, FilePath)> {
        let modules = environment.0.modules(&self.db).iter();
        modules.map(|(name, tree)| (name.to_string(), tree.root(&self.db).clone())).collect()
    }

    /// The folder of a module of an environment.
    pub fn module_root(&self, environment: EnvironmentId, module: &str) -> Option<FilePath> {
        environment.0.modules(&self.db).get(module).map(|tree| tree.root(&self.db).clone())
    }

    /// The modules that the `Puppetfile` of an environment installs: their names, and what is written of each.
    pub fn puppetfile_modules(&self, environment: EnvironmentId) -> Cancellable<Vec<(String, String)>> {
        self.read(|db| compiled::puppetfile_modules(db, environment))
    }

    /// The names of the classes that an environment defines, sorted.
    pub fn classes(&self, environment: EnvironmentId) -> Cancellable<Vec<String>> {
        self.read(|db| compile::classes_of(db, environment.0).iter().map(ToString::to_string).collect())
    }

    /// What stands in the heads of the node definitions of an environment's main manifest, in order.
    pub fn nodes(&self, environment: EnvironmentId) -> Cancellable<Vec<compile::NodeHost>> {
        self.read(|db| compile::node_hosts(db, environment.0).to_vec())
    }

    /// The classes of a module's file, or the nodes of a main manifest, that cannot be judged wholly: each with what was not
    /// looked at, in words. Compiles what was not compiled before.
    pub fn open_compiles(&self, file: FileId) -> Cancellable<Vec<(String, Vec<String>)>> {
        self.read(|db| class_catalogs::open_compiles(db, file.0))
    }

    /// Compiles a catalog of an environment.
    pub fn compile(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Compiled> {
        self.read(|db| compiled::compile(db, environment, request, reader))
    }

    /// Compiles a catalog of an environment, and tells what fails from what was not looked at: the request's
    /// `is_incomplete` does not count.
    pub fn judge(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Compiled> {
        self.read(|db| compiled::judge(db, environment, request, reader))
    }

    /// The classes of a file of a module with the ranges of their names, by position.
    pub fn classes_of_file(&self, file: FileId) -> Cancellable<Vec<(ModuleClass, TextRange)>> {
        self.read(|db| class_catalogs::classes_of_file(db, file.0))
    }

    /// The node definitions of a file with the ranges of their hosts, each with the name that its [`ClassStatus`] has.
    pub fn nodes_of_file(&self, file: FileId) -> Cancellable<Vec<(String, TextRange)>> {
        self.read(|db| class_catalogs::nodes_of_file(db, file.0))
    }

    /// The class of a module that an offset stands in; outside of all definitions the class of the file, if there is only
    /// one.
    pub fn class_around(&self, file: FileId, offset: u32) -> Cancellable<Option<ModuleClass>> {
        self.read(|db| class_catalogs::class_around(db, file.0, offset))
    }

    /// The class of a module that a name means in an environment.
    pub fn class_named(&self, environment: EnvironmentId, name: &str) -> Cancellable<Option<ModuleClass>> {
        self.read(|db| class_catalogs::class_named(db, environment, name))
    }

    /// The environments that a file belongs to; in the first of them its names are looked up.
    pub fn environments_of(&self, file: FileId) -> Vec<EnvironmentId> {
        file.0.environments(&self.db).iter().copied().map(EnvironmentId).collect()
    }

    /// Where the name of a class stands in its head.
    pub fn head_of_class(&self, class: &ModuleClass) -> Cancellable<Option<(FileId, TextRange)>> {
        self.read(|db| class_catalogs::head(db, class).map(|(file, range)| (FileId(file), range)))
    }

    /// The names of the platforms that a class can be compiled for.
    pub fn platforms_of_class(&self, class: &ModuleClass) -> Cancellable<Vec<String>> {
        self.read(|db| class_catalogs::platforms(db, class))
    }

    /// Compiles a class as its users would use it for one of its platforms, without one for the first; `None` where it has
    /// no such platform.
    pub fn class_catalog(
        &self,
        class: &ModuleClass,
        platform: Option<&str>,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Option<ClassCatalog>> {
        self.read(|db| class_catalogs::catalog(db, class, platform, reader))
    }

    /// Does a path lie in a folder of the workspace?
    pub fn is_in_workspace(&self, path: &FilePath) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    /// The files of the module that a file belongs to, by path; `None` for a file of none.
    pub fn files_of_module(&self, file: FileId) -> Option<Vec<FileId>> {
        match file.0.place(&self.db) {
            project::FileRole::Module { module, .. } => {
                Some(module.files(&self.db).values().copied().map(FileId).collect())
            }
            _ => None,
        }
    }

    /// How much work it is to evaluate the definitions of a file, each on its own.
    pub fn evaluation_work(&self, file: FileId) -> Cancellable<u64> {
        self.read(|db| compile::summary_work(db, file.0))
    }

    /// How much work all compiles of an environment may be in one run.
    pub fn work_limit(&self, environment: EnvironmentId) -> Cancellable<u64> {
        self.read(|db| compile::work_limit(db, environment.0))
    }

    /// What has to be compiled for several files, each once, in the order of the files.
    pub fn parts_of_files(
        &self,
        files: &[FileId],
    ) -> Cancellable<Vec<(EnvironmentId, compile::PartCompile)>> {
        let parts = self.read(|db| compile::parts_of_files(db, files.iter().map(|file| file.0)))?;
        Ok(parts.into_iter().map(|(environment, part)| (EnvironmentId(environment), part)).collect())
    }

    /// Compiles, unless the outcome is known, and says how much work that is.
    pub fn part_work(&self, environment: EnvironmentId, part: &compile::PartCompile) -> Cancellable<u64> {
        self.read(|db| compile::part_work(db, environment.0, part))
    }

    /// Compiles, with several threads, what the questions about the catalogs of a file's module or of the nodes need: they
    /// are answered at once then.
    pub fn compile_ahead(&self, file: FileId, threads: usize) -> Cancellable<()> {
        let parts = self.read(|db| check::compiles_ahead(db, file.0))?;
        let next = AtomicUsize::new(0);
        let (parts, next) = (&parts, &next);
        let work = |analysis: Analysis| -> Cancellable<()> {
            while let Some((environment, part)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                analysis.read(|db| compile::part_work(db, *environment, part))?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let start = |_| {
                let (analysis, thread) = (self.clone(), std::thread::Builder::new().stack_size(STACK_SIZE));
                thread.spawn_scoped(scope, || work(analysis)).ok()
            };
            let workers: Vec<_> = (0..threads.min(parts.len())).filter_map(start).collect();
            let ends = workers.into_iter().map(|worker| worker.join());
            // All of them have to end first.
            let ends: Vec<_> = ends.collect();
            ends.into_iter().try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// How the classes of a file of a module compile on the platforms that it supports; those that refuse to be compiled by
    /// themselves are left out. Compiles what was not compiled before, so it takes long.
    pub fn class_statuses(&self, file: FileId) -> Cancellable<Vec<ClassStatus>> {
        self.read(|db| class_catalogs::statuses(db, file.0))
    }

    /// A path as people know it: below the folder of the workspace that it lies in, else as a whole.
    pub fn shown_path(&self, path: &FilePath) -> String {
        let below = self.roots.iter().filter_map(|root| path.strip_prefix(root));
        below.min_by_key(|it| it.len()).map_or_else(|| path.to_native(), str::to_owned)
    }

    /// What Hiera of an environment says of a key for a node, and how it came to that; an error is Puppet's reason to fail.
    pub fn look_up(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        key: &str,
        merge: Option<types::Value>,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<(Result<hiera::merge::Answer, String>, hiera::lookup::Explanation)> {
        self.read(|db| compile::look_up_key(db, environment.0, request, key, merge, reader))
    }

    /// Do `lookup_options` or the type of a parameter say that the values of a key are not to be shown?
    pub fn is_secret_key(&self, environment: EnvironmentId, key: &str) -> Cancellable<bool> {
        self.read(|db| symbols::hiera_data::is_secret(db, environment.0, key))
    }

    /// Where an expression of a compile stands; `None` for what the compiler adds itself.
    pub fn place_of(&self, compiled: &Compiled, place: eval::ExprPlace) -> Cancellable<Option<SourcePlace>> {
        self.read(|db| compiled.place(db, place))
    }

    /// What ends the reads of this snapshot from another thread.
    pub fn cancellation_token(&self) -> CancellationToken {
        CancellationToken { running: self.db.cancellation_token(), is_cancelled: self.is_cancelled.clone() }
    }

    /// Runs a read; every question goes through here.
    fn read<T>(&self, question: impl FnOnce(&dyn Db) -> T) -> Cancellable<T> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Cancelled::Local);
        }
        // A query that unwinds leaves nothing half-done: salsa drops what it was about to remember.
        let answer = salsa::Cancelled::catch(AssertUnwindSafe(|| self.db.attach(|db| question(db))));
        answer.map_err(|cancelled| match cancelled {
            salsa::Cancelled::PendingWrite => Cancelled::PendingWrite,
            salsa::Cancelled::Local => Cancelled::Local,
            // A read that ended within a query that may be in a cycle leaves a mark that salsa takes for a panic, until there
            // is a write. Where there was a panic indeed, the next attempt has one of its own.
            _ => {
                self.met_cancelled.store(true, Ordering::Relaxed);
                Cancelled::PendingWrite
            }
        })
    }
}

impl CancellationToken {
    /// Ends the read that runs, and every one after it.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.running.cancel();
    }
}

impl Clone for Analysis {
    fn clone(&self) -> Analysis {
        let (files, roots, environments) =
            (self.files.clone(), self.roots.clone(), self.environments.clone());
        let met_cancelled = self.met_cancelled.clone();
        Analysis {
            db: self.db.clone(),
            files,
            roots,
            environments,
            is_cancelled: Arc::default(),
            met_cancelled,
        }
    }
}

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cancelled::PendingWrite => "the text has changed since",
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

/// The queries that this thread is in, innermost first; for the report of a panic.
pub fn query_stack() -> Option<String> {
    salsa::Backtrace::capture().map(|it| it.to_string())
}

#[cfg(test)]
mod tests;
