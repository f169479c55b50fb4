//! Facts that tests of rspec-puppet set and read.

use ruby_prism::{Location, Node, Visit};
use smol_str::SmolStr;
use syntax::TextRange;

use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Methods that return a hash with other values for some keys.
const MERGES: [&[u8]; 5] = [b"merge", b"merge!", b"deep_merge", b"reverse_merge", b"update"];

/// Facts in a Ruby file of tests, and stubs of methods that Ruby 3.2 removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestFacts {
    pub hashes: Vec<FactHash>,
    /// Reads such as `facts[:osfamily]` and calls of `add_custom_fact`, in source order.
    pub reads: Vec<FactRead>,
    /// Names of methods in `allow(File).to receive(:exists?)`, in source order.
    pub stubs: Vec<TextRange>,
}

/// Hash literal with facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactHash {
    pub entries: Vec<FactEntry>,
    /// True for all facts of a node; false for those that are merged into others.
    pub is_whole: bool,
}

/// Entry of a [`FactHash`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactEntry {
    pub name: SmolStr,
    pub key: TextRange,
    pub value: TextRange,
    /// True for `name: value`.
    pub has_colon: bool,
    /// Entries of a nested hash literal.
    pub nested: Option<Vec<FactEntry>>,
}

/// Use of a fact by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactRead {
    pub name: SmolStr,
    /// Range of the name, as a symbol or string.
    pub name_range: TextRange,
    /// Range of the index in `facts[:osfamily]`, with brackets; `None` for other uses.
    pub index: Option<TextRange>,
}

/// Finds the facts in a Ruby file. A file that is too large or malformed has none.
pub fn test_facts(text: &str) -> TestFacts {
    if text.len() > LENGTH_LIMIT || is_hostile(text) {
        return TestFacts::default();
    }
    let found = on_stack_for(text.len(), || {
        let parsed = ruby_prism::parse(text.as_bytes());
        let mut walk = FactsWalk::default();
        if parsed.errors().next().is_none() {
            walk.visit(&parsed.node());
        }
        walk.found
    });
    found.unwrap_or_default()
}

#[derive(Default)]
struct FactsWalk {
    found: TestFacts,
}

impl FactsWalk {
    /// Records the hash literals in an expression whose value is a hash of facts.
    fn record_facts(&mut self, node: &Node<'_>, is_whole: bool) {
        if let Some(entries) = entries(node) {
            self.found.hashes.push(FactHash { entries, is_whole });
        } else if let Some(statements) = node.as_statements_node() {
            statements.body().iter().last().iter().for_each(|it| self.record_facts(it, is_whole));
        } else if let Some(body) = node.as_parentheses_node().and_then(|it| it.body()) {
            self.record_facts(&body, is_whole);
        } else if let Some(call) = node.as_call_node().filter(|it| is_merge(it)) {
            // A receiver with another name is recorded by the call itself.
            call.receiver().iter().for_each(|it| self.record_facts(it, is_whole));
            if !call.receiver().is_some_and(|it| names_facts(&it)) {
                self.record_arguments(&call, false);
            }
        }
    }

    fn record_arguments(&mut self, call: &ruby_prism::CallNode<'_>, is_whole: bool) {
        arguments(call).for_each(|it| self.record_facts(&it, is_whole));
    }

    fn record_call(&mut self, node: &ruby_prism::CallNode<'_>) {
        match node.name().as_slice() {
            b"let" | b"let!" => {
                let is_facts =
                    arguments(node).next().and_then(|it| literal(&it)).is_some_and(|it| is_facts_name(&it));
                let block = node.block().filter(|_| is_facts).and_then(|it| it.as_block_node());
                block.and_then(|it| it.body()).iter().for_each(|it| self.record_facts(it, true));
            }
            b"default_facts=" => self.record_arguments(node, true),
            b"add_custom_fact" => {
                let Some(argument) = arguments(node).next() else { return };
                self.record_read(&argument, None);
            }
            b"[]" | b"dig" | b"fetch" if node.receiver().is_some_and(|it| names_facts(&it)) => {
                let Some(argument) = arguments(node).next() else { return };
                let brackets =
                    node.opening_loc().zip(node.closing_loc()).filter(|(it, _)| it.as_slice() == b"[");
                self.record_read(
                    &argument,
                    brackets.map(|(start, end)| TextRange::new(range(&start).start, range(&end).end)),
                );
            }
            _ if is_merge(node) && node.receiver().is_some_and(|it| names_facts(&it)) => {
                self.record_arguments(node, false);
            }
            _ => self.record_stub(node),
        }
    }

