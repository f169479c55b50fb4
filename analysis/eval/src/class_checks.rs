//! Classes of a module compiled for each platform that the module supports: what an editor says on save.
//!
//! A class is evaluated as its users would use it: parameters that it needs have unknown values of their types, and what
//! others may declare or set is not known.

use std::sync::Arc;

use facts::Platform;
use hir::{Access, DefinitionKind, Name, NameUseKind};
use project::{Db, DefinitionId, Environment, ModuleTree, PuppetVersion};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::compile_request::{CompileRequest, EntryPoint, Facts, compile_for_errors, compile_recorded};
use crate::functions;
use crate::settings::{Bounds, Settings};
use crate::summaries::{Located, Summary, settings_of};

/// Why a class or node cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileFailure {
    /// In kebab case.
    pub code: &'static str,
    pub message: String,
    /// Where it happens, then the calls, includes and declarations that led there, innermost first.
    pub places: Vec<Located>,
}

/// The same failure of classes of a module, wherever it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlatformFailure {
    pub failure: CompileFailure,
    /// The classes that fail so.
    pub classes: Vec<Name>,
    /// The names of the platforms on which they do, in the order of [`module_platforms`].
    pub platforms: Vec<SmolStr>,
    /// Is that on all of them?
    pub is_everywhere: bool,
    /// Did the code say so itself, with `fail()`?
    pub is_deliberate: bool,
}

/// The indices in [`facts::platforms`] of the platforms that a module supports; the main ones where it does not say.
#[salsa::tracked(returns(clone))]
pub fn module_platforms(db: &dyn Db, module: ModuleTree) -> Arc<[u16]> {
    let metadata = project::metadata_file(db, module).and_then(|file| file.contents(db).text().cloned());
    let supported = facts::supported(metadata.as_deref());
    let index = |platform: &&'static Platform| {
        facts::platforms().iter().position(|it| std::ptr::eq(it, *platform)).map(|index| index as u16)
    };
    supported.platforms.iter().filter_map(index).collect()
}

/// The classes that code of a module names outside of their own definitions: parts of others, which know where they work.
#[salsa::tracked(returns(ref))]
fn inner_classes(db: &dyn Db, module: ModuleTree) -> FxHashSet<Name> {
    let mut inner = FxHashSet::default();
    for (path, file) in module.files(db).iter() {
        if !path.starts_with("manifests/") {
            continue;
        }
        let definitions = &project::item_summary(db, *file).definitions;
        for named in project::name_uses(db, *file).iter() {
            let within = definitions.get(named.definition as usize).map(|it| &it.key.name);
            if named.kind == NameUseKind::Class && named.access == Access::Read && within != Some(&named.name)
            {
                inner.insert(named.name.clone());
            }
        }
    }
    inner
}

/// Does a class that code of its module names fail only because it stands alone? What declares it comes first, as a rule.
fn is_declared_before(failure: &CompileFailure, is_inner: bool) -> bool {
    is_inner && failure.code == "duplicate-declaration"
}

/// The platforms that the classes of a module are compiled for: an index, and a name.
pub fn class_platforms(db: &dyn Db, module: ModuleTree) -> Vec<(u16, SmolStr)> {
    let indices = module_platforms(db, module);
    let named = |index: &u16| Some((*index, facts::platforms().get(usize::from(*index))?.name.clone()));
    indices.iter().filter_map(named).collect()
}

/// The classes that the manifests of a module define.
pub(crate) fn classes_of_module(db: &dyn Db, module: ModuleTree) -> Vec<DefinitionId> {
    let files = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    let definitions = files.flat_map(|(_, file)| project::definitions(db, *file));
    definitions.filter(|definition| definition.key(db).kind == DefinitionKind::Class).collect()
}

impl CompileFailure {
    /// Is it the same mistake, wherever it was met?
    pub(crate) fn is_like(&self, other: &CompileFailure) -> bool {
        self.code == other.code
            && self.message == other.message
            && self.places.first() == other.places.first()
    }
}

/// What came of a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompileOutcome {
    Compiles,
    Fails(Arc<CompileFailure>),
    /// A file that is needed has syntax errors, a bound was reached, or the failure is not certain.
    Unclear,
}

/// How the compiles of a class came out on the platforms of its module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassCompiles {
    /// How many platforms there are.
    pub platforms: usize,
    /// On how many of them it compiles.
    pub compiles: usize,
    /// The names of those on which it certainly does not.
    pub fails: Vec<SmolStr>,
    /// Does it fail everywhere, and on purpose? Then it wants something that only its users know.
    pub is_refused: bool,
}

/// A compile of a class as its users would use it, on a platform by its index; `None` where there is no such platform.
pub fn class_request(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    platform: u16,
) -> Option<CompileRequest> {
    let platform = facts::platforms().get(usize::from(platform))?;
    let entry = EntryPoint::ClassWithAnyParameters(class.clone());
    let facts = platform_facts(db, environment, platform);
    Some(part_request(db, environment, entry, "node.example.com".into(), facts))
}

pub(crate) fn platform_facts(db: &dyn Db, environment: Environment, platform: &Platform) -> Facts {
    let facts = platform.facts(puppet_version(db, environment)).clone();
    Facts::Platform { facts, of_modules: platform.module_facts().clone() }
}

