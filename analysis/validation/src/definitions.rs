//! Locations and names of classes, defined types, functions, plans and nodes.

use codes::{Code, with_help};
use syntax::ast::{AstNode, Definition, Expr, HostList, NodeDefinition, StringPart};
use syntax::{Language, SyntaxKind, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::context::{Walk, parameter_list};
use super::names;
use super::parameters;
use super::{ExpectedNamespace, VersionDifference};

/// Checks a class or defined type. Returns false if it is not allowed here at all.
pub(super) fn check_class_or_define(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    if walk.language == Language::Plan {
        let what = if node.kind() == CLASS_DEFINITION { "classes" } else { "defined types" };
        let message = with_help(
            format!("{what} cannot be defined in a plan file"),
            "move the definition to a manifest",
        );
        walk.error(Code::NotSupportedInPlan, header_range(node), message);
        return false;
    }
    check_location(walk, node, false);
    check_name(walk, node);
    if let Some(list) = parameter_list(node) {
        parameters::check_no_splat(walk, &list);
        parameters::check_unique(walk, &list);
        parameters::check_reserved(walk, &list);
        if node.kind() == CLASS_DEFINITION && walk.version().has(VersionDifference::LiteralParameterTypes) {
            parameters::check_literal_types(walk, &list);
        }
    }
    true
}

/// Checks a function or plan.
pub(super) fn check_function(walk: &mut Walk<'_>, node: &SyntaxNode) {
    check_location(walk, node, true);
    check_name(walk, node);
    if let Some(list) = parameter_list(node) {
        parameters::check_unique(walk, &list);
    }
}

/// Checks a node definition. Returns false if it is not allowed here at all.
pub(super) fn check_node(walk: &mut Walk<'_>, definition: &NodeDefinition) -> bool {
    if walk.is_script() {
        let message = "node definitions in a plan are only allowed in an `apply` block";
        walk.error(Code::NotSupportedInPlan, header_range(definition.syntax()), message);
        return false;
    }
    if let Some(hosts) = definition.hosts() {
        check_hosts(walk, &hosts);
    }
    check_location(walk, definition.syntax(), false);
    if let Some(inherits) = definition.inherits() {
        let message = with_help(
            "node inheritance is not supported",
            "move shared code to a class that both nodes include",
        );
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
                let message = with_help(
                    "interpolation in a node name",
                    "write the name literally, or use a regular expression",
                );
                walk.error(Code::IllegalHostnameInterpolation, part.unwrap_or(range), message);
                true
            }
            _ => {
                let message =
                    "invalid node name; expected a name, a string, a regular expression or `default`";
                walk.error(Code::IllegalExpression, range, message);
                true
            }
        };
        if !legal {
            let message = "node name contains characters other than letters, digits, `_`, `-` and `.`";
            walk.error(Code::IllegalHostnameChars, range, message);
        }
    }
}

fn is_host(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

/// Checks a top-level statement in a file of a module.
pub(super) fn check_top_construct(walk: &mut Walk<'_>, statement: &SyntaxNode) {
    if walk.settings.location == ExpectedNamespace::Free || walk.language == Language::Epp {
        return;
    }
    if !Definition::can_cast(statement.kind()) || statement.kind() == NODE_DEFINITION {
        let message = with_help(
            "only definitions are allowed at top level in a file of a module",
            "move this code to a class or to the main manifest",
        );
        walk.error(Code::IllegalTopConstructLocation, header_range(statement), message);
    }
}

/// Checks that a definition is at the top level of a file, in the block of an `apply`, or, unless it
/// `must_be_outermost`, in a class. The choice of the code follows Puppet, which examines the enclosing list
/// of statements before the owner of that list.
pub(super) fn check_location(walk: &mut Walk<'_>, node: &SyntaxNode, must_be_outermost: bool) {
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
        let message = format!("{} are only allowed at top level", noun_of_definitions(node.kind()));
        walk.error(Code::NotAbsoluteTopLevel, header_range(node), message);
    } else if !legal {
        let locations = if must_be_outermost { "at top level" } else { "at top level or inside a class" };
        let message = format!("{} are only allowed {locations}", noun_of_definitions(node.kind()));
        walk.error(Code::NotTopLevel, header_range(node), message);
    }
}

