//! JSON data files: a tree with values and positions.

use std::ops::Range;
use std::sync::Arc;

use scalars::json::{JsonBuilder, JsonScalar};
use syntax::TextRange;
use types::{Origin, Type, Value};

use crate::data::{Content, DataEntry, DataFinding, DataFindingKind, DataNode, MappingBuilder};

/// Parses a document and returns its tree and the problems found.
pub fn read(text: &str) -> (Option<DataNode>, Vec<DataFinding>) {
    let mut builder = DataBuilder { text, findings: Vec::new() };
    let (root, mistakes) = scalars::json::read(text, &mut builder);
    let mut findings = builder.findings;
    findings.extend(mistakes.into_iter().map(|it| DataFinding {
        kind: DataFindingKind::Syntax,
        range: text_range(it.range),
        message: it.message,
    }));
    (root, findings)
}

/// Parses a document and returns its value.
///
/// # Errors
/// Returns the message of the syntax error for which Ruby rejects the document.
pub fn parse(text: &str) -> Result<Value, String> {
    let (root, findings) = read(text);
    match findings.into_iter().find(|it| it.kind == DataFindingKind::Syntax) {
        Some(finding) => Err(finding.message),
        None => Ok(root.map_or(Value::Undef, |it| it.value)),
    }
}

struct DataBuilder<'a> {
    text: &'a str,
    findings: Vec<DataFinding>,
}

impl JsonBuilder for DataBuilder<'_> {
    type Node = DataNode;

    fn scalar(&mut self, range: Range<usize>, scalar: JsonScalar<'_>) -> DataNode {
        let quoted = matches!(scalar, JsonScalar::Text(_) | JsonScalar::InvalidText) || range.is_empty();
        let written = self.text[range.clone()].trim_matches('"');
        let (text, value) = match scalar {
            JsonScalar::Null => (written.into(), Value::Undef),
            JsonScalar::Boolean(value) => (written.into(), Value::Boolean(value)),
            JsonScalar::Integer(digits) => {
                let value = digits.parse().map(Value::Integer);
                (written.into(), value.unwrap_or_else(|_| Value::unknown(Type::INTEGER, Origin::Bound)))
            }
            JsonScalar::Float(value) => (written.into(), Value::float(value)),
            JsonScalar::Text(text) => (text.as_str().into(), Value::string(text)),
            JsonScalar::InvalidText => (written.into(), Value::unknown(Type::STRING, Origin::Ruby)),
            JsonScalar::Nothing => (written.into(), Value::unknown(Type::Any, Origin::SyntaxError)),
        };
        DataNode { range: text_range(range), value, content: Content::Scalar { text, quoted } }
    }

    fn array(&mut self, range: Range<usize>, elements: Vec<DataNode>) -> DataNode {
        let values: Vec<Value> = elements.iter().map(|it| it.value.clone()).collect();
        let value = Value::array(values);
        DataNode { range: text_range(range), value, content: Content::Sequence(elements.into()) }
    }

    fn object(&mut self, range: Range<usize>, members: Vec<(DataNode, DataNode)>) -> DataNode {
        let mut mapping = MappingBuilder::default();
        let mut entries = Vec::with_capacity(members.len());
        for (key, value) in members {
            self.findings.extend(mapping.add(&key, value.value.clone()));
            entries.push(DataEntry { key, value });
        }
        let value = Value::Hash(Arc::new(mapping.value));
        DataNode { range: text_range(range), value, content: Content::Mapping(entries.into()) }
    }
}

fn text_range(range: Range<usize>) -> TextRange {
    TextRange::new(range.start as u32, range.end as u32)
}