pub(crate) fn puppet_version(db: &dyn Db, environment: Environment) -> u8 {
    match environment.puppet_version(db) {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    }
}

/// A compile of something that others may give data and variables.
pub(crate) fn part_request(
    db: &dyn Db,
    environment: Environment,
    entry: EntryPoint,
    node_name: Name,
    facts: Facts,
) -> CompileRequest {
    let settings = settings_of(db, environment);
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    CompileRequest {
        facts,
        node_name,
        settings: Some(Settings { is_part: true, goes_on: false, bounds, ..settings }),
        is_incomplete: true,
        ..CompileRequest::new(entry)
    }
}

/// What comes of compiling a class on a platform.
#[salsa::tracked(returns(clone))]
pub(crate) fn class_outcome(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    platform: u16,
) -> CompileOutcome {
    match class_request(db, environment, &class.key(db).name, platform) {
        Some(request) => outcome(db, environment, &request),
        None => CompileOutcome::Unclear,
    }
}

/// What comes of a compile.
pub(crate) fn outcome(db: &dyn Db, environment: Environment, request: &CompileRequest) -> CompileOutcome {
    let compiled = compile_for_errors(db, environment, request);
    if compiled.has_load_problem() {
        return CompileOutcome::Unclear;
    }
    let compilation = &compiled.compilation;
    let Some(error) = compilation.error.as_ref().or(compilation.cycle.as_ref()) else {
        return CompileOutcome::Compiles;
    };
    let is_bound = matches!(error.code, "too-many-steps" | "too-deep" | "too-large" | "regexp-limit");
    if error.is_silent || is_bound {
        return CompileOutcome::Unclear;
    }
    let places = std::iter::once(&error.place).chain(&error.calls);
    let places = places.filter_map(|place| compiled.located(*place)).collect();
    let (code, message) = (error.code, error.message.clone());
    CompileOutcome::Fails(Arc::new(CompileFailure { code, message, places }))
}

/// How a class of a module compiles on the platforms of that module. Compiles what was not compiled before.
pub fn class_compiles(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
) -> ClassCompiles {
    let mut found = ClassCompiles::default();
    let mut deliberate = 0;
    let is_inner = inner_classes(db, module).contains(&class.key(db).name);
    for (index, name) in class_platforms(db, module) {
        found.platforms += 1;
        match class_outcome(db, environment, class, index) {
            CompileOutcome::Compiles => found.compiles += 1,
            CompileOutcome::Fails(failure) if is_declared_before(&failure, is_inner) => {}
            CompileOutcome::Fails(failure) => {
                deliberate += usize::from(failure.code == functions::DELIBERATE_FAILURE);
                found.fails.push(name);
            }
            CompileOutcome::Unclear => {}
        }
    }
    found.is_refused = deliberate == found.platforms;
    found
}

/// What the expressions of a definition were worth when a class was compiled on a platform; nothing is remembered. `None`
/// where there is no such platform, and where a file that is needed cannot be loaded.
pub fn values_in_class(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    platform: u16,
    definition: DefinitionId,
) -> Option<Summary> {
    let request = class_request(db, environment, class, platform)?;
    let mut recorder = compile_recorded(db, environment, &request, definition)?;
    recorder.forget_secrets();
    Some(Summary::of_compile(recorder))
}

/// How the compiles of a module's classes fail. Left out are what fails on purpose on all platforms, as it needs parameters
/// that only its users know, and what fails on some platforms in classes that only others include.
#[salsa::tracked(returns(clone))]
pub fn module_failures(db: &dyn Db, environment: Environment, module: ModuleTree) -> Arc<[PlatformFailure]> {
    let platforms = module_platforms(db, module);
    let inner = inner_classes(db, module);
    let mut found: Vec<PlatformFailure> = Vec::new();
    for class in classes_of_module(db, module) {
        let name = &class.key(db).name;
        for index in platforms.iter() {
            let CompileOutcome::Fails(failure) = class_outcome(db, environment, class, *index) else {
                continue;
            };
            let Some(platform) = facts::platforms().get(usize::from(*index)) else { continue };
            if is_declared_before(&failure, inner.contains(name)) {
                continue;
            }
            let same = |known: &&mut PlatformFailure| known.failure.is_like(&failure);
            match found.iter_mut().find(same) {
                Some(known) => {
                    if !known.classes.contains(name) {
                        known.classes.push(name.clone());
                    }
                    if !known.platforms.contains(&platform.name) {
                        known.platforms.push(platform.name.clone());
                    }
                }
                None => found.push(PlatformFailure {
                    failure: (*failure).clone(),
                    classes: vec![name.clone()],
                    platforms: vec![platform.name.clone()],
                    is_everywhere: false,
                    is_deliberate: failure.code == functions::DELIBERATE_FAILURE,
                }),
            }
        }
    }
    for failure in &mut found {
        failure.is_everywhere = failure.platforms.len() == platforms.len();
    }
    found.retain(|it| match it.is_everywhere {
        true => !it.is_deliberate,
        // A class that others include may be meant for some platforms only.
        false => it.classes.iter().any(|class| !inner.contains(class)),
    });
    found.into()
}
