//! Data files: a tree with positions, and its value.

use std::sync::LazyLock;

use smol_str::SmolStr;
use syntax::{ColumnUnit, LineColumn, LineMap, TextRange};
use types::{HashValue, Indistinguishable, Origin, Type, Value};

use crate::{json, yaml};

/// Format of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    Yaml,
    Json,
    Hocon,
}

impl DataFormat {
    /// Returns the format for a file extension: YAML for `.yaml`, `.yml` and `.eyaml`.
    pub fn of_path(path: &str) -> Option<DataFormat> {
        let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
        match extension {
            "yaml" | "yml" | "eyaml" => Some(DataFormat::Yaml),
            "json" => Some(DataFormat::Json),
            "conf" => Some(DataFormat::Hocon),
            _ => None,
        }
    }
}

/// Parsed contents of a data file.
#[derive(Clone, PartialEq, Debug)]
pub struct HieraData {
    pub format: DataFormat,
    /// First document; `None` if the file has none.
    pub root: Option<DataNode>,
    /// Findings in source order.
    pub findings: Vec<DataFinding>,
    /// Position of the first problem that makes Puppet reject the file. Columns count characters.
    pub failure: Option<LineColumn>,
}

/// Key, value, or the whole document.
#[derive(Clone, Debug)]
pub struct DataNode {
    /// Range without anchor and tag.
    pub range: TextRange,
    /// Value of the node, unknown if it cannot be determined. [`SYMBOL`] represents Ruby symbols.
    pub value: Value,
    pub content: Content,
}

impl PartialEq for DataNode {
    fn eq(&self, other: &DataNode) -> bool {
        let DataNode { range, value, content } = self;
        *range == other.range && *content == other.content && value.is_indistinguishable(&other.value)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Scalar as written, with quotes removed and escapes resolved.
    Scalar {
        text: SmolStr,
        quoted: bool,
    },
    Sequence(Box<[DataNode]>),
    Mapping(Box<[DataEntry]>),
    /// Reference to another value: `*name`.
    Alias(SmolStr),
}

#[derive(Clone, PartialEq, Debug)]
pub struct DataEntry {
    pub key: DataNode,
    pub value: DataNode,
}

/// Value that represents a Ruby symbol (`:name`), which YAML can express and Hiera rejects. No other data is
/// `default`.
pub const SYMBOL: Value = Value::Default;

/// Problem found in a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFinding {
    pub kind: DataFindingKind,
    pub range: TextRange,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFindingKind {
    /// Syntax error; Puppet fails to load the file.
    Syntax,
    /// Value of a kind that data cannot contain; Puppet fails to load the file.
    Value,
    /// Duplicate key in a mapping; the last one wins.
    DuplicateKey,
    /// Value that is a Ruby symbol; looking up its key fails.
    Symbol,
    /// Byte-order mark that makes Puppet fail to load the file.
    ByteOrderMark,
    /// Byte-order mark that makes Puppet ignore a part of the file, or read another key.
    IgnoredAfterMark,
}

impl DataFindingKind {
    /// Returns true if Puppet rejects the whole file.
    pub fn is_fatal(self) -> bool {
        matches!(self, DataFindingKind::Syntax | DataFindingKind::Value | DataFindingKind::ByteOrderMark)
    }
}

/// Returns false if a document in YAML has neither anchors nor aliases; both begin a value.
pub fn may_have_aliases(text: &str) -> bool {
    let begins_value = |at: usize| match text[..at].chars().next_back() {
        Some(before) => before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':'),
        None => true,
    };
    text.match_indices(['*', '&']).any(|(at, _)| begins_value(at))
}

/// Parses a data file.
pub fn read(format: DataFormat, text: &str) -> HieraData {
    let (root, mut findings) = match format {
        DataFormat::Yaml => yaml::read(text),
        DataFormat::Json => json::read(text),
        DataFormat::Hocon => crate::hocon::read(text),
    };
    findings = with_mark(format, text, findings);
    findings.sort_by_key(|finding| finding.range);
    let fatal = findings.iter().find(|finding| finding.kind.is_fatal());
    let failure = fatal.map(|it| LineMap::new(text).line_column(text, it.range.start, ColumnUnit::Utf32));
    HieraData { format, root, findings, failure }
}

