//! Lowering of typed expressions to those of a body.

use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, UnaryOperator};

use super::Lowering;
use crate::body::*;

impl Lowering<'_> {
    pub(crate) fn expr(&mut self, node: ast::Expr, scope: ScopeId) -> ExprId {
        let syntax = node.syntax().clone();
        let around = &syntax;
        let lowered = match node {
            ast::Expr::LiteralNumber(number) => self.number(&number, 1),
            ast::Expr::LiteralString(string) => Expr::String(string.value().into()),
            ast::Expr::LiteralBoolean(boolean) => Expr::Boolean(boolean.value()),
            ast::Expr::LiteralUndef(_) => Expr::Undef,
            ast::Expr::LiteralDefault(_) => Expr::Default,
            ast::Expr::LiteralRegex(regex) => Expr::Regex(regex.pattern().unwrap_or_default().into()),
            ast::Expr::InterpolatedString(string) => self.string_parts(string.parts(), around, scope),
            ast::Expr::Heredoc(heredoc) => return self.heredoc(&heredoc, scope),
            ast::Expr::QualifiedName(name) => Expr::Name(name.text().into()),
            ast::Expr::QualifiedReference(reference) => Expr::TypeReference(reference.text().into()),
            ast::Expr::ReservedWord(word) => {
                Expr::ReservedWord(word.token().map(|token| token.text().into()).unwrap_or_default())
            }
            ast::Expr::HostName(host) => Expr::String(host.text().into()),
            ast::Expr::VariableExpr(variable) => {
                return self.variable(&variable.name().unwrap_or_default(), around, scope);
            }
            ast::Expr::ArrayExpr(array) => Expr::Array(self.elements(array.elements(), scope)),
            ast::Expr::HashExpr(hash) => {
                Expr::Hash(hash.entries().map(|entry| self.keyed_entry(&entry, scope)).collect())
            }
            ast::Expr::ParenExpr(paren) => return self.lower_inner(paren.expr(), around, scope),
            ast::Expr::VirtualExpr(marked) => return self.lower_inner(marked.resource(), around, scope),
            ast::Expr::UnaryExpr(unary) => return self.unary(&unary, scope),
            ast::Expr::BinaryExpr(binary) => self.binary(&binary, scope),
            ast::Expr::AssignmentExpr(assignment) => self.assignment(&assignment, scope),
            ast::Expr::RelationshipExpr(relationship) => self.relationship(&relationship, scope),
            ast::Expr::AccessExpr(access) => {
                let lhs = self.expr_or_missing(access.lhs(), around, scope);
                Expr::Access { lhs, keys: self.arguments(access.keys(), scope) }
            }
            ast::Expr::SelectorExpr(selector) => self.selector(&selector, scope),
            ast::Expr::CallExpr(_) | ast::Expr::StatementCall(_) | ast::Expr::MethodCallExpr(_) => {
                self.call(node, scope)
            }
            ast::Expr::IfExpr(_) | ast::Expr::UnlessExpr(_) | ast::Expr::CaseExpr(_) => {
                self.conditional(node, scope)
            }
            ast::Expr::ResourceExpr(_)
            | ast::Expr::ResourceDefaults(_)
            | ast::Expr::ResourceOverride(_)
            | ast::Expr::UntitledResource(_)
            | ast::Expr::CollectExpr(_) => self.resources(node, scope),
            ast::Expr::ClassDefinition(_)
            | ast::Expr::DefinedType(_)
            | ast::Expr::FunctionDefinition(_)
            | ast::Expr::PlanDefinition(_)
            | ast::Expr::NodeDefinition(_)
            | ast::Expr::TypeAlias(_)
            | ast::Expr::TypeMapping(_)
            | ast::Expr::TypeDefinition(_) => match self.definitions.key(around) {
                Some(key) => Expr::Definition(key.clone()),
                None => Expr::Missing,
            },
            ast::Expr::ApplyExpr(apply) => {
                let arguments = self.arguments(apply.arguments(), scope);
                let inner = self.scopes.open(scope);
                Expr::Apply { scope: inner, arguments, body: self.block(apply.body(), around, inner) }
            }
            ast::Expr::RenderString(text) => Expr::RenderString(text.value().into()),
            ast::Expr::RenderExpr(render) => Expr::Render(match (render.expr(), render.block()) {
                (Some(expr), _) => self.expr(expr, scope),
                (None, block) => self.block(block, around, scope),
            }),
        };
        self.add(lowered, around)
    }

    /// Lowers parentheses and `@` marks, which have no separate expressions.
    fn lower_inner(&mut self, inner: Option<ast::Expr>, around: &SyntaxNode, scope: ScopeId) -> ExprId {
        let inner = self.expr_or_missing(inner, around, scope);
        self.map_node(around, inner);
        inner
    }

    fn unary(&mut self, unary: &ast::UnaryExpr, scope: ScopeId) -> ExprId {
        let around = unary.syntax();
        // A minus before a number literal is part of the number.
        if let (Some(UnaryOperator::Minus), Some(ast::Expr::LiteralNumber(number))) =
            (unary.operator(), unary.operand())
        {
            let id = self.number(&number, -1);
            let id = self.add(id, around);
            self.map_node(number.syntax(), id);
            return id;
        }
        let operand = self.expr_or_missing(unary.operand(), around, scope);
        let lowered = unary.operator().map_or(Expr::Missing, |operator| Expr::Unary { operator, operand });
        self.add(lowered, around)
    }

    fn binary(&mut self, binary: &ast::BinaryExpr, scope: ScopeId) -> Expr {
        let lhs = self.expr_or_missing(binary.lhs(), binary.syntax(), scope);
        let rhs = self.expr_or_missing(binary.rhs(), binary.syntax(), scope);
        binary.operator().map_or(Expr::Missing, |operator| Expr::Binary { operator, lhs, rhs })
    }

    fn assignment(&mut self, assignment: &ast::AssignmentExpr, scope: ScopeId) -> Expr {
        let lhs = match assignment.lhs() {
            Some(lhs) => self.assigned(lhs, scope),
            None => self.missing(assignment.syntax()),
        };
        let rhs = self.expr_or_missing(assignment.rhs(), assignment.syntax(), scope);
        assignment.operator().map_or(Expr::Missing, |operator| Expr::Assignment { operator, lhs, rhs })
    }

    fn relationship(&mut self, relationship: &ast::RelationshipExpr, scope: ScopeId) -> Expr {
        let lhs = self.expr_or_missing(relationship.lhs(), relationship.syntax(), scope);
        let rhs = self.expr_or_missing(relationship.rhs(), relationship.syntax(), scope);
        relationship.operator().map_or(Expr::Missing, |operator| Expr::Relationship { operator, lhs, rhs })
    }

    fn selector(&mut self, selector: &ast::SelectorExpr, scope: ScopeId) -> Expr {
        let lhs = self.expr_or_missing(selector.lhs(), selector.syntax(), scope);
        let entries = selector.entries().map(|entry| {
            let matching = self.expr_or_missing(entry.matching(), entry.syntax(), scope);
            (matching, self.expr_or_missing(entry.value(), entry.syntax(), scope))
        });
        Expr::Selector { lhs, entries: entries.collect() }
    }

    fn call(&mut self, node: ast::Expr, scope: ScopeId) -> Expr {
        let syntax = node.syntax().clone();
        let around = &syntax;
        match node {
            ast::Expr::CallExpr(call) => {
                let functor = self.expr_or_missing(call.functor(), around, scope);
                let arguments = self.arguments(call.arguments(), scope);
                Expr::Call { functor, arguments, lambda: self.lambda(call.lambda(), scope) }
            }
            ast::Expr::StatementCall(call) => {
                let functor = self.expr_or_missing(call.name().map(ast::Expr::from), around, scope);
                Expr::Call { functor, arguments: self.arguments(call.arguments(), scope), lambda: None }
            }
            ast::Expr::MethodCallExpr(call) => {
                let receiver = self.expr_or_missing(call.receiver(), around, scope);
                let name = call.name_token().map(|token| token.text().into()).unwrap_or_default();
                let arguments = self.arguments(call.arguments(), scope);
                Expr::MethodCall { receiver, name, arguments, lambda: self.lambda(call.lambda(), scope) }
            }
            _ => Expr::Missing,
        }
    }

    fn conditional(&mut self, node: ast::Expr, scope: ScopeId) -> Expr {
        let syntax = node.syntax().clone();
        let around = &syntax;
        match node {
            ast::Expr::IfExpr(conditional) => {
                let condition = self.expr_or_missing(conditional.condition(), around, scope);
                let then = self.block(conditional.then_block(), around, scope);
                let clauses: Vec<_> = conditional.elsif_clauses().collect();
                let otherwise = self.elsif(&clauses, conditional.else_clause(), scope);
                Expr::If { condition, then, otherwise }
            }
            ast::Expr::UnlessExpr(conditional) => {
                let condition = self.expr_or_missing(conditional.condition(), around, scope);
                let then = self.block(conditional.then_block(), around, scope);
                let otherwise = conditional
                    .else_clause()
                    .map(|clause| self.block(clause.block(), clause.syntax(), scope));
                Expr::Unless { condition, then, otherwise }
            }
            ast::Expr::CaseExpr(case) => {
                let test = self.expr_or_missing(case.test(), around, scope);
                let options = case.options().map(|option| CaseOption {
                    values: option.values().map(|value| self.expr(value, scope)).collect(),
                    block: self.block(option.block(), option.syntax(), scope),
                });
                Expr::Case { test, options: options.collect() }
            }
            _ => Expr::Missing,
        }
    }

    fn elsif(
        &mut self,
        clauses: &[ast::ElsifClause],
        otherwise: Option<ast::ElseClause>,
        scope: ScopeId,
    ) -> Option<ExprId> {
        // Lowering from the last clause to the first would number the clauses backwards; conditions keep
        // source order.
        let mut lowered = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let condition = self.expr_or_missing(clause.condition(), clause.syntax(), scope);
            lowered.push((condition, self.block(clause.block(), clause.syntax(), scope)));
        }
        let mut rest = otherwise.map(|clause| self.block(clause.block(), clause.syntax(), scope));
        for (clause, (condition, then)) in clauses.iter().zip(lowered).rev() {
            rest = Some(self.add(Expr::If { condition, then, otherwise: rest }, clause.syntax()));
        }
        rest
    }

    fn resources(&mut self, node: ast::Expr, scope: ScopeId) -> Expr {
        let syntax = node.syntax().clone();
        let around = &syntax;
        match node {
            ast::Expr::ResourceExpr(resource) => {
                let type_expr = self.expr_or_missing(resource.type_expr(), around, scope);
                let bodies = resource.bodies().map(|body| ResourceBody {
                    title: self.expr_or_missing(body.title(), body.syntax(), scope),
                    operations: self.operations(body.operations(), scope),
                });
                Expr::Resource { form: ast::resource_form(around), type_expr, bodies: bodies.collect() }
            }
            ast::Expr::ResourceDefaults(defaults) => Expr::ResourceDefaults {
                form: ast::resource_form(around),
                type_expr: self.expr_or_missing(defaults.type_expr(), around, scope),
                operations: self.operations(defaults.operations(), scope),
            },
            ast::Expr::ResourceOverride(resource) => Expr::ResourceOverride {
                form: ast::resource_form(around),
                reference: self.expr_or_missing(resource.reference(), around, scope),
                operations: self.operations(resource.operations(), scope),
            },
            // A call with a hash: `notice { message => 'x' }`.
            ast::Expr::UntitledResource(resource) if resource.is_statement_call() => {
                let functor = self.expr_or_missing(resource.name().map(ast::Expr::from), around, scope);
                let hash = self.attributes_as_hash(&resource, scope);
                Expr::Call { functor, arguments: Box::new([hash]), lambda: None }
            }
            ast::Expr::UntitledResource(resource) => Expr::UntitledResource {
                name: resource.name().map(|name| name.text().into()).unwrap_or_default(),
                operations: self.operations(resource.operations(), scope),
            },
            ast::Expr::CollectExpr(collect) => {
                let type_expr = self.expr_or_missing(collect.type_expr(), around, scope);
                let (exported, expr) = match collect.query() {
                    Some(ast::Query::VirtualQuery(query)) => (false, query.expr()),
                    Some(ast::Query::ExportedQuery(query)) => (true, query.expr()),
                    None => (false, None),
                };
                let query = Query { exported, expr: expr.map(|it| self.expr(it, scope)) };
                Expr::Collect { type_expr, query, operations: self.operations(collect.operations(), scope) }
            }
            _ => Expr::Missing,
        }
    }
}
