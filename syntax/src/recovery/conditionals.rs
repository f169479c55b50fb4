//! Incomplete `if`, `unless`, `case` and selector expressions.

use crate::grammar::{self, expressions, starts_expression};
use crate::parser::{Completed, Marker, Parser};
use crate::{SyntaxKind::*, TextRange};
use codes::{Code, with_help};

use super::{blocks, lists};

/// Returns true if the brace at the position of a value in a condition opens the block of that condition. The
/// braces of a hash would be followed by an operator or by the block.
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

/// Returns the distance to the brace of the block after the rest of a broken condition.
pub(crate) fn brace_after_condition(p: &Parser<'_>) -> Option<usize> {
    const MAX_TOKENS: usize = 80;
    let on_this_line = blocks::brace_on_this_line(p);
    let anywhere = || {
        let ends = |at: &usize| {
            let kind = p.nth(*at);
            matches!(kind, EOF | L_BRACE | R_BRACE | SEMICOLON | EQ | FAT_ARROW | COLON)
                || (kind.is_keyword()
                    && !matches!(kind, AND_KW | OR_KW | IN_KW | UNDEF_KW | TRUE_KW | FALSE_KW))
        };
        (0..MAX_TOKENS).find(ends).filter(|at| p.nth(*at) == L_BRACE)
    };
    on_this_line.or_else(anywhere)
}

/// Returns the distance to the brace that closes the current one.
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

/// Reports `=` in place of `==`, as in `if $a = 1`, and parses the right-hand side.
pub(crate) fn assignment_for_comparison(p: &mut Parser<'_>) {
    if p.recovering_and(|p| p.at(EQ) && starts_expression(p.nth(1)) && !p.line_break_before(1)) {
        let range = p.current_range();
        p.error_at(
            Code::SyntaxError,
            range,
            with_help("expected `==`, found `=`", "use `==` to compare values"),
        );
        p.bump_into_error();
        expressions::expression(p);
    }
}

/// Skips the rest of a chain of `elsif` clauses into an error node.
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

/// Reports and parses the `elsif` clauses of an `unless`, which cannot have any.
pub(crate) fn elsif_of_unless(p: &mut Parser<'_>) {
    let range = p.current_range();
    p.error_at(
        Code::SyntaxError,
        range,
        with_help("`unless` cannot have an `elsif` clause", "use `else`, or `if` with the negated condition"),
    );
    while p.at(ELSIF_KW) {
        let clause = p.start();
        p.bump();
        expressions::expect_expression(p, "a condition");
        grammar::block(p, "a block");
        p.complete(clause, ERROR);
    }
}

/// Reports that the opening brace of a `case` is missing, and skips to a brace on the same line.
pub(crate) fn case_without_brace(p: &mut Parser<'_>) {
    p.expected_here("`{` and the `case` options");
    if !p.is_first_on_line(0) {
        let braces = blocks::brace_on_this_line(p);
        p.skip(braces.unwrap_or(0));
    }
}

/// Returns true if the braces that open here contain options of a `case`. True only for tokens that cannot be
/// a resource body.
pub(crate) fn holds_options(p: &Parser<'_>) -> bool {
    begins_option(p, 1)
}

/// Returns true if an option of a `case`, `value: {`, begins at `ahead`. No other construct looks like this.
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

/// Parses `value { options }`, where the keyword `case` is missing.
pub(crate) fn case_without_keyword(p: &mut Parser<'_>, case: Marker) -> Completed {
    let open = p.current_range();
    p.error_at(
        Code::SyntaxError,
        open,
        with_help("unexpected `case` options", "add the keyword `case` before the value"),
    );
    grammar::conditionals::case_options(p);
    p.complete(case, CASE_EXPR)
}

/// Reports and skips tokens that cannot begin an option of a `case`. Returns true if an option follows.
pub(crate) fn skip_to_option(p: &mut Parser<'_>) -> bool {
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
        p.error_at(Code::SyntaxError, range, format!("expected a `case` option, found {found}"));
        p.bump_into_error();
    }
}

/// Parses further values of a `case` option that lack a comma before them.
pub(crate) fn values_without_comma(p: &mut Parser<'_>) {
    while p.recovering_and(is_value_of_option) {
        lists::expected_comma(p);
        expressions::expression(p);
    }
}

/// Returns true if another value of a `case` option follows without a comma.
fn is_value_of_option(p: &Parser<'_>) -> bool {
    matches!(p.current(), SQ_STRING | DQ_STRING | NAME | NUMBER | REGEX | CLASSREF | DEFAULT_KW)
        && matches!(p.nth(1), COLON | COMMA)
        && p.nth(2) != FAT_ARROW
}

/// Reports a missing comma after the selector entry that began at token `before`. Returns true if another
/// entry follows.
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

/// Parses the remaining entries, up to a closing brace, after the first entry of a selector whose opening
/// brace is missing at `open`.
pub(crate) fn selector_without_brace(p: &mut Parser<'_>, open: TextRange) {
    if !p.recovering_and(is_at_more_entries) {
        return;
    }
    p.error_at(Code::SyntaxError, open, "expected `{` before the selector entries");
    while is_at_more_entries(p) {
        p.bump();
        grammar::conditionals::selector_entry(p);
    }
    if p.nth(1) == R_BRACE {
        p.eat(COMMA);
    }
    p.eat(R_BRACE);
}

/// Returns true at `, 'value' =>`, which cannot begin an attribute.
fn is_at_more_entries(p: &Parser<'_>) -> bool {
    p.at(COMMA)
        && matches!(p.nth(1), SQ_STRING | DQ_STRING | DEFAULT_KW | UNDEF_KW | REGEX | CLASSREF | NUMBER)
        && p.nth(2) == FAT_ARROW
}

/// Reports that a selector entry lacks its arrow, and parses its result if there is one.
pub(crate) fn entry_without_arrow(p: &mut Parser<'_>) {
    p.expected_here("`=>`");
    if starts_expression(p.current()) && !p.line_break_before(0) {
        expressions::expression(p);
    }
}
