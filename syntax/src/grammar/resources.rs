//! What puts resources into the catalog: resources, defaults, overrides, collectors.

use super::*;

/// `Resource: ('@' | '@@') Resource | 'class' '{' Bodies '}' | Expression ('{' (Bodies | Attributes) '}')*`
pub(super) fn resource(p: &mut Parser<'_>) -> Option<Completed> {
    let mut lhs = match p.current() {
        AT | AT_AT => return p.nested(virtual_resource),
        CLASS_KW if p.nth(1) == L_BRACE => class_resource(p),
        CLASS_KW if matches!(p.nth(1), SQ_STRING | DQ_STRING) && p.nth(2) == COLON => {
            let name = p.start();
            p.bump();
            let name = p.complete(name, QUALIFIED_NAME);
            bodies_without_brace(p, name)
        }
        _ => expressions::expression(p)?,
    };
    loop {
        if p.at(L_BRACE) {
            lhs = braces(p, lhs);
        } else if lacks_left_brace(p, lhs) {
            lhs = bodies_without_brace(p, lhs);
        } else {
            return Some(lhs);
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
            p.error_at("virtual-without-resource", at, "only a resource can be made virtual or exported");
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
    if holds_statements(p, 0) {
        p.error_at("syntax-error", open, "expected the name of the class before its body");
        block(p, "the body of the class");
        return p.complete(resource, CLASS_DEFINITION);
    }
    p.bump();
    p.speak();
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at("syntax-error", range, "expected the class to declare: `class { 'name': }`");
    } else {
        bodies(p, open);
    }
    close_resource(p, open);
    p.complete(resource, RESOURCE_EXPR)
}

/// The braces behind an expression: bodies with titles, or attributes alone.
fn braces(p: &mut Parser<'_>, lhs: Completed) -> Completed {
    let marker = p.precede(lhs);
    let open = p.current_range();
    if holds_statements(p, 0) {
        p.error_at(
            "syntax-error",
            open,
            "these braces hold statements: is a keyword such as `class`, `define` or `if` missing?",
        );
        block(p, "statements");
        return p.complete(marker, ERROR);
    }
    p.bump();
    p.speak();
    let attributes_only = p.at_any(&[R_BRACE, COMMA, EOF]) || starts_attribute(p);
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
                p.speak();
                p.error_at(
                    "syntax-error",
                    open,
                    "a resource needs a title before its attributes: `name { 'title': ... }`",
                );
            }
            p.complete(marker, UNTITLED_RESOURCE)
        }
        QUALIFIED_REFERENCE => p.complete(marker, RESOURCE_DEFAULTS),
        ACCESS_EXPR => p.complete(marker, RESOURCE_OVERRIDE),
        _ => {
            p.error_at("syntax-error", open, "attributes in braces need a resource type, a type reference such as `File`, or a resource such as `File['x']` before them");
            p.speak();
            p.complete(marker, RESOURCE_DEFAULTS)
        }
    }
}

/// Do statements stand in the braces that open `ahead`? True only for what cannot be a title or an attribute.
pub(super) fn holds_statements(p: &Parser<'_>, ahead: usize) -> bool {
    match (p.nth(ahead + 1), p.nth(ahead + 2)) {
        (VARIABLE, EQ) | (NAME | CLASS_KW, L_BRACE) | (CLASS_KW, NAME) => true,
        (NAME, next) => {
            STATEMENT_CALLS.contains(&p.text_of(ahead + 1))
                && matches!(next, NAME | SQ_STRING | DQ_STRING | DQ_START | VARIABLE | CLASSREF | WORD)
        }
        (AT | AT_AT, _) => true,
        _ => false,
    }
}

fn close_resource(p: &mut Parser<'_>, open: crate::TextRange) {
    lists::skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
}

