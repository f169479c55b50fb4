//! Parameters of definitions, lambdas and templates.

use codes::Code;
use rustc_hash::FxHashMap;

use syntax::ast::{AccessExpr, AstNode, Expr, Parameter, ParameterList};
use syntax::{SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::names;
use super::walk::{Walk, parameter_list};

/// The rules on one parameter, wherever it stands.
pub(super) fn check(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(token) = node.token(VARIABLE) else { return };
    let name = names::variable_name(&token);
    let range = token.text_range();
    if is_number(name) {
        let message =
            format!("`${name}` is set by matches and cannot be a parameter. Choose a name with letters.");
        walk.error(Code::IllegalNumericParameter, range, message);
    } else if name.is_empty() {
        walk.error(Code::IllegalParamName, range, "Write the name of the parameter behind `$`.");
    } else if !names::is_parameter_name(name) {
        let message = format!(
            "`${name}` cannot be a parameter: the name begins with a lower-case letter or `_` and has no `::`."
        );
        walk.error(Code::IllegalParamName, range, message);
    }
}

/// `*` only before the last parameter of a lambda.
pub(super) fn check_lambda(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(list) = parameter_list(node) else { return };
    let mut parameters = list.parameters().peekable();
    while let Some(parameter) = parameters.next() {
        if parameters.peek().is_some()
            && let Some(range) = splat_range(&parameter)
        {
            let message = "Only the last parameter can take the rest. Move it to the end, or remove the `*`.";
            walk.error(Code::CapturesRestNotLast, range, message);
        }
    }
}

/// No `*` before a parameter: the parameters of classes, defined types and templates are given by name.
pub(super) fn check_no_splat(walk: &mut Walk<'_>, list: &ParameterList) {
    for range in list.parameters().filter_map(|it| splat_range(&it)) {
        let message = "Only functions and lambdas have parameters that take the rest. Remove the `*`.";
        walk.error(Code::CapturesRestNotSupported, range, message);
    }
}

pub(super) fn check_unique(walk: &mut Walk<'_>, list: &ParameterList) {
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for token in list.parameters().filter_map(|it| it.variable()) {
        let name = names::variable_name(&token);
        match seen.get(name) {
            Some(&first) => {
                let message =
                    format!("There is a parameter `${name}` already. Rename or remove one of them.");
                let finding = TextFinding::new(Code::DuplicateParameter, token.text_range(), message);
                walk.findings.report(finding.with_related(first, "the first one"));
            }
            None => {
                seen.insert(name.to_owned(), token.text_range());
            }
        }
    }
}

/// `$name` and `$title` are there anyway in classes and defined types.
pub(super) fn check_reserved(walk: &mut Walk<'_>, list: &ParameterList) {
    for token in list.parameters().filter_map(|it| it.variable()) {
        let name = names::variable_name(&token);
        if matches!(name, "name" | "title") {
            let message = format!(
                "`${name}` is set by Puppet in classes and defined types. Give the parameter another name."
            );
            walk.error(Code::ReservedParameter, token.text_range(), message);
        }
    }
}

/// The types of the parameters of a class are written out: Puppet 8 warns of those that have to be worked out.
pub(super) fn check_literal_types(walk: &mut Walk<'_>, list: &ParameterList) {
    for parameter in list.parameters() {
        let Some(ty) = parameter.type_expr().filter(|ty| !is_literal(ty.syntax())) else { continue };
        let message =
            "Puppet 8 warns of a type that has to be worked out. Write its arguments as plain values.";
        walk.error(Code::NonLiteralParameterType, ty.syntax().text_range(), message);
    }
}

/// Of what has brackets only that which stands in them counts.
fn is_literal(node: &SyntaxNode) -> bool {
    match node.kind() {
        LITERAL_NUMBER | LITERAL_STRING | LITERAL_BOOLEAN | LITERAL_UNDEF | LITERAL_DEFAULT
        | LITERAL_REGEX | QUALIFIED_NAME | QUALIFIED_REFERENCE => true,
        UNARY_EXPR => node.token(MINUS).is_some() && node.children().all(|it| is_literal(&it)),
        ARRAY_EXPR | HASH_EXPR | KEYED_ENTRY => node.children().all(|it| is_literal(&it)),
        ACCESS_EXPR => AccessExpr::cast(node.clone()).and_then(|it| it.keys()).is_some_and(|keys| {
            let keys: Vec<SyntaxNode> = keys.syntax().children().collect();
            // All arguments in an array are none that Puppet takes for plain.
            !matches!(&keys[..], [only] if only.kind() == ARRAY_EXPR) && keys.iter().all(is_literal)
        }),
        // What holds syntax errors.
        kind => !Expr::can_cast(kind),
    }
}

/// The rules for the parameters of an EPP template.
pub(super) fn check_template(walk: &mut Walk<'_>, root: &SyntaxNode) {
    if let Some(list) = parameter_list(root) {
        check_no_splat(walk, &list);
        check_unique(walk, &list);
    }
}

fn splat_range(parameter: &Parameter) -> Option<TextRange> {
    let splat = parameter.splat()?.text_range();
    Some(parameter.variable().map_or(splat, |it| splat.cover(it.text_range())))
}

/// Digits only, or `0x` and digits.
fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
