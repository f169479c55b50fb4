//! Catalog expressions: resources, defaults, overrides and collectors.

use super::*;
use crate::TextRange;
use codes::{Code, with_help};

/// `Resource: ('@' | '@@') Resource | 'class' '{' Bodies '}' | Expression ('{' (Bodies | Attributes) '}')*`
pub(super) fn resource(p: &mut Parser<'_>) -> Option<Completed> {
    let mut lhs = match p.current() {
        AT | AT_AT => return p.nested(virtual_resource),
        CLASS_KW if p.nth(1) == L_BRACE => p.nested(|p| Some(class_resource(p)))?,
        CLASS_KW if p.recovering_and(recovery::resources::is_class_resource_without_brace) => {
            p.nested(|p| Some(recovery::resources::class_resource_without_brace(p)))?
        }
        _ => expressions::expression(p)?,
    };
    loop {
        let read = if p.at(L_BRACE) {
            braces
        } else if p.recovering_and(|p| recovery::resources::lacks_left_brace(p, lhs)) {
            recovery::resources::bodies_without_brace
        } else {
            return Some(lhs);
        };
        match p.nested(|p| Some(read(p, lhs))) {
            Some(resource) => lhs = resource,
            None => return Some(lhs),
        }
    }
}

/// `Virtual: ('@' | '@@') Resource`
fn virtual_resource(p: &mut Parser<'_>) -> Option<Completed> {
    let marker = p.start();
    let at = p.current_range();
    p.bump();
    if starts_expression(p.current()) {
        let inner = resource(p);
        let fits = inner.is_none_or(|it| {
            matches!(it.kind(), RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | VIRTUAL_EXPR | ERROR)
        });
        if !fits {
            p.error_at(Code::VirtualWithoutResource, at, "only resources can be virtual or exported");
        }
    } else {
        p.expected_here("a resource");
    }
    Some(p.complete(marker, VIRTUAL_EXPR))
}

/// `ClassResource: 'class' '{' ResourceBody (';' ResourceBody)* ';'? '}'`
fn class_resource(p: &mut Parser<'_>) -> Completed {
    let resource = p.start();
    let name = p.start();
    p.bump();
    p.complete(name, QUALIFIED_NAME);
    let open = p.current_range();
    if p.recovering_and(|p| {
        recovery::resources::holds_statements(p) || recovery::resources::is_name_after_brace(p)
    }) {
        return recovery::resources::class_without_name(p, resource);
    }
    p.bump();
    recovery::repair::skip_doubled(p);
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at(Code::SyntaxError, range, with_help("missing class name", "write `class { 'name': }`"));
    } else {
        bodies(p, open);
    }
    close_resource(p, open);
    p.complete(resource, RESOURCE_EXPR)
}

/// Parses the braces after an expression: bodies with titles, or attributes only.
fn braces(p: &mut Parser<'_>, lhs: Completed) -> Completed {
    let marker = p.precede(lhs);
    let open = p.current_range();
    if p.recovering_and(recovery::resources::holds_statements) {
        return recovery::resources::statements_in_braces(p, marker);
    }
    if p.recovering_and(recovery::conditionals::holds_options) {
        return recovery::conditionals::case_without_keyword(p, marker);
    }
    p.bump();
    recovery::repair::skip_doubled(p);
    let attributes_only = p.at_any(&[R_BRACE, COMMA, EOF]) || starts_attribute(p, 0);
    if !attributes_only {
        bodies(p, open);
        close_resource(p, open);
        return p.complete(marker, RESOURCE_EXPR);
    }
    let plain = attributes(p);
    close_resource(p, open);
    match lhs.kind() {
        QUALIFIED_NAME => {
            if !plain {
                p.unmute_errors();
                p.error_at(
                    Code::SyntaxError,
                    open,
                    with_help("resource without a title", "write `name { 'title': ... }`"),
                );
            }
            p.complete(marker, UNTITLED_RESOURCE)
        }
        QUALIFIED_REFERENCE => p.complete(marker, RESOURCE_DEFAULTS),
        ACCESS_EXPR => p.complete(marker, RESOURCE_OVERRIDE),
        _ => {
            p.error_at(Code::SyntaxError, open, with_help("unexpected attributes in braces", "write a resource type, a type reference such as `File`, or a resource such as `File['x']` before the `{`"));
            p.unmute_errors();
            p.complete(marker, RESOURCE_DEFAULTS)
        }
    }
}