    fn record_read(&mut self, argument: &Node<'_>, index: Option<TextRange>) {
        let Some(name) = literal(argument) else { return };
        self.found.reads.push(FactRead { name, name_range: range(&argument.location()), index });
    }

    /// Records the method of `allow(File).to receive(:exists?)` and of `File.stubs(:exists?)`.
    fn record_stub(&mut self, node: &ruby_prism::CallNode<'_>) {
        let Some(receiver) = node.receiver() else { return };
        let method = match node.name().as_slice() {
            b"to" | b"not_to" | b"to_not" if receiver.as_call_node().is_some_and(|it| stubs_files(&it)) => {
                let Some(mut stub) = arguments(node).next() else { return };
                while let Some(inner) = stub.as_call_node().and_then(|it| it.receiver()) {
                    stub = inner;
                }
                let stub = stub.as_call_node().filter(|it| it.name().as_slice() == b"receive");
                stub.and_then(|it| arguments(&it).next())
            }
            b"stubs" | b"expects" if is_file_class(&receiver) => arguments(node).next(),
            _ => None,
        };
        if let Some(method) = method.filter(|it| literal(it).is_some_and(|it| it == "exists?")) {
            self.found.stubs.push(range(&method.location()));
        }
    }

    fn record_assignment(&mut self, name: &[u8], value: &Node<'_>) {
        if is_facts_name(&String::from_utf8_lossy(name)) {
            self.record_facts(value, true);
        }
    }
}

fn range(location: &Location<'_>) -> TextRange {
    TextRange::new(location.start(), location.end())
}

fn arguments<'pr>(call: &ruby_prism::CallNode<'pr>) -> impl Iterator<Item = Node<'pr>> {
    call.arguments().into_iter().flat_map(|it| it.arguments().iter().collect::<Vec<_>>())
}

/// Returns the name of a symbol or string.
fn literal(node: &Node<'_>) -> Option<SmolStr> {
    let symbol = node.as_symbol_node().map(|it| String::from_utf8_lossy(it.unescaped()).into_owned());
    let string = || node.as_string_node().map(|it| String::from_utf8_lossy(it.unescaped()).into_owned());
    symbol.or_else(string).map(SmolStr::from)
}

fn is_facts_name(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with("facts")
}

/// Returns true for a variable, constant, or method whose name ends with `facts`.
fn names_facts(node: &Node<'_>) -> bool {
    let call = || node.as_call_node().filter(|it| arguments(it).next().is_none()).map(|it| it.name());
    let variable = || node.as_local_variable_read_node().map(|it| it.name());
    let instance = || node.as_instance_variable_read_node().map(|it| it.name());
    let constant = || node.as_constant_read_node().map(|it| it.name());
    let name = call().or_else(variable).or_else(instance).or_else(constant);
    name.is_some_and(|it| is_facts_name(&String::from_utf8_lossy(it.as_slice())))
}

fn is_merge(node: &ruby_prism::CallNode<'_>) -> bool {
    MERGES.contains(&node.name().as_slice())
}

/// Returns true for `allow(File)` and `expect(File)`.
fn stubs_files(node: &ruby_prism::CallNode<'_>) -> bool {
    matches!(node.name().as_slice(), b"allow" | b"expect")
        && arguments(node).next().is_some_and(|it| is_file_class(&it))
}

fn is_file_class(node: &Node<'_>) -> bool {
    let name = node.as_constant_read_node().map(|it| it.name());
    name.is_some_and(|it| matches!(it.as_slice(), b"File" | b"Dir" | b"FileTest"))
}

/// Returns the entries of a hash literal; `None` for other nodes, and if its keys are not all known.
fn entries(node: &Node<'_>) -> Option<Vec<FactEntry>> {
    let elements: Vec<_> = match (node.as_hash_node(), node.as_keyword_hash_node()) {
        (Some(hash), _) => hash.elements().iter().collect(),
        (None, Some(hash)) => hash.elements().iter().collect(),
        (None, None) => return None,
    };
    let entry = |element: &Node<'_>| {
        let pair = element.as_assoc_node()?;
        Some(FactEntry {
            name: literal(&pair.key())?,
            key: range(&pair.key().location()),
            value: range(&pair.value().location()),
            has_colon: pair.operator_loc().is_none(),
            nested: entries(&pair.value()),
        })
    };
    elements.iter().map(entry).collect()
}

