//! Code that succeeds for every value: conversions of attribute values that only transform strings.

use plugins::code::{
    AssignTarget, BlockCode, RubyBlock, RubyBlockParameter, RubyExpression, RubyExpressionKind, TextPart,
};
use rustc_hash::FxHashMap;
use scalars::regexp::Regexp;
use smol_str::SmolStr;

/// Knowledge about a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ValueKnowledge {
    Nothing,
    String,
    /// String that nothing else refers to and that may be changed.
    OwnString,
}

/// Methods of strings without arguments that return a new string.
const TO_OWN_STRING: [&str; 8] =
    ["strip", "lstrip", "rstrip", "chomp", "downcase", "upcase", "capitalize", "swapcase"];
/// Methods of strings without arguments that change the string.
const CHANGES: [&str; 8] =
    ["strip!", "lstrip!", "rstrip!", "chomp!", "downcase!", "upcase!", "capitalize!", "swapcase!"];
/// Methods of strings without arguments that return other values.
const FROM_STRING: [&str; 5] = ["to_sym", "to_i", "to_f", "empty?", "length"];
/// Methods of strings with literal arguments that return other values.
const TESTS: [&str; 6] = ["=~", "match", "match?", "start_with?", "end_with?", "include?"];

/// Returns true if a block succeeds for every argument and changes nothing but its own variables.
pub(super) fn is_total(block: &BlockCode) -> bool {
    let [RubyBlockParameter::Required(parameter)] = block.parameters.as_slice() else { return false };
    let mut variables = BlockVariables(FxHashMap::default());
    variables.0.insert(parameter.clone(), ValueKnowledge::Nothing);
    variables.statements(&block.body).is_some()
}

/// Local variables of a block.
#[derive(Clone)]
struct BlockVariables(FxHashMap<SmolStr, ValueKnowledge>);

impl BlockVariables {
    /// Returns what is known about the result of statements; `None` if they may fail.
    fn statements(&mut self, statements: &[RubyExpression]) -> Option<ValueKnowledge> {
        let mut last = ValueKnowledge::Nothing;
        for statement in statements {
            last = self.expression(statement)?;
        }
        Some(last)
    }

    fn expression(&mut self, expression: &RubyExpression) -> Option<ValueKnowledge> {
        use RubyExpressionKind::*;
        match &*expression.kind {
            Nil | Boolean(_) | Integer(_) | Float(_) | Symbol(_) => Some(ValueKnowledge::Nothing),
            Pattern { parts, .. } => is_plain(parts).then_some(ValueKnowledge::Nothing),
            String(_) | FrozenString(_) => Some(ValueKnowledge::String),
            InterpolatedString(parts) => {
                for part in parts {
                    if let TextPart::Code(code) = part {
                        self.statements(code)?;
                    }
                }
                Some(ValueKnowledge::OwnString)
            }
            LocalVariable { name, depth: 0 } => self.0.get(name).copied(),
            Assignment { target: AssignTarget::LocalVariable { name, depth: 0 }, value } => {
                let known = self.expression(value)?;
                // Two variables may name the same string.
                self.0.insert(name.clone(), known);
                Some(known.min(ValueKnowledge::String))
            }
            And(first, second) | Or(first, second) => {
                self.expression(first)?;
                self.branches([std::slice::from_ref(second), &[]])
            }
            Not(value) => self.expression(value).map(|_| ValueKnowledge::Nothing),
            If { condition, then, otherwise } => {
                self.expression(condition)?;
                self.branches([then, otherwise])
            }
            Sequence(statements) => self.statements(statements),
            Return(value) | Next(value) => match value {
                Some(value) => self.expression(value),
                None => Some(ValueKnowledge::Nothing),
            },
            Call { receiver: Some(receiver), name, arguments, block, .. } => {
                let receiver = self.expression(receiver)?;
                self.call(receiver, name, arguments, block.as_ref())
            }
            _ => None,
        }
    }

    /// Evaluates alternatives, and keeps what is known after each of them.
    fn branches(&mut self, branches: [&[RubyExpression]; 2]) -> Option<ValueKnowledge> {
        let [mut first, mut second] = [self.clone(), self.clone()];
        let known = first.statements(branches[0])?.min(second.statements(branches[1])?);
        let both = first.0.into_iter().filter_map(|(name, known)| {
            let other = *second.0.get(&name)?;
            Some((name, known.min(other)))
        });
        self.0 = both.collect();
        Some(known.min(ValueKnowledge::String))
    }

    fn call(
        &mut self,
        receiver: ValueKnowledge,
        name: &str,
        arguments: &[RubyExpression],
        block: Option<&RubyBlock>,
    ) -> Option<ValueKnowledge> {
        if block.is_some() {
            return None;
        }
        let is_string = receiver >= ValueKnowledge::String;
        match (name, arguments) {
            ("to_s", []) => Some(receiver.max(ValueKnowledge::String)),
            ("nil?", []) => Some(ValueKnowledge::Nothing),
            ("==" | "!=", [other]) => self.expression(other).map(|_| ValueKnowledge::Nothing),
            (_, []) if is_string && TO_OWN_STRING.contains(&name) => Some(ValueKnowledge::OwnString),
            (_, []) if receiver == ValueKnowledge::OwnString && CHANGES.contains(&name) => {
                Some(ValueKnowledge::Nothing)
            }
            (_, []) if is_string && FROM_STRING.contains(&name) => Some(ValueKnowledge::Nothing),
            (_, [argument]) if is_string && TESTS.contains(&name) && is_search(argument) => {
                Some(ValueKnowledge::Nothing)
            }
            ("sub" | "gsub", [search, replacement])
                if is_string && is_search(search) && is_text(replacement) =>
            {
                Some(ValueKnowledge::OwnString)
            }
            _ => None,
        }
    }
}

fn is_plain(parts: &[TextPart]) -> bool {
    parts.iter().all(|it| matches!(it, TextPart::Text(_)))
}

fn is_text(expression: &RubyExpression) -> bool {
    matches!(&*expression.kind, RubyExpressionKind::String(_) | RubyExpressionKind::FrozenString(_))
}

/// Returns true for a string or a regular expression. Patterns that are invalid fail when they are evaluated.
fn is_search(expression: &RubyExpression) -> bool {
    match &*expression.kind {
        RubyExpressionKind::Pattern { parts, options } => {
            let source: String =
                parts.iter().map(|it| if let TextPart::Text(it) = it { it } else { "" }).collect();
            is_plain(parts) && Regexp::with_options(&source, options).is_ok()
        }
        _ => is_text(expression),
    }
}
