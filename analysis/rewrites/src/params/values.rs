//! Values that data can contain.

use std::collections::BTreeSet;
use std::sync::Arc;

use syntax::AstNode;
use syntax::ast::{
    AccessOrCallArgument, Expr, HashExpr, NumberValue, StringPart, UnaryOperator, VariableExpr,
};
use types::{Float, HashValue, Value};

use super::facts::string_fact;

/// Values of the variables that an expression may read.
pub(super) trait ParamsVariables {
    /// Returns the value of a variable.
    fn value(&self, name: &str) -> Option<Value>;
}

/// Returns the value of an expression for a data file, where `%{...}` is interpolated.
pub(super) fn value_of(expr: &Expr, module: &str, variables: &dyn ParamsVariables) -> Result<Value, String> {
    let evaluate = |expr: &Expr| value_of(expr, module, variables);
    let unsupported = || format!("`{}` is not a literal value", shortened(expr));
    Ok(match expr {
        Expr::LiteralString(it) => Value::string(escaped(&it.value())),
        Expr::QualifiedName(it) => Value::string(it.text()),
        Expr::LiteralBoolean(it) => Value::Boolean(it.value()),
        Expr::LiteralUndef(_) => Value::Undef,
        Expr::LiteralNumber(it) => number(it.value()).ok_or_else(unsupported)?,
        Expr::UnaryExpr(it) if it.operator() == Some(UnaryOperator::Minus) => {
            match evaluate(&it.operand().ok_or_else(unsupported)?)? {
                Value::Integer(value) => Value::Integer(-value),
                Value::Float(value) => Value::Float(Float(-value.0)),
                _ => return Err(unsupported()),
            }
        }
        Expr::ParenExpr(it) => evaluate(&it.expr().ok_or_else(unsupported)?)?,
        Expr::ArrayExpr(list) => {
            let elements = list.elements().into_iter().map(|it| match it {
                AccessOrCallArgument::Expr(it) => evaluate(&it),
                AccessOrCallArgument::BareHash(_) => Err(unsupported()),
            });
            Value::Array(Arc::new(elements.collect::<Result<_, _>>()?))
        }
        Expr::HashExpr(hash) => hash_value(expr, hash, &evaluate)?,
        Expr::InterpolatedString(it) => {
            let mut text = String::new();
            for part in it.parts() {
                match part {
                    StringPart::Text(part) => text.push_str(&escaped(&part)),
                    StringPart::Expr(part) => text.push_str(&interpolated(&part, module, variables)?),
                    StringPart::Missing => {}
                }
            }
            Value::string(text)
        }
        Expr::VariableExpr(it) => variable_value(expr, it, module, variables)?,
        Expr::AccessExpr(_) => match string_fact(expr) {
            Some(path) => Value::string(format!("%{{{path}}}")),
            None => return Err(unsupported()),
        },
        _ => return Err(unsupported()),
    })
}

fn hash_value(
    expr: &Expr,
    hash: &HashExpr,
    evaluate: &dyn Fn(&Expr) -> Result<Value, String>,
) -> Result<Value, String> {
    let incomplete = || format!("`{}` is incomplete", shortened(expr));
    let mut entries = HashValue::default();
    for entry in hash.entries() {
        let (key, value) = (entry.key().ok_or_else(incomplete)?, entry.value().ok_or_else(incomplete)?);
        let key = evaluate(&key)?;
        if key.as_str().is_none() {
            return Err(format!("a key of `{}` is not a string", shortened(expr)));
        }
        entries.insert(key, evaluate(&value)?);
    }
    Ok(Value::Hash(Arc::new(entries)))
}

/// Returns the value of a variable of the class, of a fact that is a string, or of `$module_name`.
fn variable_value(
    expr: &Expr,
    variable: &VariableExpr,
    module: &str,
    variables: &dyn ParamsVariables,
) -> Result<Value, String> {
    let name = variable.name().unwrap_or_default();
    if let Some(value) = variables.value(local(&name, module)) {
        return Ok(value);
    }
    match string_fact(expr) {
        Some(path) => Ok(Value::string(format!("%{{{path}}}"))),
        None if name == "module_name" => Ok(Value::string(module)),
        None => Err(format!("the value of `{}` is not known", shortened(expr))),
    }
}

/// Returns the text of an interpolated expression.
fn interpolated(expr: &Expr, module: &str, variables: &dyn ParamsVariables) -> Result<String, String> {
    match value_of(expr, module, variables)? {
        Value::String(text) => Ok(text.to_string()),
        Value::Integer(value) => Ok(value.to_string()),
        Value::Boolean(value) => Ok(value.to_string()),
        _ => Err(format!("`{}` is interpolated", shortened(expr))),
    }
}

fn number(value: Option<NumberValue>) -> Option<Value> {
    match value? {
        NumberValue::Integer { value, .. } => i64::try_from(value).ok().map(Value::Integer),
        NumberValue::Float(value) => Some(Value::Float(Float(value))),
    }
}

/// Adds the names of the variables in an expression.
pub(super) fn add_variables(expr: &Expr, module: &str, names: &mut BTreeSet<String>) {
    for node in expr.syntax().descendants() {
        if let Some(Expr::VariableExpr(it)) = Expr::cast(node) {
            names.extend(it.name().map(|it| local(&it, module).to_owned()));
        }
    }
}

/// Returns the name of a variable of the class without its scope.
fn local<'n>(name: &'n str, module: &str) -> &'n str {
    let own = name.trim_start_matches("::").strip_prefix(module);
    own.and_then(|it| it.strip_prefix("::params::")).unwrap_or(name)
}

/// Escapes what Hiera would interpolate.
fn escaped(text: &str) -> String {
    text.replace("%{", "%{literal('%')}{")
}

/// Returns the source of an expression for a message.
pub(super) fn shortened(expr: &Expr) -> String {
    let text = expr.syntax().text();
    if text.contains("Sensitive") {
        return "Sensitive[…]".to_owned();
    }
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(50) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
