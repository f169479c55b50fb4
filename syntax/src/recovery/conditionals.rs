//! `if`, `unless`, `case` and selectors that lack something.

use crate::grammar::{self, expressions, starts_expression};
use crate::parser::{Completed, Marker, Parser};
use crate::{SyntaxKind::*, TextRange};
use codes::Code;

use super::{blocks, lists};

/// In a condition, where a value should come: are these braces the block that the condition belongs to? Braces of a
/// hash would be followed by an operator or by the block.
pub(crate) fn is_at_block_of_condition(p: &Parser<'_>) -> bool {
    if !p.is_in_condition() || !p.at(L_BRACE) {
        return false;
    }
    let next = matching_brace(p).map(|end| p.nth(end + 1));
    next.is_none_or(|next| {
        matches!(
            next,
            EOF | R_BRACE
                | NAME
                | VARIABLE
                | CLASSREF
                | SQ_STRING
                | AT
                | AT_AT
                | EPP_TEXT
                | EPP_EMPTY_TEXT
                | EPP_OPEN_EXPR
        ) || (next.is_keyword() && !matches!(next, AND_KW | OR_KW | IN_KW))
    })
}

/// What is left of a broken condition: where the brace of its block stands behind that.
pub(crate) fn brace_behind_condition(p: &Parser<'_>) -> Option<usize> {
    const MAX_LENGTH: usize = 80;
    let on_this_line = blocks::brace_on_this_line(p);
    let anywhere = || {
        let ends = |at: &usize| {
            let kind = p.nth(*at);
            matches!(kind, EOF | L_BRACE | R_BRACE | SEMICOLON | EQ | FAT_ARROW | COLON)
                || (kind.is_keyword()
                    && !matches!(kind, AND_KW | OR_KW | IN_KW | UNDEF_KW | TRUE_KW | FALSE_KW))
        };
        (0..MAX_LENGTH).find(ends).filter(|at| p.nth(*at) == L_BRACE)
    };
    on_this_line.or_else(anywhere)
}

/// Where the brace that closes the current one stands.
fn matching_brace(p: &Parser<'_>) -> Option<usize> {
    let mut depth = 0usize;
    let mut ahead = 0;
    loop {
        match p.nth(ahead) {
            EOF => return None,
            L_BRACE | SELECTOR_BRACE | INTERPOLATION_START => depth += 1,
            R_BRACE | INTERPOLATION_END if depth <= 1 => return Some(ahead),
            R_BRACE | INTERPOLATION_END => depth -= 1,
            _ => {}
        }
        ahead += 1;
    }
}

/// `if $a = 1`
pub(crate) fn assignment_for_comparison(p: &mut Parser<'_>) {
    if p.recovering_and(|p| p.at(EQ) && starts_expression(p.nth(1)) && !p.line_break_before(1)) {
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, "a comparison is written `==`, found `=`");
        p.bump_into_error();
        expressions::expression(p);
    }
}

/// Puts what is left of a chain of `elsif` into an error node.
pub(crate) fn skip_elsif_clauses(p: &mut Parser<'_>) {
    let mut length = 0;
    while p.nth(length) == ELSIF_KW {
        let ends = |at: usize| {
            matches!(p.nth(at), ELSIF_KW | ELSE_KW | EOF)
                || (p.nth(at) == R_BRACE && p.nth(at + 1) != ELSIF_KW)
        };
        length += 1;
        while !ends(length) {
            length += 1;
        }
    }
    p.skip(length);
}

/// The `elsif` that no `unless` can have.
pub(crate) fn elsif_of_unless(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at(
        Code::SyntaxError,
        range,
        "`unless` takes no `elsif`; write `else`, or an `if` with the opposite condition",
    );
    while p.at(ELSIF_KW) {
        let clause = p.start();
        p.bump();
        expressions::expect_expression(p, "a condition");
        grammar::block(p, "what to do");
        p.complete(clause, ERROR);
    }
}

/// Reports that the options of a case lack their brace; skips to one on the same line.
pub(crate) fn case_without_brace(p: &mut Parser<'_>) {
    p.expected_here("`{` with the options of the case");
    if !p.is_first_on_line(0) {
        let braces = blocks::brace_on_this_line(p);
        p.skip(braces.unwrap_or(0));
    }
}

