//! A data file: its tree with positions, and what it is worth.

use std::sync::LazyLock;

use smol_str::SmolStr;
use syntax::{ColumnUnit, LineColumn, LineMap, TextRange};
use types::{HashValue, Indistinguishable, Origin, Type, Value};

use crate::{json, yaml};

/// The notation of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    Yaml,
    Json,
    Hocon,
}

impl DataFormat {
    /// The notation that a file's name suggests: YAML for `.yaml`, `.yml` and `.eyaml`.
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

/// What a text holds.
#[derive(Clone, PartialEq, Debug)]
pub struct HieraData {
    pub format: DataFormat,
    /// The first document; `None` for a text without one.
    pub root: Option<DataNode>,
    /// In the order of the text.
    pub findings: Vec<DataFinding>,
    /// Where the first problem stands for which Puppet refuses the file; columns are characters.
    pub failure: Option<LineColumn>,
}

/// A key, a value, or the whole document.
#[derive(Clone, Debug)]
pub struct DataNode {
    /// Without anchor and tag.
    pub range: TextRange,
    /// What it is worth; unknown where that cannot be told. [`SYMBOL`] stands for Ruby's symbols.
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
    /// A scalar; the text is what is written, without quotes and escapes resolved.
    Scalar {
        text: SmolStr,
        quoted: bool,
    },
    Sequence(Box<[DataNode]>),
    Mapping(Box<[DataEntry]>),
    /// A value that stands elsewhere: `*name`.
    Alias(SmolStr),
}

#[derive(Clone, PartialEq, Debug)]
pub struct DataEntry {
    pub key: DataNode,
    pub value: DataNode,
}

/// What stands for a Ruby symbol (`:name`), which YAML can say and Hiera refuses. Nothing else in data is `default`.
pub const SYMBOL: Value = Value::Default;

/// Something wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFinding {
    pub kind: DataFindingKind,
    pub range: TextRange,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFindingKind {
    /// The text cannot be read; Puppet fails to load it.
    Syntax,
    /// A value of a kind that data cannot have; Puppet fails to load the file.
    Value,
    /// A key that stands twice in one mapping; the last one wins.
    DuplicateKey,
    /// A value that is a Ruby symbol; looking up its key fails.
    Symbol,
}

impl DataFindingKind {
    /// Does Puppet refuse the whole file?
    pub fn is_fatal(self) -> bool {
        matches!(self, DataFindingKind::Syntax | DataFindingKind::Value)
    }
}

/// Reads a text.
pub fn read(format: DataFormat, text: &str) -> HieraData {
    let (root, mut findings) = match format {
        DataFormat::Yaml => yaml::read(text),
        DataFormat::Json => json::read(text),
        DataFormat::Hocon => crate::hocon::read(text),
    };
    findings.sort_by_key(|finding| finding.range);
    let fatal = findings.iter().find(|finding| finding.kind.is_fatal());
    let failure = fatal.map(|it| LineMap::new(text).line_column(text, it.range.start, ColumnUnit::Utf32));
    HieraData { format, root, findings, failure }
}

impl HieraData {
    /// What the file is worth to Hiera: a hash. Empty for a file that holds nothing or something else than a hash.
    ///
    /// # Errors
    /// The first problem for which Puppet refuses the file.
    pub fn hash(&self) -> Result<&HashValue, &DataFinding> {
        static NOTHING: LazyLock<HashValue> = LazyLock::new(HashValue::default);
        if let Some(finding) = self.findings.iter().find(|finding| finding.kind.is_fatal()) {
            return Err(finding);
        }
        let value = self.root.as_ref().map(|root| &root.value);
        Ok(value.and_then(Value::as_hash).unwrap_or(&NOTHING))
    }

    /// Is the document something else than a hash? Puppet warns about such a file and ignores it.
    pub fn is_no_hash(&self) -> bool {
        !self.root.as_ref().is_some_and(|root| matches!(root.value, Value::Hash(_)))
    }

    /// The entries of the document.
    pub fn entries(&self) -> &[DataEntry] {
        self.root.as_ref().map(DataNode::entries).unwrap_or_default()
    }

    /// The entry of a key of the document; the last one, which wins.
    pub fn entry(&self, key: &str) -> Option<&DataEntry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }
}

impl DataNode {
    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[DataEntry] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a sequence; none for anything else.
    pub fn elements(&self) -> &[DataNode] {
        match &self.content {
            Content::Sequence(elements) => elements,
            _ => &[],
        }
    }

    /// The entry of a key of a mapping.
    pub fn entry(&self, key: &str) -> Option<&DataEntry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }

    /// The same with what aliases and merge keys (`<<`) stand for in their place, where the alias stands.
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

    /// A value as if it were written at a place.
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

    /// Calls `visit` with this node and all that are in it, keys too.
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

/// Is a text encrypted, as a whole or in part, by hiera-eyaml?
pub fn is_encrypted(text: &str) -> bool {
    text.find("ENC[").is_some_and(|start| text[start..].contains(']'))
}

/// What stands for an encrypted text: some text, which nobody decrypts here.
pub fn encrypted() -> Value {
    Value::unknown(Type::STRING, Origin::Ruby)
}

/// Puts together the value of a mapping and finds keys that stand twice.
#[derive(Default)]
pub(crate) struct MappingBuilder {
    pub(crate) value: HashValue,
    seen: rustc_hash::FxHashSet<Value>,
}

impl MappingBuilder {
    /// Adds an entry; a problem if the key is there already.
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
            message: format!("the key '{name}' stands twice; the last one wins"),
        })
    }
}