fn noun_of_definitions(kind: SyntaxKind) -> &'static str {
    match kind {
        CLASS_DEFINITION => "class definitions",
        DEFINED_TYPE => "defined types",
        FUNCTION_DEFINITION => "function definitions",
        PLAN_DEFINITION => "plan definitions",
        NODE_DEFINITION => "node definitions",
        TYPE_MAPPING => "type mappings",
        _ => "type definitions",
    }
}

fn check_name(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(definition) = Definition::cast(node.clone()) else { return };
    let Some(name) = definition.name() else { return };
    let range = name.syntax().text_range();
    let text = name.text();
    let is_legal = names::is_definition_name(&text);
    if !is_legal {
        let help = if text.starts_with("::") {
            "remove the leading `::`"
        } else if text.contains('-') {
            "replace `-` with `_`"
        } else {
            "begin each segment with a lowercase letter"
        };
        let message = with_help(format!("invalid name `{text}`"), help);
        walk.error(Code::IllegalDefinitionName, range, message);
    }
    check_namespace(walk, &definition, range);
    let is_reserved = names::is_reserved_type_name(&text);
    if (is_reserved || text == "plan") && definition.qualified_name().as_ref() == Some(&text) {
        if is_reserved {
            let message =
                with_help(format!("`{text}` is the name of a built-in type"), "choose another name");
            walk.error(Code::ReservedTypeName, range, message);
        } else {
            report_future_word(walk, "plan", range);
        }
    }
}

pub(super) fn report_future_word(walk: &mut Walk<'_>, word: &str, range: TextRange) {
    let message = with_help(
        format!("`{word}` is a keyword in plans and will become one everywhere"),
        "choose another name",
    );
    walk.findings.report(TextFinding::new(Code::FutureReservedWord, range, message));
}

/// Checks that names defined in a file of a module begin with the namespace given by the path of the file.
fn check_namespace(walk: &mut Walk<'_>, definition: &Definition, range: TextRange) {
    let message = match &walk.settings.location {
        _ if walk.language == Language::Epp => return,
        ExpectedNamespace::Free => return,
        ExpectedNamespace::Misplaced => with_help(
            "definition in a directory of the module that is not autoloaded",
            "move the file to `manifests`, `functions` or `types`",
        ),
        ExpectedNamespace::Module { namespace } => {
            let Some(name) = definition.qualified_name() else { return };
            if name.to_lowercase().starts_with(namespace.as_str()) {
                return;
            }
            let problem = format!(
                "`{name}` is not autoloaded from this file; names in this file must begin with `{namespace}`"
            );
            with_help(problem, format!("move it to `{}`", autoload_path(definition, &name, namespace)))
        }
    };
    walk.error(Code::IllegalDefinitionLocation, range, message);
}

/// Returns the path, below its module, of the file from which Puppet autoloads `name`. The path of a name of another module
/// than `namespace` begins with that module.
fn autoload_path(definition: &Definition, name: &str, namespace: &str) -> String {
    let folder = match definition {
        Definition::FunctionDefinition(_) => "functions",
        Definition::PlanDefinition(_) => "plans",
        _ => "manifests",
    };
    let name = name.to_lowercase();
    let (module, rest) = name.split_once("::").unwrap_or((&name, "init"));
    let path = format!("{folder}/{}.pp", rest.replace("::", "/"));
    let is_same_module = namespace.split("::").next() == Some(module);
    if is_same_module { path } else { format!("{module}/{path}") }
}

/// Returns the range from the keyword of a definition to its name, or the whole range of any other node.
pub(super) fn header_range(node: &SyntaxNode) -> TextRange {
    let whole = node.text_range();
    let name = node.children().find(|it| it.kind() == DEFINITION_NAME || HostList::can_cast(it.kind()));
    name.map_or(whole, |it| TextRange::new(whole.start, it.text_range().end))
}
