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

use crate::compile_request::{CompileRequest, EntryPoint, Facts, compile_project};
use crate::functions;
use crate::settings::{Bounds, Settings};
use crate::summaries::{Located, settings_of};

/// Why a class cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassFailure {
    /// In kebab case.
    pub code: &'static str,
    pub message: String,
    /// Where it happens, then the calls, includes and declarations that led there, innermost first.
    pub places: Vec<Located>,
}

/// The same failure of classes of a module, wherever it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlatformFailure {
    pub failure: ClassFailure,
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

/// The classes that the manifests of a module define.
fn classes_of_module(db: &dyn Db, module: ModuleTree) -> Vec<DefinitionId> {
    let files = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    let definitions = files.flat_map(|(_, file)| project::definitions(db, *file));
    definitions.filter(|definition| definition.key(db).kind == DefinitionKind::Class).collect()
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

/// Why a class cannot be compiled on a platform; `None` where it can, or that is not certain.
#[salsa::tracked(returns(clone))]
pub fn class_failure(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    platform: u16,
) -> Option<Arc<ClassFailure>> {
    let platform = facts::platforms().get(usize::from(platform))?;
    let version = match environment.puppet_version(db) {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    };
    let entry = EntryPoint::ClassWithAnyParameters(class.key(db).name.clone());
    let settings = settings_of(db, environment);
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    let request = CompileRequest {
        facts: Facts::Platform {
            facts: platform.facts(version).clone(),
            of_modules: platform.module_facts().clone(),
        },
        node_name: "node.example.com".into(),
        settings: Some(Settings { is_part: true, goes_on: false, bounds, ..settings }),
        is_incomplete: true,
        ..CompileRequest::new(entry)
    };
    let compiled = compile_project(db, environment, &request, None);
    if compiled.has_load_problem() {
        return None;
    }
    let compilation = &compiled.compilation;
    let error = compilation.error.as_ref().or(compilation.cycle.as_ref())?;
    let is_bound = matches!(error.code, "too-many-steps" | "too-deep" | "too-large" | "regexp-limit");
    if error.is_silent || is_bound {
        return None;
    }
    let places = std::iter::once(&error.place).chain(&error.calls);
    let places = places.filter_map(|place| compiled.located(*place)).collect();
    Some(Arc::new(ClassFailure { code: error.code, message: error.message.clone(), places }))
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
            let Some(failure) = class_failure(db, environment, class, *index) else { continue };
            let Some(platform) = facts::platforms().get(usize::from(*index)) else { continue };
            // What declares it comes first, as a rule.
            if failure.code == "duplicate-declaration" && inner.contains(name) {
                continue;
            }
            let same = |known: &&mut PlatformFailure| {
                known.failure.code == failure.code
                    && known.failure.message == failure.message
                    && known.failure.places.first() == failure.places.first()
            };
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
