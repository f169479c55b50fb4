//! Compiles of a module's classes for each platform that the module supports, which an editor checks on save.
//!
//! A class is evaluated as its users would use it: required parameters have unknown values of their types,
//! and declarations and settings of other code are unknown.

mod nearby;
mod other_resources;
mod platform_groups;
mod users;

use codes::Code;
use std::sync::Arc;

use eval::{Bounds, DEPENDENCY_CYCLE, EvaluationError, EvaluationSettings};
use hir::{Body, DefinitionKind, Expr, Name, ReferenceKind, StringPart};
use project::{Db, DefinitionId, Environment, FileRole, ModuleTree};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

pub use self::nearby::{Nearby, nearby_of_file};
use self::platform_groups::{SufficientCompile, are_in_one_group, sufficient_compile};
pub(crate) use self::users::attributes_of_all;
pub use self::users::may_be_set_elsewhere;
use self::users::{get_parameters, module_of_role, nodes_have_only_roles};
use crate::checked_facts::{
    FactSetId, all_platforms, checked_facts, facts_of_any_node, facts_of_module, facts_of_named_node,
    has_unknown_platforms,
};
use crate::compile_request::{
    CompileRequest, EntryPoint, Facts, ProjectCompilation, compile_for_errors, compile_recorded,
};
use crate::platform_reads::{PlatformRead, agree};
use crate::summaries::{ExprLocation, Summary, settings_of};

/// Reason why a class or node cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileFinding {
    pub code: Code,
    pub message: String,
    /// Location of the failure, then the calls, includes and declarations that led there, innermost first.
    /// For a dependency cycle, the relationships, then the resources.
    pub places: Vec<ExprLocation>,
    /// Location of the first declaration of a duplicate resource, and its callers, innermost first.
    pub earlier: Vec<ExprLocation>,
    /// Further resources that no agent accepts, if that is the reason.
    pub further: Vec<CompileFinding>,
}

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

/// Classes of a module that its code refers to outside of their definitions.
#[derive(PartialEq, Eq, Debug, Default)]
struct InnerClasses {
    /// Classes that may be declared there: parts of other classes, which know where they work.
    declared: FxHashSet<Name>,
    /// Classes that are only referred to or tested for: users declare them.
    referred: FxHashSet<Name>,
    /// Prefixes of computed names, which end in `::`, and suffixes, which begin with it.
    computed: FxHashSet<Name>,
}

impl InnerClasses {
    /// Returns true if a class may fail on some platforms because other classes know where it works.
    /// Deliberate failures are common in pairs of classes that exclude each other and check for each other.
    fn may_know(&self, class: &str, finding: &CompileFinding) -> bool {
        self.declared.contains(class)
            || self.computed.iter().any(|part| class.starts_with(&**part) || class.ends_with(&**part))
            || finding.may_be_intended() && self.referred.contains(class)
    }
}

#[salsa::tracked(returns(ref))]
fn inner_classes(db: &dyn Db, module: ModuleTree) -> InnerClasses {
    let module_name = module.name(db);
    let is_own = |name: &str| {
        name.strip_prefix(module_name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let mut inner = InnerClasses::default();
    for (path, file) in module.files(db).iter() {
        if !path.starts_with("manifests/") {
            continue;
        }
        for definition in project::definitions(db, *file) {
            let own_name = &definition.key(db).name;
            let body = project::body(db, definition);
            inner.computed.extend(computed_names(&body).filter(|it| it.starts_with("::") || is_own(it)));
            for (text, is_reference) in named_classes(&body) {
                let name = hir::fold_name(text);
                if !is_own(&name) || name == *own_name {
                    continue;
                }
                if is_reference {
                    inner.referred.insert(name)
                } else {
                    inner.declared.insert(name)
                };
            }
        }
    }
    inner
}

/// Returns the strings in a body that may be class names, and whether they only refer to the class.
fn named_classes(body: &Body) -> impl Iterator<Item = (&str, bool)> {
    let mut references = FxHashSet::default();
    for (_, expr) in body.exprs.iter() {
        let names = match expr {
            Expr::Access { lhs, keys } => {
                matches!(&body[*lhs], Expr::TypeReference(name) if ReferenceKind::is_class(name))
                    .then_some(keys)
            }
            Expr::Call { functor, arguments, .. } => {
                matches!(&body[*functor], Expr::Name(name) if name == "defined").then_some(arguments)
            }
            _ => None,
        };
        for name in names.into_iter().flat_map(|names| names.iter()) {
            references.insert(*name);
            if let Expr::Array(elements) = &body[*name] {
                references.extend(elements.iter().copied());
            }
        }
    }
    let texts = body.exprs.iter().filter_map(move |(id, expr)| match expr {
        Expr::String(text) | Expr::Name(text) => Some((text.as_str(), references.contains(&id))),
        _ => None,
    });
    texts.chain(body.inherits.as_deref().map(|name| (name, false)))
}

/// Returns the first and last literal parts of interpolated strings that may be parts of a class name.
fn computed_names(body: &Body) -> impl Iterator<Item = Name> {
    let is_name = |text: &str| text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':'));
    let parts = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Interpolated(parts) => Some([parts.first(), parts.last()]),
        _ => None,
    });
    let texts = parts.flatten().flatten().filter_map(|part| match part {
        StringPart::Text(text) => Some(text),
        StringPart::Expr(_) => None,
    });
    texts
        .filter(move |it| is_name(it) && it.len() > 2 && (it.starts_with("::") || it.ends_with("::")))
        .map(|it| Name::new(it.to_ascii_lowercase()))
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

