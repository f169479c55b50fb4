//! Classes of a module compiled for each platform that the module supports: what an editor says on save.
//!
//! A class is evaluated as its users would use it: parameters that it needs have unknown values of their types, and what
//! others may declare or set is not known.

mod nearby;
mod users;

use codes::Code;
use std::sync::Arc;

use eval::{Bounds, DEPENDENCY_CYCLE, EvaluationSettings};
use hir::{Body, DefinitionKind, Expr, Name, ReferenceKind, StringPart};
use project::{Db, DefinitionId, Environment, FileRole, ModuleTree};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

pub use self::nearby::{Nearby, nearby_of_file};
use self::users::{get_parameters, module_of_role, nodes_have_only_roles};
use crate::checked_facts::{FactSetId, all_platforms, checked_facts, facts_of_module, has_unknown_platforms};
use crate::compile_request::{
    CompileRequest, EntryPoint, Facts, ProjectCompilation, compile_for_errors, compile_recorded,
};
use crate::platform_reads::{PlatformRead, agree};
use crate::summaries::{ExprLocation, Summary, settings_of};

/// Why a class or node cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileFinding {
    pub code: Code,
    pub message: String,
    /// Where it happens, then the calls, includes and declarations that led there, innermost first. Of a circle: the
    /// relationships, then the resources.
    pub places: Vec<ExprLocation>,
    /// Where a resource that is declared twice was declared first, and what led there, innermost first.
    pub earlier: Vec<ExprLocation>,
}

/// The same failure of classes of a module, wherever it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlatformFinding {
    pub finding: CompileFinding,
    /// The classes that fail so.
    pub classes: Vec<Name>,
    /// The names of the platforms on which they do, in the order of [`class_platforms`].
    pub platforms: Vec<SmolStr>,
    /// Is that on all of them?
    pub is_everywhere: bool,
    /// Did the code say so itself, with `fail()`?
    pub is_deliberate: bool,
    /// Are all these classes declared by others of their module, so that they may not be meant for these platforms?
    pub is_inner: bool,
}

/// The classes of a module that its code names outside of their own definitions.
#[derive(PartialEq, Eq, Debug, Default)]
struct InnerClasses {
    /// Those that may be declared there: parts of others, which know where they work.
    declared: FxHashSet<Name>,
    /// Those that are only referred to, or asked for: users declare them.
    referred: FxHashSet<Name>,
    /// How computed names begin, which end in `::`, and how they end, which begin with it.
    computed: FxHashSet<Name>,
}

impl InnerClasses {
    /// May a class fail so on some platforms because others know where it works? What fails on purpose often does so where
    /// two classes exclude each other that ask for each other.
    fn may_know(&self, class: &str, finding: &CompileFinding) -> bool {
        self.declared.contains(class)
            || self.computed.iter().any(|part| class.starts_with(&**part) || class.ends_with(&**part))
            || finding.may_be_meant() && self.referred.contains(class)
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
                match is_reference {
                    true => inner.referred.insert(name),
                    false => inner.declared.insert(name),
                };
            }
        }
    }
    inner
}

/// The texts in a body that may be names of classes, and whether they only refer to them.
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

/// How texts that are put together begin or end, where that may be a part of the name of a class.
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

/// Is a class meant for all platforms that its module supports, whatever includes it? So are the one that bears the name of
/// the module, and the one with what others need to know of the platform.
fn is_for_all(db: &dyn Db, module: ModuleTree, class: &str) -> bool {
    let rest = class.strip_prefix(module.name(db).as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest == "::params")
}

/// Does a class that code of its module names fail only because it stands alone? What declares it comes first, as a rule, so
/// that it may leave out what is there already. What it declares twice by itself, with what it declares, is another matter.
fn is_declared_before(db: &dyn Db, finding: &CompileFinding, class: DefinitionId, is_inner: bool) -> bool {
    let is_here = |place: Option<&ExprLocation>| place.is_some_and(|place| place.definition == class);
    let is_by_itself =
        is_here(finding.places.first()) && !finding.earlier.is_empty() || is_here(finding.earlier.first());
    // What declares this class and then fails would have come first.
    let name = &class.key(db).name;
    let declares_it = finding.places.first().is_some_and(|place| {
        let body = project::body(db, place.definition);
        place.definition != class
            && named_classes(&body).any(|(text, is_reference)| !is_reference && hir::fold_name(text) == *name)
    });
    is_inner && finding.is_duplicate() && (declares_it || !is_by_itself)
}

