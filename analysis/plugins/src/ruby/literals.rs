//! Evaluation of literals.

use ruby_prism::Node;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::interpreter::RubyInterpreter;
use super::value::{RubyPair, RubyValue};

impl<'pr> RubyInterpreter<'pr> {
    pub(super) fn evaluate_all<'a>(
        &mut self,
        nodes: impl IntoIterator<Item = Node<'pr>> + 'a,
    ) -> Vec<RubyValue<'pr>>
    where
        'pr: 'a,
    {
        let mut values = Vec::new();
        for node in nodes {
            match node.as_splat_node() {
                Some(splat) => match splat.expression().map(|expression| self.evaluate(&expression)) {
                    Some(RubyValue::Array(elements)) => values.extend(elements.iter().cloned()),
                    _ => values.push(RubyValue::Unknown),
                },
                None => values.push(self.evaluate(&node)),
            }
        }
        values
    }

    pub(super) fn literal(&mut self, node: &Node<'pr>) -> Option<RubyValue<'pr>> {
        let text = |bytes: &[u8]| SmolStr::new(String::from_utf8_lossy(bytes));
        Some(if let Some(node) = node.as_symbol_node() {
            RubyValue::Symbol(text(node.unescaped()))
        } else if let Some(node) = node.as_string_node() {
            RubyValue::String(text(node.unescaped()))
        } else if let Some(node) = node.as_interpolated_string_node() {
            self.interpolated(&node.parts())
        } else if let Some(node) = node.as_interpolated_symbol_node() {
            match self.interpolated(&node.parts()) {
                RubyValue::String(text) => RubyValue::Symbol(text),
                _ => RubyValue::Unknown,
            }
        } else if let Some(node) = node.as_array_node() {
            RubyValue::array(self.evaluate_all(node.elements().iter()))
        } else if let Some(node) = node.as_hash_node() {
            RubyValue::Hash(self.entries(node.elements().iter()).into())
        } else if let Some(node) = node.as_keyword_hash_node() {
            RubyValue::Hash(self.entries(node.elements().iter()).into())
        } else if let Some(node) = node.as_regular_expression_node() {
            let flags = (node.is_ignore_case(), node.is_extended(), node.is_multi_line());
            RubyValue::Pattern(pattern(&text(node.unescaped()), flags))
        } else if let Some(node) = node.as_interpolated_regular_expression_node() {
            let flags = (node.is_ignore_case(), node.is_extended(), node.is_multi_line());
            match self.interpolated(&node.parts()) {
                RubyValue::String(text) => RubyValue::Pattern(pattern(&text, flags)),
                _ => RubyValue::Unknown,
            }
        } else if let Some(node) = node.as_integer_node() {
            integer(&node).map_or(RubyValue::Unknown, RubyValue::Integer)
        } else if let Some(node) = node.as_float_node() {
            RubyValue::Float(format_smolstr!("{:?}", node.value()))
        } else if node.as_true_node().is_some() {
            RubyValue::Boolean(true)
        } else if node.as_false_node().is_some() {
            RubyValue::Boolean(false)
        } else if node.as_nil_node().is_some() {
            RubyValue::Nil
        } else if node.as_self_node().is_some() {
            RubyValue::This
        } else if node.as_source_file_node().is_some() {
            RubyValue::String(SmolStr::new(self.sources[self.source].path))
        } else {
            return None;
        })
    }

    /// Evaluates `1..3` to a list.
    pub(super) fn evaluate_range(&mut self, node: &ruby_prism::RangeNode<'pr>) -> RubyValue<'pr> {
        let mut end = |node: Option<Node<'pr>>| match node.map(|node| self.evaluate(&node)) {
            Some(RubyValue::Integer(number)) => Some(number),
            _ => None,
        };
        match (end(node.left()), end(node.right())) {
            (Some(first), Some(last)) if last.saturating_sub(first) < 1_000 => {
                let last = if node.is_exclude_end() { last - 1 } else { last };
                RubyValue::array((first..=last).map(RubyValue::Integer).collect())
            }
            _ => RubyValue::Unknown,
        }
    }

    pub(super) fn entries(&mut self, elements: impl Iterator<Item = Node<'pr>>) -> Vec<RubyPair<'pr>> {
        let mut entries = Vec::new();
        for element in elements {
            if let Some(pair) = element.as_assoc_node() {
                let key = self.evaluate(&pair.key());
                let key_range = self.name_range(&pair.key());
                let value = match pair.value().as_implicit_node() {
                    Some(implicit) => self.evaluate(&implicit.value()),
                    None => self.evaluate(&pair.value()),
                };
                let value_range = self.name_range(&pair.value());
                entries.push(RubyPair { key, key_range, value, value_range });
            } else if let Some(splat) = element.as_assoc_splat_node() {
                match splat.value().map(|value| self.evaluate(&value)) {
                    Some(RubyValue::Hash(others)) => entries.extend(others.iter().cloned()),
                    _ => {
                        let range = self.range(&element.location());
                        let (key, value) = (RubyValue::Unknown, RubyValue::Unknown);
                        entries.push(RubyPair { key, key_range: range, value, value_range: range });
                    }
                }
            }
        }
        entries
    }

    /// Returns the range of a name without its colon or quotes.
    pub(super) fn name_range(&self, node: &Node<'pr>) -> TextRange {
        if let Some(symbol) = node.as_symbol_node() {
            self.range(&symbol.content_loc())
        } else if let Some(string) = node.as_string_node() {
            self.range(&string.content_loc())
        } else {
            self.range(&node.location())
        }
    }

    /// Evaluates an interpolated string.
    pub(super) fn interpolated(&mut self, parts: &ruby_prism::NodeList<'pr>) -> RubyValue<'pr> {
        let mut result = String::new();
        let mut is_exact = true;
        for part in parts {
            let value = match part.as_embedded_statements_node() {
                Some(embedded) => match embedded.statements() {
                    Some(statements) => self.evaluate(&statements.as_node()),
                    None => RubyValue::Nil,
                },
                None => self.evaluate(&part),
            };
            let text = match &value {
                // Notation for a pattern inside another one.
                RubyValue::Pattern(pattern) => Some(format_smolstr!("(?-mix:{pattern})")),
                value => value.to_text(),
            };
            match text {
                Some(text) => result.push_str(&text),
                None => {
                    is_exact = false;
                    match value.prose() {
                        Some(text) => result.push_str(&text),
                        None => {
                            let location = part.location();
                            let range = location.start() as usize..location.end() as usize;
                            result.push_str(self.sources[self.source].text.get(range).unwrap_or(""));
                        }
                    }
                }
            }
        }
        self.steps += result.len() / 64;
        match is_exact {
            true => RubyValue::String(SmolStr::new(result)),
            false => RubyValue::InexactString(SmolStr::new(result)),
        }
    }
}

/// Returns the source of a regular expression. Options (`i`, `x`, `m`) become a prefix, as in Ruby's embedded
/// patterns.
fn pattern(text: &str, (ignore_case, extended, multi_line): (bool, bool, bool)) -> SmolStr {
    if !(ignore_case || extended || multi_line) {
        return SmolStr::new(text);
    }
    let mut on = String::new();
    let mut off = String::new();
    for (is_on, letter) in [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x')] {
        if is_on { on.push(letter) } else { off.push(letter) }
    }
    if !off.is_empty() {
        off.insert(0, '-');
    }
    format_smolstr!("(?{on}{off}:{text})")
}

fn integer(node: &ruby_prism::IntegerNode<'_>) -> Option<i64> {
    let value: i32 = node.value().try_into().ok()?;
    Some(i64::from(value))
}