/// `name 'title':` or `File mode =>` lacks its brace.
fn lacks_left_brace(p: &Parser<'_>, lhs: Completed) -> bool {
    match lhs.kind() {
        QUALIFIED_NAME => match p.current() {
            SQ_STRING | DQ_STRING | VARIABLE | DEFAULT_KW => p.nth(1) == COLON && p.nth(2) != L_BRACE,
            DQ_START => {
                let end = (1..60).find(|ahead| p.nth(*ahead) == DQ_END);
                end.is_some_and(|end| p.nth(end + 1) == COLON && p.nth(end + 2) != L_BRACE)
            }
            _ => false,
        },
        QUALIFIED_REFERENCE | ACCESS_EXPR => starts_attribute(p) && p.nth(0) != STAR,
        _ => false,
    }
}

fn bodies_without_brace(p: &mut Parser<'_>, lhs: Completed) -> Completed {
    let marker = p.precede(lhs);
    let open = p.previous_range();
    p.expected_here("`{`");
    let kind = match lhs.kind() {
        QUALIFIED_NAME => {
            bodies(p, open);
            RESOURCE_EXPR
        }
        kind => {
            attributes(p);
            if kind == ACCESS_EXPR { RESOURCE_OVERRIDE } else { RESOURCE_DEFAULTS }
        }
    };
    lists::skip_to_close(p, R_BRACE, open);
    p.eat(R_BRACE);
    p.complete(marker, kind)
}

/// `Bodies: ResourceBody (';' ResourceBody)* ';'?`
fn bodies(p: &mut Parser<'_>, open: crate::TextRange) {
    let errors = p.error_count();
    loop {
        if p.at_any(&[SEMICOLON]) {
            let range = p.current_range();
            p.error_at("syntax-error", range, "unexpected `;`: a title belongs before it");
            p.bump_into_error();
            continue;
        }
        let leaves = p.is_outside_of(0, open)
            || matches!((p.current(), p.nth(1)), (NAME | CLASS_KW, L_BRACE) | (VARIABLE, EQ));
        if !starts_expression(p.current()) || leaves {
            return;
        }
        let before = p.position();
        resource_body(p);
        if p.eat(SEMICOLON) {
            p.speak_if_clean(errors);
            continue;
        }
        // Another title without `;` before it, or one behind a comma.
        let another = p.position() > before
            && matches!(p.current(), SQ_STRING | DQ_STRING | VARIABLE | LIST_START | DEFAULT_KW)
            && title_follows(p);
        if !another {
            return;
        }
        let found = p.found();
        let range = p.current_range();
        p.error_at("syntax-error", range, format!("expected `;` before the title {found}"));
    }
}

fn title_follows(p: &Parser<'_>) -> bool {
    p.nth(1) == COLON || p.at(LIST_START)
}

/// `ResourceBody: Expression ':' Attributes`
fn resource_body(p: &mut Parser<'_>) {
    let body = p.start();
    expressions::expression(p);
    if p.eat(COLON) {
        p.speak();
    } else {
        if starts_attribute(p) {
            let found = p.found();
            let range = p.current_range();
            p.error_at("syntax-error", range, format!("expected `:` between the title and {found}"));
        } else {
            p.expected_here("`:` and the attributes");
        }
        if p.at_any(&[R_BRACE, SEMICOLON, EOF]) {
            p.complete(body, RESOURCE_BODY);
            return;
        }
    }
    attributes(p);
    p.complete(body, RESOURCE_BODY);
}

/// Does an attribute begin here: a name or keyword, or `*`, with an arrow behind it?
fn starts_attribute(p: &Parser<'_>) -> bool {
    starts_attribute_at(p, 0)
}

fn starts_attribute_at(p: &Parser<'_>, ahead: usize) -> bool {
    let arrow = p.nth(ahead + 1);
    match p.nth(ahead) {
        STAR => arrow == FAT_ARROW,
        kind => is_attribute_name(kind) && matches!(arrow, FAT_ARROW | PLUS_ARROW),
    }
}

fn is_attribute_name(kind: SyntaxKind) -> bool {
    kind == NAME || (kind.is_keyword() && !matches!(kind, TRUE_KW | FALSE_KW))
}

