//! Identity of definitions within a file, independent of their location.

use std::fmt;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast::{AstNode, Definition};
use syntax::{NodePointer, Parse, SyntaxKind, SyntaxNode, TextRange, TopNode};

/// Name in Puppet code. Short names are stored inline.
pub type Name = SmolStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefinitionKind {
    /// Code outside of all definitions; for a template, the whole template.
    Main,
    Class,
    DefinedType,
    Function,
    Plan,
    Node,
    TypeAlias,
    /// `type Runtime[...] = ...`
    TypeMapping,
    /// `type Name inherits Other { }`; reserved by the language.
    TypeDefinition,
}

impl DefinitionKind {
    /// Returns the keyword that begins such a definition; `None` for the main program.
    pub fn keyword(self) -> Option<&'static str> {
        Some(match self {
            DefinitionKind::Main => return None,
            DefinitionKind::Class => "class",
            DefinitionKind::DefinedType => "define",
            DefinitionKind::Function => "function",
            DefinitionKind::Plan => "plan",
            DefinitionKind::Node => "node",
            DefinitionKind::TypeAlias | DefinitionKind::TypeMapping | DefinitionKind::TypeDefinition => {
                "type"
            }
        })
    }
}

/// Identity of a definition within its file. Edits elsewhere in the file do not change it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionKey {
    pub kind: DefinitionKind,
    /// Qualified name as returned by [`fold_name`]; the hosts of a node; empty if there is none.
    pub name: Name,
    /// Number of preceding definitions of the same kind and name in the file.
    pub ordinal: u32,
}

/// Index from keys to positions in a list of definitions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyOrder(Box<[u32]>);

impl KeyOrder {
    /// Maximum length of a list that is searched linearly.
    const SHORT: usize = 16;

    /// Builds the index of a list with `length` definitions; `key` returns the key at a position.
    pub fn new<'k>(length: usize, key: impl Fn(usize) -> &'k DefinitionKey) -> KeyOrder {
        if length <= KeyOrder::SHORT {
            return KeyOrder::default();
        }
        let mut order: Vec<u32> = (0..length as u32).collect();
        order.sort_unstable_by(|a, b| key(*a as usize).cmp(key(*b as usize)));
        KeyOrder(order.into())
    }

    /// Returns the position of a key in the indexed list.
    pub fn position<'k>(
        &self,
        wanted: &DefinitionKey,
        length: usize,
        key: impl Fn(usize) -> &'k DefinitionKey,
    ) -> Option<usize> {
        if self.0.is_empty() {
            return (0..length).find(|at| key(*at) == wanted);
        }
        let found = self.0.binary_search_by(|at| key(*at as usize).cmp(wanted)).ok()?;
        Some(self.0[found] as usize)
    }
}

impl DefinitionKey {
    /// Returns the key of the main program of a file.
    pub fn main() -> DefinitionKey {
        DefinitionKey { kind: DefinitionKind::Main, name: Name::default(), ordinal: 0 }
    }
}

impl fmt::Debug for DefinitionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind, self.name)?;
        if self.ordinal > 0 { write!(f, " #{}", self.ordinal) } else { Ok(()) }
    }
}

/// Converts a name such as `apache::vhost` to a type name: capitalizes the first letter of each segment.
pub fn capitalized(name: &str) -> String {
    let mut written = String::with_capacity(name.len());
    for (index, part) in name.split("::").enumerate() {
        written.push_str(if index > 0 { "::" } else { "" });
        let mut letters = part.chars();
        written.extend(letters.next().map(|it| it.to_ascii_uppercase()));
        written.push_str(letters.as_str());
    }
    written
}

/// Normalizes a name for comparison, as Puppet does for classes, types, functions and plans: lowercase,
/// without a leading `::`.
pub fn fold_name(name: &str) -> Name {
    let name = name.strip_prefix("::").unwrap_or(name);
    if name.bytes().any(|b| b.is_ascii_uppercase()) { name.to_ascii_lowercase().into() } else { name.into() }
}

