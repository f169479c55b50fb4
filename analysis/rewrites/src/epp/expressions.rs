//! Expressions of Ruby as expressions of Puppet with the same value for every input.
//!
//! Puppet compares strings without regard to case, so equality becomes a match with an `Enum` where the case could
//! matter. Methods only need the same result for values on which Ruby does not fail.

use plugins::code::{BlockCode, RubyBlock, RubyBlockParameter, RubyExpression, RubyExpressionKind, TextPart};

use super::scope::{ErbScope, Known};
use super::shapes::{Strings, ValueShape};

/// Binding strength of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    /// `if`, which is only possible as a whole tag.
    Statement,
    Or,
    And,
    Comparison,
    Atom,
}

/// Expression of Puppet.
#[derive(Clone, Debug)]
pub(super) struct Converted {
    pub(super) text: String,
    pub(super) shape: ValueShape,
    strength: Strength,
}

pub(super) type ErbConversion = Result<Converted, String>;

impl Converted {
    fn atom(text: impl Into<String>, shape: ValueShape) -> Converted {
        Converted { text: text.into(), shape, strength: Strength::Atom }
    }

    fn test(text: String, strength: Strength) -> Converted {
        Converted { text, shape: ValueShape::boolean(), strength }
    }

    /// Returns the text as an operand of an operator, in parentheses if necessary.
    fn operand(&self, least: Strength) -> Result<String, String> {
        match self.strength {
            Strength::Statement => Err("a conditional value is part of an expression".to_owned()),
            it if it >= least => Ok(self.text.clone()),
            _ => Ok(format!("({})", self.text)),
        }
    }
}

/// Returns the receiver, name, and arguments of a call without a block.
fn call(expr: &RubyExpression) -> Option<(Option<&RubyExpression>, &str, &[RubyExpression])> {
    match &*expr.kind {
        RubyExpressionKind::Call { receiver, name, arguments, block: None, is_safe: false, .. } => {
            Some((receiver.as_ref(), name, arguments))
        }
        _ => None,
    }
}

/// Returns the contents of parentheses.
fn unwrapped(expr: &RubyExpression) -> &RubyExpression {
    match &*expr.kind {
        RubyExpressionKind::Sequence(inner) if inner.len() == 1 => unwrapped(&inner[0]),
        _ => expr,
    }
}

/// Returns a string literal of Puppet.
pub(super) fn quoted(text: &str) -> Result<String, String> {
    if text.contains("%>") || text.contains("<%") {
        return Err("a string contains a tag".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Ok(format!("\"{}\"", escaped(text)?));
    }
    Ok(format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")))
}

/// Escapes text between double quotes.
fn escaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '$' => out.push_str("\\$"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            it if it.is_control() => return Err("a string contains a control character".to_owned()),
            it => out.push(it),
        }
    }
    Ok(out)
}

/// Returns true if Puppet's comparison of `text` with strings of this shape distinguishes what Ruby's does.
fn is_exact(text: &str, strings: &Strings) -> bool {
    let lower = text.to_lowercase();
    match strings {
        _ if !text.chars().any(char::is_alphabetic) => true,
        Strings::None => true,
        Strings::Known(known) => known.iter().all(|it| it == text || it.to_lowercase() != lower),
        Strings::Any => false,
    }
}