/// Adds the finding about the byte-order mark of a JSON or HOCON file, which replaces the syntax error that
/// it causes.
fn with_mark(format: DataFormat, text: &str, findings: Vec<DataFinding>) -> Vec<DataFinding> {
    let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) else { return findings };
    let is_fatal = |finding: &DataFinding| finding.kind.is_fatal();
    match format {
        DataFormat::Yaml => findings,
        DataFormat::Json if json::read(rest).1.iter().any(is_fatal) => findings,
        DataFormat::Json => {
            let mut findings: Vec<_> = findings.into_iter().filter(|it| !is_fatal(it)).collect();
            findings.push(mark_finding(DataFindingKind::ByteOrderMark, "so Puppet cannot parse it"));
            findings
        }
        DataFormat::Hocon if findings.iter().any(is_fatal) => findings,
        DataFormat::Hocon => {
            let mut findings = findings;
            let effect = "which Puppet reads as a part of the first key";
            findings.push(mark_finding(DataFindingKind::IgnoredAfterMark, effect));
            findings
        }
    }
}

/// Byte-order mark. Ruby does not remove it from the files that Hiera reads.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Creates the finding about the byte-order mark at the beginning of a file.
pub(crate) fn mark_finding(kind: DataFindingKind, effect: &str) -> DataFinding {
    let range = TextRange::new(0, BYTE_ORDER_MARK.len_utf8() as u32);
    let message = format!(
        "file begins with a byte-order mark (EF BB BF), {effect}\nhelp: save the file without a byte-order mark"
    );
    DataFinding { kind, range, message }
}

/// Returns the contents of a file that is not valid UTF-8; `None` if its format allows other bytes in
/// strings, so that its contents are unknown.
pub fn not_utf8(format: DataFormat) -> Option<HieraData> {
    if format == DataFormat::Json {
        return None;
    }
    let range = TextRange::empty(0);
    let message = "data file is not valid UTF-8".to_owned();
    let findings = vec![DataFinding { kind: DataFindingKind::Syntax, range, message }];
    Some(HieraData { format, root: None, findings, failure: Some(LineColumn { line: 0, column: 0 }) })
}

impl HieraData {
    /// Returns the contents of the file as a hash, empty if the document is missing or is not a hash.
    ///
    /// # Errors
    /// Returns the first problem that makes Puppet reject the file.
    pub fn hash(&self) -> Result<&HashValue, &DataFinding> {
        static NOTHING: LazyLock<HashValue> = LazyLock::new(HashValue::default);
        if let Some(finding) = self.findings.iter().find(|finding| finding.kind.is_fatal()) {
            return Err(finding);
        }
        let value = self.root.as_ref().map(|root| &root.value);
        Ok(value.and_then(Value::as_hash).unwrap_or(&NOTHING))
    }

    /// Removes the nodes below the root, which hold positions, and are most of the memory; keeps the values.
    #[must_use]
    pub fn without_nodes(mut self) -> HieraData {
        if let Some(root) = &mut self.root {
            root.content = Content::Mapping(Box::default());
        }
        self
    }

    /// Returns true if the document is not a hash. Puppet warns about such a file and ignores it.
    pub fn is_not_hash(&self) -> bool {
        !self.root.as_ref().is_some_and(|root| matches!(root.value, Value::Hash(_)))
    }

    /// Returns the top-level entries of the document.
    pub fn entries(&self) -> &[DataEntry] {
        self.root.as_ref().map(DataNode::entries).unwrap_or_default()
    }

    /// Returns the top-level entry of `key`. If the key is duplicated, the last entry wins.
    pub fn entry(&self, key: &str) -> Option<&DataEntry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }
}

