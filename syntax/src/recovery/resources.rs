//! Incomplete resources.

use super::lists;
use super::lookahead::{AheadToken, CONDITIONAL_KEYWORDS, Lookahead, MAX_LOOKAHEAD};
use super::titles::{self, colon_after_title};
use crate::grammar::resources::{attributes, bodies, is_attribute_name, starts_attribute};
use crate::grammar::{self, STATEMENT_CALLS, expressions, starts_expression};
use crate::parser::{Completed, Marker, Parser};
use crate::{SyntaxKind::*, TextRange};
use codes::{Code, with_help};

/// Returns true at `class 'x':`, where the brace is missing.
pub(crate) fn is_class_resource_without_brace(p: &Parser<'_>) -> bool {
    matches!(p.nth(1), SQ_STRING | DQ_STRING) && p.nth(2) == COLON
}

pub(crate) fn class_resource_without_brace(p: &mut Parser<'_>) -> Completed {
    let name = p.start();
    p.bump();
    let name = p.complete(name, QUALIFIED_NAME);
    bodies_without_brace(p, name)
}

/// Returns true at `name 'title':` or `File mode =>`, where the brace is missing.
pub(crate) fn lacks_left_brace(p: &Parser<'_>, lhs: Completed) -> bool {
    match lhs.kind() {
        QUALIFIED_NAME => colon_after_title(p, 0).is_some(),
        QUALIFIED_REFERENCE | ACCESS_EXPR => starts_attribute(p, 0) && p.nth(0) != STAR,
        _ => false,
    }
}

pub(crate) fn bodies_without_brace(p: &mut Parser<'_>, lhs: Completed) -> Completed {
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

/// Returns true if the braces that open here contain statements. True only for tokens that cannot be a title
/// or an attribute.
pub(crate) fn holds_statements(p: &Parser<'_>) -> bool {
    holds_statements_at(p, 0)
}

/// Like [`holds_statements`], for braces that open at `ahead`.
pub(crate) fn holds_statements_at(p: &Parser<'_>, ahead: usize) -> bool {
    match (p.nth(ahead + 1), p.nth(ahead + 2)) {
        (VARIABLE, EQ | DOT) | (NAME | CLASS_KW, L_BRACE) | (CLASS_KW | DEFINE_KW, NAME) => true,
        (NAME, L_PAREN) | (CLASSREF, L_BRACE | L_BRACK | COLLECT_START | EXPORTED_START) => true,
        (IF_KW | UNLESS_KW | CASE_KW, next) => !matches!(next, FAT_ARROW | PLUS_ARROW),
        (NAME, next) => {
            STATEMENT_CALLS.contains(&p.text_of(ahead + 1))
                && matches!(next, NAME | SQ_STRING | DQ_STRING | DQ_START | VARIABLE | CLASSREF | WORD)
        }
        (AT | AT_AT, _) => true,
        _ => false,
    }
}

/// Returns true at `class { name statements }` or `class { name (`: the brace precedes the name.
pub(crate) fn is_name_after_brace(p: &Parser<'_>) -> bool {
    p.nth(1) == NAME && !matches!(p.nth(2), COLON | FAT_ARROW | PLUS_ARROW | DOT)
}

/// Parses `class { statements }`, where the name is missing.
pub(crate) fn class_without_name(p: &mut Parser<'_>, class: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(Code::SyntaxError, open, "expected a class name before the class body");
    if is_name_after_brace(p) && !holds_statements(p) {
        p.skip(2);
        p.inside(super::RecoveryContext::Block, super::statements::statements);
        p.eat(R_BRACE);
    } else {
        grammar::block(p, "the body of the class");
    }
    p.complete(class, CLASS_DEFINITION)
}

/// Parses `name { statements }`, where a keyword is missing.
pub(crate) fn statements_in_braces(p: &mut Parser<'_>, marker: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(
        Code::SyntaxError,
        open,
        with_help("unexpected block of statements", "add a keyword such as `class`, `define` or `if`"),
    );
    grammar::block(p, "statements");
    p.complete(marker, ERROR)
}

