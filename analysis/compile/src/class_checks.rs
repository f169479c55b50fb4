//! Compiles of a module's classes for each platform that the module supports, which an editor checks on save.
//!
//! A class is evaluated as its users would use it: required parameters have unknown values of their types,
//! and declarations and settings of other code are unknown.

pub(crate) mod finding;
pub(crate) mod module_classes;
mod nearby;
mod other_resources;
pub(crate) mod outcomes;
mod platform_groups;
pub(crate) mod requests;
mod users;

use std::sync::Arc;

use hir::Name;
use project::{Db, DefinitionId, Environment, FileRole, ModuleTree};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use self::finding::{CompileFinding, CompileOutcome};
use self::module_classes::{InnerClasses, classes_of_module, inner_classes, named_classes};
pub use self::nearby::{Nearby, nearby_of_file};
use self::outcomes::{class_outcome, compiled_class, facts_of_class};
use self::platform_groups::{SufficientCompile, sufficient_compile};
use self::requests::class_request;
pub(crate) use self::users::attributes_of_all;
use self::users::get_parameters;
pub use self::users::may_be_set_elsewhere;
use crate::checked_facts::{
    FactSetId, all_platforms, checked_facts, facts_of_any_node, facts_of_module, has_unknown_platforms,
};
use crate::compile_request::compile_recorded;
use crate::summaries::{ExprLocation, Summary};

/// A failure shared by classes of a module, wherever it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlatformFinding {
    pub finding: CompileFinding,
    /// Classes with this failure.
    pub classes: Vec<Name>,
    /// Names of the platforms with this failure, in the order of [`class_platforms`].
    pub platforms: Vec<SmolStr>,
    /// True if the classes fail on all platforms.
    pub is_everywhere: bool,
    /// True if the code calls `fail()`.
    pub is_deliberate: bool,
    /// True if other classes of the module declare all these classes, so that they may not be meant for these
    /// platforms.
    pub is_inner: bool,
}

/// Returns true if a class is meant for all platforms that its module supports, whatever includes it: the
/// class named after the module, and its `params` class.
fn is_for_all(db: &dyn Db, module: ModuleTree, class: &str) -> bool {
    let rest = class.strip_prefix(module.name(db).as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest == "::params")
}

/// Returns true if an inner class fails only because it is compiled alone. The code that declares it usually
/// runs first, and the class may test for what that code declares. Duplicates among its own declarations
/// still count.
fn is_declared_before(db: &dyn Db, finding: &CompileFinding, class: DefinitionId, is_inner: bool) -> bool {
    let is_here = |place: Option<&ExprLocation>| place.is_some_and(|place| place.definition == class);
    let is_separate =
        is_here(finding.places.first()) && !finding.earlier.is_empty() || is_here(finding.earlier.first());
    // Code that declares this class and then fails would have run first.
    let name = &class.key(db).name;
    let declares_it = finding.places.first().is_some_and(|place| {
        let body = project::body(db, place.definition);
        place.definition != class
            && named_classes(&body).any(|(text, is_reference)| !is_reference && hir::fold_name(text) == *name)
    });
    is_inner && finding.is_duplicate() && (declares_it || !is_separate)
}

/// Returns true if an agent refuses a resource of a class that other classes of its module declare: they may
/// give it values that its defaults do not have. Where they do not, their own compile fails.
fn is_refused_alone(
    db: &dyn Db,
    module: ModuleTree,
    inner: &InnerClasses,
    finding: &CompileFinding,
    class: &str,
) -> bool {
    finding.is_refusal() && inner.may_know(class, finding) && !is_for_all(db, module, class)
}

/// Returns the fact sets that the classes of a module are compiled with, each with the name of its platform
/// or file. Without a module, the classes are those of main manifests.
pub fn class_platforms(
    db: &dyn Db,
    environment: Environment,
    module: Option<ModuleTree>,
) -> Vec<(FactSetId, SmolStr)> {
    let sets: Arc<[FactSetId]> = match module {
        Some(module) => facts_of_module(db, environment, module),
        None => facts_of_any_node(db, environment).into(),
    };
    let named = |id: &FactSetId| Some((*id, checked_facts(db, environment, *id)?.0));
    sets.iter().filter_map(named).collect()
}

/// Summary of the compiles of a class on the platforms of its module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassCompiles {
    /// Number of platforms.
    pub platforms: usize,
    /// Number of platforms on which the class compiles.
    pub compiles: usize,
    /// Names of the platforms on which it certainly fails.
    pub fails: Vec<SmolStr>,
    /// Names of the platforms on which the outcome is inconclusive.
    pub inconclusive: Vec<SmolStr>,
    /// Reasons for inconclusive outcomes, without duplicates.
    pub inconclusive_reasons: Vec<String>,
    /// True if the class deliberately fails everywhere: it needs input that only its users have.
    pub is_refused: bool,
}

/// Outcome of a class with a fact set, and the compile that determines it.
struct FactSetOutcome {
    facts: FactSetId,
    compile: SufficientCompile,
    outcome: CompileOutcome,
}