/// `Attributes: Attribute? (',' Attribute)* ','?`; true if all of them are `name => value`.
pub(super) fn attributes(p: &mut Parser<'_>) -> bool {
    let mut plain = true;
    let errors = p.error_count();
    loop {
        if starts_attribute(p) {
            plain &= attribute(p);
        } else if is_half_attribute(p) {
            half_attribute(p);
        }
        match p.current() {
            COMMA => {
                p.bump();
                p.speak_if_clean(errors);
                if p.at(COMMA) {
                    p.expected("an attribute");
                }
                if !(starts_attribute(p) || is_half_attribute(p) || p.at(COMMA)) {
                    return plain;
                }
            }
            _ if starts_attribute(p) || is_half_attribute(p) => lists::expected_comma(p),
            _ if skip_broken_value(p) => {}
            _ => return plain,
        }
    }
}

/// Skips what is left of a broken value; true if the attribute's end follows then.
fn skip_broken_value(p: &mut Parser<'_>) -> bool {
    if p.at_any(&[R_BRACE, SEMICOLON, EOF]) || p.line_break_before(0) {
        return false;
    }
    let mut depth = 0usize;
    for ahead in 0..200 {
        let statement = p.is_first_on_line(ahead)
            && matches!(
                (p.nth(ahead), p.nth(ahead + 1)),
                (VARIABLE, EQ) | (NAME | CLASS_KW, L_BRACE) | (IF_KW | UNLESS_KW | CASE_KW, _)
            );
        match p.nth(ahead) {
            _ if statement && depth == 0 => return false,
            EOF => return false,
            COLON if depth == 0 && ahead < 2 => return false,
            COMMA if depth == 0 && (starts_attribute_at(p, ahead + 1) || p.nth(ahead + 1) == R_BRACE) => {
                p.expected("`,`");
                p.skip(ahead);
                return true;
            }
            R_BRACE | SEMICOLON if depth == 0 => {
                p.expected("`,` or `}`");
                p.skip(ahead);
                return true;
            }
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// An attribute that is still being typed, or one that lost its name or its arrow.
fn is_half_attribute(p: &Parser<'_>) -> bool {
    match p.current() {
        FAT_ARROW | PLUS_ARROW => true,
        kind if is_attribute_name(kind) => {
            !matches!(p.nth(1), COLON | L_BRACE | L_PAREN | EQ)
                && (matches!(p.nth(1), COMMA | R_BRACE | SEMICOLON)
                    || p.line_break_before(1)
                    || starts_expression(p.nth(1)))
                && !(kind.is_keyword()
                    && p.is_first_on_line(0)
                    && !matches!(p.nth(1), COMMA | R_BRACE | SEMICOLON))
        }
        _ => false,
    }
}

fn half_attribute(p: &mut Parser<'_>) {
    let marker = p.start();
    let range = p.current_range();
    if p.at_any(&[FAT_ARROW, PLUS_ARROW]) {
        p.error_at("syntax-error", range, "the name of the attribute is missing before the arrow");
        p.bump();
        expressions::expect_expression(p, "a value");
        p.complete(marker, ATTRIBUTE);
        return;
    }
    let name = p.found();
    p.bump();
    p.error_at("syntax-error", range, format!("the attribute {name} needs `=>` and a value"));
    if starts_expression(p.current()) && !p.line_break_before(0) {
        expressions::expression(p);
    }
    p.complete(marker, ATTRIBUTE);
}

/// `Attribute: (name | keyword) ('=>' | '+>') Expression | '*' '=>' Expression`; true if it is `name => value`.
fn attribute(p: &mut Parser<'_>) -> bool {
    let marker = p.start();
    let is_splat = p.at(STAR);
    p.bump();
    let plain = !is_splat && p.at(FAT_ARROW);
    p.bump();
    // A line `name => value` where the value should be: this attribute lacks its own.
    if starts_expression(p.current()) && !(p.line_break_before(0) && starts_attribute(p)) {
        if let Some(value) = expressions::expression(p) {
            lists::hash_without_brace(p, value);
        }
    } else {
        p.expected_here("a value");
    }
    p.complete(marker, if is_splat { ATTRIBUTE_SPLAT } else { ATTRIBUTE });
    plain
}

/// `Collector: Expression ('<|' Expression? '|>' | '<<|' Expression? '|>>') ('{' Attributes '}')?`
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
        lists::skip_to_close(p, end, open);
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
