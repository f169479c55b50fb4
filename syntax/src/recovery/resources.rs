//! Resources that lack something.

use super::titles::{self, colon_behind_title};
use super::{depth_behind, lists};
use crate::grammar::resources::{attributes, bodies, is_attribute_name, starts_attribute};
use crate::grammar::{self, STATEMENT_CALLS, expressions, starts_expression};
use crate::parser::{Completed, Marker, Parser};
use crate::{SyntaxKind::*, TextRange};
use codes::Code;

/// `class 'x':` lacks its brace.
pub(crate) fn is_class_resource_without_brace(p: &Parser<'_>) -> bool {
    matches!(p.nth(1), SQ_STRING | DQ_STRING) && p.nth(2) == COLON
}

pub(crate) fn class_resource_without_brace(p: &mut Parser<'_>) -> Completed {
    let name = p.start();
    p.bump();
    let name = p.complete(name, QUALIFIED_NAME);
    bodies_without_brace(p, name)
}

/// `name 'title':` or `File mode =>` lacks its brace.
pub(crate) fn lacks_left_brace(p: &Parser<'_>, lhs: Completed) -> bool {
    match lhs.kind() {
        QUALIFIED_NAME => colon_behind_title(p, 0).is_some(),
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

/// Do statements stand in the braces that open here? True only for what cannot be a title or an attribute.
pub(crate) fn holds_statements(p: &Parser<'_>) -> bool {
    holds_statements_at(p, 0)
}

/// The same for braces that open `ahead`.
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

/// `class { name statements }` or `class { name (`: the brace stands before the name.
pub(crate) fn is_name_behind_brace(p: &Parser<'_>) -> bool {
    p.nth(1) == NAME && !matches!(p.nth(2), COLON | FAT_ARROW | PLUS_ARROW | DOT)
}

/// `class { statements }`: the name is missing.
pub(crate) fn class_without_name(p: &mut Parser<'_>, class: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(Code::SyntaxError, open, "expected the name of the class before its body");
    if is_name_behind_brace(p) && !holds_statements(p) {
        p.skip(2);
        p.inside(super::RecoveryContext::Block, super::statements::statements);
        p.eat(R_BRACE);
    } else {
        grammar::block(p, "the body of the class");
    }
    p.complete(class, CLASS_DEFINITION)
}

/// `name { statements }`: a keyword is missing.
pub(crate) fn statements_in_braces(p: &mut Parser<'_>, marker: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(
        Code::SyntaxError,
        open,
        "these braces hold statements: is a keyword such as `class`, `define` or `if` missing?",
    );
    grammar::block(p, "statements");
    p.complete(marker, ERROR)
}

/// `{ 'title': attributes }`: the type is missing.
pub(crate) fn resource_without_type(p: &mut Parser<'_>, resource: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(Code::SyntaxError, open, "the type of the resource is missing before this");
    p.bump();
    bodies(p, open);
    grammar::resources::close_resource(p, open);
    p.complete(resource, RESOURCE_EXPR)
}

/// Where another body could begin: does what stands here belong outside of the braces that `open` opened?
pub(crate) fn is_left(p: &Parser<'_>, open: TextRange) -> bool {
    p.is_outside_of(0, open) || matches!((p.current(), p.nth(1)), (NAME | CLASS_KW, L_BRACE) | (VARIABLE, EQ))
}

/// Each `;` that no title stands before.
pub(crate) fn skip_semicolons(p: &mut Parser<'_>) {
    while p.at(SEMICOLON) {
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, "unexpected `;`: a title belongs before it");
        p.bump_into_error();
    }
}

/// Reports that a title is missing before its `:`.
pub(crate) fn missing_title(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, "the title is missing before this `:`");
}

/// Behind a body: true if another title stands there without `;` before it; then that is reported.
pub(crate) fn body_without_semicolon(p: &mut Parser<'_>) -> bool {
    let follows = p.recovering_and(|p| colon_behind_title(p, 0).is_some());
    if follows {
        let found = p.found();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, format!("expected `;` before the title {found}"));
    }
    follows
}

/// Reports that the `:` behind a title is missing; true if attributes may follow.
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

/// Where an attribute should stand after a comma: is there one that lacks something? A second comma is reported.
pub(crate) fn is_at_broken_attribute(p: &mut Parser<'_>) -> bool {
    if p.recovering_and(|p| p.at(COMMA)) {
        p.expected("an attribute");
    }
    p.recovering_and(|p| p.at(COMMA) || is_half_attribute(p))
        || (p.recovering_and(is_at_rest_of_value) && skip_to_attribute(p, false))
}