/// Source ranges of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DefinitionRanges {
    /// The whole definition.
    pub full: TextRange,
    /// The name without a leading `::`, or the hosts of a node; empty if there is none.
    pub name: TextRange,
}

/// Returns the ranges of the definitions of a tree, in the order of [`crate::ItemSummary::definitions`].
pub fn definition_ranges(parse: &Parse) -> Vec<DefinitionRanges> {
    let root = parse.syntax().text_range();
    let main = DefinitionRanges { full: root, name: TextRange::empty(root.start) };
    let definitions = FileDefinitions::new(parse);
    let ranges = definitions.entries.iter().map(|entry| {
        let full = entry.node.syntax().text_range();
        let name = match &entry.node {
            Definition::NodeDefinition(node) => node.hosts().map(|it| it.syntax().text_range()),
            node => node.name().and_then(|it| it.token()).map(|token| {
                let lead = if token.text().starts_with("::") { 2 } else { 0 };
                TextRange::new(token.text_range().start + lead, token.text_range().end)
            }),
        };
        DefinitionRanges { full, name: name.unwrap_or(TextRange::empty(full.start)) }
    });
    std::iter::once(main).chain(ranges).collect()
}

/// Returns the keys of the top-level definitions of a file; empty if a definition may be inside broken code.
/// Keys of nodes shared with an older tree are reused from the `last` result.
pub fn top_definitions(parse: &Parse, last: Option<(&Parse, &[DefinitionKey])>) -> Vec<DefinitionKey> {
    if parse.top_nodes().any(|it| matches!(it.kind(), SyntaxKind::BLOCK | SyntaxKind::ERROR)) {
        return Vec::new();
    }
    let definitions = |parse| -> Vec<TopNode<'_>> {
        Parse::top_nodes(parse).filter(|it| Definition::can_cast(it.kind())).collect()
    };
    let nodes = definitions(parse);
    let older = last.map(|(parse, keys)| (definitions(parse), keys));
    let (older, known) = older.filter(|(nodes, keys)| nodes.len() == keys.len()).unwrap_or_default();
    let front = nodes.iter().zip(&older).take_while(|(new, old)| new.is_shared_with(**old)).count();
    let following = nodes[front..].iter().rev().zip(older[front..].iter().rev());
    let back = following.take_while(|(new, old)| new.is_shared_with(**old)).count();
    let name = |node: &TopNode<'_>| {
        let definition = node.view().and_then(Definition::cast)?;
        Some((kind_of(&definition), folded_name(kind_of(&definition), &written_name(&definition))))
    };
    let of_known = |key: &DefinitionKey| Some((key.kind, key.name.clone()));
    let read = nodes[front..nodes.len() - back].iter().map(name);
    let names = known[..front].iter().map(of_known).chain(read);
    let names = names.chain(known[known.len() - back..].iter().map(of_known));
    let mut ordinals = FxHashMap::default();
    names.flatten().map(|(kind, name)| numbered(kind, name, &mut ordinals)).collect()
}

/// Returns the key of the next definition of this kind and name.
fn numbered(
    kind: DefinitionKind,
    name: Name,
    ordinals: &mut FxHashMap<(DefinitionKind, Name), u32>,
) -> DefinitionKey {
    let next = ordinals.entry((kind, name.clone())).or_insert(0);
    let key = DefinitionKey { kind, name, ordinal: *next };
    *next += 1;
    key
}

