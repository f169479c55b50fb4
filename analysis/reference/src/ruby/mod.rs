//! Definitions in Ruby code.

mod comments;
mod functions;
mod literals;
mod resource_api;
mod types;

use ruby_prism::{CallNode, Location, Node, StatementsNode};

use self::comments::Comments;
use crate::{DocumentedPlace, ModuleFile, ModuleReference};

/// Maximum number of nested modules, classes, and conditions.
const MAX_NESTING: usize = 64;

pub(crate) fn read(file: ModuleFile<'_>, reference: &mut ModuleReference) {
    let parsed = ruby_prism::parse(file.text.as_bytes());
    if let Some(error) = parsed.errors().next() {
        let line = line_at(file.text, error.location().start() as usize);
        reference.omitted.push(format!("{}:{line}: definitions of a file with a syntax error", file.path));
        return;
    }
    let comments = Comments::new(file.text, parsed.comments());
    let ruby = RubySource { file, comments };
    if let Some(program) = parsed.node().as_program_node() {
        walk(&ruby, &program.statements(), reference, 0);
    }
}

/// Text of a file with its comments.
struct RubySource<'t> {
    file: ModuleFile<'t>,
    comments: Comments,
}

impl<'t> RubySource<'t> {
    fn text(&self, location: &Location<'_>) -> &'t str {
        self.file.text.get(location.start() as usize..location.end() as usize).unwrap_or_default()
    }

    fn node_text(&self, node: &Node<'_>) -> &'t str {
        self.text(&node.location())
    }

    fn place(&self, call: &CallNode<'_>) -> DocumentedPlace {
        let line = line_at(self.file.text, call.location().start() as usize);
        DocumentedPlace { file: self.file.path.to_owned(), line }
    }

    /// Returns the comment that belongs to a statement.
    fn comment(&self, location: &Location<'_>) -> &str {
        self.comments.of_statement(line_at(self.file.text, location.start() as usize))
    }
}

/// Returns the line of an offset, from 1.
fn line_at(text: &str, offset: usize) -> u32 {
    let before = &text.as_bytes()[..offset.min(text.len())];
    before.iter().filter(|it| **it == b'\n').count() as u32 + 1
}

/// Documents the calls among statements, also inside of modules, classes, and conditions.
fn walk(
    ruby: &RubySource<'_>,
    statements: &StatementsNode<'_>,
    reference: &mut ModuleReference,
    nesting: usize,
) {
    if nesting > MAX_NESTING {
        return;
    }
    for node in &statements.body() {
        if let Some(call) = node.as_call_node() {
            document(ruby, &call, reference);
        }
        for inner in inner_statements(&node) {
            walk(ruby, &inner, reference, nesting + 1);
        }
    }
}

fn inner_statements<'pr>(node: &Node<'pr>) -> Vec<StatementsNode<'pr>> {
    let of_body = |body: Option<Node<'pr>>| body.and_then(|it| it.as_statements_node()).into_iter().collect();
    if let Some(module) = node.as_module_node() {
        return of_body(module.body());
    }
    if let Some(class) = node.as_class_node() {
        return of_body(class.body());
    }
    if let Some(condition) = node.as_if_node() {
        let mut inner: Vec<StatementsNode<'pr>> = condition.statements().into_iter().collect();
        let otherwise = condition.subsequent();
        inner.extend(otherwise.as_ref().and_then(Node::as_else_node).and_then(|it| it.statements()));
        if let Some(otherwise) = otherwise.filter(|it| it.as_if_node().is_some()) {
            inner.extend(inner_statements(&otherwise));
        }
        return inner;
    }
    if let Some(condition) = node.as_unless_node() {
        let mut inner: Vec<StatementsNode<'pr>> = condition.statements().into_iter().collect();
        inner.extend(condition.else_clause().and_then(|it| it.statements()));
        return inner;
    }
    Vec::new()
}

fn document(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let receiver = call.receiver().map(|it| ruby.node_text(&it));
    match (call.name().as_slice(), receiver) {
        (b"create_function", Some("Puppet::Functions")) => functions::read_v4(ruby, call, reference),
        (b"newfunction", Some("Puppet::Parser::Functions") | None) => {
            functions::read_v3(ruby, call, reference);
        }
        (b"newtype", Some("Puppet::Type" | "Type")) => types::read(ruby, call, reference),
        (b"newparam" | b"newproperty" | b"ensurable", Some(_)) => types::read_addition(ruby, call, reference),
        (b"provide", Some(_)) => types::read_provider(ruby, call, reference),
        (b"register_type", Some("Puppet::ResourceApi")) => resource_api::read(ruby, call, reference),
        (b"create_type", Some("Puppet::DataTypes" | "DataTypes")) => {
            let line = ruby.place(call).line;
            reference.omitted.push(format!("{}:{line}: data type that is written in Ruby", ruby.file.path));
        }
        _ => {}
    }
}

/// Returns the arguments of a call, without a block.
fn arguments<'pr>(call: &CallNode<'pr>) -> Vec<Node<'pr>> {
    call.arguments().map(|it| it.arguments().iter().collect()).unwrap_or_default()
}

/// Returns the calls among the statements of a call's block.
fn calls_in_block<'pr>(call: &CallNode<'pr>) -> Vec<CallNode<'pr>> {
    statements_of_block(call).iter().filter_map(Node::as_call_node).collect()
}

fn statements_of_block<'pr>(call: &CallNode<'pr>) -> Vec<Node<'pr>> {
    let body = call.block().and_then(|it| it.as_block_node()).and_then(|it| it.body());
    let statements = body.and_then(|it| it.as_statements_node());
    statements.map(|it| it.body().iter().collect()).unwrap_or_default()
}

/// Returns the pairs of an argument that is a hash, with or without braces.
fn pairs<'pr>(argument: &Node<'pr>) -> Vec<(Node<'pr>, Node<'pr>)> {
    let elements = match (argument.as_keyword_hash_node(), argument.as_hash_node()) {
        (Some(hash), _) => hash.elements(),
        (_, Some(hash)) => hash.elements(),
        _ => return Vec::new(),
    };
    elements.iter().filter_map(|it| it.as_assoc_node()).map(|it| (it.key(), it.value())).collect()
}
