//! Lowering of literals.

use ruby_prism::{Node, NodeList};
use smol_str::SmolStr;

use super::lower::RubyLowering;
use super::tree::{RubyExpressionKind, RubyHashEntry, TextPart};

const BYTES: &str = "string that is not UTF-8";

impl RubyLowering<'_> {
    pub(super) fn literal(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(node) = node.as_string_node() {
            match utf8(node.unescaped()) {
                Some(text) if self.has_mutable_literals => RubyExpressionKind::String(text),
                Some(text) => RubyExpressionKind::FrozenString(text),
                None => RubyExpressionKind::Unsupported(BYTES),
            }
        } else if let Some(node) = node.as_symbol_node() {
            utf8(node.unescaped()).map_or(RubyExpressionKind::Unsupported(BYTES), RubyExpressionKind::Symbol)
        } else if let Some(node) = node.as_interpolated_string_node() {
            self.parts(&node.parts())
                .map_or(RubyExpressionKind::Unsupported(BYTES), RubyExpressionKind::InterpolatedString)
        } else if let Some(node) = node.as_interpolated_symbol_node() {
            self.parts(&node.parts())
                .map_or(RubyExpressionKind::Unsupported(BYTES), RubyExpressionKind::InterpolatedSymbol)
        } else if let Some(node) = node.as_regular_expression_node() {
            let options = options(node.is_ignore_case(), node.is_multi_line(), node.is_extended());
            match utf8(node.unescaped()) {
                Some(text) => RubyExpressionKind::Pattern { parts: vec![TextPart::Text(text)], options },
                None => RubyExpressionKind::Unsupported(BYTES),
            }
        } else if let Some(node) = node.as_interpolated_regular_expression_node() {
            let options = options(node.is_ignore_case(), node.is_multi_line(), node.is_extended());
            match self.parts(&node.parts()) {
                Some(parts) => RubyExpressionKind::Pattern { parts, options },
                None => RubyExpressionKind::Unsupported(BYTES),
            }
        } else if let Some(node) = node.as_integer_node() {
            integer(&node)
                .map_or(RubyExpressionKind::Unsupported("number out of range"), RubyExpressionKind::Integer)
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
                None => RubyExpressionKind::Unsupported(BYTES),
            }
        } else if let Some(node) = node.as_hash_node() {
            self.entries(&node.elements(), false)
        } else if let Some(node) = node.as_keyword_hash_node() {
            self.entries(&node.elements(), true)
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

    fn entries(&mut self, elements: &NodeList<'_>, is_keywords: bool) -> RubyExpressionKind {
        let mut entries: Vec<RubyHashEntry> = Vec::new();
        for element in elements {
            if let Some(splat) = element.as_assoc_splat_node() {
                let Some(value) = splat.value() else {
                    return RubyExpressionKind::Unsupported("`**` without a name");
                };
                entries.push(RubyHashEntry::Splat(self.expression(&value)));
                continue;
            }
            let Some(pair) = element.as_assoc_node() else {
                return RubyExpressionKind::Unsupported("unsupported hash");
            };
            let value = match pair.value().as_implicit_node() {
                Some(implicit) => self.expression(&implicit.value()),
                None => self.expression(&pair.value()),
            };
            entries.push(RubyHashEntry::Pair(self.expression(&pair.key()), value));
        }
        RubyExpressionKind::Hash { entries, is_keywords }
    }

    /// Lowers the parts of an interpolated string; `None` if one is not valid UTF-8.
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