/// Returns the outcomes of compiling a class of a module that findings need, by fact set. If the platforms of
/// the module are unknown, a failure is reported only if it is the same on all of them, so the first outcome
/// that differs or is of no concern ends the search.
fn outcomes_for_findings(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
    concerns: &dyn Fn(&CompileFinding) -> bool,
) -> Vec<FactSetOutcome> {
    let ends_early = has_unknown_platforms(db, environment, module);
    let mut outcomes: Vec<FactSetOutcome> = Vec::new();
    for facts in facts_of_module(db, environment, module).iter().copied() {
        let compile = match outcomes.first().map(|it| &it.outcome) {
            Some(CompileOutcome::Fails(first)) if ends_early => {
                sufficient_compile(db, environment, class, facts, first)
            }
            _ => SufficientCompile::Alone(facts),
        };
        let outcome = compile.outcome(db, environment, class);
        let is_alike = match (outcomes.first().map_or(&outcome, |first| &first.outcome), &outcome) {
            (CompileOutcome::Fails(first), CompileOutcome::Fails(finding)) => {
                finding.is_like(first) && finding.all().any(concerns)
            }
            _ => false,
        };
        outcomes.push(FactSetOutcome { facts, compile, outcome });
        if ends_early && !is_alike {
            break;
        }
    }
    outcomes
}

/// Returns the reasons why the outcomes that findings need are inconclusive for a class.
pub fn inconclusive_reasons_of_class(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
) -> Vec<String> {
    let mut parts = Vec::new();
    for found in outcomes_for_findings(db, environment, module, class, &|_| true) {
        if let CompileOutcome::Inconclusive(reasons) = found.outcome {
            add_new(&mut parts, &reasons);
        }
    }
    parts
}

fn add_new(parts: &mut Vec<String>, more: &[String]) {
    for part in more {
        if !parts.contains(part) {
            parts.push(part.clone());
        }
    }
}

/// Compiles a class as far as findings need it, and returns the amount of work.
pub(crate) fn class_work(db: &dyn Db, environment: Environment, class: DefinitionId) -> u64 {
    let FileRole::Module { module, .. } = class.file(db).role(db) else { return 0 };
    let outcomes = outcomes_for_findings(db, environment, *module, class, &|_| true);
    compile_on_other_platforms(db, environment, *module, class, &outcomes);
    let compiles: FxHashSet<SufficientCompile> =
        outcomes.iter().map(|it| it.compile.shared(db, environment, class)).collect();
    compiles.into_iter().map(|it| it.work(db, environment, class)).sum()
}

/// Compiles a class of a module without declared platforms on all known platforms if it fails on the assumed ones, as
/// [`module_findings`] does for one class after another. This is part of its query, and no more work.
fn compile_on_other_platforms(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
    outcomes: &[FactSetOutcome],
) {
    let Some(CompileOutcome::Fails(first)) = outcomes.first().map(|it| &it.outcome) else { return };
    let is_everywhere = outcomes.len() == facts_of_module(db, environment, module).len();
    if is_everywhere && has_unknown_platforms(db, environment, module) {
        let found = reportable(db, environment, module, class, first);
        for finding in found.filter(|it| it.code != eval::DELIBERATE_FAILURE) {
            fails_on_all_platforms(db, environment, class, finding);
        }
    }
}

/// Returns the failures in an outcome of a class that its users cannot prevent.
fn reportable<'f>(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
    outcome: &'f CompileFinding,
) -> impl Iterator<Item = &'f CompileFinding> {
    let inner = inner_classes(db, module);
    let name = &class.key(db).name;
    let is_inner = inner.declared.contains(name);
    outcome.all().filter(move |finding| {
        // A class that gets parameters elsewhere may not be meant to work without them.
        !get_parameters(db, environment).contains(name)
            && !is_refused_alone(db, module, inner, finding, name)
            && !is_declared_before(db, finding, class, is_inner)
    })
}

/// Compiles a class with the first fact set of its module only, and returns the amount of work.
pub(crate) fn first_class_work(db: &dyn Db, environment: Environment, class: DefinitionId) -> u64 {
    let first = facts_of_class(db, environment, class).first().copied();
    first.map_or(0, |facts| compiled_class(db, environment, class, facts).work)
}

/// Compiles a class on all platforms of its module, as far as that has not been done before, and summarizes
/// the outcomes.
pub fn class_compiles(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
) -> ClassCompiles {
    let mut found = ClassCompiles::default();
    let mut deliberate = 0;
    let inner = inner_classes(db, module);
    let class_name = &class.key(db).name;
    let is_inner = inner.declared.contains(class_name);
    for (facts, name) in class_platforms(db, environment, Some(module)) {
        found.platforms += 1;
        match class_outcome(db, environment, class, facts) {
            CompileOutcome::Compiles => found.compiles += 1,
            CompileOutcome::Fails(finding) if is_declared_before(db, &finding, class, is_inner) => {}
            CompileOutcome::Fails(finding)
                if finding.all().all(|it| is_refused_alone(db, module, inner, it, class_name)) => {}
            CompileOutcome::Fails(finding) => {
                deliberate += usize::from(finding.code == eval::DELIBERATE_FAILURE);
                found.fails.push(name);
            }
            CompileOutcome::Inconclusive(parts) => {
                found.inconclusive.push(name);
                add_new(&mut found.inconclusive_reasons, &parts);
            }
        }
    }
    found.is_refused = deliberate == found.platforms;
    found
}

