#![doc = include_str!("../../pages/unknown-variable.md")]

use codes::Code;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use hir::{Access, DefinitionKind, Name, NameUseKind, ScopeId, VariableBinding};
use plugins::built_in;
use project::{Db, DefinitionId, Environment, File, NameKind};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Severity, SyntaxKind, TextRange};

use super::mentions::{is_key_elsewhere, is_mentioned_elsewhere};
use super::unknown::{self, NameVerdict, UnknownName};
use crate::UnknownNameKind;
use crate::context::{RuleContext, SectionDefinition};

/// What every class and defined type has beside its own variables.
pub(super) const EVERYWHERE: &[&str] = &["title", "name", "module_name", "caller_module_name"];

/// What is known of variables, each worked out once for all uses of a section.
#[derive(Default)]
struct KnownVariables {
    /// By the definition that reads them.
    of_definitions: FxHashMap<usize, Rc<DefinitionVariables>>,
    /// Those of a class and the ones it inherits from; `None` where not all of them are known.
    of_classes: FxHashMap<DefinitionId, Option<Rc<BTreeSet<Name>>>>,
}

/// What a definition says of variables.
struct DefinitionVariables {
    /// All it sets, and those of the classes it inherits from.
    names: BTreeSet<Name>,
    own: FxHashSet<Name>,
    /// It sets them outside of lambdas.
    outer: FxHashSet<Name>,
    /// Not all that it inherits is known.
    is_incomplete: bool,
    /// It asks whether they are there, with `defined('$x')`.
    guarded: FxHashSet<Name>,
    /// They are conditions, by themselves or compared with nothing.
    asked_for: FxHashSet<Name>,
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
        let (guarded, asked_for) = (guarded(body), asked_for(body));
        DefinitionVariables { names, own, outer, is_incomplete, guarded, asked_for }
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

/// `$class::name`
fn check_qualified(context: &mut RuleContext<'_>, known: &mut KnownVariables, at: usize, scope: &Name) {
    // The settings of the server.
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
        // A defined type has no variables that others can read; `$facts::x` is somebody's mistake, but not a class's.
        match unknown::verdict(context, NameKind::Class, scope) {
            NameVerdict::Missing if !is_question(context, range) => {
                let similar = context
                    .similar(scope, |context| unknown::names_like(context, DefinitionKind::Class, scope));
                let message = format!("there is no class '{scope}', so nobody sets ${scope}::{name}");
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
            verdict => unknown::module_missing(context, verdict, scope_range),
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
    let message = format!("the class '{scope}' sets no variable ${name}");
    report(context, range, message, name, similar);
}

/// A variable that nothing sets: never more than a warning.
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

/// So many classes may stand above each other to know all variables of the lowest.
const MAX_CLASSES: usize = 100;

/// Adds the variables that a class and those it inherits from set; false where something is not known.
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
    if seen.len() > MAX_CLASSES {
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

/// `$::name`
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
        return;
    }
    let message = format!("nothing here sets the variable $::{name} of the top scope");
    report(context, range, message, name, similar);
}

/// `$name`, which nothing in the definition sets.
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
    // In the value that sets it for the first time (`$x = pick($x, 1)`) evaluation knows what it is worth.
    if variables.outer.contains(&name) {
        return;
    }
    let is_inherited = || variables.names.contains(&name) && !variables.own.contains(&name);
    match kind {
        DefinitionKind::Class if variables.is_incomplete || is_inherited() => return,
        // A template without parameters sees what is set where it is rendered.
        DefinitionKind::Main
            if project::language(context.db, context.file) == syntax::Language::Epp
                && (is_mentioned_elsewhere(context.db, context.file, &name)
                    || is_key_elsewhere(context.db, context.file, &name)) =>
        {
            return;
        }
        _ => {}
    }
    let similar = context.similar(&name, |context| {
        let own = variables.names.iter().map(|it| it.as_str());
        top_names(context, set_by_main_manifest(context)).chain(own)
    });
    // Code that asks whether it is there expects it from outside: a fact, or a node classifier.
    if similar.is_empty() && variables.asked_for.contains(&name) {
        return;
    }
    let message = format!("nothing sets the variable ${name}");
    report(context, range, message, name, similar);
}

/// The variables of which a definition asks whether they are there, with `defined('$x')`.
fn guarded(body: &hir::Body) -> FxHashSet<Name> {
    let asked = body.exprs.iter().filter_map(|(_, expr)| {
        let hir::Expr::String(text) = expr else { return None };
        let asked = text.strip_prefix('$')?;
        Some(Name::new(asked.strip_prefix("::").unwrap_or(asked)))
    });
    asked.collect()
}

/// The variables that are a condition in a definition, by themselves or compared with nothing: `if $x`, `!$x`, `$x != ''`.
fn asked_for(body: &hir::Body) -> FxHashSet<Name> {
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

/// Is it a metaparameter, which is a variable where whoever declares the class or defined type gives it?
fn is_given_metaparameter(kind: DefinitionKind, name: &str) -> bool {
    matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType)
        && built_in::metaparameter(name).is_some()
}

/// The variables that functions in Ruby set, sorted; `*` where one sets what is only known when it works.
#[salsa::tracked(returns(ref))]
fn variables_set_in_ruby(db: &dyn Db, environment: project::Environment) -> Vec<Name> {
    let mut names = Vec::new();
    for module in environment.modules(db).values() {
        for (path, file) in module.files(db).iter() {
            if !path.starts_with("lib/puppet/") || !path.contains("/functions/") {
                continue;
            }
            let Some(text) = project::text(db, *file) else { continue };
            for (at, word) in text.match_indices("setvar") {
                let rest = text[at + word.len()..].trim_start_matches(['(', ' ']);
                let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"'));
                let name = quote.and_then(|quote| rest[1..].split(quote).next());
                names.push(match name {
                    Some(name) if !name.contains('#') => Name::new(name.trim_start_matches("::")),
                    _ => Name::new("*"),
                });
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// May a function in Ruby set a variable of this name?
pub(super) fn may_be_set_in_ruby(db: &dyn Db, environment: project::Environment, name: &str) -> bool {
    let set = variables_set_in_ruby(db, environment);
    let has = |name: &str| set.binary_search_by(|it| it.as_str().cmp(name)).is_ok();
    has(name) || has("*")
}

/// Is it a fact, a variable of Puppet's own, or one of the main manifest or a node?
fn is_of_top_scope(context: &RuleContext<'_>, name: &str) -> bool {
    built_in::variable(name).is_some()
        || built_in::fact(name).is_some()
        || is_custom_fact(context.db, context.environment, name)
        || set_by_main_manifest(context).binary_search_by(|it| it.as_str().cmp(name)).is_ok()
        || may_be_set_in_ruby(context.db, context.environment, name)
}

/// The names that a variable of the top scope may have been meant for; `main` are those of the main manifest.
fn top_names<'a>(context: &RuleContext<'a>, main: &'a [Name]) -> impl Iterator<Item = &'a str> + use<'a> {
    let variables = built_in::variables().iter().map(|it| it.name.as_str());
    let facts = built_in::facts().iter().map(|it| it.name.as_str()).filter(|it| !it.contains(['*', '#']));
    let custom = project::custom_facts(context.db, context.environment).iter();
    let custom = custom.map(|(_, fact)| fact.name.as_str());
    variables.chain(facts).chain(custom).chain(main.iter().map(|it| it.as_str()))
}

/// Does a module bring a fact of this name?
pub(super) fn is_custom_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let custom = project::custom_facts(db, environment);
    // They are sorted by name.
    custom.binary_search_by(|(_, fact)| fact.name.as_str().cmp(name)).is_ok()
}

/// The variables that the main manifest and its nodes set, sorted.
fn set_by_main_manifest<'a>(context: &RuleContext<'a>) -> &'a [Name] {
    variables_of_main_manifest(context.db, context.file)
}

/// Those that a file can read.
#[salsa::tracked(returns(ref), lru = 64)]
fn variables_of_main_manifest(db: &dyn Db, file: File) -> Vec<Name> {
    let manifests =
        file.environments(db).first().into_iter().flat_map(|it| it.main_manifests(db).iter().copied());
    let is_in_module = matches!(file.place(db), project::FileRole::Module { .. });
    let own = (!is_in_module).then_some(file);
    let mut names = Vec::new();
    for file in manifests.chain(own) {
        names.extend(variables_of_manifest(db, file).iter().cloned());
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// What a file sets outside of classes and defined types, where everything that is declared there can read it.
#[salsa::tracked(returns(clone))]
pub(super) fn variables_of_manifest(db: &dyn Db, file: File) -> Arc<[Name]> {
    let mut names = Vec::new();
    for definition in project::definitions(db, file) {
        if matches!(definition.key(db).kind, DefinitionKind::Main | DefinitionKind::Node) {
            let body = project::body(db, definition);
            names.extend(body.slots.iter().filter(|it| it.scope == ScopeId::ROOT).map(|it| it.name.clone()));
        }
    }
    names.into()
}

/// Is it only asked whether the variable is there: `defined('$x')`, `getvar('x')`?
fn is_question(context: &RuleContext<'_>, range: TextRange) -> bool {
    let parent = context.tree().covering_element(range).and_then(|it| it.parent());
    parent.is_some_and(|it| it.kind() == SyntaxKind::LITERAL_STRING)
}
