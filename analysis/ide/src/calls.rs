//! Call expressions, complete or still being typed.

use eval::{RecordedValue, World};
use symbols::callees::{self, KnownArguments};
use symbols::recorded_value::Evaluated;
use syntax::ast::{self, AccessOrCallArgument, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken};
use types::{Type, Value};

/// A call expression in any of its syntactic forms.
pub(crate) enum CallSite {
    /// `f(x)`, `Type(x)`
    Call(ast::CallExpr),
    /// `x.f(y)`
    Method(ast::MethodCallExpr),
    /// `f x`
    Statement(ast::StatementCall),
}

/// The callee of a [`CallSite`].
pub(crate) enum Functor {
    Function {
        name: String,
        token: SyntaxToken,
    },
    /// The constructor of the type that the node names.
    Type(SyntaxNode),
}

impl CallSite {
    pub(crate) fn cast(node: SyntaxNode) -> Option<CallSite> {
        if let Some(call) = ast::CallExpr::cast(node.clone()) {
            return Some(CallSite::Call(call));
        }
        if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
            return Some(CallSite::Method(call));
        }
        ast::StatementCall::cast(node).map(CallSite::Statement)
    }

    pub(crate) fn syntax(&self) -> &SyntaxNode {
        match self {
            CallSite::Call(it) => it.syntax(),
            CallSite::Method(it) => it.syntax(),
            CallSite::Statement(it) => it.syntax(),
        }
    }

    /// Returns the callee; `T.new` is the constructor of `T`.
    pub(crate) fn functor(&self) -> Option<Functor> {
        let function = |token: SyntaxToken| Functor::Function { name: token.text().to_owned(), token };
        match self {
            CallSite::Call(call) => match call.functor()? {
                Expr::QualifiedName(name) => name.token().map(function),
                functor @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_)) => {
                    Some(Functor::Type(functor.syntax().clone()))
                }
                _ => None,
            },
            CallSite::Method(call) => {
                let name = call.name_token()?;
                match call.receiver()? {
                    receiver @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_))
                        if name.text() == "new" =>
                    {
                        Some(Functor::Type(receiver.syntax().clone()))
                    }
                    _ => Some(function(name)),
                }
            }
            CallSite::Statement(call) => call.name()?.token().map(function),
        }
    }

    pub(crate) fn list(&self) -> Option<ast::ArgumentList> {
        match self {
            CallSite::Call(it) => it.arguments(),
            CallSite::Method(it) => it.arguments(),
            CallSite::Statement(it) => it.arguments(),
        }
    }

    pub(crate) fn lambda(&self) -> Option<ast::Lambda> {
        match self {
            CallSite::Call(it) => it.lambda(),
            CallSite::Method(it) => it.lambda(),
            CallSite::Statement(_) => None,
        }
    }

    /// Returns the receiver of a method call, which is its first argument.
    pub(crate) fn receiver(&self) -> Option<Expr> {
        match (self, self.functor()) {
            (CallSite::Method(_), Some(Functor::Type(_))) => None,
            (CallSite::Method(call), _) => call.receiver(),
            _ => None,
        }
    }

    /// Returns the known values of the arguments: all of them, or only those that end before the offset
    /// `before`. For a literal that is being typed at that offset, only its type is known.
    pub(crate) fn arguments(
        &self,
        before: Option<u32>,
        evaluated: Option<&Evaluated>,
        world: &World<'_>,
    ) -> KnownArguments {
        let recorded = |node: &SyntaxNode| evaluated?.value(node);
        let mut recorded_values = Vec::new();
        recorded_values.extend(self.receiver().map(|receiver| recorded(receiver.syntax())));
        for argument in self.list().iter().flat_map(ast::ArgumentList::arguments) {
            let AccessOrCallArgument::Expr(expr) = &argument else {
                if before.is_some_and(|offset| argument.range().end >= offset) {
                    break;
                }
                recorded_values.push(None);
                continue;
            };
            match before.filter(|offset| argument.range().end >= *offset) {
                None => recorded_values.push(recorded(expr.syntax())),
                Some(offset) if argument.range().start >= offset => break,
                Some(_) => {
                    recorded_values
                        .extend(kind_of_literal(expr.syntax()).map(|ty| Some(RecordedValue::Type(ty))));
                    break;
                }
            }
        }
        let lambda = self
            .lambda()
            .map(|lambda| lambda.parameters().map_or(0, |list| list.parameters().count()) as i64);
        let values: Vec<Option<Value>> = callees::argument_values(recorded_values.into_iter(), world);
        KnownArguments { values, lambda, is_complete: before.is_none() }
    }
}

/// Returns the type of a hash, array or string literal that is still being typed.
fn kind_of_literal(node: &SyntaxNode) -> Option<Type> {
    match node.kind() {
        SyntaxKind::HASH_EXPR => Some(Type::hash_of(Type::Any, Type::Any)),
        SyntaxKind::ARRAY_EXPR => Some(Type::array_of(Type::Any)),
        SyntaxKind::LITERAL_STRING | SyntaxKind::INTERPOLATED_STRING
            if node.first_token().is_some_and(|it| it.text().starts_with(['\'', '"'])) =>
        {
            Some(Type::STRING)
        }
        _ => None,
    }
}