/// Do the options of a case stand in the braces that open here? True only for what cannot be a body of a resource.
pub(crate) fn holds_options(p: &Parser<'_>) -> bool {
    begins_option(p, 1)
}

/// Does an option of a case begin `ahead`, `value: {`, which nothing else looks like?
pub(crate) fn begins_option(p: &Parser<'_>, mut ahead: usize) -> bool {
    loop {
        match p.nth(ahead) {
            SQ_STRING | DQ_STRING | NAME | WORD | NUMBER | REGEX | CLASSREF | DEFAULT_KW | UNDEF_KW
            | TRUE_KW | FALSE_KW => {}
            _ => return false,
        }
        match (p.nth(ahead + 1), p.nth(ahead + 2)) {
            (COMMA, _) => ahead += 2,
            (COLON, next) => return next == L_BRACE,
            _ => return false,
        }
    }
}

/// `value { options }`: the keyword is missing.
pub(crate) fn case_without_keyword(p: &mut Parser<'_>, case: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(
        Code::SyntaxError,
        open,
        "these braces hold the options of a case: is the keyword `case` missing before the value?",
    );
    grammar::conditionals::case_options(p);
    p.complete(case, CASE_EXPR)
}

/// Reports what no option of a case can begin with, and skips it; true if an option follows.
pub(crate) fn comes_to_option(p: &mut Parser<'_>) -> bool {
    loop {
        let is_value = starts_expression(p.current()) && !p.at_any(&[AT, AT_AT]);
        if is_value || (p.at(COLON) && p.nth(1) == L_BRACE) {
            return true;
        }
        if p.at_end() || p.at_any(&[R_BRACE, INTERPOLATION_END, EPP_CLOSE_EXPR]) {
            return false;
        }
        let found = p.found();
        let range = p.current_range();
        p.error_at(Code::SyntaxError, range, format!("expected an option of the case, found {found}"));
        p.bump_into_error();
    }
}

/// Values of an option of a case that stand there without a comma before them.
pub(crate) fn values_without_comma(p: &mut Parser<'_>) {
    while p.recovering_and(is_value_of_option) {
        lists::expected_comma(p);
        expressions::expression(p);
    }
}

/// Does another value of a case option follow although there is no comma?
fn is_value_of_option(p: &Parser<'_>) -> bool {
    matches!(p.current(), SQ_STRING | DQ_STRING | NAME | NUMBER | REGEX | CLASSREF | DEFAULT_KW)
        && matches!(p.nth(1), COLON | COMMA)
        && p.nth(2) != FAT_ARROW
}

/// Behind an entry of a selector that began at the token `before`: reports it and is true if another one follows without a comma.
pub(crate) fn entry_without_comma(p: &mut Parser<'_>, before: usize, open: TextRange) -> bool {
    let follows = starts_expression(p.current())
        && !p.at(L_BRACE)
        && p.position() > before
        && !p.is_outside_of(0, open);
    if follows {
        lists::expected_comma(p);
    }
    follows
}

/// Behind the only entry of a selector without braces that began at `open`: reads others, if they follow, up to a brace.
pub(crate) fn selector_without_brace(p: &mut Parser<'_>, open: TextRange) {
    if !p.recovering_and(is_at_more_entries) {
        return;
    }
    p.error_at(Code::SyntaxError, open, "expected `{` before the entries of the selector");
    while is_at_more_entries(p) {
        p.bump();
        grammar::conditionals::selector_entry(p);
    }
    if p.nth(1) == R_BRACE {
        p.eat(COMMA);
    }
    p.eat(R_BRACE);
}

/// `, 'value' =>`: no attribute is called so.
fn is_at_more_entries(p: &Parser<'_>) -> bool {
    p.at(COMMA)
        && matches!(p.nth(1), SQ_STRING | DQ_STRING | DEFAULT_KW | UNDEF_KW | REGEX | CLASSREF | NUMBER)
        && p.nth(2) == FAT_ARROW
}

/// Reports that an entry of a selector lacks its arrow, and reads a result that stands there all the same.
pub(crate) fn entry_without_arrow(p: &mut Parser<'_>) {
    p.expected_here("`=>`");
    if starts_expression(p.current()) && !p.line_break_before(0) {
        expressions::expression(p);
    }
}