/// Returns the name of a definition as written; the hosts for a node.
fn written_name(node: &Definition) -> String {
    match node {
        Definition::NodeDefinition(node) => {
            let hosts = node.hosts().map(|hosts| hosts.syntax().text().to_owned()).unwrap_or_default();
            hosts.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => {
            let name = node.name().map(|name| name.text()).unwrap_or_default();
            name.strip_prefix("::").map(str::to_owned).unwrap_or(name)
        }
    }
}

fn folded_name(kind: DefinitionKind, name: &str) -> Name {
    if kind == DefinitionKind::Node { Name::new(name) } else { fold_name(name) }
}

/// Definitions of one tree, in source order.
pub(crate) struct FileDefinitions {
    pub(crate) entries: Vec<FileDefinition>,
    by_pointer: FxHashMap<NodePointer, usize>,
    /// True if nested definitions are included.
    finds_inner: bool,
}

pub(crate) struct FileDefinition {
    pub(crate) key: DefinitionKey,
    /// Name as written, qualified with the names of the enclosing classes.
    pub(crate) name: Name,
    pub(crate) node: Definition,
    /// Index of the enclosing definition in the list.
    pub(crate) parent: Option<usize>,
}

impl FileDefinitions {
    /// Finds the definitions at the top level of the file and, recursively, at the top level of the bodies of
    /// definitions. The language allows none elsewhere.
    pub(crate) fn new(parse: &Parse) -> FileDefinitions {
        FileDefinitions::find(parse, true)
    }

    /// Finds only the top-level definitions of the file.
    pub(crate) fn outermost(parse: &Parse) -> FileDefinitions {
        FileDefinitions::find(parse, false)
    }

    fn find(parse: &Parse, finds_inner: bool) -> FileDefinitions {
        let mut found =
            FileDefinitions { entries: Vec::new(), by_pointer: FxHashMap::default(), finds_inner };
        let mut ordinals = FxHashMap::default();
        found.collect(&parse.syntax(), None, "", &mut ordinals);
        found
    }

    /// Returns the key of the definition at `node`.
    pub(crate) fn key(&self, node: &SyntaxNode) -> Option<&DefinitionKey> {
        self.by_pointer.get(&NodePointer::new(node)).map(|index| &self.entries[*index].key)
    }

    /// Returns the definition at `node` and its index in the list.
    pub(crate) fn entry(&self, node: &SyntaxNode) -> Option<(usize, &FileDefinition)> {
        let index = *self.by_pointer.get(&NodePointer::new(node))?;
        Some((index, &self.entries[index]))
    }

    fn collect(
        &mut self,
        node: &SyntaxNode,
        parent: Option<usize>,
        namespace: &str,
        ordinals: &mut FxHashMap<(DefinitionKind, Name), u32>,
    ) {
        for child in node.children() {
            match child.kind() {
                SyntaxKind::BLOCK | SyntaxKind::ERROR => self.collect(&child, parent, namespace, ordinals),
                _ => {
                    let Some(definition) = Definition::cast(child) else { continue };
                    self.add(definition, parent, namespace, ordinals);
                }
            }
        }
    }

    fn add(
        &mut self,
        node: Definition,
        parent: Option<usize>,
        namespace: &str,
        ordinals: &mut FxHashMap<(DefinitionKind, Name), u32>,
    ) {
        let kind = kind_of(&node);
        let own_name = written_name(&node);
        let is_prefixed =
            matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType | DefinitionKind::Plan);
        let name =
            if is_prefixed && !namespace.is_empty() { format!("{namespace}::{own_name}") } else { own_name };
        let key = numbered(kind, folded_name(kind, &name), ordinals);
        let index = self.entries.len();
        let syntax = node.syntax().clone();
        self.by_pointer.insert(NodePointer::new(&syntax), index);
        self.entries.push(FileDefinition { key, name: Name::new(&name), node, parent });
        if !self.finds_inner {
            return;
        }
        let opens_namespace = matches!(kind, DefinitionKind::Class | DefinitionKind::Plan);
        let inner = if opens_namespace { name.as_str() } else { namespace };
        self.collect(&syntax, Some(index), inner, ordinals);
    }
}

fn kind_of(node: &Definition) -> DefinitionKind {
    match node {
        Definition::ClassDefinition(_) => DefinitionKind::Class,
        Definition::DefinedType(_) => DefinitionKind::DefinedType,
        Definition::FunctionDefinition(_) => DefinitionKind::Function,
        Definition::PlanDefinition(_) => DefinitionKind::Plan,
        Definition::NodeDefinition(_) => DefinitionKind::Node,
        Definition::TypeAlias(_) => DefinitionKind::TypeAlias,
        Definition::TypeMapping(_) => DefinitionKind::TypeMapping,
        Definition::TypeDefinition(_) => DefinitionKind::TypeDefinition,
    }
}
