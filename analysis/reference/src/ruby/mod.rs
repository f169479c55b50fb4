//! Definitions in Ruby code.

mod comments;
mod functions;
mod literals;
mod resource_api;
mod source;
mod types;

use ruby_prism::{CallNode, Node, StatementsNode};

use self::comments::Comments;
use self::source::{RubySource, line_at};
use crate::{ModuleFile, ModuleReference};

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