/// Behind a comma where an attribute should stand: a value, which no title is, of a list or of arguments.
fn is_at_rest_of_value(p: &Parser<'_>) -> bool {
    starts_expression(p.current())
        && !p.at_any(&[NAME, CLASSREF, AT, AT_AT])
        && !p.current().is_keyword()
        && matches!(p.nth(1), COMMA | R_BRACK | R_PAREN)
}

/// Behind an attribute without a comma: true if another one follows all the same; then that is reported.
pub(crate) fn attribute_without_comma(p: &mut Parser<'_>) -> bool {
    if p.recovering_and(|p| starts_attribute(p, 0) || is_half_attribute(p)) {
        lists::expected_comma(p);
        return true;
    }
    p.recovers() && skip_broken_value(p)
}

/// Skips what is left of a broken value; true if the attribute's end follows then.
fn skip_broken_value(p: &mut Parser<'_>) -> bool {
    let is_over = p.at_any(&[R_BRACE, SEMICOLON, EOF]) || colon_behind_title(p, 0).is_some();
    !(is_over || p.trusts_lines() && p.line_break_before(0)) && skip_to_attribute(p, true)
}

/// Skips up to the `,` before an attribute, or to what ends the attributes; true if that comes next.
fn skip_to_attribute(p: &mut Parser<'_>, may_be_title: bool) -> bool {
    let mut depth = 0usize;
    for ahead in 0..200 {
        let statement = (p.is_first_on_line(ahead) || !p.trusts_lines())
            && matches!(
                (p.nth(ahead), p.nth(ahead + 1)),
                (VARIABLE, EQ) | (NAME | CLASS_KW, L_BRACE) | (IF_KW | UNLESS_KW | CASE_KW, _)
            );
        match p.nth(ahead) {
            _ if statement && depth == 0 => return false,
            EOF => return false,
            COLON if depth == 0 && ahead < 2 && may_be_title && may_be_title_before(p, ahead) => {
                return false;
            }
            COMMA if depth == 0 && (starts_attribute(p, ahead + 1) || p.nth(ahead + 1) == R_BRACE) => {
                p.expected("`,`");
                p.skip(ahead);
                return true;
            }
            R_BRACE | SEMICOLON if depth == 0 => {
                p.expected("`,` or `}`");
                p.skip(ahead);
                return true;
            }
            kind => depth = depth_behind(kind, depth),
        }
    }
    false
}

/// Behind a name: the braces of a hash, and no resource's?
fn holds_pairs(p: &Parser<'_>) -> bool {
    p.nth(1) == L_BRACE
        && matches!(p.nth(2), SQ_STRING | DQ_STRING | VARIABLE | NAME)
        && p.nth(3) == FAT_ARROW
}

/// Can what stands right before the token `ahead` be a title? Where lines can be trusted it begins one.
fn may_be_title_before(p: &Parser<'_>, ahead: usize) -> bool {
    let (_, at, _) = p.tokens();
    let layout = p.recovery_ref().map(|it| &it.layout).filter(|it| it.is_known());
    layout.is_none_or(|it| it.is_first_on_line((at + ahead).saturating_sub(1)))
}

/// `name = value` on one line, where an attribute should stand.
fn has_equals_sign(p: &Parser<'_>) -> bool {
    is_attribute_name(p.current())
        && p.nth(1) == EQ
        && starts_expression(p.nth(2))
        && !(1..3).any(|ahead| p.line_break_before(ahead))
}

/// An attribute that is still being typed, or one that lost its name or its arrow.
fn is_half_attribute(p: &Parser<'_>) -> bool {
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

/// Reads an attribute that [lacks something](is_half_attribute), if there is one.
pub(crate) fn half_attribute(p: &mut Parser<'_>) {
    if !p.recovering_and(is_half_attribute) {
        return;
    }
    let marker = p.start();
    let range = p.current_range();
    if p.at_any(&[FAT_ARROW, PLUS_ARROW]) {
        p.error_at(Code::SyntaxError, range, "the name of the attribute is missing before the arrow");
        p.bump();
        expressions::expect_expression(p, "a value");
    } else if has_equals_sign(p) {
        p.bump();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, "expected `=>` between the attribute and its value, found `=`");
        p.bump();
        expressions::expression(p);
    } else {
        let name = p.found();
        p.bump();
        p.error_at(Code::SyntaxError, range, format!("the attribute {name} needs `=>` and a value"));
        if starts_expression(p.current()) && !p.line_break_before(0) {
            expressions::expression(p);
        }
    }
    p.complete(marker, ATTRIBUTE);
}

/// Behind an arrow: a line `name => value` where the value should be. The attribute lacks its own.
pub(crate) fn lacks_value(p: &Parser<'_>) -> bool {
    p.line_break_before(0) && starts_attribute(p, 0)
}
