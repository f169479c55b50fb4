//! Incomplete method calls and lambdas.

use super::lookahead::{Lookahead, MAX_LOOKAHEAD};
use crate::grammar::{definitions, expressions};
use crate::parser::{Completed, Parser};
use crate::{SyntaxKind::*, TextRange};
use codes::Code;

/// Returns true if the token after a dot begins an assignment on the next line, so that the method name is
/// missing.
pub(crate) fn is_next_line_assignment(p: &Parser<'_>) -> bool {
    p.line_break_before(0) && p.nth(1) == EQ
}

/// Reports that the method name after a dot is missing or still being typed.
pub(crate) fn missing_method_name(p: &mut Parser<'_>) {
    let range = p.previous_range();
    p.error_at(Code::SyntaxError, range, "expected a function name after `.`");
    // A keyword directly after the dot is a name that is still being typed.
    if p.is_joined_to_previous()
        && (p.current().is_keyword() || p.at_any(&[WORD, CLASSREF, NUMBER, ERROR_TOKEN]))
    {
        p.bump_into_error();
    }
}

/// Parses `.name`, a method call without a receiver, at the position of a value.
pub(crate) fn method_without_receiver(p: &mut Parser<'_>) -> Option<Completed> {
    if !p.recovering_and(|p| p.at(DOT) && p.nth(1) == NAME) {
        return None;
    }
    let call = p.start();
    p.bump();
    Some(expressions::method(p, call))
}

/// Returns true at `name |$parameter|` after a value, where the dot is missing. No statement begins like
/// this.
pub(crate) fn lacks_dot(p: &Parser<'_>) -> bool {
    p.at(NAME) && p.nth(1) == PIPE && matches!(p.nth(2), VARIABLE | CLASSREF)
}

/// Returns true at `|$parameter| {` after a value that is not a call.
pub(crate) fn is_lambda_without_call(p: &Parser<'_>) -> bool {
    p.at(PIPE)
        && matches!(p.nth(1), VARIABLE | CLASSREF)
        && closing_pipe(p, 1).is_some_and(|at| p.nth(at + 1) == L_BRACE)
}

pub(crate) fn lambda_without_call(p: &mut Parser<'_>, value: Completed) -> Completed {
    let call = p.precede(value);
    p.expected("a call before the parameters of a lambda");
    definitions::lambda(p);
    p.complete(call, CALL_EXPR)
}

/// Returns true at `$parameter| {` after a call: a lambda whose first `|` is missing.
pub(crate) fn is_lambda_without_pipe(p: &Parser<'_>) -> bool {
    let may_follow = !(p.trusts_lines() && p.line_break_before(0));
    may_follow && closing_pipe(p, 0).is_some_and(|at| p.nth(at + 1) == L_BRACE)
}

/// Returns true at `$parameter | %>` at the start of a template.
pub(crate) fn are_parameters_without_pipe(p: &Parser<'_>) -> bool {
    closing_pipe(p, 0).is_some()
}

/// Returns the position of the `|` after the parameters that begin at `ahead`, if the tokens look like
/// parameters.
fn closing_pipe(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    if !matches!(p.nth(ahead), VARIABLE | CLASSREF) {
        return None;
    }
    for token in Lookahead::new(p, ahead..ahead + MAX_LOOKAHEAD) {
        match token.kind {
            PIPE => return Some(token.ahead),
            VARIABLE | CLASSREF | COMMA | STAR | EQ | L_BRACK | LIST_START | R_BRACK | SQ_STRING
            | DQ_STRING | NUMBER | REGEX | DEFAULT_KW | UNDEF_KW | TRUE_KW | FALSE_KW => {}
            _ => return None,
        }
    }
    None
}

/// Reports that the `|` after the parameters is missing.
pub(crate) fn missing_pipe(p: &mut Parser<'_>, open: TextRange) {
    let found = p.found();
    let range = p.current_range();
    let range = if range.is_empty() { open } else { range };
    if let Some(error) =
        p.error_at(Code::SyntaxError, range, format!("expected `|` after the parameters, found {found}"))
    {
        error.related.push((open, "opened here".to_owned()));
    }
}