/// Returns the classes that the manifests of a module define.
pub(crate) fn classes_of_module(db: &dyn Db, module: ModuleTree) -> Vec<DefinitionId> {
    let files = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    let definitions = files.flat_map(|(_, file)| project::definitions(db, *file));
    definitions.filter(|definition| definition.key(db).kind == DefinitionKind::Class).collect()
}

impl CompileFinding {
    /// Returns true for a duplicate declaration.
    pub fn is_duplicate(&self) -> bool {
        self.code == Code::DuplicateDeclaration
    }

    /// Returns true if the failure may be intended by users of the code for reasons outside the project: a
    /// deliberate failure, or a Hiera key that is missing from the data here.
    pub fn may_be_intended(&self) -> bool {
        matches!(self.code, eval::DELIBERATE_FAILURE | functions::MISSING_DATA)
    }

    /// Returns true for a dependency cycle.
    pub fn is_cycle(&self) -> bool {
        self.code == DEPENDENCY_CYCLE
    }

    /// Returns true if no agent accepts a resource, although the catalog compiles.
    pub fn is_refusal(&self) -> bool {
        self.code == Code::ResourceValue
    }

    /// Returns this failure and the further ones.
    pub fn all(&self) -> impl Iterator<Item = &CompileFinding> {
        std::iter::once(self).chain(&self.further)
    }

    /// Returns true if both report the same mistake, regardless of the callers.
    pub(crate) fn is_like(&self, other: &CompileFinding) -> bool {
        self.code == other.code
            && self.message == other.message
            && self.places.first() == other.places.first()
    }
}

/// Outcome of a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompileOutcome {
    Compiles,
    Fails(Arc<CompileFinding>),
    /// Inconclusive, with the reasons: a required file has syntax errors, a limit was reached, the failure is
    /// not certain, or a definition is missing.
    Inconclusive(Arc<[String]>),
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

/// Placeholder name of an arbitrary node.
pub(crate) const DEFAULT_NODE: &str = "node.example.com";

/// Kinds of additions that other code may make to a compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Data, variables and resources, for a class of a module.
    Part,
    /// Data and variables only: for a node, and for a role if nodes consist only of roles.
    AllResources,
}

impl Extent {
    fn of_class(db: &dyn Db, environment: Environment, name: &Name) -> Extent {
        let module = module_of_role(name).and_then(|it| environment.modules(db).get(it));
        // A role that other roles include is only a part of a node.
        match module {
            Some(module)
                if !inner_classes(db, *module).declared.contains(name)
                    && nodes_have_only_roles(db, environment) =>
            {
                Extent::AllResources
            }
            _ => Extent::Part,
        }
    }
}

/// Returns a request to compile a class as its users would use it, with a fact set; `None` if the fact set
/// does not exist.
pub fn class_request(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    facts: FactSetId,
) -> Option<CompileRequest> {
    let (_, facts) = checked_facts(db, environment, facts)?;
    let entry = EntryPoint::ClassWithAnyParameters(class.clone());
    Some(part_request(
        db,
        environment,
        entry,
        DEFAULT_NODE.into(),
        facts,
        Extent::of_class(db, environment, class),
    ))
}

/// Returns a request to compile a class on a node: with its name, and the facts of its own fact file. If no
/// file has facts of the node, they are those of `facts`, with the name of the node.
pub fn class_request_on_node(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    facts: FactSetId,
    node: &Name,
) -> Option<CompileRequest> {
    let own = facts_of_named_node(db, environment, node);
    let request = class_request(db, environment, class, own.unwrap_or(facts))?;
    let facts = match request.facts {
        Facts::Platform { facts, of_modules } if own.is_none() => {
            Facts::Platform { facts: Arc::new(facts::of_node(&facts, node)), of_modules }
        }
        facts => facts,
    };
    Some(CompileRequest { node_name: node.clone(), has_invented_node: false, facts, ..request })
}

/// Returns a request to compile a part that other code may give data and variables.
pub(crate) fn part_request(
    db: &dyn Db,
    environment: Environment,
    entry: EntryPoint,
    node_name: Name,
    facts: Facts,
    extent: Extent,
) -> CompileRequest {
    let settings = settings_of(db, environment);
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    let declares_all = extent == Extent::AllResources;
    CompileRequest {
        facts,
        node_name,
        settings: Some(EvaluationSettings {
            is_part: true,
            declares_all,
            continues_after_errors: false,
            bounds,
            ..settings
        }),
        is_incomplete: true,
        has_invented_node: matches!(entry, EntryPoint::ClassWithAnyParameters(_)),
        ..CompileRequest::new(entry)
    }
}