impl<'pr> Visit<'pr> for FactsWalk {
    fn visit_call_node(&mut self, node: &ruby_prism::CallNode<'pr>) {
        self.record_call(node);
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_assoc_node(&mut self, node: &ruby_prism::AssocNode<'pr>) {
        if literal(&node.key()).is_some_and(|it| is_facts_name(&it)) {
            self.record_facts(&node.value(), true);
        }
        ruby_prism::visit_assoc_node(self, node);
    }

    fn visit_local_variable_write_node(&mut self, node: &ruby_prism::LocalVariableWriteNode<'pr>) {
        self.record_assignment(node.name().as_slice(), &node.value());
        ruby_prism::visit_local_variable_write_node(self, node);
    }

    fn visit_instance_variable_write_node(&mut self, node: &ruby_prism::InstanceVariableWriteNode<'pr>) {
        self.record_assignment(node.name().as_slice(), &node.value());
        ruby_prism::visit_instance_variable_write_node(self, node);
    }

    fn visit_constant_write_node(&mut self, node: &ruby_prism::ConstantWriteNode<'pr>) {
        self.record_assignment(node.name().as_slice(), &node.value());
        ruby_prism::visit_constant_write_node(self, node);
    }
}

/// Returns the edits that replace the legacy facts of a structured fact by that fact; `None` if the hash has
/// it already. `path_of` returns the keys of the value that replaces a legacy fact.
pub fn structured_edits(
    text: &str,
    entries: &[FactEntry],
    root: &str,
    path_of: &dyn Fn(&str) -> Option<Vec<String>>,
) -> Option<Vec<(TextRange, SmolStr)>> {
    let source = |range: TextRange| text.get(range.start as usize..range.end as usize).unwrap_or_default();
    if entries.iter().any(|it| it.name == root) {
        return None;
    }
    let mut tree = FactTree::default();
    let mut edits = Vec::new();
    let mut first: Option<&FactEntry> = None;
    for (at, entry) in entries.iter().enumerate() {
        let Some(path) = path_of(&entry.name).filter(|it| it[0] == root) else { continue };
        tree.insert(&path[1..], source(entry.value))?;
        if first.is_some() {
            let removed = TextRange::new(entries[at - 1].value.end, entry.value.end);
            if source(removed).contains('#') {
                return None;
            }
            edits.push((removed, SmolStr::default()));
        }
        first = first.or(Some(entry));
    }
    let first = first?;
    let key = source(first.key).replace(first.name.as_str(), root);
    let arrow = if first.has_colon { "" } else { " =>" };
    let text = format!("{key}{arrow} {}", tree.text()?);
    edits.insert(0, (TextRange::new(first.key.start, first.value.end), text.into()));
    Some(edits)
}

/// Maximum length in bytes of a value that advice repeats.
const MAX_SHOWN_VALUE: usize = 40;

/// Returns the nested hash with a value at a path: `os => { 'family' => 'Debian' }`.
pub fn nested_hash(path: &[String], value: &str) -> String {
    let value = if value.len() > MAX_SHOWN_VALUE || value.contains('\n') { "..." } else { value };
    let inner =
        path[1..].iter().rev().fold(value.to_owned(), |value, key| format!("{{ '{key}' => {value} }}"));
    format!("{} => {inner}", path[0])
}

/// Nested hash of values in source form.
#[derive(Default)]
struct FactTree {
    value: Option<String>,
    children: Vec<(String, FactTree)>,
}

impl FactTree {
    /// Adds a value; `None` if there is another one at the path.
    fn insert(&mut self, path: &[String], value: &str) -> Option<()> {
        let Some((key, rest)) = path.split_first() else {
            let is_free = self.children.is_empty() && self.value.as_deref().is_none_or(|it| it == value);
            self.value = Some(value.to_owned());
            return is_free.then_some(());
        };
        if self.value.is_some() {
            return None;
        }
        let at = self.children.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
            self.children.push((key.clone(), FactTree::default()));
            self.children.len() - 1
        });
        self.children[at].1.insert(rest, value)
    }

    fn text(&self) -> Option<String> {
        if let Some(value) = &self.value {
            return Some(value.clone());
        }
        let child = |(key, tree): &(String, FactTree)| Some(format!("'{key}' => {}", tree.text()?));
        let children: Vec<String> = self.children.iter().map(child).collect::<Option<_>>()?;
        (!children.is_empty()).then(|| format!("{{ {} }}", children.join(", ")))
    }
}

#[cfg(test)]
#[path = "test_facts_tests.rs"]
mod tests;
