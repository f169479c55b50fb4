//! Unused variables and parameters, for the codes `unused-variable` and `unused-parameter`.

use codes::Code;

use hir::{Body, DefinitionKind, Expr, ExprId, Name, ScopeId, SlotId, VariableRef};
use plugins::built_in::bolt;
use project::{Db, DefinitionId, File, FileRole, FunctionTarget};
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, ParameterList};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, DiagnosticTag};
use project::mentions::{
    is_inherited_elsewhere, is_mentioned_elsewhere, is_named_in_full, may_be_read_by_unread_template,
};

/// Functions that can read variables of the calling scope by a computed name.
const READS_BY_NAME: &[&str] =
    &["template", "inline_template", "epp", "inline_epp", "getvar", "get", "defined", "getparam"];

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        if !definition.is_broken {
            found.extend(check_definition(context, definition));
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn check_definition(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> Vec<Diagnostic> {
    let is_template = project::language(context.db, context.file) == syntax::Language::Epp;
    let looks_at_own_scope = match definition.key.kind {
        DefinitionKind::Class
        | DefinitionKind::DefinedType
        | DefinitionKind::Function
        | DefinitionKind::Plan => true,
        DefinitionKind::Main => is_template,
        // Everything declared in a node can read its variables.
        DefinitionKind::Node
        | DefinitionKind::TypeAlias
        | DefinitionKind::TypeMapping
        | DefinitionKind::TypeDefinition => false,
    };
    let body = &*definition.body;
    // Definitions without statements exist for queries in PuppetDB.
    let is_class = definition.key.kind == DefinitionKind::Class;
    if (is_class || definition.key.kind == DefinitionKind::DefinedType) && is_empty(body) {
        return Vec::new();
    }
    let mut usage = Usage::of(body);
    if definition.key.kind == DefinitionKind::Function {
        usage.add_results(body, body.root);
    }
    let mut unread = body.slots.iter().enumerate().filter(|(index, slot)| {
        let is_looked_at = slot.scope != ScopeId::ROOT || looks_at_own_scope;
        is_looked_at && !slot.name.starts_with('_') && !slot.name.is_empty() && !usage.reads[*index]
    });
    let mut unread: Vec<usize> = unread.by_ref().map(|(index, _)| index).collect();
    if unread.is_empty() || is_seen_by_unknown_code(context, definition) {
        return Vec::new();
    }
    unread.retain(|index| {
        let slot = &body.slots[*index];
        let may_be_read_by_name =
            slot.scope == ScopeId::ROOT && definition.key.kind == DefinitionKind::Class || usage.by_name;
        !usage.texts.contains(slot.name.as_str())
            && !(may_be_read_by_name
                && (is_mentioned_elsewhere(context.db, context.file, &slot.name)
                    || is_read_beside(context, definition, &slot.name)
                    || is_read_by_other_modules(context, definition, &slot.name)))
    });
    let mut found = Vec::new();
    for index in unread {
        let slot = SlotId::from_index(index);
        let name = &body.slots[index].name;
        if usage.lambda_parameters.contains(&slot) {
            // Lambda parameters are needed for their position or their count.
            continue;
        }
        if usage.parameters.contains(&slot) {
            // Puppet reads parameters with the name of a metaparameter.
            if plugins::built_in::metaparameter(name).is_some() {
                continue;
            }
            let Some(range) = parameter_range(context, definition, slot) else { continue };
            let message = format!("unused parameter `${name}`");
            found.push(Diagnostic::new(Code::UnusedParameter, range, message));
        } else {
            for target in &usage.targets {
                if target.0 != slot || usage.results.contains(&target.1) {
                    continue;
                }
                let Some(range) = definition.range(target.1) else { continue };
                let message = format!("unused variable `${name}`");
                found.push(Diagnostic::new(Code::UnusedVariable, range, message));
            }
        }
    }
    found.into_iter().map(|it| it.with_tag(DiagnosticTag::Unnecessary)).collect()
}

/// Returns true if unknown code may read the variables of a definition: a template whose text is not
/// available, or a Ruby function that accesses the scope.
fn is_seen_by_unknown_code(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> bool {
    let (db, body) = (context.db, &*definition.body);
    body.exprs.iter().any(|(_, expr)| {
        let (name, arguments) = match expr {
            Expr::Call { functor, arguments, .. } => match &body[*functor] {
                Expr::Name(name) => (name.as_str(), arguments.to_vec()),
                _ => return false,
            },
            Expr::MethodCall { name, receiver, arguments, .. } => {
                (name.as_str(), [&[*receiver], &arguments[..]].concat())
            }
            _ => return false,
        };
        match name.strip_prefix("::").unwrap_or(name) {
            "template" => arguments.iter().any(|it| !is_readable_template(context, body, *it)),
            "epp" | "inline_epp" | "inline_template" => false,
            name => reads_scope(db, context.file, name),
        }
    })
}

/// Returns true if the text of the template that `argument` names is available.
fn is_readable_template(context: &RuleContext<'_>, body: &Body, argument: ExprId) -> bool {
    let is_own = |path: Option<&str>| {
        let FileRole::Module { module, .. } = context.file.role(context.db) else { return false };
        module.files(context.db).iter().all(|(name, file)| {
            let below = name.strip_prefix("templates/");
            let is_meant = below.is_some_and(|below| path.is_none_or(|path| path == below));
            !is_meant || project::text(context.db, *file).is_some()
        })
    };
    match &body[argument] {
        Expr::String(text) | Expr::Name(text) => match text.split_once('/') {
            Some((module, path)) if is_own_module(context, module) => is_own(Some(path)),
            // Files of this module do not show what a template of another module reads.
            _ => false,
        },
        // `"${module_name}/x.erb"`
        Expr::Interpolated(_) => is_own(None),
        Expr::Array(elements) => elements.iter().all(|it| is_readable_template(context, body, *it)),
        _ => false,
    }
}

fn is_own_module(context: &RuleContext<'_>, name: &str) -> bool {
    matches!(context.file.role(context.db), FileRole::Module { module, .. } if module.name(context.db) == name)
}

/// Returns true if a Ruby function may read variables of its caller. Functions that are not available may.
fn reads_scope(db: &dyn Db, file: File, function: &str) -> bool {
    // `function_x` passes the scope to functions of the legacy API.
    const SIGNS: [&str; 8] =
        ["lookupvar", "scope", "to_hash", "self[", "self.[", "function_", "TemplateWrapper", "binding"];
    match project::resolve_function(db, file, function) {
        Some(FunctionTarget::Ruby { file, .. }) => {
            let text = project::text(db, file);
            text.is_none_or(|text| SIGNS.iter().any(|sign| text.contains(sign)))
        }
        Some(_) => false,
        None => functions::built_in(function).is_none() && bolt::function(function).is_none(),
    }
}

/// Returns true if another module may read a class variable: by its qualified name, in a class that inherits,
/// or in a template whose text is not available.
fn is_read_by_other_modules(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    name: &str,
) -> bool {
    let (db, environment, class) = (context.db, context.environment, &definition.key.name);
    if definition.key.kind != DefinitionKind::Class {
        return false;
    }
    let module = class.split("::").next().unwrap_or_default();
    is_named_in_full(db, environment, &format!("{class}::{name}"))
        || is_inherited_elsewhere(db, environment, class)
        || may_be_read_by_unread_template(db, environment, module, class)
}

/// Returns true if another definition of the file reads a variable of this name.
fn is_read_beside(context: &RuleContext<'_>, own: &SectionDefinition<'_>, name: &str) -> bool {
    let definitions = project::definitions(context.db, context.file).into_iter();
    let mut others = definitions.filter(|it| *it != own.id);
    others.any(|it| variables_named(context.db, it).contains(name))
}

/// Returns the names of the variables in a definition.
#[salsa::tracked(returns(ref), lru = 0)]
fn variables_named(db: &dyn Db, definition: DefinitionId) -> FxHashSet<Name> {
    let body = project::body(db, definition);
    let name = |expr: &Expr| match expr {
        Expr::Variable(VariableRef::Qualified { name, .. } | VariableRef::Free(name)) => Some(name.clone()),
        Expr::Variable(VariableRef::Slot(slot)) => Some(body.slots[slot.index()].name.clone()),
        _ => None,
    };
    body.exprs.iter().filter_map(|(_, expr)| name(expr)).collect()
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, definitions: usize) {
    variables_named::set_lru_capacity(db, definitions);
}

/// Uses of the variables of a body.
struct Usage {
    /// By slot.
    reads: Vec<bool>,
    /// Assignments: the slot, and the expression on the left.
    targets: Vec<(SlotId, ExprId)>,
    parameters: FxHashSet<SlotId>,
    lambda_parameters: FxHashSet<SlotId>,
    /// Left sides of assignments whose value is the result of a function or lambda.
    results: FxHashSet<ExprId>,
    /// True if a call may read variables by a computed name.
    by_name: bool,
    /// Words in the strings of the body, if `by_name` is true.
    texts: FxHashSet<String>,
}

impl Usage {
    fn of(body: &Body) -> Usage {
        let mut usage = Usage {
            reads: vec![false; body.slots.len()],
            targets: Vec::new(),
            parameters: body.parameters.iter().map(|it| it.slot).collect(),
            lambda_parameters: FxHashSet::default(),
            results: FxHashSet::default(),
            by_name: false,
            texts: FxHashSet::default(),
        };
        let mut assigned = FxHashSet::default();
        for (_, expr) in body.exprs.iter() {
            match expr {
                Expr::Assignment { lhs, .. } => usage.add_targets(body, *lhs, &mut assigned),
                Expr::Lambda { parameters, body: block, .. } => {
                    usage.lambda_parameters.extend(parameters.iter().map(|it| it.slot));
                    usage.add_results(body, *block);
                }
                Expr::Call { functor, .. } => {
                    if let Expr::Name(name) = &body[*functor] {
                        usage.by_name |= reads_by_name(name);
                    }
                }
                Expr::MethodCall { name, .. } => usage.by_name |= reads_by_name(name),
                _ => {}
            }
        }
        for (id, expr) in body.exprs.iter() {
            if let Expr::Variable(VariableRef::Slot(slot)) = expr
                && !assigned.contains(&id)
            {
                usage.add_read(body, *slot);
            }
            // `$name::variable` of the class itself.
            if let Expr::Variable(VariableRef::Qualified { name, .. }) = expr {
                let own = body.slots.iter().position(|it| it.scope == ScopeId::ROOT && it.name == *name);
                own.into_iter().for_each(|index| usage.reads[index] = true);
            }
            if usage.by_name
                && let Expr::String(text) = expr
            {
                let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                usage.texts.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
            }
        }
        usage
    }

    /// Records the assignments at the end of a block, whose value is the value of the block.
    fn add_results(&mut self, body: &Body, block: ExprId) {
        match &body[block] {
            Expr::Assignment { lhs, .. } => {
                self.results.insert(*lhs);
            }
            Expr::Block(statements) => {
                statements.last().into_iter().for_each(|last| self.add_results(body, *last));
            }
            Expr::If { then, otherwise, .. } | Expr::Unless { then, otherwise, .. } => {
                self.add_results(body, *then);
                otherwise.iter().for_each(|it| self.add_results(body, *it));
            }
            Expr::Case { options, .. } => {
                options.iter().for_each(|it| self.add_results(body, it.block));
            }
            _ => {}
        }
    }

    fn add_targets(&mut self, body: &Body, lhs: ExprId, assigned: &mut FxHashSet<ExprId>) {
        match &body[lhs] {
            Expr::Variable(VariableRef::Slot(slot)) => {
                assigned.insert(lhs);
                self.targets.push((*slot, lhs));
            }
            Expr::Array(elements) => {
                elements.iter().for_each(|element| self.add_targets(body, *element, assigned));
            }
            _ => {}
        }
    }

    /// Marks a variable as read, together with those of the same name in outer scopes, which are read while
    /// it is not set.
    fn add_read(&mut self, body: &Body, slot: SlotId) {
        let mut slot = Some(slot);
        while let Some(current) = slot {
            self.reads[current.index()] = true;
            slot = body.slots[current.index()].outer;
        }
    }
}

/// Returns true if a definition has no statements.
fn is_empty(body: &Body) -> bool {
    match &body[body.root] {
        Expr::Block(statements) => statements.is_empty(),
        root => matches!(root, Expr::Undef),
    }
}

fn reads_by_name(function: &str) -> bool {
    let function = function.strip_prefix("::").unwrap_or(function);
    READS_BY_NAME.contains(&function)
}

/// Returns the range of a parameter's name.
pub(super) fn parameter_range(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    slot: SlotId,
) -> Option<TextRange> {
    let body = &definition.body;
    if let Some(index) = body.parameters.iter().position(|it| it.slot == slot) {
        let node = context.definition_node(definition)?;
        return nth_parameter(&node, index);
    }
    let lambdas = body.exprs.iter().find_map(|(id, expr)| {
        let Expr::Lambda { parameters, .. } = expr else { return None };
        Some((id, parameters.iter().position(|it| it.slot == slot)?))
    });
    let (lambda, index) = lambdas?;
    nth_parameter(&context.node(definition, lambda)?, index)
}

fn nth_parameter(node: &SyntaxNode, index: usize) -> Option<TextRange> {
    let list = node.children().find_map(ParameterList::cast)?;
    let parameter = list.parameters().nth(index)?;
    Some(parameter.syntax().token(SyntaxKind::VARIABLE)?.text_range())
}
