#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::LazyLock;

use hir::{Access, DefinitionKind, Name, NameUseKind, ScopeId, VariableBinding};
use plugins::built_in;
use project::{Db, DefinitionId, Environment, File, NameKind};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{self, AstNode};
use syntax::{Severity, SyntaxKind, TextRange};

use super::unknown::{self, NameVerdict, UnknownName};
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, UnknownNameKind};
use project::mentions::{is_key_elsewhere, is_mentioned_elsewhere};

/// Variables of every class and defined type.
pub(super) const EVERYWHERE: &[&str] = &["title", "name", "module_name", "caller_module_name"];

/// Variables of definitions and classes, computed once per section.
#[derive(Default)]
struct KnownVariables {
    /// By index of the definition that reads them.
    of_definitions: FxHashMap<usize, Rc<DefinitionVariables>>,
    /// Variables of a class and its ancestors; `None` if they are not completely known.
    of_classes: FxHashMap<DefinitionId, Option<Rc<BTreeSet<Name>>>>,
}

/// Variables of a definition.
struct DefinitionVariables {
    /// Variables that the definition and its ancestors set.
    names: BTreeSet<Name>,
    own: FxHashSet<Name>,
    /// Variables set outside of lambdas.
    outer: FxHashSet<Name>,
    /// True if the ancestors are not completely known.
    is_incomplete: bool,
    /// Variables tested with `defined('$x')`.
    guarded: FxHashSet<Name>,
    /// Variables used as a condition, alone or in a comparison with an empty value.
    tested: FxHashSet<Name>,
}

impl KnownVariables {
    fn of_definition(&mut self, context: &RuleContext<'_>, index: usize) -> Option<Rc<DefinitionVariables>> {
        if let Some(known) = self.of_definitions.get(&index) {
            return Some(known.clone());
        }
        let variables = Rc::new(DefinitionVariables::new(context, context.definitions.get(index)?));
        self.of_definitions.insert(index, variables.clone());
        Some(variables)
    }

    fn of_class(&mut self, context: &RuleContext<'_>, class: DefinitionId) -> Option<Rc<BTreeSet<Name>>> {
        let variables = || {
            let mut names = BTreeSet::new();
            variables_of_class(context.db, context.file, class, &mut names, &mut FxHashSet::default())
                .then(|| Rc::new(names))
        };
        self.of_classes.entry(class).or_insert_with(variables).clone()
    }
}

impl DefinitionVariables {
    fn new(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> DefinitionVariables {
        let body = &definition.body;
        let own: FxHashSet<Name> = body.slots.iter().map(|it| it.name.clone()).collect();
        let outer = body.slots.iter().filter(|it| it.scope == ScopeId::ROOT).map(|it| it.name.clone());
        let outer = outer.collect();
        let mut names: BTreeSet<Name> = own.iter().cloned().collect();
        let is_incomplete = definition.key.kind == DefinitionKind::Class && {
            let mut seen = FxHashSet::default();
            !variables_of_class(context.db, context.file, definition.id, &mut names, &mut seen)
        };
        let (guarded, tested) = (guarded(body), tested(body));
        DefinitionVariables { names, own, outer, is_incomplete, guarded, tested }
    }
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut known = KnownVariables::default();
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.access != Access::Read {
            continue;
        }
        let NameUseKind::Variable(binding) = &it.kind else { continue };
        match binding.clone() {
            VariableBinding::Local { .. } => {}
            VariableBinding::Free => check_free(context, &mut known, at),
            VariableBinding::Qualified { scope } if scope.is_empty() => check_top(context, &mut known, at),
            VariableBinding::Qualified { scope } => check_qualified(context, &mut known, at, &scope),
        }
    }
}

