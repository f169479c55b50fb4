//! The grammar: one function per production, its first comment line the production.
//!
//! Nothing here fails. A function that finds no sense in the current token reports it and leaves the token to its
//! caller; statements and lists skip what nobody takes. One mistake gives one report: after an error nothing is
//! reported until something fits again.

mod conditionals;
mod definitions;
mod expressions;
mod lists;
mod primary;
mod resources;

use crate::parser::{Completed, Parser};
use crate::{SyntaxKind, SyntaxKind::*};

/// Functions that take arguments without parentheses.
pub(crate) const STATEMENT_CALLS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail",
    "import", "break", "next", "return",
];

/// `Program: Statements? | EppParameters Statements?`
pub(crate) fn source_file(p: &mut Parser<'_>, is_template: bool) {
    let file = p.start();
    if is_template && p.at(PIPE) {
        definitions::pipe_parameters(p);
    }
    loop {
        statements(p);
        if p.at_end() {
            break;
        }
        unexpected_closer(p);
    }
    p.complete(file, SOURCE_FILE);
}

/// `HeredocText: (text | Variable | Interpolation)* end`
pub(crate) fn heredoc_body(p: &mut Parser<'_>) {
    while !p.at_end() {
        match p.current() {
            STRING_TEXT | HEREDOC_END => p.bump(),
            VARIABLE => {
                primary::variable(p);
            }
            INTERPOLATION_START => primary::interpolation(p),
            _ => p.bump_into_error(),
        }
    }
}

/// A `}`, `)` or the like that nothing has opened.
fn unexpected_closer(p: &mut Parser<'_>) {
    let found = p.found();
    let range = p.current_range();
    p.error_at(
        "syntax-error",
        range,
        format!("unexpected {found}: nothing that it could close is open here"),
    );
    p.bump_into_error();
    p.speak();
}

/// `Statements: Statement (';'? Statement)*`
///
/// Ends before a token that closes something, or at the end.
fn statements(p: &mut Parser<'_>) {
    let mut broken = false;
    loop {
        match p.current() {
            EOF | R_BRACE | INTERPOLATION_END | EPP_CLOSE_EXPR => return,
            SEMICOLON => stray_semicolon(p),
            kind if starts_expression(kind) => {
                let before = p.position();
                let errors = p.error_count();
                statement(p);
                after_statement(p);
                broken = p.error_count() > errors;
                if p.position() == before && !p.at_end() {
                    p.bump_into_error();
                }
            }
            ELSE_KW | ELSIF_KW if p.in_conditional => return,
            INHERITS_KW if matches!(p.nth(1), NAME | DEFAULT_KW) && p.nth(2) == L_BRACE => {
                if !broken {
                    let range = p.current_range();
                    p.error_at(
                        "syntax-error",
                        range,
                        "`inherits` belongs to a class: is the keyword `class` missing?",
                    );
                }
                let rest = p.start();
                p.bump();
                p.bump();
                block(p, "the body of the class");
                p.complete(rest, ERROR);
            }
            ELSE_KW | ELSIF_KW => {
                if !broken {
                    let range = p.current_range();
                    p.error_at("syntax-error", range, "there is no `if` that this could belong to");
                }
                let clause = p.start();
                if p.at(ELSIF_KW) {
                    p.bump();
                    expressions::expect_expression(p, "a condition");
                } else {
                    p.bump();
                }
                block(p, "what to do otherwise");
                p.complete(clause, ERROR);
            }
            R_PAREN | R_BRACK if !broken => unexpected_closer(p),
            _ => {
                if !broken {
                    let found = p.found();
                    let range = p.current_range();
                    p.error_at(
                        "syntax-error",
                        range,
                        format!("unexpected {found}: a statement cannot begin with it"),
                    );
                }
                skip_broken_statement(p);
            }
        }
    }
}

fn stray_semicolon(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at("syntax-error", range, "unexpected `;`: it may only stand between two statements");
    p.bump_into_error();
    p.speak();
}

/// What may follow a statement: `;` and another one, or the next statement.
fn after_statement(p: &mut Parser<'_>) {
    match p.current() {
        SEMICOLON if starts_expression(p.nth(1)) => {
            p.bump();
            p.speak();
        }
        SEMICOLON => stray_semicolon(p),
        COMMA => {
            let range = p.current_range();
            p.error_at(
                "argument-list",
                range,
                "unexpected `,`: only a few functions, such as `include`, take a list of values without parentheses",
            );
            let list = p.start();
            while p.eat(COMMA) {
                if starts_expression(p.current()) {
                    expressions::assignment(p);
                }
                while p.at_any(&[R_BRACK, R_PAREN]) {
                    p.bump();
                }
            }
            p.complete(list, ERROR);
        }
        _ => {}
    }
}

/// Skips to where a statement can begin again: a new line that begins like one, or a closing brace.
fn skip_broken_statement(p: &mut Parser<'_>) {
    let error = p.start();
    let mut depth = 0usize;
    loop {
        match p.current() {
            EOF => break,
            L_BRACE | SELECTOR_BRACE | INTERPOLATION_START => depth += 1,
            R_BRACE | INTERPOLATION_END | EPP_CLOSE_EXPR if depth == 0 => break,
            R_BRACE | INTERPOLATION_END => depth -= 1,
            _ => {}
        }
        p.bump();
        if depth == 0 && starts_statement_line(p) {
            break;
        }
    }
    p.complete(error, ERROR);
    p.speak();
}

