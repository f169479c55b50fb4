//! Lowering of typed trees to bodies.

mod expressions;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use syntax::ast::{self, AccessOrCallArgument, AstNode, NumberValue};
use syntax::{NodePointer, Parse, SyntaxKind, SyntaxNode};

use crate::body::*;
use crate::definition::FileDefinitions;
use crate::slots::Scopes;
use crate::source_map::{NodePointerKey, pointer_key};
use crate::{BodySourceMap, DefinitionKey, Name};

/// Estimate of the length of an expression's own text in bytes.
const BYTES_PER_EXPRESSION: usize = 24;

/// Lowered definitions of a file: its main program first, then the others in source order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoweredFile {
    pub definitions: Vec<LoweredDefinition>,
    /// Positions in the list by key.
    positions: FxHashMap<DefinitionKey, usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredDefinition {
    pub key: DefinitionKey,
    /// Name as written, qualified with the names of the enclosing classes.
    pub name: Name,
    pub body: Arc<Body>,
    pub source_map: Arc<BodySourceMap>,
}

impl LoweredFile {
    pub fn get(&self, key: &DefinitionKey) -> Option<&LoweredDefinition> {
        self.definitions.get(*self.positions.get(key)?)
    }
}

/// Lowers every definition of a tree. Parts missing because of syntax errors become [`Expr::Missing`].
pub fn lower_file(parse: &Parse) -> LoweredFile {
    let definitions = FileDefinitions::new(parse);
    let mut lowered = Vec::with_capacity(definitions.entries.len() + 1);
    lowered.push(lower_main_of(parse, &definitions));
    for entry in &definitions.entries {
        let mut lowering = Lowering::new(&definitions);
        lowering.reserve(entry.node.syntax());
        let body = lowering.definition(&entry.node);
        lowered.push(lowering.finish(entry.key.clone(), entry.name.clone(), entry.node.syntax(), body));
    }
    let positions = lowered.iter().enumerate().map(|(at, it)| (it.key.clone(), at)).collect();
    LoweredFile { definitions: lowered, positions }
}

/// Lowers only the main program of a tree.
pub fn lower_main(parse: &Parse) -> LoweredDefinition {
    lower_main_of(parse, &FileDefinitions::outermost(parse))
}

fn lower_main_of(parse: &Parse, definitions: &FileDefinitions) -> LoweredDefinition {
    let tree = parse.tree();
    let mut main = Lowering::new(definitions);
    let parameters = main.parameters(tree.epp_parameters(), ScopeId::ROOT);
    let root = main.statements(tree.syntax(), ScopeId::ROOT);
    let has_parameter_list = tree.epp_parameters().is_some();
    let body = Body { parameters, has_parameter_list, root, ..Body::missing() };
    main.finish(DefinitionKey::main(), Name::default(), tree.syntax(), body)
}