/// Checks `$class::name`.
fn check_qualified(context: &mut RuleContext<'_>, known: &mut KnownVariables, at: usize, scope: &Name) {
    // Settings of the server.
    if scope == "settings" {
        return;
    }
    let (name, range) = (context.uses[at].name.clone(), context.uses[at].range);
    let Some(class) = project::resolve_in_file(context.db, context.file, NameKind::Class, scope) else {
        let Some(scope_use) =
            at.checked_sub(1).filter(|before| unknown::is_scope_of_variable(context, *before))
        else {
            return;
        };
        let scope_range = context.uses[scope_use].range;
        // Variables of a defined type cannot be read from outside. `$facts::x` is a mistake, but not the
        // name of a class.
        match unknown::verdict(context, NameKind::Class, scope) {
            NameVerdict::Missing if !is_question(context, range) => {
                let similar = context
                    .similar(scope, |context| unknown::similar_names(context, DefinitionKind::Class, scope));
                let message = format!("unknown class `{scope}` of variable `${scope}::{name}`");
                unknown::report(
                    context,
                    UnknownName {
                        code: Code::UnknownVariable,
                        range: scope_range,
                        severity: Severity::Warning,
                        message,
                        kind: UnknownNameKind::Class,
                        name: scope.clone(),
                        similar,
                    },
                );
            }
            verdict => unknown::note_module(context, verdict, scope_range),
        }
        return;
    };
    let Some(names) = known.of_class(context, class) else { return };
    if names.contains(&name)
        || EVERYWHERE.contains(&name.as_str())
        || is_given_metaparameter(DefinitionKind::Class, &name)
        || is_question(context, range)
    {
        return;
    }
    let similar = context.similar(&name, |_| names.iter());
    let message = format!("class `{scope}` has no variable `${name}`");
    report(context, range, message, name, similar);
}

/// Reports an unknown variable, with a severity of at most `Warning`.
fn report(context: &mut RuleContext<'_>, range: TextRange, message: String, name: Name, similar: Vec<Name>) {
    unknown::report(
        context,
        UnknownName {
            code: Code::UnknownVariable,
            range,
            severity: Severity::Warning,
            message,
            kind: UnknownNameKind::Variable,
            name,
            similar,
        },
    );
}

/// Maximum number of ancestors of a class.
const MAX_ANCESTORS: usize = 100;

/// Adds the variables that a class and its ancestors set. Returns false if they are not completely known.
pub(super) fn variables_of_class(
    db: &dyn Db,
    file: File,
    class: DefinitionId,
    names: &mut BTreeSet<Name>,
    seen: &mut FxHashSet<DefinitionId>,
) -> bool {
    if !seen.insert(class) {
        return true;
    }
    if seen.len() > MAX_ANCESTORS {
        return false;
    }
    let is_sound = project::file_kind(db, class.file(db)) == project::FileKind::Manifest
        && !crate::syntax_rules::has_syntax_errors(db, class.file(db));
    if !is_sound {
        return false;
    }
    let body = project::body(db, class);
    names.extend(body.slots.iter().filter(|it| it.scope == ScopeId::ROOT).map(|it| it.name.clone()));
    match &body.inherits {
        None => true,
        Some(parent) => match project::resolve_in_file(db, file, NameKind::Class, parent) {
            Some(parent) => variables_of_class(db, file, parent, names, seen),
            None => false,
        },
    }
}

/// Checks `$::name`.
fn check_top(context: &mut RuleContext<'_>, known: &mut KnownVariables, at: usize) {
    let (name, range) = (context.uses[at].name.clone(), context.uses[at].range);
    let definition = known.of_definition(context, context.uses[at].definition as usize);
    if is_of_top_scope(context, &name)
        || is_question(context, range)
        || definition.is_some_and(|it| it.guarded.contains(&name))
    {
        return;
    }
    let similar = context.similar(&name, |context| top_names(context, set_by_main_manifest(context)));
    // A fact, or a variable of an external node classifier, may have any name.
    if similar.is_empty() {
        return report_for_upgrade(context, &name, range, "$::");
    }
    let message = format!("unknown top-scope variable `$::{name}`");
    report(context, range, message, name, similar);
}