/// Parses `{ 'title': attributes }`, where the resource type is missing.
pub(crate) fn resource_without_type(p: &mut Parser<'_>, resource: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(Code::SyntaxError, open, "missing resource type before `{`");
    p.bump();
    bodies(p, open);
    grammar::resources::close_resource(p, open);
    p.complete(resource, RESOURCE_EXPR)
}

/// Returns true at the position of another resource body if the current token belongs outside of the braces
/// that `open` opened.
pub(crate) fn leaves_resource(p: &Parser<'_>, open: TextRange) -> bool {
    p.is_outside_of(0, open) || matches!((p.current(), p.nth(1)), (NAME | CLASS_KW, L_BRACE) | (VARIABLE, EQ))
}

/// Reports and skips semicolons that have no title before them.
pub(crate) fn skip_semicolons(p: &mut Parser<'_>) {
    while p.at(SEMICOLON) {
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, "unexpected `;`; expected a title");
        p.bump_into_error();
    }
}

/// Reports that the title before a `:` is missing.
pub(crate) fn missing_title(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, "missing title before `:`");
}

/// Handles a missing `;` after a resource body. Reports it and returns true if another title follows.
pub(crate) fn body_without_semicolon(p: &mut Parser<'_>) -> bool {
    let follows = p.recovering_and(|p| colon_after_title(p, 0).is_some());
    if follows {
        let found = p.found();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, format!("expected `;` before the title {found}"));
    }
    follows
}

/// Reports that the `:` after a title is missing. Returns true if attributes may follow.
pub(crate) fn title_without_colon(p: &mut Parser<'_>) -> bool {
    if starts_attribute(p, 0) {
        let found = p.found();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, format!("expected `:` between the title and {found}"));
    } else {
        p.expected_here("`:` and the attributes");
        if let Some(colon) = titles::colon_of_broken_title(p).filter(|_| p.recovers()) {
            p.skip(colon);
            return p.eat(COLON);
        }
    }
    !p.at_any(&[R_BRACE, SEMICOLON, EOF])
}

/// Returns true if an incomplete attribute follows a comma. Reports a second comma.
pub(crate) fn is_at_broken_attribute(p: &mut Parser<'_>) -> bool {
    if p.recovering_and(|p| p.at(COMMA)) {
        p.expected("an attribute");
    }
    p.recovering_and(|p| p.at(COMMA) || is_incomplete_attribute(p))
        || (p.recovering_and(is_at_rest_of_value) && skip_to_attribute(p, false))
}

/// Returns true if a value of a list or of arguments, which cannot be a title, follows a comma in place of an
/// attribute.
fn is_at_rest_of_value(p: &Parser<'_>) -> bool {
    starts_expression(p.current())
        && !p.at_any(&[NAME, CLASSREF, AT, AT_AT])
        && !p.current().is_keyword()
        && matches!(p.nth(1), COMMA | R_BRACK | R_PAREN)
}

/// Handles a missing comma after an attribute. Reports it and returns true if another attribute follows.
pub(crate) fn attribute_without_comma(p: &mut Parser<'_>) -> bool {
    if p.recovering_and(|p| starts_attribute(p, 0) || is_incomplete_attribute(p)) {
        lists::expected_comma(p);
        return true;
    }
    p.recovers() && skip_broken_value(p)
}

/// Skips the rest of a broken value. Returns true if the end of the attribute follows.
fn skip_broken_value(p: &mut Parser<'_>) -> bool {
    let is_over = p.at_any(&[R_BRACE, SEMICOLON, EOF]) || colon_after_title(p, 0).is_some();
    !(is_over || p.trusts_lines() && p.line_break_before(0)) && skip_to_attribute(p, true)
}

/// Skips to the `,` before an attribute, or to the end of the attributes. Returns true if one of them is
/// found.
fn skip_to_attribute(p: &mut Parser<'_>, may_be_title: bool) -> bool {
    let Some(AheadToken { ahead, kind, .. }) = end_of_broken_value(p, may_be_title) else { return false };
    p.expected(if kind == COMMA { "`,`" } else { "`,` or `}`" });
    p.skip(ahead);
    true
}