/// Lowering of one definition, or of standalone expressions (types in signatures), into an arena.
pub(crate) struct Lowering<'a> {
    definitions: &'a FileDefinitions,
    exprs: ExprArena,
    nodes: Vec<NodePointer>,
    by_node: Vec<(NodePointerKey, ExprId)>,
    scopes: Scopes,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(definitions: &'a FileDefinitions) -> Lowering<'a> {
        Lowering {
            definitions,
            exprs: ExprArena::default(),
            nodes: Vec::new(),
            by_node: Vec::new(),
            scopes: Scopes::new(),
        }
    }

    /// Reserves space for the expressions of a definition, by the length of its text.
    fn reserve(&mut self, definition: &SyntaxNode) {
        let expected = definition.text_range().len() as usize / BYTES_PER_EXPRESSION;
        self.exprs.exprs.reserve(expected);
        self.nodes.reserve(expected);
        self.by_node.reserve(expected);
    }

    /// Returns the expressions lowered so far.
    pub(crate) fn into_exprs(mut self) -> ExprArena {
        self.scopes.resolve(&mut self.exprs);
        self.exprs.exprs.shrink_to_fit();
        self.exprs
    }

    fn finish(mut self, key: DefinitionKey, name: Name, node: &SyntaxNode, body: Body) -> LoweredDefinition {
        self.by_node.sort_unstable();
        let (nodes, by_node) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.by_node));
        let source_map = BodySourceMap::new(NodePointer::new(node), nodes, by_node);
        self.scopes.resolve(&mut self.exprs);
        self.exprs.exprs.shrink_to_fit();
        let body = Body {
            exprs: self.exprs,
            scopes: self.scopes.scopes.into(),
            slots: self.scopes.slots.into(),
            ..body
        };
        LoweredDefinition { key, name, body: Arc::new(body), source_map: Arc::new(source_map) }
    }

    /// Lowers a definition. Returns a body without the parts that come from the arena and the scopes.
    fn definition(&mut self, node: &ast::Definition) -> Body {
        let scope = ScopeId::ROOT;
        let mut body = Body::missing();
        body.parameters = self.parameters(node.parameters(), scope);
        match node {
            ast::Definition::ClassDefinition(class) => body.inherits = inherited_name(class.inherits()),
            ast::Definition::TypeDefinition(definition) => {
                body.inherits = inherited_name(definition.inherits())
            }
            ast::Definition::FunctionDefinition(function) => {
                body.return_type = self.return_type(function.return_type(), scope);
            }
            ast::Definition::NodeDefinition(node) => body.hosts = hosts(node),
            _ => {}
        }
        body.root = match node {
            ast::Definition::TypeAlias(alias) => {
                let aliased = self.aliased_type(alias);
                if alias.syntax().descendants().any(|it| ast::ParenExpr::can_cast(it.kind())) {
                    self.add(Expr::Block([aliased].into()), alias.syntax())
                } else {
                    aliased
                }
            }
            ast::Definition::TypeMapping(mapping) => {
                let sides = [mapping.type_expr(), mapping.mapping()]
                    .map(|it| self.expr_or_missing(it, mapping.syntax(), scope));
                self.add(Expr::Block(sides.into()), mapping.syntax())
            }
            _ => self.block(node.body(), node.syntax(), scope),
        };
        body
    }

    pub(crate) fn aliased_type(&mut self, alias: &ast::TypeAlias) -> ExprId {
        let scope = ScopeId::ROOT;
        if let Some((set, hash)) = crate::type_sets::type_set_of(alias) {
            let lhs = self.expr(set, scope);
            let hash = self.hash_of_names(&hash, scope);
            return self.add_unmapped(Expr::Access { lhs, keys: [hash].into() }, alias.syntax());
        }
        let Some(hash) = alias.hash() else {
            return self.expr_or_missing(alias.type_expr(), alias.syntax(), scope);
        };
        let mut pairs: Vec<_> = hash.entries().map(|entry| self.keyed_entry(&entry, scope)).collect();
        let parent = alias.type_expr().filter(|it| it.syntax() != hash.syntax());
        // `type A = { }` is short for `Object[{ }]`, and `type A = B { }` for `Object[{ parent => B }]`.
        let base = match parent {
            Some(ast::Expr::QualifiedReference(it)) if it.text() == "Object" => Some(ast::Expr::from(it)),
            parent => {
                if let Some(parent) = parent {
                    let key = self.add_unmapped(Expr::String("parent".into()), alias.syntax());
                    pairs.push((key, self.expr(parent, scope)));
                }
                None
            }
        };
        let lhs = match base {
            Some(base) => self.expr(base, scope),
            None => self.add_unmapped(Expr::TypeReference("Object".into()), alias.syntax()),
        };
        let hash = self.add(Expr::Hash(pairs.into()), hash.syntax());
        self.add_unmapped(Expr::Access { lhs, keys: [hash].into() }, alias.syntax())
    }

    pub(crate) fn return_type(&mut self, node: Option<ast::ReturnType>, scope: ScopeId) -> Option<ExprId> {
        let node = node?;
        Some(self.expr_or_missing(node.type_expr(), node.syntax(), scope))
    }

    fn parameters(&mut self, list: Option<ast::ParameterList>, scope: ScopeId) -> Box<[Parameter]> {
        let Some(list) = list else { return Box::default() };
        list.parameters().map(|parameter| self.parameter(&parameter, scope)).collect()
    }

    fn parameter(&mut self, node: &ast::Parameter, scope: ScopeId) -> Parameter {
        let name = Name::from(node.name().unwrap_or_default());
        let slot = self.scopes.declare(scope, &name);
        let type_expr = node.type_expr().map(|it| self.expr(it, scope));
        let has_default = node.syntax().token(SyntaxKind::EQ).is_some();
        let default = has_default.then(|| self.expr_or_missing(node.default(), node.syntax(), scope));
        Parameter { name, slot, type_expr, default, captures_rest: node.splat().is_some() }
    }

    /// Adds an expression and maps `node` to it.
    fn add(&mut self, expr: Expr, node: &SyntaxNode) -> ExprId {
        let id = self.add_unmapped(expr, node);
        self.by_node.push((pointer_key(NodePointer::new(node)), id));
        id
    }

    /// Adds an expression located at `node` without mapping the node to it.
    fn add_unmapped(&mut self, expr: Expr, node: &SyntaxNode) -> ExprId {
        let id = ExprId(self.exprs.exprs.len() as u32);
        self.exprs.exprs.push(expr);
        self.nodes.push(NodePointer::new(node));
        id
    }

    /// Maps another node to an expression.
    fn map_node(&mut self, node: &SyntaxNode, expr: ExprId) {
        self.by_node.push((pointer_key(NodePointer::new(node)), expr));
    }

    fn missing(&mut self, around: &SyntaxNode) -> ExprId {
        self.add_unmapped(Expr::Missing, around)
    }

    fn expr_or_missing(&mut self, node: Option<ast::Expr>, around: &SyntaxNode, scope: ScopeId) -> ExprId {
        match node {
            Some(node) => self.expr(node, scope),
            None => self.missing(around),
        }
    }

    fn block(&mut self, block: Option<ast::Block>, around: &SyntaxNode, scope: ScopeId) -> ExprId {
        match block {
            Some(block) => self.statements(block.syntax(), scope),
            None => self.missing(around),
        }
    }

    /// Lowers the statements directly in `node` as a block.
    fn statements(&mut self, node: &SyntaxNode, scope: ScopeId) -> ExprId {
        let mut statements = Vec::new();
        for child in node.children() {
            if child.kind() == SyntaxKind::ERROR {
                statements.push(self.missing(&child));
            } else if let Some(expr) = ast::Expr::cast(child) {
                statements.push(self.expr(expr, scope));
            }
        }
        self.add(Expr::Block(statements.into()), node)
    }

    fn arguments(&mut self, list: Option<ast::ArgumentList>, scope: ScopeId) -> Box<[ExprId]> {
        let Some(list) = list else { return Box::default() };
        self.elements(list.arguments(), scope)
    }

    fn elements(&mut self, elements: Vec<AccessOrCallArgument>, scope: ScopeId) -> Box<[ExprId]> {
        let mut lowered = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                AccessOrCallArgument::Expr(expr) => lowered.push(self.expr(expr, scope)),
                AccessOrCallArgument::BareHash(entries) => {
                    let pairs = entries.iter().map(|entry| self.keyed_entry(entry, scope)).collect();
                    if let Some(first) = entries.first() {
                        lowered.push(self.add(Expr::Hash(pairs), first.syntax()));
                    }
                }
            }
        }
        lowered.into()
    }

    /// Lowers a hash whose keys are names, including type names, and recursively the hashes inside it.
    fn hash_of_names(&mut self, hash: &ast::HashExpr, scope: ScopeId) -> ExprId {
        let mut pairs = Vec::new();
        for entry in hash.entries() {
            let key = match entry.key() {
                Some(ast::Expr::QualifiedReference(name)) => {
                    self.add(Expr::String(name.text().into()), name.syntax())
                }
                key => self.expr_or_missing(key, entry.syntax(), scope),
            };
            let value = match entry.value() {
                Some(ast::Expr::HashExpr(inner)) => self.hash_of_names(&inner, scope),
                Some(ast::Expr::ResourceDefaults(object)) => self.object_in_set(&object, scope),
                value => self.expr_or_missing(value, entry.syntax(), scope),
            };
            pairs.push((key, value));
        }
        self.add(Expr::Hash(pairs.into()), hash.syntax())
    }

    /// Lowers a type in a type set that is parsed as resource defaults to the hash that describes it: `Object { }`
    /// is short for `{ }`, and `B { }` for `{ parent => B }`.
    fn object_in_set(&mut self, object: &ast::ResourceDefaults, scope: ScopeId) -> ExprId {
        let mut pairs = Vec::new();
        let is_base =
            |it: &ast::Expr| matches!(it, ast::Expr::QualifiedReference(name) if name.text() == "Object");
        if let Some(parent) = object.type_expr().filter(|it| !is_base(it)) {
            let key = self.add_unmapped(Expr::String("parent".into()), object.syntax());
            pairs.push((key, self.expr(parent, scope)));
        }
        for operation in object.operations() {
            let ast::AttributeOperation::Attribute(attribute) = operation else { continue };
            let name = attribute.name_token().map(|token| token.text().into()).unwrap_or_default();
            let key = self.add_unmapped(Expr::String(name), attribute.syntax());
            pairs.push((key, self.expr_or_missing(attribute.value(), attribute.syntax(), scope)));
        }
        self.add(Expr::Hash(pairs.into()), object.syntax())
    }

    fn keyed_entry(&mut self, entry: &ast::KeyedEntry, scope: ScopeId) -> (ExprId, ExprId) {
        let key = self.expr_or_missing(entry.key(), entry.syntax(), scope);
        (key, self.expr_or_missing(entry.value(), entry.syntax(), scope))
    }

    fn operations(
        &mut self,
        operations: impl Iterator<Item = ast::AttributeOperation>,
        scope: ScopeId,
    ) -> Box<[AttributeOperation]> {
        let lowered = operations.map(|operation| match operation {
            ast::AttributeOperation::Attribute(attribute) => AttributeOperation::Set {
                name: attribute.name_token().map(|token| token.text().into()).unwrap_or_default(),
                value: self.expr_or_missing(attribute.value(), attribute.syntax(), scope),
                append: attribute.is_append(),
            },
            ast::AttributeOperation::AttributeSplat(splat) => {
                AttributeOperation::Splat(self.expr_or_missing(splat.expr(), splat.syntax(), scope))
            }
        });
        lowered.collect()
    }

    fn attributes_as_hash(&mut self, resource: &ast::UntitledResource, scope: ScopeId) -> ExprId {
        let mut pairs = Vec::new();
        for operation in resource.operations() {
            let ast::AttributeOperation::Attribute(attribute) = operation else { continue }; // refused by the parser
            let name = attribute.name_token().map(|token| token.text().into()).unwrap_or_default();
            let key = self.add_unmapped(Expr::String(name), attribute.syntax());
            pairs.push((key, self.expr_or_missing(attribute.value(), attribute.syntax(), scope)));
        }
        self.add_unmapped(Expr::Hash(pairs.into()), resource.syntax())
    }

    fn lambda(&mut self, lambda: Option<ast::Lambda>, outer: ScopeId) -> Option<ExprId> {
        let lambda = lambda?;
        let scope = self.scopes.open(outer);
        let parameters = self.parameters(lambda.parameters(), scope);
        let return_type = self.return_type(lambda.return_type(), scope);
        let body = self.block(lambda.body(), lambda.syntax(), scope);
        Some(self.add(Expr::Lambda { scope, parameters, return_type, body }, lambda.syntax()))
    }

    /// Lowers text and expressions to one expression: a string if there are no expressions.
    fn string_parts(&mut self, parts: Vec<ast::StringPart>, node: &SyntaxNode, scope: ScopeId) -> Expr {
        let mut lowered = Vec::with_capacity(parts.len());
        for part in parts {
            lowered.push(match part {
                ast::StringPart::Text(text) => StringPart::Text(text.into()),
                // A lone name in an interpolation is a variable.
                ast::StringPart::Expr(ast::Expr::QualifiedName(name)) => {
                    StringPart::Expr(self.variable(&name.text(), name.syntax(), scope))
                }
                ast::StringPart::Expr(expr) => StringPart::Expr(self.expr(expr, scope)),
                // `${}` is allowed and yields an empty string.
                ast::StringPart::Missing => StringPart::Expr(self.add_unmapped(Expr::Undef, node)),
            });
        }
        if lowered.iter().any(|part| matches!(part, StringPart::Expr(_))) {
            return Expr::Interpolated(lowered.into());
        }
        match &*lowered {
            [StringPart::Text(text)] => Expr::String(text.clone()),
            _ => {
                let texts = lowered.iter().map(|part| match part {
                    StringPart::Text(text) => text.as_str(),
                    StringPart::Expr(_) => "",
                });
                Expr::String(texts.collect::<String>().into())
            }
        }
    }

    /// Lowers a variable that is read.
    fn variable(&mut self, name: &str, node: &SyntaxNode, scope: ScopeId) -> ExprId {
        let id = self.add(Expr::Variable(variable_ref(name)), node);
        self.scopes.record_read(id, scope);
        id
    }

    fn number(&mut self, number: &ast::LiteralNumber, sign: i128) -> Expr {
        match number.value() {
            Some(NumberValue::Integer { value, .. }) => {
                let value = i128::try_from(value).ok().and_then(|value| i64::try_from(sign * value).ok());
                value.map_or(Expr::InvalidNumber, Expr::Integer)
            }
            Some(NumberValue::Float(value)) => Expr::Float(FloatLiteral(sign as f64 * value)),
            None => Expr::InvalidNumber,
        }
    }

    fn heredoc(&mut self, heredoc: &ast::Heredoc, scope: ScopeId) -> ExprId {
        let node = heredoc.syntax();
        let (Some(header), Some(body)) = (heredoc.header(), heredoc.body()) else {
            return self.missing(node);
        };
        let text = self.string_parts(body.parts(&header), node, scope);
        if header.syntax.is_empty() {
            return self.add(text, node);
        }
        let text = self.add_unmapped(text, body.syntax());
        self.add(Expr::Heredoc { syntax: header.syntax.into(), text }, node)
    }

    /// Lowers the left side of an assignment. Its variables belong to `scope` from then on.
    fn assigned(&mut self, node: ast::Expr, scope: ScopeId) -> ExprId {
        match node {
            ast::Expr::VariableExpr(variable) => {
                let mut name = variable_ref(&variable.name().unwrap_or_default());
                if let VariableRef::Free(plain) = &name {
                    name = VariableRef::Slot(self.scopes.declare(scope, plain));
                }
                self.add(Expr::Variable(name), variable.syntax())
            }
            ast::Expr::ArrayExpr(array) => {
                let elements = array.elements().into_iter().map(|element| match element {
                    AccessOrCallArgument::Expr(expr) => self.assigned(expr, scope),
                    AccessOrCallArgument::BareHash(_) => self.missing(array.syntax()),
                });
                let elements = elements.collect();
                self.add(Expr::Array(elements), array.syntax())
            }
            other => self.expr(other, scope),
        }
    }
}