/// Checks `$name` if the definition does not set it.
fn check_free(context: &mut RuleContext<'_>, known: &mut KnownVariables, at: usize) {
    let it = &context.uses[at];
    let (name, range, index) = (it.name.clone(), it.range, it.definition as usize);
    if is_of_top_scope(context, &name) || EVERYWHERE.contains(&name.as_str()) || is_question(context, range) {
        return;
    }
    let Some(variables) = known.of_definition(context, index) else { return };
    let kind = context.definitions[index].key.kind;
    if variables.guarded.contains(&name) || is_given_metaparameter(kind, &name) {
        return;
    }
    // In its own first assignment (`$x = pick($x, 1)`) the variable is handled by evaluation.
    if variables.outer.contains(&name) {
        return;
    }
    let is_inherited = || variables.names.contains(&name) && !variables.own.contains(&name);
    match kind {
        DefinitionKind::Class if variables.is_incomplete || is_inherited() => return,
        // A template without parameters sees the variables of its caller.
        DefinitionKind::Main
            if project::language(context.db, context.file) == syntax::Language::Epp
                && (is_mentioned_elsewhere(context.db, context.file, &name)
                    || is_key_elsewhere(context.db, context.file, &name)) =>
        {
            return;
        }
        _ => {}
    }
    let may_be_of_target = kind == DefinitionKind::Plan && is_applied(context, range);
    if may_be_of_target && is_mentioned(context, &context.definitions[index].body, &name) {
        return;
    }
    let similar = context.similar(&name, |context| {
        let own = variables.names.iter().map(|it| it.as_str());
        top_names(context, set_by_main_manifest(context)).chain(own)
    });
    // Code that tests for the variable expects it from a fact or a node classifier.
    if similar.is_empty() && (may_be_of_target || variables.tested.contains(&name)) {
        if !may_be_of_target {
            report_for_upgrade(context, &name, range, "$");
        }
        return;
    }
    let message = format!("unknown variable `${name}`");
    report(context, range, message, name, similar);
}

/// Reports a variable that only a fact or a node classifier can set, to prepare an upgrade.
fn report_for_upgrade(context: &mut RuleContext<'_>, name: &Name, range: TextRange, sigil: &str) {
    if is_unset_for_upgrade(context.db, context.file, context.environment, name) {
        let message = not_set_for_upgrade(sigil, "$", name);
        let diagnostic = Diagnostic::new(Code::UnknownVariable, range, message);
        context.report(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Hint));
    }
}

/// Returns true if nothing in the project sets a top-scope variable, and an upgrade is prepared to a version in
/// which reading it is an error. Variables in levels of `hiera.yaml` are expected to have a value, and modules
/// that are not installed may define facts that begin with their names.
pub(super) fn is_unset_for_upgrade(db: &dyn Db, file: File, environment: Environment, name: &str) -> bool {
    let is_upgrade = environment.prepares_upgrade(db)
        && environment.puppet_version(db).has(validation::VersionDifference::StrictVariables);
    let is_of_module = |it: &Name| name.starts_with(it.as_str());
    let is_in_levels =
        || project::variables_of_levels(db, environment).binary_search_by(|it| it.as_str().cmp(name)).is_ok();
    is_upgrade
        && !is_top_variable(db, file, environment, name)
        && !project::expected_modules(db, environment).iter().any(is_of_module)
        && !is_in_levels()
}

/// Returns the message about a variable that nothing sets; `facts` begins the name of the hash of facts.
pub(super) fn not_set_for_upgrade(sigil: &str, facts: &str, name: &str) -> String {
    let problem = format!("variable `{sigil}{name}` is not set in this project");
    let help =
        format!("use `{facts}facts['{name}']` if it is a fact, or check that the node classifier sets it");
    codes::with_help(problem, help)
}

/// Returns true in the block of an `apply`, where the variables of each target are set: those of the inventory,
/// which need not be in the project, and of `set_var` in any plan.
fn is_applied(context: &RuleContext<'_>, range: TextRange) -> bool {
    let node = context.tree().covering_element(range).and_then(|it| it.parent());
    let mut applies = node.iter().flat_map(|it| it.ancestors()).filter_map(ast::ApplyExpr::cast);
    applies.any(|it| it.body().is_some_and(|body| body.syntax().text_range().contains_range(range)))
}

/// Returns true if another file, or a string of the plan, has the name of a variable.
fn is_mentioned(context: &RuleContext<'_>, plan: &hir::Body, name: &str) -> bool {
    is_mentioned_elsewhere(context.db, context.file, name)
        || plan.exprs.iter().any(|(_, expr)| matches!(expr, hir::Expr::String(text) if text == name))
}

/// Returns the variables that a definition tests with `defined('$x')`.
fn guarded(body: &hir::Body) -> FxHashSet<Name> {
    let asked = body.exprs.iter().filter_map(|(_, expr)| {
        let hir::Expr::String(text) = expr else { return None };
        let asked = text.strip_prefix('$')?;
        Some(Name::new(asked.strip_prefix("::").unwrap_or(asked)))
    });
    asked.collect()
}

