//! Statements and blocks.

use super::layout::Layout;
use super::lookahead::DEFINITION_KEYWORDS;
use super::{conditionals, titles};
use crate::SyntaxKind::*;
use crate::grammar::{self, STATEMENT_CALLS, expressions, starts_expression};
use crate::parser::{Parser, PlainReading};
use codes::{Code, with_help};

/// Parses the statements of a file or block. Each one is parsed with the plain grammar within its own lines
/// if possible, and with recovery otherwise. Stops at the tokens at which the plain grammar stops.
pub(crate) fn statements(p: &mut Parser<'_>) {
    p.nested(|p| {
        statements_up_to(p, usize::MAX);
        Some(())
    });
}

/// Parses statements up to the token with the index `count`.
pub(crate) fn statements_up_to(p: &mut Parser<'_>, count: usize) {
    let mut broken = false;
    while p.position() < count {
        if p.is_in_case() && conditionals::begins_option(p, 0) {
            return;
        }
        if starts_expression(p.current()) {
            let before = p.position();
            let errors = p.error_count();
            statement(p);
            broken = p.error_count() > errors;
            if p.position() == before && !p.at_end() {
                p.bump_into_error();
            }
            continue;
        }
        match p.current() {
            EOF | R_BRACE | INTERPOLATION_END | EPP_CLOSE_EXPR => return,
            SEMICOLON => stray_semicolon(p),
            ELSE_KW | ELSIF_KW if p.is_in_conditional_block() => return,
            INHERITS_KW if matches!(p.nth(1), NAME | DEFAULT_KW) && p.nth(2) == L_BRACE => {
                if !broken {
                    let range = p.current_range();
                    p.error_at(
                        Code::SyntaxError,
                        range,
                        with_help(
                            "unexpected `inherits` outside of a class definition",
                            "add the keyword `class`",
                        ),
                    );
                }
                let rest = p.start();
                p.bump();
                p.bump();
                grammar::block(p, "the body of the class");
                p.complete(rest, ERROR);
            }
            ELSE_KW | ELSIF_KW => stray_else(p, broken),
            R_PAREN | R_BRACK if !broken => stray_closer(p),
            _ => {
                if !broken {
                    let found = p.found();
                    let range = p.current_range();
                    p.error_at(Code::SyntaxError, range, format!("unexpected {found}; expected a statement"));
                }
                if !missing_left_side(p) {
                    skip_broken_statement(p);
                }
            }
        }
    }
}

/// Parses one statement and the `;` after it.
fn statement(p: &mut Parser<'_>) {
    p.unmute_errors();
    let (input, at, visible) = p.tokens();
    let layout = p.recovery_ref().map(|it| &it.layout).filter(|it| it.is_known());
    let end = layout.map_or(visible, |layout: &Layout| layout.end_of_statement(input, at, visible));
    let has_layout = layout.is_some();
    let checkpoint = p.checkpoint();
    let reading = p.read_plainly(end, |p| {
        grammar::statement(p);
    });
    if reading == PlainReading::Fits {
        if p.position() >= end || may_follow(p) {
            return separator(p, end);
        }
        p.restore(checkpoint);
    }
    if is_repaired(p, reading, end) {
        return separator(p, end);
    }
    let errors = p.error_count();
    p.up_to(end, |p| {
        if !without_keyword(p) {
            grammar::statement(p);
        }
        while has_layout && p.at_any(&[ELSE_KW, ELSIF_KW]) {
            let broken = p.error_count() > errors;
            stray_else(p, broken);
        }
    });
    if let PlainReading::Rejected { at, .. } = reading
        && p.error_count() == errors
    {
        p.report_rejection(at);
    }
    separator(p, end);
}

/// Parses a statement that does not fit, if it does after a repair. A nested statement with the error repairs it there.
fn is_repaired(p: &mut Parser<'_>, reading: PlainReading, end: usize) -> bool {
    match reading {
        PlainReading::Rejected { at, is_inside: false } => {
            !super::definitions::has_unbalanced_parameter(p, at, end)
                && super::repair::repaired_statement(p, at, end)
        }
        PlainReading::TooLong if end > p.position() => {
            super::repair::fits_without_stray_opener(p, end - 1 - p.position(), end)
        }
        _ => false,
    }
}

/// Parses a `;` and the next statement, or what else follows a statement whose lines end before the token
/// `end`.
fn separator(p: &mut Parser<'_>, end: usize) {
    if p.at(SEMICOLON) && starts_expression(p.nth(1)) {
        p.bump();
    } else {
        p.up_to(end, after_statement);
    }
}

/// Returns true if the current token can follow a statement, and false if it would have to be part of it.
pub(crate) fn may_follow(p: &Parser<'_>) -> bool {
    match p.current() {
        // Two statements on one line are rare: more likely, the first one is incomplete.
        kind if p.trusts_lines() && !p.is_first_on_line(0) && starts_expression(kind) => false,
        VARIABLE | CLASSREF if super::calls::is_lambda_without_pipe(p) => false,
        NAME => !super::calls::lacks_dot(p),
        SQ_STRING | DQ_STRING | VARIABLE | DEFAULT_KW => p.nth(1) != COLON,
        DQ_START => titles::end_of_string(p, 0).is_none_or(|end| p.nth(end + 1) != COLON),
        LIST_START => titles::end_of_brackets(p, 0).is_none_or(|end| p.nth(end + 1) != COLON),
        SEMICOLON | R_BRACE | EPP_CLOSE_EXPR => true,
        kind => starts_expression(kind),
    }
}