/// Returns the fact sets that a class is compiled with; empty outside of modules.
pub(crate) fn facts_of_class(db: &dyn Db, environment: Environment, class: DefinitionId) -> Arc<[FactSetId]> {
    match class.file(db).role(db) {
        FileRole::Module { module, .. } => facts_of_module(db, environment, *module),
        _ => Arc::default(),
    }
}

/// Returns the outcome of compiling a class with a fact set.
pub(crate) fn class_outcome(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CompileOutcome {
    if is_excluded(db, environment, DefinitionKind::Class, class.key(db).name.clone()) {
        return excluded_outcome();
    }
    compiled_class(db, environment, class, *representative(db, environment, class, facts)).outcome
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

/// Returns true if a class or node is excluded from compilation because the whole run would exceed its
/// budget.
///
/// A separate query, so that excluding a definition does not recompile the others.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_excluded(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: Name) -> bool {
    environment.excluded_definitions(db).contains(&(kind, name))
}

/// Returns the outcome of a definition that is excluded from compilation.
pub(crate) fn excluded_outcome() -> CompileOutcome {
    CompileOutcome::Inconclusive([EXCLUDED_FROM_COMPILATION.to_owned()].into())
}

/// Reason for excluding a definition from compilation.
pub const EXCLUDED_FROM_COMPILATION: &str = "not compiled: the project exceeds the work limit for its size";

/// Returns the representative of a fact set for a class: the first fact set that agrees in everything that
/// its compile reads. The fact sets of the class precede the other platforms, of which only similar ones are tried.
#[salsa::tracked]
pub(crate) fn representative(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> FactSetId {
    let sets = facts_of_class(db, environment, class);
    let is_similar = |id: &FactSetId| are_in_one_group(db, environment, *id, facts);
    let others = all_platforms().filter(|id| !sets.contains(id)).filter(is_similar);
    let mut before = sets.iter().copied().chain(others).take_while(|id| *id != facts);
    let is_equivalent = |earlier: &FactSetId| {
        *representative(db, environment, class, *earlier) == *earlier && {
            let reads = compiled_class(db, environment, class, *earlier).reads;
            agree(db, environment, &reads, *earlier, facts)
        }
    };
    before.find(is_equivalent).unwrap_or(facts)
}

/// Compile of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CompiledClass {
    outcome: CompileOutcome,
    /// Platform properties that the compile has read.
    reads: Arc<[PlatformRead]>,
    work: u64,
}

#[salsa::tracked(returns(clone))]
fn compiled_class(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CompiledClass {
    let Some(request) = class_request(db, environment, &class.key(db).name, facts) else {
        let outcome = CompileOutcome::Inconclusive(Arc::default());
        return CompiledClass { outcome, reads: Arc::default(), work: 0 };
    };
    let name = class.key(db).name.as_str();
    let _span = tracing::info_span!("compile", class = name, ?facts).entered();
    let compiled = compile_for_errors(db, environment, &request, Some(facts));
    let (outcome, work) = (outcome(&compiled), compiled.work());
    CompiledClass { outcome, reads: compiled.platform_reads, work }
}

/// Returns the outcome of a compile.
pub(crate) fn outcome(compiled: &ProjectCompilation) -> CompileOutcome {
    let compilation = &compiled.compilation;
    let error = compilation.error.as_ref().or(compilation.cycle.as_ref());
    let error = error.filter(|_| !compiled.has_load_finding() && !compiled.is_undecided());
    let mut refused: Vec<CompileFinding> = match error {
        None if !compiled.has_load_finding() => {
            compilation.refused.iter().map(|it| finding_of(compiled, &it.error)).collect()
        }
        _ => Vec::new(),
    };
    if !refused.is_empty() {
        let further = refused.split_off(1);
        return match refused.pop() {
            Some(first) => CompileOutcome::Fails(Arc::new(CompileFinding { further, ..first })),
            None => CompileOutcome::Compiles,
        };
    }
    let Some(error) = error else {
        let reasons = compiled.inconclusive_reasons();
        return if reasons.is_empty() {
            CompileOutcome::Compiles
        } else {
            CompileOutcome::Inconclusive(reasons.into())
        };
    };
    CompileOutcome::Fails(Arc::new(finding_of(compiled, error)))
}

fn finding_of(compiled: &ProjectCompilation, error: &EvaluationError) -> CompileFinding {
    let places = std::iter::once(&error.place).chain(&error.calls);
    let places = places.filter_map(|place| compiled.expr_location(*place)).collect();
    let earlier = error.earlier.iter().filter_map(|place| compiled.expr_location(*place)).collect();
    let (code, message) = (error.code, error.message.clone());
    CompileFinding { code, message, places, earlier, further: Vec::new() }
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