/// Returns the variables that a definition uses as a condition, alone or in a comparison with an empty value:
/// `if $x`, `!$x`, `$x != ''`.
fn tested(body: &hir::Body) -> FxHashSet<Name> {
    use syntax::ast::{BinaryOperator, UnaryOperator};
    let mut asked = FxHashSet::default();
    let mut note = |id: hir::ExprId| {
        if let hir::Expr::Variable(hir::VariableRef::Free(read)) = &body[id] {
            asked.insert(read.clone());
        }
    };
    let is_nothing = |id: hir::ExprId| match &body[id] {
        hir::Expr::Undef => true,
        hir::Expr::String(text) => text.is_empty(),
        _ => false,
    };
    for (_, expr) in body.exprs.iter() {
        match expr {
            hir::Expr::If { condition, .. } | hir::Expr::Unless { condition, .. } => note(*condition),
            hir::Expr::Unary { operator: UnaryOperator::Not, operand } => note(*operand),
            hir::Expr::Binary { operator: BinaryOperator::And | BinaryOperator::Or, lhs, rhs } => {
                note(*lhs);
                note(*rhs);
            }
            hir::Expr::Binary { operator: BinaryOperator::Equal | BinaryOperator::NotEqual, lhs, rhs } => {
                if is_nothing(*rhs) {
                    note(*lhs);
                }
                if is_nothing(*lhs) {
                    note(*rhs);
                }
            }
            _ => {}
        }
    }
    asked
}

/// Returns true for metaparameters, which are variables of a class or defined type if its declaration sets
/// them.
fn is_given_metaparameter(kind: DefinitionKind, name: &str) -> bool {
    matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType)
        && built_in::metaparameter(name).is_some()
}

/// Returns true for facts, built-in variables, and variables of the main manifest and its nodes.
fn is_of_top_scope(context: &RuleContext<'_>, name: &str) -> bool {
    is_top_variable(context.db, context.file, context.environment, name)
}

fn is_top_variable(db: &dyn Db, file: File, environment: Environment, name: &str) -> bool {
    built_in::variable(name).is_some()
        || built_in::fact(name).is_some()
        || is_custom_fact(db, environment, name)
        || variables_of_main_manifest(db, file).binary_search_by(|it| it.as_str().cmp(name)).is_ok()
        || compile::may_be_set_in_ruby(db, environment, name)
        || compile::may_be_computed_fact(db, environment, name)
}

/// Returns the candidate names for an unknown top-scope variable. `main` are the variables of the main
/// manifest.
fn top_names<'a>(context: &RuleContext<'a>, main: &'a [Name]) -> impl Iterator<Item = &'a str> + use<'a> {
    let built_in = BUILT_IN_NAMES.iter().copied();
    let custom = project::custom_facts(context.db, context.environment).iter();
    let custom = custom.map(|(_, fact)| fact.name.as_str());
    built_in.chain(custom).chain(main.iter().map(|it| it.as_str()))
}

/// Names of predefined variables and of facts, except patterns. Each unknown variable is compared with all of
/// them.
static BUILT_IN_NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let variables = built_in::variables().iter().map(|it| it.name.as_str());
    let facts = built_in::facts().iter().map(|it| it.name.as_str()).filter(|it| !it.contains(['*', '#']));
    variables.chain(facts).collect()
});

/// Returns true if a module defines a fact of this name.
pub(super) fn is_custom_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let custom = project::custom_facts(db, environment);
    // Sorted by name.
    custom.binary_search_by(|(_, fact)| fact.name.as_str().cmp(name)).is_ok()
}

/// Returns the sorted names of the variables that the main manifest and its nodes set.
fn set_by_main_manifest<'a>(context: &RuleContext<'a>) -> &'a [Name] {
    variables_of_main_manifest(context.db, context.file)
}

/// Returns the sorted names of the main manifest's variables that a file can read.
#[salsa::tracked(returns(ref), lru = 64)]
fn variables_of_main_manifest(db: &dyn Db, file: File) -> Vec<Name> {
    let manifests =
        file.environments(db).first().into_iter().flat_map(|it| it.main_manifests(db).iter().copied());
    let is_in_module = matches!(file.role(db), project::FileRole::Module { .. });
    let own = (!is_in_module).then_some(file);
    let mut names = Vec::new();
    for file in manifests.chain(own) {
        names.extend(compile::variables_of_manifest(db, file).iter().cloned());
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns true if the name is in a string, as in the existence tests `defined('$x')` and `getvar('x')`.
fn is_question(context: &RuleContext<'_>, range: TextRange) -> bool {
    let parent = context.tree().covering_element(range).and_then(|it| it.parent());
    parent.is_some_and(|it| it.kind() == SyntaxKind::LITERAL_STRING)
}
