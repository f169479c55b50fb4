//! Classes, defined types, functions, plans and nodes: where they stand, and how they are named.

use codes::Code;
use syntax::ast::{AstNode, Definition, Expr, HostList, NodeDefinition, StringPart};
use syntax::{Language, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::names;
use super::parameters;
use super::walk::{Walk, parameter_list};
use super::{ExpectedNamespace, PuppetVersion};

/// The rules on a class or defined type. False where it cannot be here at all.
pub(super) fn check_class_or_define(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    if walk.language == Language::Plan {
        let what = if node.kind() == CLASS_DEFINITION { "a class" } else { "a defined type" };
        let message = format!("A plan file cannot define {what}. Move it to a manifest.");
        walk.error(Code::NotSupportedInPlan, header_range(node), message);
        return false;
    }
    check_place(walk, node, false);
    check_name(walk, node);
    if let Some(list) = parameter_list(node) {
        parameters::check_no_splat(walk, &list);
        parameters::check_unique(walk, &list);
        parameters::check_reserved(walk, &list);
        if node.kind() == CLASS_DEFINITION && walk.version() == PuppetVersion::V8 {
            parameters::check_literal_types(walk, &list);
        }
    }
    true
}

/// The rules on a function or plan.
pub(super) fn check_function(walk: &mut Walk<'_>, node: &SyntaxNode) {
    check_place(walk, node, true);
    check_name(walk, node);
    if let Some(list) = parameter_list(node) {
        parameters::check_unique(walk, &list);
    }
}

/// The rules on a node. False where it cannot be here at all.
pub(super) fn check_node(walk: &mut Walk<'_>, definition: &NodeDefinition) -> bool {
    if walk.is_script() {
        let message = "A plan can define nodes only in the block of an `apply`.";
        walk.error(Code::NotSupportedInPlan, header_range(definition.syntax()), message);
        return false;
    }
    if let Some(hosts) = definition.hosts() {
        check_hosts(walk, &hosts);
    }
    check_place(walk, definition.syntax(), false);
    if let Some(inherits) = definition.inherits() {
        let message =
            "A node cannot inherit from another. Put what they share into a class that both include.";
        walk.error(Code::IllegalNodeInheritance, inherits.syntax().text_range(), message);
    }
    true
}

fn check_hosts(walk: &mut Walk<'_>, hosts: &HostList) {
    for host in hosts.hosts() {
        let range = host.syntax().text_range();
        let legal = match &host {
            Expr::HostName(name) => is_host(&name.text()),
            Expr::LiteralString(string) => is_host(&string.value()),
            Expr::LiteralRegex(_) | Expr::LiteralDefault(_) => true,
            Expr::InterpolatedString(string) => {
                let part = string.parts().into_iter().find_map(|it| match it {
                    StringPart::Expr(expr) => Some(expr.syntax().text_range()),
                    StringPart::Text(_) | StringPart::Missing => None,
                });
                let message =
                    "The name of a node cannot be computed. Write it out, or use a regular expression.";
                walk.error(Code::IllegalHostnameInterpolation, part.unwrap_or(range), message);
                true
            }
            _ => {
                let message = "A node is named by a name, a string, a regular expression or `default`.";
                walk.error(Code::IllegalExpression, range, message);
                true
            }
        };
        if !legal {
            let message = "The name of a node has only letters, digits, `_`, `-` and `.`.";
            walk.error(Code::IllegalHostnameChars, range, message);
        }
    }
}

fn is_host(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

/// The rules on a top-level statement in a file of a module.
pub(super) fn check_top_construct(walk: &mut Walk<'_>, statement: &SyntaxNode) {
    if walk.settings.location == ExpectedNamespace::Free || walk.language == Language::Epp {
        return;
    }
    if !Definition::can_cast(statement.kind()) || statement.kind() == NODE_DEFINITION {
        let message =
            "A file of a module holds only definitions. Move this into a class, or into the main manifest.";
        walk.error(Code::IllegalTopConstructLocation, header_range(statement), message);
    }
}

/// A definition may stand at the top of a file, in the block of an `apply`, and, unless it `must_be_outermost`, in a
/// class. (Whether the code is the one or the other follows what Puppet says, which looks at the list of statements
/// around before it looks at what that list belongs to.)
pub(super) fn check_place(walk: &mut Walk<'_>, node: &SyntaxNode, must_be_outermost: bool) {
    let Some(parent) = node.parent() else { return };
    let (in_list, legal) = match parent.kind() {
        SOURCE_FILE if walk.language != Language::Epp => return,
        SOURCE_FILE => (true, false),
        BLOCK => {
            let owner = parent.parent();
            match owner.map(|it| it.kind()) {
                Some(CLASS_DEFINITION | APPLY_EXPR) => (true, true),
                Some(IF_EXPR | UNLESS_EXPR | ELSIF_CLAUSE | ELSE_CLAUSE | RENDER_EXPR) => {
                    (parent.children().filter(|it| Expr::can_cast(it.kind())).nth(1).is_some(), false)
                }
                _ => (true, false),
            }
        }
        ARGUMENT_LIST => (false, parent.parent().is_some_and(|it| it.kind() == APPLY_EXPR)),
        _ => (false, false),
    };
    if in_list && must_be_outermost {
        let message =
            "Functions, plans and types are defined at the top of a file only. Move this out of the block.";
        walk.error(Code::NotAbsoluteTopLevel, header_range(node), message);
    } else if !legal {
        let message =
            "Definitions stand at the top of a file or in a class. Move this out of the code around it.";
        walk.error(Code::NotTopLevel, header_range(node), message);
    }
}

fn check_name(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(definition) = Definition::cast(node.clone()) else { return };
    let Some(name) = definition.name() else { return };
    let range = name.syntax().text_range();
    let text = name.text();
    let is_legal = names::is_definition_name(&text);
    if !is_legal {
        let why = match text.contains('-') {
            true => "a name has no `-`; write `_`",
            false => "each part begins with a lower-case letter, and none is empty",
        };
        let message = format!("`{text}` cannot be defined: {why}.");
        walk.error(Code::IllegalDefinitionName, range, message);
    }
    check_location(walk, &definition, range);
    let is_reserved = names::is_reserved_type_name(&text);
    if (is_reserved || text == "plan") && definition.qualified_name().as_ref() == Some(&text) {
        if is_reserved {
            let message = format!("`{text}` is the name of one of Puppet's own types. Choose another.");
            walk.error(Code::ReservedTypeName, range, message);
        } else {
            report_future_word(walk, "plan", range);
        }
    }
}

pub(super) fn report_future_word(walk: &mut Walk<'_>, word: &str, range: TextRange) {
    let message = format!("`{word}` is a keyword in plans, and will be one everywhere. Choose another name.");
    walk.findings.report(TextFinding::new(Code::FutureReservedWord, range, message));
}

/// What a file of a module defines must begin with the namespace that the path of the file gives.
fn check_location(walk: &mut Walk<'_>, definition: &Definition, range: TextRange) {
    let message = match &walk.settings.location {
        _ if walk.language == Language::Epp => return,
        ExpectedNamespace::Free => return,
        ExpectedNamespace::Misplaced => {
            "Nothing is loaded from this folder of a module. Move the file to `manifests`, `functions` or `types`."
                .to_owned()
        }
        ExpectedNamespace::Module { namespace } => {
            let Some(name) = definition.qualified_name() else { return };
            if name.to_lowercase().starts_with(namespace.as_str()) {
                return;
            }
            format!("Puppet looks for `{name}` in another file: what this file defines begins with `{namespace}`.")
        }
    };
    walk.error(Code::IllegalDefinitionLocation, range, message);
}

/// From the keyword of a definition to its name; the whole of anything else.
pub(super) fn header_range(node: &SyntaxNode) -> TextRange {
    let whole = node.text_range();
    let name = node.children().find(|it| it.kind() == DEFINITION_NAME || HostList::can_cast(it.kind()));
    name.map_or(whole, |it| TextRange::new(whole.start, it.text_range().end))
}
