#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use std::collections::BTreeSet;
use std::sync::Arc;

use hir::{
    AttributeOperation, Expr, ExprArena, ExprId, Name, NameUse, NameUseKind, ParameterSummary, ReferenceKind,
    ResourceBody,
};
use plugins::ResourceAttributeKind;
use project::{Db, DefinitionId, File, FileKind, FileRole, ModuleTree, ResourceTypeTarget};
use rustc_hash::FxHashMap;
use syntax::ast::ResourceForm;
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};

use super::reach::reach;
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData};

/// Required parameters of a declaration or call.
struct Required {
    parameters: Vec<(Name, Option<Name>)>,
    /// Description of the owner for messages, such as ``defined type `web::site` ``.
    owner: String,
    /// True for definitions in Puppet code. Providers may supply the attributes of other types.
    is_defined: bool,
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        for (_, expr) in definition.body.exprs.iter() {
            if let Expr::Resource { form, type_expr, bodies } = expr {
                check_resource(context, definition, *form, *type_expr, bodies, &mut found);
            }
        }
        check_templates(context, definition, &mut found);
        check_runs(context, definition, &mut found);
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn check_resource(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    form: ResourceForm,
    type_expr: ExprId,
    bodies: &[ResourceBody],
    found: &mut Vec<Diagnostic>,
) {
    let type_name = match &definition.body[type_expr] {
        Expr::Name(name) | Expr::TypeReference(name) => hir::fold_name(name),
        _ => return,
    };
    // A `default` body supplies values for all other bodies.
    let is_default = |body: &ResourceBody| matches!(definition.body[body.title], Expr::Default);
    if bodies.iter().any(is_default) {
        return;
    }
    for body in bodies {
        let Some(required) = required(context, &type_name) else { continue };
        // Puppet checks the parameters of virtual resources only if their type is defined in Puppet code.
        let is_virtual = form != ResourceForm::Regular;
        if is_virtual && !required.is_defined {
            continue;
        }
        let Some(given) = given(&body.operations) else { continue };
        let mut missing = required.parameters;
        missing.retain(|(name, _)| !given.contains(name));
        if missing.is_empty() {
            continue;
        }
        let set_elsewhere = set_elsewhere(context, &type_name);
        missing.retain(|(name, _)| !set_elsewhere.contains(name));
        if missing.is_empty() || set_elsewhere.contains(ANY) {
            continue;
        }
        let Some(range) = title_range(context, definition, body.title) else { continue };
        // A collector in another module may set it.
        let severity = if is_virtual || !required.is_defined {
            Severity::Warning
        } else {
            reach(context, range).severity()
        };
        found.push(diagnostic(severity, range, &required.owner, missing));
    }
}

pub(super) fn diagnostic(
    severity: Severity,
    range: TextRange,
    owner: &str,
    missing: Vec<(Name, Option<Name>)>,
) -> Diagnostic {
    let names: Vec<String> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
    let noun = if names.len() == 1 { "parameter" } else { "parameters" };
    let message = format!("missing {noun} {} of {owner}", names.join(", "));
    Diagnostic::new(Code::MissingParameter, range, message)
        .downgraded(DowngradeReason::Uncertain, severity)
        .with_data(FixData::MissingParameters(missing))
}

/// Returns the names that a resource sets; `None` if a splatted hash may set any.
fn given(operations: &[AttributeOperation]) -> Option<Vec<Name>> {
    let name = |operation: &AttributeOperation| match operation {
        AttributeOperation::Set { name, .. } => Some(name.clone()),
        AttributeOperation::Splat(_) => None,
    };
    operations.iter().map(name).collect()
}

fn required(context: &RuleContext<'_>, type_name: &str) -> Option<Required> {
    let (db, file) = (context.db, context.file);
    // Hiera data may set parameters of classes, including data that only the server has.
    if ReferenceKind::is_class(type_name) {
        return None;
    }
    match project::resolve_resource_type(db, file, type_name)? {
        ResourceTypeTarget::Defined(target) => Some(Required {
            parameters: of_definition(context, target),
            owner: format!("defined type `{type_name}`"),
            is_defined: true,
        }),
        target => {
            let resource_type = target.resource_type()?;
            let is_needed = |it: &&plugins::ResourceAttribute| {
                it.is_required
                    && !it.is_name_variable
                    && it.default.is_none()
                    && it.kind != ResourceAttributeKind::ReadOnly
            };
            let needed = resource_type.attributes.iter().filter(is_needed);
            Some(Required {
                parameters: needed.map(|it| (it.name.clone(), it.type_text.clone())).collect(),
                owner: format!("resource type `{type_name}`"),
                is_defined: false,
            })
        }
    }
}

/// Returns the parameters of a definition that have no default.
pub(super) fn of_definition(
    context: &RuleContext<'_>,
    definition: DefinitionId,
) -> Vec<(Name, Option<Name>)> {
    let Some(signature) = project::signature(context.db, definition) else { return Vec::new() };
    let is_needed = |it: &&ParameterSummary| !it.has_default && !it.captures_rest && !it.name.is_empty();
    let needed = signature.parameters.iter().filter(is_needed);
    needed.map(|it| (it.name.clone(), it.type_expr.and_then(|ty| type_name(&signature.types, ty)))).collect()
}

/// Returns the outermost name of a type expression.
pub(super) fn type_name(types: &ExprArena, expr: ExprId) -> Option<Name> {
    match &types[expr] {
        Expr::TypeReference(name) => Some(name.clone()),
        Expr::Access { lhs, .. } => type_name(types, *lhs),
        _ => None,
    }
}

/// Placeholder for any attribute, for splatted hashes.
const ANY: &str = "*";

/// Returns the attributes that defaults (`Type { }`), overrides and collectors set for resources of a type.
///
/// It looks in the module and the main manifest, which contain the enclosing scopes.
fn set_elsewhere(context: &RuleContext<'_>, type_name: &str) -> BTreeSet<Name> {
    let db = context.db;
    let mut set = BTreeSet::new();
    let mut add = |file: &File| {
        let of_file = set_for_types(db, *file);
        let begin = of_file.partition_point(|(name, _)| name.as_str() < type_name);
        let of_type = of_file[begin..].iter().take_while(|(name, _)| name == type_name);
        set.extend(of_type.map(|(_, attribute)| attribute.clone()));
    };
    context.environment.main_manifests(db).iter().filter(|file| is_manifest(db, **file)).for_each(&mut add);
    match context.file.role(db) {
        FileRole::Module { module, .. } => {
            set.extend(set_in_module(db, *module).get(type_name).into_iter().flatten().cloned());
        }
        FileRole::Loose | FileRole::MainManifest if is_manifest(db, context.file) => add(&context.file),
        FileRole::Loose | FileRole::MainManifest => {}
    }
    set
}

fn is_manifest(db: &dyn Db, file: File) -> bool {
    project::file_kind(db, file) == FileKind::Manifest
}

/// Returns the result of [`set_for_types`] for all manifests of a module: attributes by resource type.
#[salsa::tracked(returns(ref), lru = 0)]
fn set_in_module(db: &dyn Db, module: ModuleTree) -> FxHashMap<Name, BTreeSet<Name>> {
    let _span = tracing::info_span!("set_in_module").entered();
    let mut set: FxHashMap<Name, BTreeSet<Name>> = FxHashMap::default();
    for file in module.files(db).values().filter(|file| is_manifest(db, **file)) {
        for (name, attribute) in set_for_types(db, *file).iter() {
            set.entry(name.clone()).or_default().insert(attribute.clone());
        }
    }
    set
}

/// Returns the pairs of resource type and attribute that the defaults, overrides and collectors of a file
/// set, sorted.
#[salsa::tracked(returns(clone), lru = 0)]
fn set_for_types(db: &dyn Db, file: File) -> Arc<[(Name, Name)]> {
    let definitions = project::definitions(db, file).into_iter();
    let mut set: Vec<_> = if project::file_parts(db, file).is_empty() {
        definitions.flat_map(|it| find_set_for_types(db, it)).collect()
    } else {
        definitions.flat_map(|it| set_by_definition(db, it).to_vec()).collect()
    };
    set.sort_unstable();
    set.dedup();
    set.into()
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    set_for_types::set_lru_capacity(db, files);
    set_in_module::set_lru_capacity(db, MODULES);
}

/// LRU capacity of the queries for modules.
const MODULES: usize = 64;

/// Returns the result of [`set_for_types`] for one definition of a file that is divided into parts.
#[salsa::tracked(returns(clone))]
fn set_by_definition(db: &dyn Db, definition: DefinitionId) -> Arc<[(Name, Name)]> {
    let _span = tracing::info_span!("set_by_definition").entered();
    find_set_for_types(db, definition).into()
}

fn find_set_for_types(db: &dyn Db, definition: DefinitionId) -> Vec<(Name, Name)> {
    let mut set = Vec::new();
    let body = project::body(db, definition);
    for (_, expr) in body.exprs.iter() {
        let (type_expr, operations) = match expr {
            Expr::ResourceDefaults { type_expr, operations, .. }
            | Expr::Collect { type_expr, operations, .. } => (*type_expr, operations),
            Expr::ResourceOverride { reference, operations, .. } => (*reference, operations),
            _ => continue,
        };
        let name = match &body[type_expr] {
            Expr::TypeReference(name) | Expr::Name(name) => Some(name),
            Expr::Access { lhs, .. } => match &body[*lhs] {
                Expr::TypeReference(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        let Some(name) = name.map(|it| hir::fold_name(it)) else { continue };
        set.extend(operations.iter().map(|operation| match operation {
            AttributeOperation::Set { name: attribute, .. } => (name.clone(), attribute.clone()),
            AttributeOperation::Splat(_) => (name.clone(), Name::new(ANY)),
        }));
    }
    set
}

/// Returns the path of the template that an argument names.
pub(super) fn template_argument(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    argument: ExprId,
) -> Option<String> {
    match &definition.body[argument] {
        Expr::String(path) => Some(path.to_string()),
        // `"${module_name}/x.epp"`
        Expr::Interpolated(_) => {
            let range = definition.range(argument)?;
            let is_template =
                |it: &&NameUse| it.kind == NameUseKind::EppTemplate && range.contains_range(it.range);
            Some(context.uses.iter().find(is_template)?.name.to_string())
        }
        _ => None,
    }
}

/// Checks calls of `epp('module/path', { ... })` for missing parameters of the template.
fn check_templates(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let body = &definition.body;
    for (id, expr) in body.exprs.iter() {
        let Expr::Call { functor, arguments, .. } = expr else { continue };
        let Expr::Name(function) = &body[*functor] else { continue };
        if hir::kind_of_argument(function, 0) != Some(NameUseKind::EppTemplate) {
            continue;
        }
        let Some((first, hash)) = arguments.first().map(|it| (*it, arguments.get(1))) else { continue };
        let Some(path) = template_argument(context, definition, first) else { continue };
        let Some(template) = project::template_file(context.db, context.file, &path) else { continue };
        let Some(main) = project::definitions(context.db, template).first().copied() else { continue };
        let given = match hash {
            None => Some(Vec::new()),
            Some(hash) => keys_of(body, *hash),
        };
        let Some(given) = given else { continue };
        let missing: Vec<_> =
            of_definition(context, main).into_iter().filter(|(name, _)| !given.contains(name)).collect();
        if missing.is_empty() {
            continue;
        }
        let Some(range) =
            arguments.first().and_then(|it| definition.range(*it)).or_else(|| definition.range(id))
        else {
            continue;
        };
        let owner = format!("template `{path}`");
        found.push(diagnostic(reach(context, range).severity(), range, &owner, missing));
    }
}

/// Checks calls of `run_task('module::name', $targets, { ... })` and `run_plan` for missing parameters.
fn check_runs(context: &RuleContext<'_>, definition: &SectionDefinition<'_>, found: &mut Vec<Diagnostic>) {
    let (db, file, body) = (context.db, context.file, &definition.body);
    for (_, expr) in body.exprs.iter() {
        // With a block, the parameters come from its value.
        let Expr::Call { functor, arguments, lambda: None, .. } = expr else { continue };
        let Expr::Name(function) = &body[*functor] else { continue };
        let Some((first, rest)) = arguments.split_first() else { continue };
        let Expr::String(name) = &body[*first] else { continue };
        let kind = hir::kind_of_argument(function, 0);
        let (owner, needed) = match kind {
            Some(NameUseKind::Plan) => {
                let Some(plan) = project::resolve_plan(db, file, name) else { continue };
                (format!("plan `{name}`"), of_definition(context, plan))
            }
            Some(NameUseKind::Task) => {
                let Some(task) = project::task_file(db, file, name) else { continue };
                let parameters = project::task_metadata(db, task).parameters.iter().flatten();
                let needed = parameters.filter(|it| it.is_required());
                let needed = needed.map(|it| (it.name.clone(), it.type_text.clone())).collect();
                (format!("task `{name}`"), needed)
            }
            _ => continue,
        };
        // Strings are targets or a description. Anything other than a string or hash is unknown.
        let has_targets = rest.first().is_some_and(|it| !matches!(body[*it], Expr::Hash(_)));
        let mut given = Vec::new();
        if has_targets {
            given.extend([Name::new_static("targets"), Name::new_static("nodes")]);
        }
        let mut is_known = true;
        for (index, argument) in rest.iter().enumerate() {
            match (&body[*argument], keys_of(body, *argument)) {
                (_, Some(keys)) => given.extend(keys),
                (Expr::String(_) | Expr::Interpolated(_), None) => {}
                (Expr::Unary { .. }, _) => is_known = false,
                _ if index == 0 && (rest.len() > 1 || kind == Some(NameUseKind::Task)) => {}
                _ => is_known = false,
            }
        }
        let missing: Vec<_> = needed.into_iter().filter(|(name, _)| !given.contains(name)).collect();
        let range = definition.range(*first).filter(|_| is_known && !missing.is_empty());
        if let Some(range) = range {
            found.push(diagnostic(reach(context, range).severity(), range, &owner, missing));
        }
    }
}

/// Returns the keys of a literal hash; `None` for other expressions and for computed keys.
fn keys_of(body: &hir::Body, hash: ExprId) -> Option<Vec<Name>> {
    let Expr::Hash(pairs) = &body[hash] else { return None };
    let key = |(key, _): &(ExprId, ExprId)| match &body[*key] {
        Expr::String(name) | Expr::Name(name) => Some(name.clone()),
        _ => None,
    };
    pairs.iter().map(key).collect()
}

/// Returns the range of a resource's title, where missing parameters are reported.
fn title_range(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    title: ExprId,
) -> Option<TextRange> {
    let node: SyntaxNode = context.node(definition, title)?;
    match node.kind() {
        // Only the bracket, because a list of titles may be long.
        SyntaxKind::ARRAY_EXPR => node.first_token().map(|it| it.text_range()),
        _ => Some(node.text_range()),
    }
}