/// Does the current token begin a line, and is it one with which statements commonly begin?
fn starts_statement_line(p: &Parser<'_>) -> bool {
    if p.at(CLASS_KW) && p.nth(1) == L_BRACE && p.is_first_on_line(0) {
        return true;
    }
    let common = matches!(
        p.current(),
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
    common && p.is_first_on_line(0) && !matches!(p.nth(1), FAT_ARROW | PLUS_ARROW | COLON | COMMA)
}

/// `Statement: Assignment | StatementCallName Assignment (',' Assignment)*`
fn statement(p: &mut Parser<'_>) -> Option<Completed> {
    p.speak();
    if p.at(NAME) && definitions::lacks_keyword(p) {
        return Some(definitions::without_keyword(p));
    }
    let name_index = p.position();
    let is_call_name = p.at(NAME) && STATEMENT_CALLS.contains(&p.text());
    let first = expressions::assignment(p)?;
    if !(is_call_name && first.kind() == QUALIFIED_NAME && p.position() == name_index + 1) {
        return Some(first);
    }
    let next = if p.at(SEMICOLON) { p.nth(1) } else { p.current() };
    if !starts_expression(next) || starts_new_statement(p, name_index) {
        return Some(first);
    }
    let call = p.precede(first);
    let arguments = p.start();
    p.eat(SEMICOLON);
    expressions::assignment(p);
    while p.at(COMMA) {
        if starts_expression(p.nth(1)) {
            p.bump();
            expressions::assignment(p);
        } else {
            p.bump();
            p.expected_here("another value");
            break;
        }
    }
    p.complete(arguments, ARGUMENT_LIST);
    Some(p.complete(call, STATEMENT_CALL))
}

/// While `include ` is being typed the next line is not its argument: true where the next line is a definition or a
/// conditional, which no call can take anyway.
fn starts_new_statement(p: &Parser<'_>, name_index: usize) -> bool {
    let _ = name_index;
    let definition = matches!(p.current(), CLASS_KW | DEFINE_KW | NODE_KW | FUNCTION_KW | PLAN_KW);
    definition && p.line_break_before(0) && p.nth(1) != L_BRACE
}

/// `Block: '{' Statements? '}'`
///
/// Reports a missing brace and goes on with the statements if it looks as if there were some.
fn block(p: &mut Parser<'_>, what: &str) {
    conditional_block(p, what, false);
}

/// A block that `else` may follow if `in_conditional`.
fn conditional_block(p: &mut Parser<'_>, what: &str, in_conditional: bool) {
    let outer = std::mem::replace(&mut p.in_conditional, in_conditional);
    let condition = std::mem::replace(&mut p.in_condition, false);
    block_inside(p, what);
    p.in_conditional = outer;
    p.in_condition = condition;
}

fn block_inside(p: &mut Parser<'_>, what: &str) {
    if !p.at(L_BRACE) {
        p.expected_here(&format!("`{{` with {what}"));
        let braces = if p.is_first_on_line(0) { None } else { p.brace_on_this_line() };
        p.skip(braces.unwrap_or(0));
    }
    if !p.at(L_BRACE) {
        let owner = p.previous_range();
        let body_follows =
            starts_expression(p.current()) && p.is_first_on_line(0) && !p.is_outside_of(0, owner);
        let one_line = starts_expression(p.current()) && !p.is_first_on_line(0) && p.closes_on_this_line();
        if body_follows || one_line || p.at(R_BRACE) {
            let block = p.start();
            statements(p);
            p.eat(R_BRACE);
            p.complete(block, BLOCK);
        }
        return;
    }
    let block = p.start();
    let open = p.current_range();
    p.bump();
    p.speak();
    statements(p);
    if p.in_conditional && p.at_any(&[ELSE_KW, ELSIF_KW]) {
        p.expected("`}`");
    } else {
        close(p, R_BRACE, open, "`}`");
    }
    p.complete(block, BLOCK);
}

/// The closing token of a pair; where it is missing at the end of the file, the error is at the opening one.
fn close(p: &mut Parser<'_>, kind: SyntaxKind, open: crate::TextRange, what: &str) {
    if p.at(kind) {
        let is_further_left = p.is_first_on_line(0) && p.indent_of(0) < p.indent_at(open.start);
        if kind == R_BRACE && is_further_left && p.misindented.is_none() {
            p.misindented = Some(open);
        }
        p.bump();
        p.speak();
    } else if p.at_end() {
        let open = p.misindented.take().unwrap_or(open);
        p.error_at("syntax-error", open, format!("this is never closed: add {what}"));
    } else {
        let found = p.found();
        let range = p.current_range();
        if let Some(error) = p.error_at("syntax-error", range, format!("expected {what}, found {found}")) {
            error.related.push((open, "opened here".to_owned()));
        }
    }
}

/// Can an expression begin with this token?
pub(crate) fn starts_expression(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        NAME | WORD
            | CLASSREF
            | VARIABLE
            | NUMBER
            | SQ_STRING
            | DQ_STRING
            | DQ_START
            | REGEX
            | HEREDOC_START
            | L_BRACK
            | LIST_START
            | L_BRACE
            | L_PAREN
            | LINE_START_PAREN
            | BANG
            | MINUS
            | STAR
            | AT
            | AT_AT
            | CASE_KW
            | CLASS_KW
            | DEFAULT_KW
            | DEFINE_KW
            | IF_KW
            | NODE_KW
            | UNDEF_KW
            | FALSE_KW
            | TRUE_KW
            | UNLESS_KW
            | FUNCTION_KW
            | TYPE_KW
            | ATTR_KW
            | PRIVATE_KW
            | PLAN_KW
            | APPLY_KW
            | EPP_TEXT
            | EPP_EMPTY_TEXT
            | EPP_OPEN_EXPR
            | ERROR_TOKEN
    )
}