/// Classifies the name after a `$`.
fn variable_ref(name: &str) -> VariableRef {
    if name.is_empty() {
        return VariableRef::Missing;
    }
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return VariableRef::Match(name.parse().unwrap_or(u32::MAX));
    }
    // Most names have no qualifier, and searching for a single byte is faster.
    match name.contains(':').then(|| name.rsplit_once("::")).flatten() {
        Some((scope, name)) => {
            let scope = scope.strip_prefix("::").unwrap_or(scope);
            VariableRef::Qualified { scope: scope.into(), name: name.into() }
        }
        None => VariableRef::Free(name.into()),
    }
}

/// Returns the name after `inherits`, as written.
pub(crate) fn inherited_name(clause: Option<ast::InheritsClause>) -> Option<Name> {
    Some(clause?.name()?.text().into())
}

pub(crate) fn hosts(node: &ast::NodeDefinition) -> Box<[HostMatch]> {
    let Some(hosts) = node.hosts() else { return Box::default() };
    let matches = hosts.hosts().map(|host| match host {
        ast::Expr::HostName(host) => HostMatch::Name(host.text().into()),
        ast::Expr::LiteralString(host) => HostMatch::Name(host.value().into()),
        ast::Expr::LiteralRegex(regex) => HostMatch::Regex(regex.pattern().unwrap_or_default().into()),
        ast::Expr::LiteralDefault(_) => HostMatch::Default,
        _ => HostMatch::Invalid,
    });
    matches.collect()
}
