//! Literals.

use ruby_prism::{Node, NodeList};
use smol_str::SmolStr;

use super::lower::RubyLowering;
use super::tree::{RubyExpression, RubyExpressionKind, TextPart};

impl RubyLowering<'_> {
    pub(super) fn literal(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(node) = node.as_string_node() {
            utf8(node.unescaped()).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::String)
        } else if let Some(node) = node.as_symbol_node() {
            utf8(node.unescaped()).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Symbol)
        } else if let Some(node) = node.as_interpolated_string_node() {
            self.parts(&node.parts())
                .map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::InterpolatedString)
        } else if let Some(node) = node.as_interpolated_symbol_node() {
            self.parts(&node.parts())
                .map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::InterpolatedSymbol)
        } else if let Some(node) = node.as_regular_expression_node() {
            let options = options(node.is_ignore_case(), node.is_multi_line(), node.is_extended());
            match utf8(node.unescaped()) {
                Some(text) => RubyExpressionKind::Pattern { parts: vec![TextPart::Text(text)], options },
                None => RubyExpressionKind::Unsupported,
            }
        } else if let Some(node) = node.as_interpolated_regular_expression_node() {
            let options = options(node.is_ignore_case(), node.is_multi_line(), node.is_extended());
            match self.parts(&node.parts()) {
                Some(parts) => RubyExpressionKind::Pattern { parts, options },
                None => RubyExpressionKind::Unsupported,
            }
        } else if let Some(node) = node.as_integer_node() {
            integer(&node).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Integer)
        } else if let Some(node) = node.as_float_node() {
            RubyExpressionKind::Float(node.value())
        } else if node.as_true_node().is_some() {
            RubyExpressionKind::Boolean(true)
        } else if node.as_false_node().is_some() {
            RubyExpressionKind::Boolean(false)
        } else if node.as_nil_node().is_some() {
            RubyExpressionKind::Nil
        } else if let Some(node) = node.as_array_node() {
            RubyExpressionKind::Array(self.all(&node.elements()))
        } else if let Some(node) = node.as_splat_node() {
            match node.expression() {
                Some(inner) => RubyExpressionKind::Splat(self.expression(&inner)),
                None => RubyExpressionKind::Unsupported,
            }
        } else if let Some(node) = node.as_hash_node() {
            self.entries(&node.elements())
        } else if let Some(node) = node.as_keyword_hash_node() {
            self.entries(&node.elements())
        } else if let Some(node) = node.as_range_node() {
            RubyExpressionKind::Range {
                first: node.left().map(|node| self.expression(&node)),
                last: node.right().map(|node| self.expression(&node)),
                is_exclusive: node.is_exclude_end(),
            }
        } else {
            return None;
        })
    }

    fn entries(&mut self, elements: &NodeList<'_>) -> RubyExpressionKind {
        let mut entries: Vec<(RubyExpression, RubyExpression)> = Vec::new();
        for element in elements {
            let Some(pair) = element.as_assoc_node() else { return RubyExpressionKind::Unsupported };
            if pair.value().as_implicit_node().is_some() {
                return RubyExpressionKind::Unsupported;
            }
            entries.push((self.expression(&pair.key()), self.expression(&pair.value())));
        }
        RubyExpressionKind::Hash(entries)
    }

    /// `None` where a text is no UTF-8.
    fn parts(&mut self, parts: &NodeList<'_>) -> Option<Vec<TextPart>> {
        let mut out = Vec::new();
        for part in parts {
            if let Some(text) = part.as_string_node() {
                out.push(TextPart::Text(utf8(text.unescaped())?));
            } else if let Some(inner) = part.as_interpolated_string_node() {
                out.extend(self.parts(&inner.parts())?);
            } else if let Some(code) = part.as_embedded_statements_node() {
                out.push(TextPart::Code(self.statements(code.statements())));
            } else if let Some(variable) = part.as_embedded_variable_node() {
                out.push(TextPart::Code(vec![self.expression(&variable.variable())]));
            } else {
                return None;
            }
        }
        Some(out)
    }
}

fn options(ignore_case: bool, multi_line: bool, extended: bool) -> SmolStr {
    let letters = [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x')];
    letters.into_iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| letter).collect()
}

fn utf8(bytes: &[u8]) -> Option<SmolStr> {
    std::str::from_utf8(bytes).ok().map(SmolStr::new)
}

fn integer(node: &ruby_prism::IntegerNode<'_>) -> Option<i64> {
    let number = node.value();
    let (is_negative, digits) = number.to_u32_digits();
    if digits.len() > 2 {
        return None;
    }
    let magnitude = digits.iter().rev().fold(0i128, |sum, digit| (sum << 32) | i128::from(*digit));
    i64::try_from(if is_negative { -magnitude } else { magnitude }).ok()
}
