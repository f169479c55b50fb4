//! Minimal evaluator for the tables: literals, types, `Type(...)`, `Type.new(...)` and three functions.

use conversions::new_instance;
use scalars::regexp::Regexp;
use syntax::ast::{AccessOrCallArgument, Expr, KeyedEntry, NumberValue, StringPart, UnaryOperator};
use syntax::{Language, parse};
use types::access::{access_type, built_in_type, named_type};
use types::infer::infer_set;
use types::text::interpolated;
use types::{IteratorOperation, IteratorValue, NoTypes, Value};

/// Evaluates the only expression of `source`.
pub(crate) fn evaluate(source: &str) -> Result<Value, String> {
    let parsed = parse(source, Language::Manifest);
    if let Some(error) = parsed.errors().first() {
        return Err(error.message.to_string());
    }
    let mut statements = parsed.tree().statements();
    match (statements.next(), statements.next()) {
        (Some(statement), None) => value(&statement),
        _ => Err("not one expression".into()),
    }
}

fn value(expr: &Expr) -> Result<Value, String> {
    let missing = || format!("not understood: {}", expr_text(expr));
    Ok(match expr {
        Expr::LiteralNumber(number) => match number.value().ok_or_else(missing)? {
            NumberValue::Integer { value, .. } => {
                Value::Integer(i64::try_from(value).map_err(|_| missing())?)
            }
            NumberValue::Float(value) => Value::float(value),
        },
        Expr::LiteralString(text) => Value::string(text.value()),
        Expr::LiteralBoolean(it) => Value::Boolean(it.value()),
        Expr::LiteralUndef(_) => Value::Undef,
        Expr::LiteralDefault(_) => Value::Default,
        Expr::LiteralRegex(it) => {
            let pattern = it.pattern().ok_or_else(missing)?;
            Value::Regexp(Regexp::new(&pattern).map_err(|error| error.to_string())?)
        }
        Expr::QualifiedName(name) => Value::string(name.text()),
        Expr::QualifiedReference(name) => {
            let text = name.text();
            Value::ty(built_in_type(&text).or_else(|| named_type(&text, &NoTypes)).ok_or_else(missing)?)
        }
        Expr::InterpolatedString(string) => {
            let mut text = String::new();
            for part in string.parts() {
                match part {
                    StringPart::Text(part) => text.push_str(&part),
                    StringPart::Expr(expr) => {
                        let value = value(&expr)?;
                        text.push_str(&interpolated(&value, &NoTypes).map_err(|error| format!("{error:?}"))?);
                    }
                    StringPart::Missing => {}
                }
            }
            Value::string(text)
        }
        Expr::ArrayExpr(array) => Value::array(arguments(array.elements())?),
        Expr::HashExpr(hash) => hash_of(hash.entries())?,
        Expr::ParenExpr(inner) => value(&inner.expr().ok_or_else(missing)?)?,
        Expr::UnaryExpr(unary) if unary.operator() == Some(UnaryOperator::Minus) => {
            match value(&unary.operand().ok_or_else(missing)?)? {
                Value::Integer(value) => Value::Integer(-value),
                Value::Float(value) => Value::float(-value.0),
                _ => return Err(missing()),
            }
        }
        Expr::AccessExpr(access) => {
            let base = value(&access.lhs().ok_or_else(missing)?)?;
            let keys = arguments(access.keys().ok_or_else(missing)?.arguments())?;
            let base = base.as_type().ok_or_else(missing)?;
            access_type(base, &keys, &NoTypes).map_err(|error| error.message.to_string())?
        }
        Expr::CallExpr(call) => {
            let target = value(&call.functor().ok_or_else(missing)?)?;
            let arguments = arguments(call.arguments().ok_or_else(missing)?.arguments())?;
            let ty = target.as_type().ok_or_else(missing)?;
            new_instance(ty, &arguments, &NoTypes).map_err(|error| error.to_string())?
        }
        Expr::MethodCallExpr(call) => {
            let receiver = value(&call.receiver().ok_or_else(missing)?)?;
            let arguments = call.arguments().map_or(Ok(Vec::new()), |list| arguments(list.arguments()))?;
            let name = call.name_token().ok_or_else(missing)?;
            match (name.text(), &receiver, &arguments[..]) {
                ("new", Value::Type(ty), arguments) => {
                    new_instance(ty, arguments, &NoTypes).map_err(|error| error.to_string())?
                }
                ("unwrap", Value::Sensitive(inner), []) => (**inner).clone(),
                ("reverse_each", receiver, []) => iterator(receiver, IteratorOperation::Reverse),
                ("step", receiver, [Value::Integer(step)]) => {
                    iterator(receiver, IteratorOperation::Step(*step))
                }
                _ => return Err(missing()),
            }
        }
        _ => return Err(missing()),
    })
}

fn iterator(source: &Value, operation: IteratorOperation) -> Value {
    let element = match infer_set(&source_array(source), &NoTypes) {
        types::Type::Tuple(tuple) => types::common::union(tuple.types.iter().cloned(), &NoTypes),
        _ => types::Type::Any,
    };
    Value::Iterator(
        IteratorValue { source: source.clone(), operation, element, taken: Default::default() }.into(),
    )
}

fn source_array(source: &Value) -> Value {
    let elements = types::iterate::elements(source, &NoTypes, 100).map(Iterator::collect::<Vec<_>>);
    Value::array(elements.unwrap_or_default())
}

fn arguments(list: Vec<AccessOrCallArgument>) -> Result<Vec<Value>, String> {
    list.into_iter()
        .map(|argument| match argument {
            AccessOrCallArgument::Expr(expr) => value(&expr),
            AccessOrCallArgument::BareHash(entries) => hash_of(entries.into_iter()),
        })
        .collect()
}

fn hash_of(entries: impl Iterator<Item = KeyedEntry>) -> Result<Value, String> {
    let mut pairs = Vec::new();
    for entry in entries {
        let (Some(key), Some(of_key)) = (entry.key(), entry.value()) else {
            return Err("half an entry".into());
        };
        pairs.push((value(&key)?, value(&of_key)?));
    }
    Ok(Value::hash(pairs))
}

fn expr_text(expr: &Expr) -> String {
    use syntax::AstNode;
    expr.syntax().text().to_string()
}