impl ErbScope<'_> {
    /// Converts a condition, of which only the truth matters.
    pub(super) fn condition(&self, expr: &RubyExpression) -> ErbConversion {
        let joined = |a: &RubyExpression, b: &RubyExpression, word: &str, strength: Strength| {
            let (a, b) = (self.condition(a)?.operand(strength)?, self.condition(b)?.operand(strength)?);
            Ok(Converted::test(format!("{a} {word} {b}"), strength))
        };
        let expr = unwrapped(expr);
        match &*expr.kind {
            RubyExpressionKind::And(a, b) => joined(a, b, "and", Strength::And),
            RubyExpressionKind::Or(a, b) => joined(a, b, "or", Strength::Or),
            RubyExpressionKind::Not(inner) => self.negated(inner),
            _ => match call(expr) {
                Some((Some(receiver), "!", [])) => self.negated(receiver),
                _ => self.value(expr),
            },
        }
    }

    fn negated(&self, expr: &RubyExpression) -> ErbConversion {
        let expr = unwrapped(expr);
        if let Some((Some(receiver), "nil?", [])) = call(expr) {
            let receiver = self.value(receiver)?.operand(Strength::Atom)?;
            return Ok(Converted::test(format!("{receiver} != undef"), Strength::Comparison));
        }
        let inner = self.condition(expr)?.operand(Strength::Atom)?;
        Ok(Converted::atom(format!("!{inner}"), ValueShape::boolean()))
    }

    /// Converts the value of a tag, which may be a conditional one.
    pub(super) fn output(&self, expr: &RubyExpression) -> ErbConversion {
        let expr = unwrapped(expr);
        let conditional = |condition: &Converted, then: &Converted, otherwise: Option<&Converted>| {
            let (then_text, condition) = (then.operand(Strength::Or)?, condition.operand(Strength::Or)?);
            let mut text = format!("if {condition} {{ {then_text} }}");
            if let Some(it) = otherwise {
                text += &format!(" else {{ {} }}", it.operand(Strength::Or)?);
            }
            let shape = otherwise.map_or_else(ValueShape::undef, |it| it.shape.clone()).or(&then.shape);
            Ok(Converted { text, shape, strength: Strength::Statement })
        };
        match &*expr.kind {
            RubyExpressionKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let [then] = &then[..] else { return Err(unsupported("conditional value")) };
                let otherwise = match &otherwise[..] {
                    [] => None,
                    [it] => Some(self.value(it)?),
                    _ => return Err(unsupported("conditional value")),
                };
                conditional(&condition, &self.value(then)?, otherwise.as_ref())
            }
            RubyExpressionKind::Or(a, b) => {
                let a = self.value(a)?;
                let set = ValueShape { is_undef: false, ..a.shape.clone() };
                conditional(&a, &Converted { shape: set, ..a.clone() }, Some(&self.value(b)?))
            }
            _ => match call(expr) {
                // The tag itself calls it.
                Some((Some(receiver), "to_s", [])) => self.value(receiver),
                _ => self.value(expr),
            },
        }
    }

    /// Converts an expression.
    pub(super) fn value(&self, expr: &RubyExpression) -> ErbConversion {
        let expr = unwrapped(expr);
        Ok(match &*expr.kind {
            RubyExpressionKind::Nil => Converted::atom("undef", ValueShape::undef()),
            RubyExpressionKind::Boolean(it) => Converted::atom(it.to_string(), ValueShape::boolean()),
            RubyExpressionKind::Integer(it) if *it >= 0 => {
                Converted::atom(it.to_string(), ValueShape::number())
            }
            RubyExpressionKind::String(it) | RubyExpressionKind::FrozenString(it) => {
                Converted::atom(quoted(it)?, ValueShape::literal(it))
            }
            RubyExpressionKind::InterpolatedString(parts) => self.interpolated(parts)?,
            RubyExpressionKind::InstanceVariable(name) => self.known(self.variable(name)?),
            RubyExpressionKind::LocalVariable { name, .. } => self.known(self.local(name)?),
            RubyExpressionKind::Array(elements) => {
                let elements = elements.iter().map(|it| self.value(it)).collect::<Result<Vec<_>, _>>()?;
                let shape = elements.iter().fold(ValueShape::default(), |all, it| all.or(&it.shape));
                let texts = elements.iter().map(|it| it.operand(Strength::Or));
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                Converted::atom(format!("[{}]", texts.join(", ")), ValueShape::array(shape))
            }
            RubyExpressionKind::Call {
                receiver: Some(receiver),
                name,
                arguments,
                block: Some(block),
                ..
            } if arguments.is_empty() => self.with_block(receiver, name, block)?,
            RubyExpressionKind::Call { block: None, is_safe: false, .. } => self.call(expr)?,
            RubyExpressionKind::Unsupported(what) => return Err(format!("{what} is not understood")),
            RubyExpressionKind::Symbol(_) => return Err("a symbol is used".to_owned()),
            RubyExpressionKind::And(..) | RubyExpressionKind::Or(..) => {
                return Err("an operand of `&&` or `||` is used as a value".to_owned());
            }
            RubyExpressionKind::Not(_) => self.condition(expr)?,
            RubyExpressionKind::Case { .. } => return Err("`case` is not understood".to_owned()),
            _ => return Err("the code is not understood".to_owned()),
        })
    }

    fn known(&self, known: &Known) -> Converted {
        Converted::atom(format!("${}", known.name), known.shape.clone())
    }

    fn interpolated(&self, parts: &[TextPart]) -> ErbConversion {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text(it) => text += &escaped(it)?,
                TextPart::Code(code) => {
                    let [code] = &code[..] else { return Err(unsupported("interpolation")) };
                    let code = self.value(code)?;
                    printable(&code)?;
                    let inner = code.operand(Strength::Or)?;
                    let variable = inner.strip_prefix('$');
                    let is_name = |it: &&str| it.chars().all(|it| it.is_alphanumeric() || it == '_');
                    text += &match variable.filter(is_name) {
                        Some(name) => format!("${{{name}}}"),
                        None => format!("${{{inner}}}"),
                    };
                }
            }
        }
        if text.contains("%>") || text.contains("<%") {
            return Err("a string contains a tag".to_owned());
        }
        Ok(Converted::atom(format!("\"{text}\""), ValueShape::string()))
    }

    fn call(&self, expr: &RubyExpression) -> ErbConversion {
        let Some((receiver, name, arguments)) = call(expr) else { return Err(unsupported("call")) };
        let Some(receiver) = receiver else {
            return match (name, arguments) {
                ("Array", [argument]) => self.as_array(argument),
                (_, []) => Ok(self.known(self.local(name)?)),
                _ => Err(format!("`{name}` is called")),
            };
        };
        if matches!(call(receiver), Some((None, "scope", []))) {
            return self.scope_call(name, arguments);
        }
        match (name, arguments) {
            ("==" | "!=", [other]) => self.equality(receiver, other, name == "!="),
            ("<" | ">" | "<=" | ">=", [other]) => {
                let (a, b) = (self.value(receiver)?, self.value(other)?);
                if !a.shape.is_only_number() || !b.shape.is_only_number() {
                    return Err("values that may not be numbers are compared".to_owned());
                }
                let (a, b) = (a.operand(Strength::Atom)?, b.operand(Strength::Atom)?);
                Ok(Converted::test(format!("{a} {name} {b}"), Strength::Comparison))
            }
            ("[]", [key]) => self.element(receiver, key),
            ("include?", [value]) => self.inclusion(receiver, value),
            ("is_a?" | "kind_of?", [class]) => self.class_test(receiver, class),
            ("join", [] | [_]) => self.join(receiver, arguments.first()),
            (_, []) => self.method(receiver, name),
            _ => Err(format!("method `{name}` is called")),
        }
    }

    /// Converts a call of a method without arguments.
    fn method(&self, receiver: &RubyExpression, name: &str) -> ErbConversion {
        let it = self.value(receiver)?;
        let text = it.operand(Strength::Atom)?;
        let (array, hash) = (it.shape.only_array(), it.shape.only_hash());
        let needs = |what: &str| format!("`{name}` is called on a value that may not be {what}");
        let is_text = it.shape.is_scalar();
        match name {
            "nil?" => Ok(Converted::test(format!("{text} == undef"), Strength::Comparison)),
            "empty?" => Ok(Converted::atom(format!("{text}.empty"), ValueShape::boolean())),
            "length" | "size" | "count" if name != "count" || array.is_some() => {
                if array.is_none() && hash.is_none() && !is_text {
                    return Err(needs("a string, an array, or a hash"));
                }
                Ok(Converted::atom(format!("{text}.length"), ValueShape::number()))
            }
            "to_s" => {
                printable(&it)?;
                let inner = text.strip_prefix('$').unwrap_or(&text);
                Ok(Converted::atom(format!("\"${{{inner}}}\""), ValueShape::string()))
            }
            "sort" | "uniq" | "flatten" | "first" | "last" => {
                let elements = array.ok_or_else(|| needs("an array"))?;
                if name == "uniq" && !elements.is_scalar() || name == "flatten" && elements.entries.is_some()
                {
                    return Err(needs("a list of simple values"));
                }
                let flat = |it: &ValueShape| match &it.elements {
                    Some(inner) => ValueShape { elements: None, ..it.clone() }.or(inner),
                    None => it.clone(),
                };
                let element = elements.or(&ValueShape::undef());
                Ok(match name {
                    "sort" => Converted::atom(format!("{text}.sort"), it.shape.clone()),
                    "uniq" => Converted::atom(format!("{text}.unique"), it.shape.clone()),
                    "first" => Converted::atom(format!("{text}[0]"), element),
                    "last" => Converted::atom(format!("{text}[-1]"), element),
                    _ if flat(elements).elements.is_some() || elements.is_other => {
                        return Err(needs("a list of simple values"));
                    }
                    _ => Converted::atom(format!("{text}.flatten"), ValueShape::array(flat(elements))),
                })
            }
            "keys" | "values" => {
                let (keys, values) = hash.ok_or_else(|| needs("a hash"))?;
                let elements = if name == "keys" { keys } else { values };
                Ok(Converted::atom(format!("{text}.{name}"), ValueShape::array(elements.clone())))
            }
            "upcase" | "downcase" if is_text => {
                Ok(Converted::atom(format!("{text}.{name}"), ValueShape::string()))
            }
            _ => Err(format!("method `{name}` is called")),
        }
    }

    fn join(&self, receiver: &RubyExpression, separator: Option<&RubyExpression>) -> ErbConversion {
        let list = match call(unwrapped(receiver)) {
            // Both `nil` and an empty list are joined to an empty string.
            Some((None, "Array", [argument])) => self.flattened(argument)?,
            _ => self.value(receiver)?,
        };
        let simple = list.shape.only_array().is_some_and(ValueShape::is_scalar);
        if !simple {
            return Err("a value that may not be a list of simple values is joined".to_owned());
        }
        let separator = separator.map(|it| self.value(it)).transpose()?;
        let separator = match separator {
            Some(it) if it.shape.may_be_string() && it.shape.is_scalar() => it.operand(Strength::Or)?,
            Some(_) => return Err("the separator may not be a string".to_owned()),
            None => "''".to_owned(),
        };
        let list = list.operand(Strength::Atom)?;
        Ok(Converted::atom(format!("{list}.join({separator})"), ValueShape::string()))
    }

    /// Converts `Array(x)`.
    fn as_array(&self, argument: &RubyExpression) -> ErbConversion {
        let it = self.value(argument)?;
        if it.shape.is_undef {
            return Err("`Array` is called with a value that may be `nil`".to_owned());
        }
        self.flattened(argument)
    }

    /// Returns `[x].flatten` for a value that is simple or a list of simple values.
    fn flattened(&self, argument: &RubyExpression) -> ErbConversion {
        let it = self.value(argument)?;
        if it.shape.only_array().is_some() && !it.shape.is_undef {
            return Ok(it);
        }
        let rest = ValueShape { elements: None, ..it.shape.clone() };
        let elements = it.shape.elements.as_deref().cloned().unwrap_or_default();
        if !rest.is_scalar() || !elements.is_scalar() {
            return Err("`Array` is called with a value that may not be a list of simple values".to_owned());
        }
        let text = it.operand(Strength::Or)?;
        Ok(Converted::atom(format!("[{text}].flatten"), ValueShape::array(rest.or(&elements))))
    }

    fn equality(&self, a: &RubyExpression, b: &RubyExpression, is_negated: bool) -> ErbConversion {
        let is_literal = |it: &RubyExpression| {
            matches!(
                &*it.kind,
                RubyExpressionKind::Nil
                    | RubyExpressionKind::Boolean(_)
                    | RubyExpressionKind::Integer(_)
                    | RubyExpressionKind::String(_)
                    | RubyExpressionKind::FrozenString(_)
            )
        };
        let (a, b) = (unwrapped(a), unwrapped(b));
        let (value, literal) = if is_literal(b) { (a, b) } else { (b, a) };
        let (left, right) = (self.value(value)?, self.value(literal)?);
        if !is_literal(literal) && (left.shape.may_be_string() && right.shape.may_be_string()) {
            return Err("strings are compared with each other".to_owned());
        }
        let are_scalars = left.shape.is_scalar() && right.shape.is_scalar();
        if !(is_literal(literal) || are_scalars) {
            return Err("values that may not be simple are compared".to_owned());
        }
        let text = left.operand(Strength::Atom)?;
        let right_text = right.operand(Strength::Atom)?;
        let operator = if is_negated { "!=" } else { "==" };
        if let RubyExpressionKind::String(it) | RubyExpressionKind::FrozenString(it) = &*literal.kind {
            let strings = if left.shape.is_other { &Strings::Any } else { &left.shape.strings };
            if !is_exact(it, strings) {
                let operator = if is_negated { "!~" } else { "=~" };
                let test = format!("{text} {operator} Enum[{right_text}]");
                return Ok(Converted::test(test, Strength::Comparison));
            }
        }
        Ok(Converted::test(format!("{text} {operator} {right_text}"), Strength::Comparison))
    }

    /// Converts `[nil, 'a'].include?(x)`.
    fn inclusion(&self, list: &RubyExpression, value: &RubyExpression) -> ErbConversion {
        let RubyExpressionKind::Array(elements) = &*unwrapped(list).kind else {
            return Err("method `include?` is called".to_owned());
        };
        let mut tests = Vec::new();
        for element in elements {
            match &*element.kind {
                // No variable of Puppet has such a value.
                RubyExpressionKind::Symbol(it) if matches!(it.as_str(), "undef" | "undefined") => {}
                _ => tests.push(self.equality(value, element, false)?.text),
            }
        }
        match tests.len() {
            0 => Err("method `include?` is called".to_owned()),
            1 => Ok(Converted::test(tests.remove(0), Strength::Comparison)),
            _ => Ok(Converted::test(tests.join(" or "), Strength::Or)),
        }
    }

    fn class_test(&self, value: &RubyExpression, class: &RubyExpression) -> ErbConversion {
        let RubyExpressionKind::Constant(name) = &*class.kind else { return Err(unsupported("class")) };
        if !matches!(name.as_str(), "Array" | "Hash" | "String" | "Integer" | "Float") {
            return Err(format!("the class `{name}` is tested"));
        }
        let value = self.value(value)?.operand(Strength::Atom)?;
        Ok(Converted::test(format!("{value} =~ {name}"), Strength::Comparison))
    }

    /// Converts `x[key]`.
    fn element(&self, receiver: &RubyExpression, key: &RubyExpression) -> ErbConversion {
        let (it, key) = (self.value(receiver)?, self.value(key)?);
        let key_text = key.operand(Strength::Or)?;
        let text = it.operand(Strength::Atom)?;
        let element = match (it.shape.only_hash(), it.shape.only_array()) {
            (Some((_, values)), _) => values,
            (_, Some(elements)) if key.shape.is_only_number() => elements,
            _ => return Err("an element of a value is read that may not be a hash".to_owned()),
        };
        Ok(Converted::atom(format!("{text}[{key_text}]"), element.or(&ValueShape::undef())))
    }

    /// Converts a call of a method of `scope`.
    fn scope_call(&self, name: &str, arguments: &[RubyExpression]) -> ErbConversion {
        let literal = |it: &RubyExpression| match &*it.kind {
            RubyExpressionKind::String(it) | RubyExpressionKind::FrozenString(it) => Some(it.to_string()),
            _ => None,
        };
        let (function, list) = match (name, arguments) {
            ("[]" | "lookupvar", [argument]) => {
                let read = literal(argument).ok_or("the name of a variable is computed")?;
                return Ok(self.known(self.variable_of_scope(&read)?));
            }
            ("call_function", [function, list]) => {
                (literal(function).ok_or("the name of a function is computed")?, list)
            }
            (_, [list]) if name.starts_with("function_") => (name["function_".len()..].to_owned(), list),
            _ => return Err(format!("`scope.{name}` is called")),
        };
        let RubyExpressionKind::Array(arguments) = &*list.kind else { return Err(unsupported("call")) };
        if function != "versioncmp" {
            return Err(format!("the function `{function}` is called"));
        }
        let texts = arguments.iter().map(|it| self.value(it)?.operand(Strength::Or));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        Ok(Converted::atom(format!("{function}({})", texts.join(", ")), ValueShape::number()))
    }

    /// Converts `x.map { |it| ... }`.
    fn with_block(&self, receiver: &RubyExpression, name: &str, block: &RubyBlock) -> ErbConversion {
        let function = match name {
            "map" | "collect" => "map",
            "select" | "reject" => "filter",
            _ => return Err(format!("method `{name}` is called with a block")),
        };
        let list = self.value(receiver)?;
        let elements = list.shape.only_array().ok_or("the value may not be an array")?.clone();
        let RubyBlock::Code(code) = block else { return Err(unsupported("block")) };
        let (parameters, [body]) = (parameter_names(code)?, &code.body[..]) else {
            return Err(unsupported("block"));
        };
        let [parameter] = &parameters[..] else { return Err(unsupported("block")) };
        let mut inner = self.clone();
        inner.open(&[(parameter, elements)])?;
        let body = if function == "map" { inner.value(body)? } else { inner.condition(body)? };
        let text = match name {
            "reject" => format!("!{}", body.operand(Strength::Atom)?),
            _ => body.operand(Strength::Or)?,
        };
        let shape = if function == "map" { ValueShape::array(body.shape) } else { list.shape.clone() };
        let list = list.operand(Strength::Atom)?;
        Ok(Converted::atom(format!("{list}.{function} |${parameter}| {{ {text} }}"), shape))
    }
}

/// Returns the names of the parameters of a block.
pub(super) fn parameter_names(code: &BlockCode) -> Result<Vec<String>, String> {
    if code.has_trailing_comma {
        return Err(unsupported("parameter"));
    }
    let name = |it: &RubyBlockParameter| match it {
        RubyBlockParameter::Required(name) => Ok(name.to_string()),
        _ => Err(unsupported("parameter")),
    };
    code.parameters.iter().map(name).collect()
}

/// Fails for values that Ruby and Puppet may print differently.
pub(super) fn printable(it: &Converted) -> Result<(), String> {
    if it.shape.is_other {
        return Err(format!("the type of `{}` is not known", it.text));
    }
    if !it.shape.is_scalar() {
        return Err(format!("`{}` may be an array or a hash, which EPP prints differently", it.text));
    }
    Ok(())
}

fn unsupported(what: &str) -> String {
    format!("the {what} is not understood")
}