/// The sets of facts that the classes of a module are compiled with, and the name of the platform or file.
pub fn class_platforms(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
) -> Vec<(FactSetId, SmolStr)> {
    let sets = facts_of_module(db, environment, module);
    let named = |id: &FactSetId| Some((*id, checked_facts(db, environment, *id)?.0));
    sets.iter().filter_map(named).collect()
}

/// The classes that the manifests of a module define.
pub(crate) fn classes_of_module(db: &dyn Db, module: ModuleTree) -> Vec<DefinitionId> {
    let files = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    let definitions = files.flat_map(|(_, file)| project::definitions(db, *file));
    definitions.filter(|definition| definition.key(db).kind == DefinitionKind::Class).collect()
}

impl CompileFinding {
    /// Is something declared twice?
    pub fn is_duplicate(&self) -> bool {
        self.code == Code::DuplicateDeclaration
    }

    /// May it be right for those who use the code, in a way that nobody here can know? So it is with what fails on purpose, and
    /// with a key of Hiera that no data here has.
    pub fn may_be_meant(&self) -> bool {
        matches!(self.code, eval::DELIBERATE_FAILURE | functions::MISSING_DATA)
    }

    /// Do resources wait for each other?
    pub fn is_circle(&self) -> bool {
        self.code == DEPENDENCY_CYCLE
    }

    /// Is it the same mistake, wherever it was met?
    pub(crate) fn is_like(&self, other: &CompileFinding) -> bool {
        self.code == other.code
            && self.message == other.message
            && self.places.first() == other.places.first()
    }
}

/// What came of a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompileOutcome {
    Compiles,
    Fails(Arc<CompileFinding>),
    /// Something was not looked at: each part in words. A file that is needed has syntax errors, a bound was reached, the
    /// failure is not certain, or something is not here.
    Open(Arc<[String]>),
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
    /// The names of those for which something was not looked at.
    pub open: Vec<SmolStr>,
    /// What was not looked at, each part once.
    pub open_parts: Vec<String>,
    /// Does it fail everywhere, and on purpose? Then it wants something that only its users know.
    pub is_refused: bool,
}

/// The name of a node that stands for any.
pub(crate) const DEFAULT_NODE: &str = "node.example.com";

/// What others may add to what is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Data, variables, and resources: so it is for a class of a module.
    Part,
    /// Data and variables only: so it is for a node, and for a role, which is all that a node has.
    AllResources,
}

impl Extent {
    fn of_class(db: &dyn Db, environment: Environment, name: &Name) -> Extent {
        let module = module_of_role(name).and_then(|it| environment.modules(db).get(it));
        // A role that others of its module include is a part of what a node has.
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

/// A compile of a class as its users would use it, with one of the sets of facts; `None` where there are no such facts.
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

/// A compile of something that others may give data and variables.
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
            goes_on: false,
            bounds,
            ..settings
        }),
        is_incomplete: true,
        has_invented_node: matches!(entry, EntryPoint::ClassWithAnyParameters(_)),
        ..CompileRequest::new(entry)
    }
}

/// The sets of facts that a class is compiled with; none outside of modules.
pub(crate) fn facts_of_class(db: &dyn Db, environment: Environment, class: DefinitionId) -> Arc<[FactSetId]> {
    match class.file(db).place(db) {
        FileRole::Module { module, .. } => facts_of_module(db, environment, *module),
        _ => Arc::default(),
    }
}