pub(crate) fn close_resource(p: &mut Parser<'_>, open: TextRange) {
    recovery::lists::skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
}

/// `Bodies: ResourceBody (';' ResourceBody)* ';'?`
pub(crate) fn bodies(p: &mut Parser<'_>, open: TextRange) {
    p.inside_list(|p| {
        while (starts_expression(p.current()) || p.recovering_and(|p| p.at(COLON)))
            && !p.recovering_and(|p| recovery::resources::leaves_resource(p, open))
        {
            resource_body(p);
            if !p.eat(SEMICOLON) && !recovery::resources::body_without_semicolon(p) {
                break;
            }
            recovery::resources::skip_semicolons(p);
        }
    });
}

/// `ResourceBody: Expression ':' Attributes`
fn resource_body(p: &mut Parser<'_>) {
    let body = p.start();
    if p.recovering_and(|p| p.at(COLON)) {
        recovery::resources::missing_title(p);
    } else {
        expressions::expression(p);
    }
    if p.eat(COLON) || recovery::resources::title_without_colon(p) {
        attributes(p);
    }
    p.complete(body, RESOURCE_BODY);
}

/// Returns true if an attribute begins at `ahead`: a name, a keyword or `*`, followed by an arrow.
pub(crate) fn starts_attribute(p: &Parser<'_>, ahead: usize) -> bool {
    let arrow = p.nth(ahead + 1);
    match p.nth(ahead) {
        STAR => arrow == FAT_ARROW,
        kind => is_attribute_name(kind) && matches!(arrow, FAT_ARROW | PLUS_ARROW),
    }
}

/// Returns true if a token of this kind can be an attribute name.
pub(crate) fn is_attribute_name(kind: SyntaxKind) -> bool {
    kind == NAME || (kind.is_keyword() && !matches!(kind, TRUE_KW | FALSE_KW))
}

/// `Attributes: Attribute? (',' Attribute)* ','?`
///
/// Returns true if all attributes have the form `name => value`.
pub(crate) fn attributes(p: &mut Parser<'_>) -> bool {
    p.inside_list(|p| {
        let mut plain = true;
        loop {
            if starts_attribute(p, 0) {
                plain &= attribute(p);
            } else {
                recovery::resources::incomplete_attribute(p);
            }
            if p.eat(COMMA) {
                if !starts_attribute(p, 0) && !recovery::resources::is_at_broken_attribute(p) {
                    return plain;
                }
            } else if !recovery::resources::attribute_without_comma(p) {
                return plain;
            }
        }
    })
}

/// `Attribute: (name | keyword) ('=>' | '+>') Expression | '*' '=>' Expression`
///
/// Returns true if the attribute has the form `name => value`.
fn attribute(p: &mut Parser<'_>) -> bool {
    let marker = p.start();
    let is_splat = p.at(STAR);
    p.bump();
    let plain = !is_splat && p.at(FAT_ARROW);
    p.bump();
    if starts_expression(p.current()) && !p.recovering_and(recovery::resources::lacks_value) {
        if let Some(value) = expressions::expression(p) {
            recovery::lists::hash_without_brace(p, value);
        }
    } else {
        p.expected_here("a value");
    }
    p.complete(marker, if is_splat { ATTRIBUTE_SPLAT } else { ATTRIBUTE });
    plain
}

/// `Query: ('<|' Expression? '|>' | '<<|' Expression? '|>>') ('{' Attributes '}')?`, after a type.
pub(super) fn collector(p: &mut Parser<'_>, lhs: Completed) -> Completed {
    let marker = p.precede(lhs);
    let (end, text, kind) = match p.current() {
        EXPORTED_START => (EXPORTED_END, "`|>>`", EXPORTED_QUERY),
        _ => (COLLECT_END, "`|>`", VIRTUAL_QUERY),
    };
    let query = p.start();
    let open = p.current_range();
    p.bump();
    if starts_expression(p.current()) {
        expressions::expression(p);
    }
    if p.at_any(&[COLLECT_END, EXPORTED_END]) && !p.at(end) {
        p.expected(text);
        p.bump_into_error();
    } else {
        recovery::lists::skip_to_close(p, end, open);
        close(p, end, open, text);
    }
    p.complete(query, kind);
    if p.at(L_BRACE) {
        let open = p.current_range();
        p.bump();
        attributes(p);
        close_resource(p, open);
    }
    p.complete(marker, COLLECT_EXPR)
}