/// Parses `= value`, `-> resource` or `.method`, if only the left-hand side is missing.
fn missing_left_side(p: &mut Parser<'_>) -> bool {
    let rest = p.start();
    let before = p.position();
    match p.current() {
        DOT => _ = super::calls::method_without_receiver(p),
        EQ | PLUS_EQ | MINUS_EQ | BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW
            if starts_expression(p.nth(1)) =>
        {
            p.bump();
            statement(p);
        }
        _ => {}
    }
    p.complete(rest, ERROR);
    p.position() > before
}

/// Parses a class, defined type or similar definition whose keyword is missing.
fn without_keyword(p: &mut Parser<'_>) -> bool {
    let found = p.at(NAME) && super::definitions::lacks_keyword(p);
    if found {
        super::definitions::without_keyword(p);
    }
    found
}

/// Reports and skips a closing bracket that has no opening one.
pub(crate) fn stray_closer(p: &mut Parser<'_>) {
    let found = p.found();
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, format!("unexpected closing delimiter {found}"));
    p.bump_into_error();
    p.unmute_errors();
}

fn stray_else(p: &mut Parser<'_>, broken: bool) {
    if !broken {
        let range = p.current_range();
        let message = format!("`{}` without a matching `if`", p.text());
        p.error_at(Code::SyntaxError, range, message);
    }
    let clause = p.start();
    let has_condition = p.at(ELSIF_KW);
    p.bump();
    if has_condition {
        expressions::expect_expression(p, "a condition");
    }
    grammar::block(p, "the `else` block");
    p.complete(clause, ERROR);
}

fn stray_semicolon(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at(Code::SyntaxError, range, with_help("unexpected `;`", "use `;` only between two statements"));
    p.bump_into_error();
    p.unmute_errors();
}

/// Parses what may follow a statement: `;` and another statement, or the next statement.
pub(crate) fn after_statement(p: &mut Parser<'_>) {
    match p.current() {
        SEMICOLON if starts_expression(p.nth(1)) => p.bump(),
        SEMICOLON => stray_semicolon(p),
        COMMA => {
            let range = p.current_range();
            p.error_at(
                Code::ArgumentList,
                range,
                with_help("unexpected `,`", "add parentheses around the arguments; only functions such as `include` can be called without them"),
            );
            let list = p.start();
            while p.eat(COMMA) {
                if starts_expression(p.current()) {
                    expressions::assignment(p);
                }
                while p.at_any(&[R_BRACK, R_PAREN]) {
                    p.bump();
                }
                super::calls::method_without_receiver(p);
            }
            p.complete(list, ERROR);
        }
        _ => {}
    }
}

/// Skips to the next possible start of a statement: a line that begins like one, or a closing brace.
fn skip_broken_statement(p: &mut Parser<'_>) {
    let mut depth = 0usize;
    let mut length = 0;
    loop {
        match p.nth(length) {
            EOF => break,
            L_BRACE | SELECTOR_BRACE | INTERPOLATION_START => depth += 1,
            R_BRACE | INTERPOLATION_END | EPP_CLOSE_EXPR if depth == 0 => break,
            R_BRACE | INTERPOLATION_END => depth -= 1,
            _ => {}
        }
        length += 1;
        if depth == 0 && starts_statement(p, length) {
            break;
        }
    }
    p.skip(length);
    p.unmute_errors();
}

/// Returns true if the token `ahead` looks like the first of a statement: by its line, or by the following
/// tokens if lines cannot be trusted.
pub(crate) fn starts_statement(p: &Parser<'_>, ahead: usize) -> bool {
    let next = p.nth(ahead + 1);
    let kind = p.nth(ahead);
    if !p.trusts_lines() {
        return match kind {
            VARIABLE => next == EQ,
            NAME => {
                (next == L_BRACE && titles::colon_after_title(p, ahead + 2).is_some())
                    || (STATEMENT_CALLS.contains(&p.text_of(ahead)) && starts_expression(next))
            }
            CLASS_KW if next == L_BRACE => true,
            CLASS_KW | DEFINE_KW | FUNCTION_KW | PLAN_KW => matches!(next, NAME),
            NODE_KW => matches!(next, SQ_STRING | DQ_STRING | REGEX | DEFAULT_KW | NAME),
            TYPE_KW => next == CLASSREF,
            CLASSREF => matches!(next, L_BRACK | L_BRACE | COLLECT_START | EXPORTED_START),
            IF_KW | UNLESS_KW | CASE_KW => next != FAT_ARROW,
            _ => false,
        };
    }
    if kind == CLASS_KW && next == L_BRACE && p.is_first_on_line(ahead) {
        return true;
    }
    let common = matches!(
        kind,
        VARIABLE
            | NAME
            | CLASSREF
            | IF_KW
            | UNLESS_KW
            | CASE_KW
            | CLASS_KW
            | DEFINE_KW
            | NODE_KW
            | FUNCTION_KW
            | TYPE_KW
            | AT
            | AT_AT
            | PLAN_KW
    );
    common && p.is_first_on_line(ahead) && !matches!(next, FAT_ARROW | PLUS_ARROW | COLON | COMMA)
}

/// Returns true if the next line is a definition, which no statement call can take as an argument. While
/// `include ` is being typed, the next line is not its argument.
pub(crate) fn starts_new_statement(p: &Parser<'_>) -> bool {
    p.at_any(&DEFINITION_KEYWORDS) && p.line_break_before(0) && p.nth(1) != L_BRACE
}