/// Returns the `,` before the next attribute, or the token that ends the attributes.
fn end_of_broken_value(p: &Parser<'_>, may_be_title: bool) -> Option<AheadToken> {
    for token @ AheadToken { ahead, kind, .. } in
        Lookahead::new(p, 0..MAX_LOOKAHEAD).filter(|it| it.depth == 0)
    {
        match kind {
            _ if begins_statement(p, ahead) => return None,
            COLON if ahead < 2 && may_be_title && may_be_title_before(p, ahead) => return None,
            COMMA if starts_attribute(p, ahead + 1) || p.nth(ahead + 1) == R_BRACE => return Some(token),
            R_BRACE | SEMICOLON => return Some(token),
            _ => {}
        }
    }
    None
}

/// Returns true if the token `ahead` begins a statement, which cannot be part of a resource.
fn begins_statement(p: &Parser<'_>, ahead: usize) -> bool {
    (p.is_first_on_line(ahead) || !p.trusts_lines())
        && match (p.nth(ahead), p.nth(ahead + 1)) {
            (VARIABLE, EQ) | (NAME | CLASS_KW, L_BRACE) => true,
            (kind, _) => CONDITIONAL_KEYWORDS.contains(&kind),
        }
}

/// Returns true if the braces after a name belong to a hash rather than to a resource.
fn holds_pairs(p: &Parser<'_>) -> bool {
    p.nth(1) == L_BRACE
        && matches!(p.nth(2), SQ_STRING | DQ_STRING | VARIABLE | NAME)
        && p.nth(3) == FAT_ARROW
}

/// Returns true if the token right before `ahead` can be a title. If lines can be trusted, a title begins its
/// line.
fn may_be_title_before(p: &Parser<'_>, ahead: usize) -> bool {
    let (_, at, _) = p.tokens();
    let layout = p.recovery_ref().map(|it| &it.layout).filter(|it| it.is_known());
    layout.is_none_or(|it| it.is_first_on_line((at + ahead).saturating_sub(1)))
}

/// Returns true at `name = value` on one line in place of an attribute.
fn has_equals_sign(p: &Parser<'_>) -> bool {
    is_attribute_name(p.current())
        && p.nth(1) == EQ
        && starts_expression(p.nth(2))
        && !(1..3).any(|ahead| p.line_break_before(ahead))
}

/// Returns true at an attribute that is still being typed or that lacks its name or arrow.
fn is_incomplete_attribute(p: &Parser<'_>) -> bool {
    match p.current() {
        FAT_ARROW | PLUS_ARROW => true,
        kind if is_attribute_name(kind) => {
            has_equals_sign(p)
                || (!matches!(p.nth(1), COLON | L_BRACE | L_PAREN | EQ) || holds_pairs(p))
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

/// Parses an attribute that [is incomplete](is_incomplete_attribute), if there is one.
pub(crate) fn incomplete_attribute(p: &mut Parser<'_>) {
    if !p.recovering_and(is_incomplete_attribute) {
        return;
    }
    let marker = p.start();
    let range = p.current_range();
    if p.at_any(&[FAT_ARROW, PLUS_ARROW]) {
        p.error_at(Code::SyntaxError, range, "missing attribute name before the arrow");
        p.bump();
        expressions::expect_expression(p, "a value");
    } else if has_equals_sign(p) {
        p.bump();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, "expected `=>` after the attribute name, found `=`");
        p.bump();
        expressions::expression(p);
    } else {
        let name = p.found();
        p.bump();
        p.error_at(Code::SyntaxError, range, format!("expected `=>` and a value after attribute {name}"));
        if starts_expression(p.current()) && !p.line_break_before(0) {
            expressions::expression(p);
        }
    }
    p.complete(marker, ATTRIBUTE);
}

/// Returns true if the line after an arrow is another `name => value`, so that the attribute lacks its value.
pub(crate) fn lacks_value(p: &Parser<'_>) -> bool {
    p.line_break_before(0) && starts_attribute(p, 0)
}