impl DataNode {
    /// Returns the entries of a mapping; empty for other nodes.
    pub fn entries(&self) -> &[DataEntry] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the elements of a sequence; empty for other nodes.
    pub fn elements(&self) -> &[DataNode] {
        match &self.content {
            Content::Sequence(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the entry of `key` in a mapping.
    pub fn entry(&self, key: &str) -> Option<&DataEntry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }

    /// Returns the node with aliases and merge keys (`<<`) expanded. Expanded nodes have the range of the
    /// alias.
    pub fn without_aliases(&self) -> DataNode {
        let content = match &self.content {
            Content::Alias(_) => return DataNode::of_value(&self.value, self.range),
            Content::Scalar { .. } => self.content.clone(),
            Content::Sequence(elements) => {
                Content::Sequence(elements.iter().map(DataNode::without_aliases).collect())
            }
            Content::Mapping(entries) => {
                let is_merge = |it: &&DataEntry| it.key.value.as_str() == Some("<<");
                let (merges, own): (Vec<_>, Vec<_>) = entries.iter().partition(is_merge);
                let mut whole: Vec<DataEntry> = Vec::new();
                if let (Some(merge), Some(value)) = (merges.first(), self.value.as_hash()) {
                    let is_own = |key: &Value| own.iter().any(|it| it.key.value.is_indistinguishable(key));
                    let merged = value.iter().filter(|(key, _)| !is_own(key));
                    whole.extend(merged.map(|(key, value)| DataEntry {
                        key: DataNode::of_value(key, merge.value.range),
                        value: DataNode::of_value(value, merge.value.range),
                    }));
                }
                whole.extend(own.iter().map(|entry| DataEntry {
                    key: entry.key.without_aliases(),
                    value: entry.value.without_aliases(),
                }));
                Content::Mapping(whole.into())
            }
        };
        DataNode { range: self.range, value: self.value.clone(), content }
    }

    /// Builds a node for a value as if it were written at `range`.
    fn of_value(value: &Value, range: TextRange) -> DataNode {
        let content = match value {
            Value::Array(elements) => {
                Content::Sequence(elements.iter().map(|it| DataNode::of_value(it, range)).collect())
            }
            Value::Hash(hash) => Content::Mapping(
                hash.iter()
                    .map(|(key, value)| DataEntry {
                        key: DataNode::of_value(key, range),
                        value: DataNode::of_value(value, range),
                    })
                    .collect(),
            ),
            value => Content::Scalar { text: value.as_str().unwrap_or_default().into(), quoted: true },
        };
        DataNode { range, value: value.clone(), content }
    }

    /// Calls `visit` with this node and all of its descendants, keys included.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a DataNode)) {
        visit(self);
        match &self.content {
            Content::Sequence(elements) => elements.iter().for_each(|element| element.walk(visit)),
            Content::Mapping(entries) => {
                for entry in entries {
                    entry.key.walk(visit);
                    entry.value.walk(visit);
                }
            }
            Content::Scalar { .. } | Content::Alias(_) => {}
        }
    }
}

/// Returns true if hiera-eyaml has encrypted the string, or a part of it.
pub fn is_encrypted(text: &str) -> bool {
    text.find("ENC[").is_some_and(|start| text[start..].contains(']'))
}

/// Returns the value that represents an encrypted string: an unknown string, because nothing is decrypted
/// here.
pub fn encrypted() -> Value {
    Value::unknown(Type::STRING, Origin::Ruby)
}

/// Builder for the value of a mapping; detects duplicate keys.
#[derive(Default)]
pub(crate) struct MappingBuilder {
    pub(crate) value: HashValue,
    seen: rustc_hash::FxHashSet<Value>,
}

impl MappingBuilder {
    /// Adds an entry. Returns a finding if the key is a duplicate.
    pub(crate) fn add(&mut self, key: &DataNode, value: Value) -> Option<DataFinding> {
        self.value.insert(key.value.clone(), value);
        if self.seen.insert(key.value.clone()) {
            return None;
        }
        let name = match &key.content {
            Content::Scalar { text, .. } => text.as_str(),
            _ => "?",
        };
        Some(DataFinding {
            kind: DataFindingKind::DuplicateKey,
            range: key.range,
            message: format!("duplicate key `{name}`; the last value wins"),
        })
    }
}
