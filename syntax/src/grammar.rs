//! Grammar of Puppet: one function per production, with the production as the first line of its
//! documentation.
//!
//! No function fails. A function that cannot use the current token reports an error and leaves the token to
//! its caller. In plain mode parsing ends there; in recovering mode, [`recovery`] decides how to continue.

pub(crate) mod conditionals;
pub(crate) mod definitions;
pub(crate) mod expressions;
pub(crate) mod lists;
pub(crate) mod primary;
pub(crate) mod resources;

pub(crate) use definitions::{
    name, parameter, parameter_list, parameters, starts_parameter, type_alias_value,
};

use crate::parser::{Completed, Parser};
use crate::recovery::{self, RecoveryContext};
use crate::{SyntaxKind, SyntaxKind::*};

/// Functions that accept arguments without parentheses.
pub const STATEMENT_CALLS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail",
    "import", "break", "next", "return",
];

/// `Program: PipeParameters? Statements?`; parameters only in templates.
pub(crate) fn source_file(p: &mut Parser<'_>, is_template: bool) {
    let file = p.start();
    if is_template && (p.at(PIPE) || p.recovering_and(recovery::calls::are_parameters_without_pipe)) {
        definitions::pipe_parameters(p);
    }
    statements(p);
    while !p.at_end() {
        recovery::statements::stray_closer(p);
        statements(p);
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

/// `Statements: Statement (';'? Statement)*`
///
/// Ends before a closing token or at the end of the input.
fn statements(p: &mut Parser<'_>) {
    if p.recovers() {
        return recovery::statements::statements(p);
    }
    while starts_expression(p.current()) {
        p.begin_statement();
        statement(p);
        if p.at(SEMICOLON) && starts_expression(p.nth(1)) {
            p.bump();
        }
    }
}

/// Parses the statements in the first `count` tokens as a file.
pub(crate) fn statements_up_to(p: &mut Parser<'_>, count: usize) {
    let file = p.start();
    if p.recovers() {
        recovery::statements::statements_up_to(p, count);
    }
    while p.position() < count && starts_expression(p.current()) {
        p.begin_statement();
        statement(p);
        if p.at(SEMICOLON) && starts_expression(p.nth(1)) {
            p.bump();
        }
    }
    p.complete(file, SOURCE_FILE);
}

/// `Statement: Assignment | name Assignment (',' Assignment)*`: the name is one of [`STATEMENT_CALLS`].
pub(crate) fn statement(p: &mut Parser<'_>) -> Option<Completed> {
    let name_index = p.position();
    let is_call_name = p.at(NAME) && STATEMENT_CALLS.contains(&p.text());
    let first = expressions::assignment(p)?;
    if !(is_call_name && first.kind() == QUALIFIED_NAME && p.position() == name_index + 1) {
        return Some(first);
    }
    let next = if p.at(SEMICOLON) { p.nth(1) } else { p.current() };
    if !starts_expression(next) || p.recovering_and(recovery::statements::starts_new_statement) {
        return Some(first);
    }
    let call = p.precede(first);
    let arguments = p.start();
    p.eat(SEMICOLON);
    expressions::assignment(p);
    while p.eat(COMMA) {
        if !starts_expression(p.current()) {
            p.expected_here("another value");
            break;
        }
        expressions::assignment(p);
    }
    p.complete(arguments, ARGUMENT_LIST);
    Some(p.complete(call, STATEMENT_CALL))
}

/// `Block: '{' Statements? '}'`; `what` describes the block in messages.
pub(crate) fn block(p: &mut Parser<'_>, what: &str) {
    block_of(p, RecoveryContext::Block, what);
}

/// Parses a block that may be followed by `else`.
fn conditional_block(p: &mut Parser<'_>) {
    block_of(p, RecoveryContext::ConditionalBlock, "a block");
}

fn block_of(p: &mut Parser<'_>, inside: RecoveryContext, what: &str) {
    let lacks_brace = !p.at(L_BRACE) || p.recovering_and(recovery::titles::holds_resource_bodies);
    if lacks_brace && recovery::blocks::block_without_brace(p, inside, what) {
        return;
    }
    let block = p.start();
    let open = p.current_range();
    p.bump();
    if p.recovering_and(recovery::resources::holds_statements) {
        recovery::repair::skip_doubled(p);
    }
    p.within_statement(|p| {
        p.inside(inside, statements);
        close(p, R_BRACE, open, "`}`");
    });
    p.complete(block, BLOCK);
}

/// Parses the closing token of a pair.
fn close(p: &mut Parser<'_>, kind: SyntaxKind, open: crate::TextRange, what: &str) {
    if !p.eat(kind) {
        recovery::blocks::missing_close(p, open, what);
    }
}

/// Returns true if an expression can begin with this token.
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