/// What comes of compiling a class with one of the sets of facts.
pub(crate) fn class_outcome(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CompileOutcome {
    if is_left_out(db, environment, DefinitionKind::Class, class.key(db).name.clone()) {
        return left_out();
    }
    compiled_class(db, environment, class, *representative(db, environment, class, facts)).outcome
}

/// What comes of compiling a class of a module, as far as findings need it, by set of facts. Where nobody says which platforms the
/// module is for, a failure is told only if it is the same on all of them: the first outcome that is anything else ends it, and
/// so does a failure that is of no concern.
fn outcomes_for_findings(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
    concerns: &dyn Fn(&CompileFinding) -> bool,
) -> Vec<(FactSetId, CompileOutcome)> {
    let ends_early = has_unknown_platforms(db, environment, module);
    let mut outcomes: Vec<(FactSetId, CompileOutcome)> = Vec::new();
    for facts in facts_of_module(db, environment, module).iter() {
        let outcome = class_outcome(db, environment, class, *facts);
        let first = outcomes.first().map_or(&outcome, |(_, first)| first);
        let is_alike = match (first, &outcome) {
            (CompileOutcome::Fails(first), CompileOutcome::Fails(finding)) => {
                finding.is_like(first) && concerns(finding)
            }
            _ => false,
        };
        outcomes.push((*facts, outcome));
        if ends_early && !is_alike {
            break;
        }
    }
    outcomes
}

/// What of a class was not looked at, as far as findings need it: each part in words.
pub fn open_parts_of_class(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    class: DefinitionId,
) -> Vec<String> {
    let mut parts = Vec::new();
    for (_, outcome) in outcomes_for_findings(db, environment, module, class, &|_| true) {
        if let CompileOutcome::Open(open) = outcome {
            add_new(&mut parts, &open);
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

/// Compiles a class as far as findings need it, and says how much work that is.
pub(crate) fn class_work(db: &dyn Db, environment: Environment, class: DefinitionId) -> u64 {
    let FileRole::Module { module, .. } = class.file(db).place(db) else { return 0 };
    let outcomes = outcomes_for_findings(db, environment, *module, class, &|_| true).into_iter();
    let compiled = outcomes.filter(|(id, _)| *representative(db, environment, class, *id) == *id);
    compiled.map(|(id, _)| compiled_class(db, environment, class, id).work).sum()
}

/// The same with the first of the facts of its module only.
pub(crate) fn first_class_work(db: &dyn Db, environment: Environment, class: DefinitionId) -> u64 {
    let first = facts_of_class(db, environment, class).first().copied();
    first.map_or(0, |facts| compiled_class(db, environment, class, facts).work)
}

/// Is a class or node not compiled because the run as a whole would be too much?
///
/// A query of its own: when something is left out, what is not left out is not compiled again.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_left_out(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: Name) -> bool {
    environment.left_out(db).contains(&(kind, name))
}

/// What is left out may be anything.
pub(crate) fn left_out() -> CompileOutcome {
    CompileOutcome::Open([LEFT_OUT.to_owned()].into())
}

/// Why something was left out.
pub const LEFT_OUT: &str = "compiling all that is here is too much work for its size: this was left out";

/// The set of facts that comes to the same for a class: the first that agrees in all that its compile reads of it.
#[salsa::tracked]
pub(crate) fn representative(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> FactSetId {
    let sets = facts_of_class(db, environment, class);
    let before = sets.iter().position(|id| *id == facts).unwrap_or_default();
    let stands_for_it = |earlier: &FactSetId| {
        *representative(db, environment, class, *earlier) == *earlier && {
            let reads = compiled_class(db, environment, class, *earlier).reads;
            agree(db, environment, &reads, *earlier, facts)
        }
    };
    sets[..before].iter().copied().find(stands_for_it).unwrap_or(facts)
}

/// A compile of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CompiledClass {
    outcome: CompileOutcome,
    /// What it has read of the platform.
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
        let outcome = CompileOutcome::Open(Arc::default());
        return CompiledClass { outcome, reads: Arc::default(), work: 0 };
    };
    let name = class.key(db).name.as_str();
    let _span = tracing::info_span!("compile", class = name, ?facts).entered();
    let compiled = compile_for_errors(db, environment, &request, Some(facts));
    let (outcome, work) = (outcome(&compiled), compiled.work());
    CompiledClass { outcome, reads: compiled.platform_reads, work }
}

/// What comes of a compile.
pub(crate) fn outcome(compiled: &ProjectCompilation) -> CompileOutcome {
    let compilation = &compiled.compilation;
    let error = compilation.error.as_ref().or(compilation.cycle.as_ref());
    let error = error.filter(|_| !compiled.has_load_finding() && !compiled.is_undecided());
    let Some(error) = error else {
        let open = compiled.open_words();
        return if open.is_empty() { CompileOutcome::Compiles } else { CompileOutcome::Open(open.into()) };
    };
    let places = std::iter::once(&error.place).chain(&error.calls);
    let places = places.filter_map(|place| compiled.located(*place)).collect();
    let earlier = error.earlier.iter().filter_map(|place| compiled.located(*place)).collect();
    let (code, message) = (error.code, error.message.clone());
    CompileOutcome::Fails(Arc::new(CompileFinding { code, message, places, earlier }))
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
    let is_inner = inner_classes(db, module).declared.contains(&class.key(db).name);
    for (facts, name) in class_platforms(db, environment, module) {
        found.platforms += 1;
        match class_outcome(db, environment, class, facts) {
            CompileOutcome::Compiles => found.compiles += 1,
            CompileOutcome::Fails(finding) if is_declared_before(db, &finding, class, is_inner) => {}
            CompileOutcome::Fails(finding) => {
                deliberate += usize::from(finding.code == eval::DELIBERATE_FAILURE);
                found.fails.push(name);
            }
            CompileOutcome::Open(parts) => {
                found.open.push(name);
                add_new(&mut found.open_parts, &parts);
            }
        }
    }
    found.is_refused = deliberate == found.platforms;
    found
}

/// What the expressions of a class were worth when it was compiled with one of the sets of facts. `None` where there is no such
/// set, and where a file that is needed cannot be loaded.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn values_in_class(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<Arc<Summary>> {
    let request = class_request(db, environment, &class.key(db).name, facts)?;
    let mut recorder = compile_recorded(db, environment, &request, class)?;
    recorder.forget_secrets();
    Some(Arc::new(Summary::of_compile(recorder)))
}

/// Does a class of a module that does not say what it supports fail so on the other platforms, too? If not, it may be meant
/// for one of those.
fn fails_on_all_platforms(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    finding: &CompileFinding,
) -> bool {
    all_platforms().all(|facts| {
        let outcome = class_outcome(db, environment, class, facts);
        matches!(outcome, CompileOutcome::Fails(other) if other.is_like(finding))
    })
}

/// Leaves the failures of a module that does not say what it supports that happen on every platform there is.
fn retain_what_fails_on_all_platforms(
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
    for PlatformFinding { classes, finding, is_everywhere, .. } in found.iter_mut() {
        if *is_everywhere {
            classes.retain(|name| fails(name, finding));
        }
    }
    found.retain(|it| it.is_everywhere && !it.classes.is_empty());
}

/// How the compiles of a module's classes fail. Left out are what fails on purpose on all platforms, as it needs parameters
/// that only its users know, what fails on some platforms in classes that only others include, and what fails on some
/// platforms of a module that does not say which it supports.
#[salsa::tracked(returns(clone))]
pub fn module_findings(db: &dyn Db, environment: Environment, module: ModuleTree) -> Arc<[PlatformFinding]> {
    findings_of_classes(db, environment, module, &classes_of_module(db, module), &|_| true).into()
}

/// The same for some of the classes of a module, and for the failures that are of concern.
pub fn findings_of_classes(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    classes: &[DefinitionId],
    concerns: &dyn Fn(&CompileFinding) -> bool,
) -> Vec<PlatformFinding> {
    let platforms = class_platforms(db, environment, module);
    let inner = inner_classes(db, module);
    let mut found: Vec<PlatformFinding> = Vec::new();
    for class in classes.iter().copied() {
        let name = &class.key(db).name;
        for (facts, outcome) in outcomes_for_findings(db, environment, module, class, concerns) {
            let CompileOutcome::Fails(finding) = outcome else { continue };
            if !concerns(&finding) {
                continue;
            }
            let Some((_, platform)) = platforms.iter().find(|(id, _)| *id == facts) else { continue };
            let is_inner = inner.declared.contains(name);
            // What gets parameters somewhere may not be meant to do without.
            if get_parameters(db, environment).contains(name)
                || is_declared_before(db, &finding, class, is_inner)
            {
                continue;
            }
            let same = |known: &&mut PlatformFinding| known.finding.is_like(&finding);
            match found.iter_mut().find(same) {
                Some(known) => {
                    if !known.classes.contains(name) {
                        known.classes.push(name.clone());
                    }
                    if !known.platforms.contains(platform) {
                        known.platforms.push(platform.clone());
                    }
                }
                None => found.push(PlatformFinding {
                    finding: (*finding).clone(),
                    classes: vec![name.clone()],
                    platforms: vec![platform.clone()],
                    is_everywhere: false,
                    is_deliberate: finding.code == eval::DELIBERATE_FAILURE,
                    is_inner: false,
                }),
            }
        }
    }
    retain_what_is_told(db, environment, module, &mut found);
    found
}

/// Leaves what is to be told of the failures of a module, and notes on which platforms and in which classes they happen.
fn retain_what_is_told(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    found: &mut Vec<PlatformFinding>,
) {
    let platforms = class_platforms(db, environment, module).len();
    let inner = inner_classes(db, module);
    for finding in found.iter_mut() {
        finding.is_everywhere = finding.platforms.len() == platforms;
        let is_inner =
            |class: &Name| inner.may_know(class, &finding.finding) && !is_for_all(db, module, class);
        finding.is_inner = finding.classes.iter().all(is_inner);
    }
    if has_unknown_platforms(db, environment, module) {
        retain_what_fails_on_all_platforms(db, environment, module, found);
    }
    found.retain(|it| match it.is_everywhere {
        true => !it.is_deliberate,
        // Circles are meant nowhere, nor is what a class declares twice by itself.
        false if it.finding.is_circle() || it.finding.is_duplicate() => true,
        // A class that others include may be meant for some platforms only.
        false => !it.is_inner,
    });
}
