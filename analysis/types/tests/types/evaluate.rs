//! Minimal evaluator for the tables: literals, types, `[ ]` on types, `Type(...)`, and two functions that
//! create iterators.

use conversions::new_instance;
use scalars::regexp::Regexp;
use syntax::ast::{AccessOrCallArgument, AstNode, Expr, KeyedEntry, NumberValue, UnaryOperator};
use syntax::{Language, SyntaxNode};
use types::access::{access_type, named_type};
use types::infer::infer_set;
use types::iterate::iterator;
use types::{IteratorOperation, Origin, TypeEnvironment, Value};

/// Issue code and one-based column, in the format of the tables.
pub(crate) type Failure = String;

/// Evaluates the only expression of `source`.
pub(crate) fn evaluate(source: &str, env: &dyn TypeEnvironment) -> Result<Value, Failure> {
    let parse = syntax::parse(source, Language::Manifest);
    assert_eq!(parse.errors(), [], "{source}");
    let statement = parse.tree().statements().next().expect(source);
    Evaluator { env }.value(&statement)
}

/// Evaluates `source` with unknown arguments of the outermost `[ ]`: the one at an index, or all of them.
/// Only their types are kept. Returns `None` if there are no such arguments.
pub(crate) fn evaluate_with_unknown_arguments(
    source: &str,
    forgotten: Option<usize>,
    env: &dyn TypeEnvironment,
) -> Option<Result<Value, Failure>> {
    let parse = syntax::parse(source, Language::Manifest);
    let Expr::AccessExpr(access) = parse.tree().statements().next()? else { return None };
    let evaluator = Evaluator { env };
    let base = evaluator.value(&access.lhs()?).ok()?;
    let mut keys = evaluator.keys(&access.keys()?.arguments(), false).ok()?;
    for (at, key) in keys.iter_mut().enumerate() {
        if forgotten.is_none_or(|forgotten| forgotten == at) {
            *key = Value::unknown(infer_set(key, env), Origin::Parameter);
        }
    }
    if forgotten.is_some_and(|forgotten| forgotten >= keys.len()) {
        return None;
    }
    Some(access_type(base.as_type()?, &keys, env).map_err(|error| error.message))
}

struct Evaluator<'a> {
    env: &'a dyn TypeEnvironment,
}

fn failure(code: &str, node: &SyntaxNode) -> Failure {
    format!("! {code} {}", node.text_range().start + 1)
}

impl Evaluator<'_> {
    fn value(&self, expr: &Expr) -> Result<Value, Failure> {
        let node = expr.syntax();
        let not_understood = || panic!("not understood: {}", node.text());
        Ok(match expr {
            Expr::LiteralNumber(number) => match number.value() {
                Some(NumberValue::Integer { value, .. }) => Value::Integer(value as i64),
                Some(NumberValue::Float(value)) => Value::float(value),
                None => not_understood(),
            },
            Expr::LiteralString(text) => Value::string(text.value()),
            Expr::LiteralBoolean(literal) => Value::Boolean(literal.value()),
            Expr::LiteralUndef(_) => Value::Undef,
            Expr::LiteralDefault(_) => Value::Default,
            Expr::LiteralRegex(literal) => Value::Regexp(
                Regexp::new(&literal.pattern().unwrap_or_default()).expect("a regular expression"),
            ),
            Expr::QualifiedName(name) => Value::string(name.text()),
            Expr::QualifiedReference(name) => match named_type(&name.text(), self.env) {
                Some(types::Type::Reference(_)) | None => return Err(failure("unknown-resource-type", node)),
                Some(ty) => Value::ty(ty),
            },
            Expr::ArrayExpr(array) => Value::array(self.arguments(array.elements())?),
            Expr::HashExpr(hash) => self.hash(hash.entries())?,
            Expr::UnaryExpr(unary) if unary.operator() == Some(UnaryOperator::Minus) => {
                match unary.operand().map(|operand| self.value(&operand)).transpose()? {
                    Some(Value::Integer(value)) => Value::Integer(-value),
                    Some(Value::Float(value)) => Value::float(-value.0),
                    _ => not_understood(),
                }
            }
            Expr::AccessExpr(access) => {
                let lhs = access.lhs().map(|lhs| self.value(&lhs)).transpose()?;
                let list = access.keys().map(|keys| keys.arguments()).unwrap_or_default();
                let is_class = matches!(lhs.as_ref().and_then(Value::as_type), Some(types::Type::Class(_)));
                let keys = self.keys(&list, is_class)?;
                match lhs {
                    Some(Value::Type(ty)) => access_type(&ty, &keys, self.env).map_err(|error| {
                        let argument = error.argument.map(|at| list[at].range().start);
                        format!("! {} {}", error.code, argument.unwrap_or(node.text_range().start) + 1)
                    })?,
                    Some(Value::Array(elements)) => match keys.as_slice() {
                        [Value::Integer(at)] => elements[*at as usize].clone(),
                        _ => not_understood(),
                    },
                    _ => not_understood(),
                }
            }
            Expr::CallExpr(call) => {
                let functor = call.functor().map(|functor| self.value(&functor)).transpose()?;
                let arguments = call.arguments().map(|list| list.arguments()).unwrap_or_default();
                let arguments = self.arguments(arguments)?;
                match functor.as_ref().and_then(Value::as_type) {
                    Some(ty) => new_instance(ty, &arguments, self.env).map_err(|error| error.message)?,
                    None => not_understood(),
                }
            }
            Expr::MethodCallExpr(call) => {
                let receiver = call.receiver().map(|receiver| self.value(&receiver)).transpose()?;
                let arguments = call.arguments().map(|list| list.arguments()).unwrap_or_default();
                let arguments = self.arguments(arguments)?;
                let operation = match arguments.as_slice() {
                    [Value::Integer(step)] => IteratorOperation::Step(*step),
                    _ => IteratorOperation::Reverse,
                };
                let receiver = receiver.unwrap_or(Value::Undef);
                Value::Iterator(iterator(&receiver, operation, self.env).expect("iterable").into())
            }
            _ => not_understood(),
        })
    }

    /// `Class[Name]` does not resolve `Name` as a type.
    fn keys(&self, list: &[AccessOrCallArgument], is_class: bool) -> Result<Vec<Value>, Failure> {
        let key = |argument: &AccessOrCallArgument| match argument {
            AccessOrCallArgument::Expr(Expr::QualifiedReference(name)) if is_class => {
                let ty = named_type(&name.text(), self.env);
                Ok(Value::ty(ty.unwrap_or_else(|| types::Type::Reference(name.text().into()))))
            }
            argument => self.argument(argument.clone()),
        };
        list.iter().map(key).collect()
    }

    fn argument(&self, argument: AccessOrCallArgument) -> Result<Value, Failure> {
        match argument {
            AccessOrCallArgument::Expr(expr) => self.value(&expr),
            AccessOrCallArgument::BareHash(entries) => self.hash(entries),
        }
    }

    fn arguments(&self, list: Vec<AccessOrCallArgument>) -> Result<Vec<Value>, Failure> {
        list.into_iter().map(|argument| self.argument(argument)).collect()
    }

    fn hash(&self, entries: impl IntoIterator<Item = KeyedEntry>) -> Result<Value, Failure> {
        let mut pairs = Vec::new();
        for entry in entries {
            let (key, value) = (entry.key().expect("a key"), entry.value().expect("a value"));
            pairs.push((self.value(&key)?, self.value(&value)?));
        }
        Ok(Value::hash(pairs))
    }
}
