//! A data file: its tree with positions, and what it is worth.

use std::sync::LazyLock;

use smol_str::SmolStr;
use syntax::TextRange;
use types::{HashValue, Origin, Type, Value};

use crate::{json, yaml};

/// The notation of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    Yaml,
    Json,
    Hocon,
}

impl Format {
    /// The notation that a file's name suggests: YAML for `.yaml`, `.yml` and `.eyaml`.
    pub fn of_path(path: &str) -> Option<Format> {
        let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
        match extension {
            "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
            "json" => Some(Format::Json),
            "conf" => Some(Format::Hocon),
            _ => None,
        }
    }
}

/// What a text holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Data {
    pub format: Format,
    /// The first document; `None` for a text without one.
    pub root: Option<Node>,
    /// In the order of the text.
    pub problems: Vec<Problem>,
}

/// A key, a value, or the whole document.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Without anchor and tag.
    pub range: TextRange,
    /// What it is worth; unknown where that cannot be told. [`SYMBOL`] stands for Ruby's symbols.
    pub value: Value,
    pub content: Content,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// A scalar; the text is what is written, without quotes and escapes resolved.
    Scalar {
        text: SmolStr,
        quoted: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>),
    /// A value that stands elsewhere: `*name`.
    Alias(SmolStr),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub key: Node,
    pub value: Node,
}

/// What stands for a Ruby symbol (`:name`), which YAML can say and Hiera refuses. Nothing else in data is `default`.
pub const SYMBOL: Value = Value::Default;

/// Something wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub kind: ProblemKind,
    pub range: TextRange,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemKind {
    /// The text cannot be read; Puppet fails to load it.
    Syntax,
    /// A value of a kind that data cannot have; Puppet fails to load the file.
    Value,
    /// A key that stands twice in one mapping; the last one wins.
    DuplicateKey,
    /// A value that is a Ruby symbol; looking up its key fails.
    Symbol,
}

impl ProblemKind {
    /// Does Puppet refuse the whole file?
    pub fn is_fatal(self) -> bool {
        matches!(self, ProblemKind::Syntax | ProblemKind::Value)
    }
}

/// Reads a text.
pub fn read(format: Format, text: &str) -> Data {
    let (root, mut problems) = match format {
        Format::Yaml => yaml::read(text),
        Format::Json => json::read(text),
        Format::Hocon => crate::hocon::read(text),
    };
    problems.sort_by_key(|problem| problem.range);
    Data { format, root, problems }
}

impl Data {
    /// What the file is worth to Hiera: a hash. Empty for a file that holds nothing or something else than a hash.
    ///
    /// # Errors
    /// The first problem for which Puppet refuses the file.
    pub fn hash(&self) -> Result<&HashValue, &Problem> {
        static NOTHING: LazyLock<HashValue> = LazyLock::new(HashValue::default);
        if let Some(problem) = self.problems.iter().find(|problem| problem.kind.is_fatal()) {
            return Err(problem);
        }
        let value = self.root.as_ref().map(|root| &root.value);
        Ok(value.and_then(Value::as_hash).unwrap_or(&NOTHING))
    }

    /// Is the document something else than a hash? Puppet warns about such a file and ignores it.
    pub fn is_no_hash(&self) -> bool {
        !self.root.as_ref().is_some_and(|root| matches!(root.value, Value::Hash(_)))
    }

    /// The entries of the document.
    pub fn entries(&self) -> &[Entry] {
        self.root.as_ref().map(Node::entries).unwrap_or_default()
    }

    /// The entry of a key of the document; the last one, which wins.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }
}

impl Node {
    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a sequence; none for anything else.
    pub fn elements(&self) -> &[Node] {
        match &self.content {
            Content::Sequence(elements) => elements,
            _ => &[],
        }
    }

    /// The entry of a key of a mapping.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| entry.key.value.as_str() == Some(key))
    }

    /// Calls `visit` with this node and all that are in it, keys too.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
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
    pub(crate) fn add(&mut self, key: &Node, value: Value) -> Option<Problem> {
        self.value.insert(key.value.clone(), value);
        if self.seen.insert(key.value.clone()) {
            return None;
        }
        let name = match &key.content {
            Content::Scalar { text, .. } => text.as_str(),
            _ => "?",
        };
        Some(Problem {
            kind: ProblemKind::DuplicateKey,
            range: key.range,
            message: format!("the key '{name}' stands twice; the last one wins"),
        })
    }
}