/// Returns the values of the expressions of a class that was compiled with a fact set. `None` if there is no
/// such fact set, or a required file cannot be loaded.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn values_in_class(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<Arc<Summary>> {
    let request = class_request(db, environment, &class.key(db).name, facts)?;
    let mut recorder = compile_recorded(db, environment, &request, class)?;
    recorder.drop_secrets();
    Some(Arc::new(Summary::of_compile(recorder)))
}

/// Returns true if a class of a module without declared platforms fails alike on all known platforms.
/// Otherwise, it may be meant for only some of them.
fn fails_on_all_platforms(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    finding: &CompileFinding,
) -> bool {
    all_platforms().all(|facts| {
        let outcome =
            sufficient_compile(db, environment, class, facts, finding).outcome(db, environment, class);
        matches!(outcome, CompileOutcome::Fails(other) if other.all().any(|it| it.is_like(finding)))
    })
}

/// For a module without declared platforms, retains only the failures that happen on all known platforms, and are not
/// deliberate.
fn retain_universal_failures(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    found: &mut Vec<PlatformFinding>,
) {
    let all = classes_of_module(db, module);
    let fails = |name: &Name, finding: &CompileFinding| {
        let class = all.iter().find(|class| class.key(db).name == *name);
        class.is_some_and(|class| fails_on_all_platforms(db, environment, *class, finding))
    };
    found.retain(|it| it.is_everywhere && !it.is_deliberate);
    for PlatformFinding { classes, finding, .. } in found.iter_mut() {
        classes.retain(|name| fails(name, finding));
    }
    found.retain(|it| !it.classes.is_empty());
}

/// Returns the failures of a module's classes. Excludes deliberate failures on all platforms, which need
/// parameters that only users know, failures on some platforms in classes that only other classes include,
/// and failures on some platforms of a module that does not declare its platforms.
#[salsa::tracked(returns(clone))]
pub fn module_findings(db: &dyn Db, environment: Environment, module: ModuleTree) -> Arc<[PlatformFinding]> {
    findings_of_classes(db, environment, module, &classes_of_module(db, module), &|_| true).into()
}

/// Returns the [`module_findings`] of some of the classes, restricted to the failures that are of concern.
pub fn findings_of_classes(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    classes: &[DefinitionId],
    concerns: &dyn Fn(&CompileFinding) -> bool,
) -> Vec<PlatformFinding> {
    let platforms = class_platforms(db, environment, Some(module));
    let mut found: Vec<PlatformFinding> = Vec::new();
    for class in classes.iter().copied() {
        let name = &class.key(db).name;
        for of_facts in outcomes_for_findings(db, environment, module, class, concerns) {
            let FactSetOutcome { facts, outcome: CompileOutcome::Fails(outcome), .. } = of_facts else {
                continue;
            };
            let Some((_, platform)) = platforms.iter().find(|(id, _)| *id == facts) else { continue };
            for finding in reportable(db, environment, module, class, &outcome).filter(|it| concerns(it)) {
                add_finding(&mut found, finding, name, platform);
            }
        }
    }
    retain_reportable(db, environment, module, &mut found);
    found
}

/// Adds a failure of a class on a platform.
fn add_finding(found: &mut Vec<PlatformFinding>, finding: &CompileFinding, class: &Name, platform: &SmolStr) {
    match found.iter_mut().find(|known| known.finding.is_like(finding)) {
        Some(known) => {
            if !known.classes.contains(class) {
                known.classes.push(class.clone());
            }
            if !known.platforms.contains(platform) {
                known.platforms.push(platform.clone());
            }
        }
        None => found.push(PlatformFinding {
            finding: CompileFinding { further: Vec::new(), ..finding.clone() },
            classes: vec![class.clone()],
            platforms: vec![platform.clone()],
            is_everywhere: false,
            is_deliberate: finding.code == eval::DELIBERATE_FAILURE,
            is_inner: false,
        }),
    }
}

/// Retains the failures of a module that should be reported, and sets their platform and class flags.
fn retain_reportable(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    found: &mut Vec<PlatformFinding>,
) {
    let platforms = class_platforms(db, environment, Some(module)).len();
    let inner = inner_classes(db, module);
    for finding in found.iter_mut() {
        finding.is_everywhere = finding.platforms.len() == platforms;
        let is_inner =
            |class: &Name| inner.may_know(class, &finding.finding) && !is_for_all(db, module, class);
        finding.is_inner = finding.classes.iter().all(is_inner);
    }
    if has_unknown_platforms(db, environment, module) {
        retain_universal_failures(db, environment, module, found);
    }
    found.retain(|it| {
        if it.is_everywhere {
            !it.is_deliberate
        } else if it.finding.is_cycle() || it.finding.is_duplicate() {
            // Cycles are never intended, nor are duplicates within one class.
            true
        } else {
            // A class that other classes include may be meant for some platforms only.
            !it.is_inner
        }
    });
}
