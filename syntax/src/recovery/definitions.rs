//! Incomplete definitions and parameters.

use super::lookahead::{AheadToken, DEFINITION_KEYWORDS, Lookahead, MAX_LOOKAHEAD, depth_after};
use super::repair::is_stray_opener;
use super::{lists, resources};
use crate::grammar::{self, expressions, starts_expression, starts_parameter};
use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};
use codes::{Code, with_help};

/// Maximum number of tokens of a broken type before the name of a parameter.
const MAX_BROKEN_TYPE: usize = 40;
/// Maximum number of tokens of a broken parameter.
const MAX_BROKEN_PARAMETER: usize = 301;
/// Maximum number of tokens of the parameters of a definition without its keyword.
const MAX_PARAMETER_TOKENS: usize = 4000;

/// Returns true if `name(parameters) { statements }` or similar begins here, where only the keyword of a
/// definition is missing. True only for tokens that cannot be a call.
pub(crate) fn lacks_keyword(p: &Parser<'_>) -> bool {
    let has_parameters = match (p.nth(1), p.nth(2)) {
        (L_PAREN | LINE_START_PAREN, VARIABLE) => matches!(p.nth(3), EQ | COMMA | R_PAREN),
        (L_PAREN | LINE_START_PAREN, CLASSREF) => matches!(p.nth(3), VARIABLE | L_BRACK),
        _ => return false,
    };
    if !has_parameters || (p.trusts_lines() && !p.is_first_on_line(0)) {
        return false;
    }
    let close = Lookahead::new(p, 1..MAX_PARAMETER_TOKENS).find(|it| it.depth > 0 && it.depth_after() == 0);
    close.is_some_and(|close| {
        let next = close.ahead + 1;
        p.nth(next) == INHERITS_KW || (p.nth(next) == L_BRACE && resources::holds_statements_at(p, next))
    })
}

/// Parses a class, defined type or similar definition whose keyword is missing.
pub(crate) fn without_keyword(p: &mut Parser<'_>) {
    let marker = p.start();
    let range = p.current_range();
    p.error_at(
        Code::SyntaxError,
        range,
        "expected a keyword such as `class` or `define` before the definition name",
    );
    grammar::name(p, "a name");
    grammar::parameters(p);
    if p.at(INHERITS_KW) {
        p.bump();
        grammar::name(p, "the name of the class it inherits from");
    }
    grammar::block(p, "the body of the definition");
    p.complete(marker, ERROR);
}

/// Reports that the name of a definition is missing, and skips a token that was meant as the name.
pub(crate) fn missing_name(p: &mut Parser<'_>, what: &str) {
    match p.current() {
        SQ_STRING | DQ_STRING | DQ_START => {
            let range = p.current_range();
            p.error_at(
                Code::QuotedName,
                range,
                with_help(format!("expected {what}, found a quoted string"), "remove the quotes"),
            );
            if !p.at(DQ_START) {
                p.bump_into_error();
            }
        }
        kind if kind.is_keyword() && !matches!(kind, INHERITS_KW) && is_on_line(p) => {
            p.expected(what);
            p.bump_into_error();
            if p.at_any(&[NAME, WORD, CLASSREF]) {
                grammar::name(p, what);
            }
        }
        _ => p.expected_here(what),
    }
}

/// Returns true if the current token is on the line of the previous one. If lines cannot be trusted, returns
/// true if the next token is a name.
fn is_on_line(p: &Parser<'_>) -> bool {
    !p.line_break_before(0) || (!p.trusts_lines() && p.nth(1) == NAME)
}

pub(crate) fn are_parameters_without_parenthesis(p: &Parser<'_>) -> bool {
    let is_swapped = p.at_any(&[VARIABLE, CLASSREF]) && matches!(p.nth(1), L_PAREN | LINE_START_PAREN);
    is_swapped || (starts_parameter(p) && !starts_body(p))
}

pub(crate) fn parameters_without_parenthesis(p: &mut Parser<'_>) {
    p.expected("`(` and the parameters");
    let list = p.start();
    if matches!(p.nth(1), L_PAREN | LINE_START_PAREN) {
        p.skip(2);
    }
    grammar::parameter_list(p, R_PAREN);
    p.eat(R_PAREN);
    p.complete(list, PARAMETER_LIST);
}

/// Returns true if a statement rather than a parameter begins here, where the opening token of a parameter
/// list or body is missing. Statements are not separated by commas.
fn starts_body(p: &Parser<'_>) -> bool {
    if p.nth(1) != EQ || !p.is_first_on_line(0) {
        return false;
    }
    let is_end = |it: &AheadToken| {
        it.depth == 0 && (matches!(it.kind, COMMA | R_PAREN) || it.ahead > 2 && p.is_first_on_line(it.ahead))
    };
    let end = Lookahead::new(p, 1..2 * MAX_LOOKAHEAD).find(is_end);
    end.is_none_or(|it| !matches!(it.kind, COMMA | R_PAREN))
}

/// Returns true if the current token cannot belong to a parameter list. Otherwise reports that a parameter is
/// expected.
pub(crate) fn ends_parameters(p: &mut Parser<'_>) -> bool {
    match p.current() {
        L_BRACE | R_BRACE | INHERITS_KW => return true,
        _ if p.recovering_and(begins_definition) => return true,
        NAME | WORD => {
            let found = p.found();
            let range = p.current_range();
            let message = with_help(
                format!("expected a parameter, found {found}"),
                "begin the parameter name with `$`",
            );
            p.error_at(Code::SyntaxError, range, message);
        }
        _ => p.expected("a parameter"),
    }
    false
}

fn begins_definition(p: &Parser<'_>) -> bool {
    p.at_any(&DEFINITION_KEYWORDS) && p.is_first_on_line(0)
}

/// Parses a parameter with `parameter`. A parameter with unbalanced brackets is parsed no further than its
/// own lines.
pub(crate) fn parameter_within_lines(p: &mut Parser<'_>, end: SyntaxKind, parameter: fn(&mut Parser<'_>)) {
    let length = (end == R_PAREN && p.recovers()).then(|| unbalanced_parameter(p, 0)).flatten();
    let Some(length) = length else { return parameter(p) };
    let (errors, following) = (p.error_count(), p.position() + length);
    p.up_to(following, parameter);
    if p.error_count() == errors {
        p.expected("`,` or `)`");
    }
    p.skip(following.saturating_sub(p.position()));
}

/// Returns true if the definition from here to the token `end` has a parameter with unbalanced brackets
/// before the token `at`.
pub(crate) fn has_unbalanced_parameter(p: &mut Parser<'_>, at: usize, end: usize) -> bool {
    let is_definition = p.at_any(&[CLASS_KW, DEFINE_KW, FUNCTION_KW, PLAN_KW])
        && matches!(p.nth(2), L_PAREN | LINE_START_PAREN);
    let parameters = 3..at.saturating_sub(p.position());
    let mut found = false;
    p.up_to(end, |p| {
        found = is_definition
            && parameters
                .filter(|ahead| p.indentation(*ahead).is_some() && begins_parameter_line(p, *ahead))
                .any(|ahead| unbalanced_parameter(p, ahead).is_some());
    });
    found
}

/// Returns the number of tokens of the parameter at `start`, without the comma after it, if its brackets are
/// unbalanced but its lines show where the next parameter begins.
fn unbalanced_parameter(p: &Parser<'_>, start: usize) -> Option<usize> {
    let own = p.indentation(start)?;
    let mut is_closed_twice = false;
    for AheadToken { ahead, kind, depth } in Lookahead::new(p, start + 1..start + 2 * MAX_LOOKAHEAD) {
        if depth == 0 && p.nth(ahead - 1) == COMMA && is_stray_opener(p, ahead) {
            return None;
        }
        if p.indentation(ahead).is_some_and(|it| it <= own + 1) {
            let is_balanced = depth == 0 && !is_closed_twice;
            if begins_parameter_line(p, ahead) && p.nth(ahead - 1) == COMMA {
                return (!is_balanced).then_some(ahead - 1 - start);
            }
            if kind == R_PAREN && ends_list(p.nth(ahead + 1)) {
                let has_comma = p.nth(ahead - 1) == COMMA;
                return (!is_balanced).then_some(ahead - usize::from(has_comma) - start);
            }
            // The value continues, or the list has ended.
            if depth == 0 && !matches!(kind, R_PAREN | R_BRACK | R_BRACE) {
                return None;
            }
        }
        match kind {
            R_PAREN if depth == 0 && ends_list(p.nth(ahead + 1)) => {
                return is_closed_twice.then_some(ahead - start);
            }
            R_PAREN | R_BRACK | R_BRACE if depth == 0 => is_closed_twice = true,
            _ => {}
        }
    }
    None
}

/// Returns true for a token that follows the `)` of a parameter list.
fn ends_list(kind: SyntaxKind) -> bool {
    matches!(kind, L_BRACE | INHERITS_KW | SHIFT_RIGHT)
}

/// Returns true at `$name =` or `Type $name`, which begin a parameter but not a list element.
fn begins_parameter_line(p: &Parser<'_>, ahead: usize) -> bool {
    let mut at = ahead;
    if p.nth(at) == CLASSREF {
        at += 1;
        if matches!(p.nth(at), L_BRACK | LIST_START) {
            let mut depth = 1usize;
            while depth > 0 && p.nth(at) != EOF {
                at += 1;
                depth = depth_after(p.nth(at), depth);
            }
            at += 1;
        }
        return p.nth(at) == VARIABLE || (p.nth(at) == STAR && p.nth(at + 1) == VARIABLE);
    }
    p.nth(at) == VARIABLE && p.nth(at + 1) == EQ
}

/// Handles a missing comma after a parameter. Returns true if another parameter or the end of the list
/// follows.
pub(crate) fn parameter_without_comma(p: &mut Parser<'_>, end: SyntaxKind) -> bool {
    let is_lone = p.at(VARIABLE) && p.text() == "$";
    if starts_parameter(p) && !is_lone {
        lists::expected_comma(p);
        return true;
    }
    let found = !p.at_end() && skip_to_parameter(p, end);
    if found {
        p.eat(COMMA);
    }
    found
}

/// Skips the rest of a broken parameter. Returns true if another parameter or the end of the list comes next.
fn skip_to_parameter(p: &mut Parser<'_>, end: SyntaxKind) -> bool {
    let closing = end.fixed_text().unwrap_or("the end");
    if !p.at_any(&[L_BRACE, INHERITS_KW, SHIFT_RIGHT, EOF]) {
        p.expected(&format!("`,` or `{closing}`"));
    }
    let Some(length) = distance_to_parameter(p, end) else { return false };
    p.skip(length);
    true
}

/// Returns the position of the next parameter, of the comma before it, or of the end of the list.
fn distance_to_parameter(p: &Parser<'_>, end: SyntaxKind) -> Option<usize> {
    for AheadToken { ahead, kind, depth } in Lookahead::new(p, 0..MAX_BROKEN_PARAMETER) {
        let begins_line = ahead > 0 && p.is_first_on_line(ahead);
        match kind {
            CLASS_KW | DEFINE_KW | NODE_KW if begins_line => return None,
            _ if depth > 0 => {}
            _ if kind == COMMA || kind == end => return Some(ahead),
            VARIABLE | CLASSREF if begins_line => return Some(ahead),
            INHERITS_KW => return None,
            L_BRACE if ahead == 0 || p.nth(ahead - 1) == R_PAREN => return None,
            _ => {}
        }
    }
    None
}

/// Reports that the name of the parameter is missing, and skips a broken type before it.
pub(crate) fn missing_variable(p: &mut Parser<'_>) {
    if p.at(NAME) && !p.line_break_before(0) {
        p.expected("a parameter name that begins with `$`")
    } else {
        p.expected_here("a parameter name")
    }
    if let Some(length) = variable_on_this_line(p) {
        p.skip(length);
    }
}

/// Returns the number of tokens of a broken type before the parameter name on the same line.
fn variable_on_this_line(p: &Parser<'_>) -> Option<usize> {
    for token in Lookahead::on_this_line(p).take(MAX_BROKEN_TYPE) {
        match token.kind {
            VARIABLE => return Some(token.ahead),
            CLASSREF | L_BRACK | LIST_START | R_BRACK | COMMA | NUMBER | SQ_STRING | DQ_STRING | REGEX
            | NAME | STAR | DEFAULT_KW | UNDEF_KW => {}
            _ => return None,
        }
    }
    None
}

/// Returns true if `$b =` or `Type $b` follows on the line after `$a =`: the first parameter lacks its
/// default.
pub(crate) fn is_next_line_parameter(p: &Parser<'_>) -> bool {
    p.line_break_before(0) && (p.at(VARIABLE) && p.nth(1) == EQ || p.at(CLASSREF) && p.nth(1) == VARIABLE)
}

/// Reports and parses a default value that lacks its `=`.
pub(crate) fn default_without_equals_sign(p: &mut Parser<'_>) {
    let is_value = p.recovering_and(|p| {
        let is_body = p.at(L_BRACE) && !(p.nth(1) == R_BRACE && matches!(p.nth(2), COMMA | R_PAREN));
        starts_expression(p.current()) && !p.line_break_before(0) && !starts_parameter(p) && !is_body
    });
    if !is_value {
        return;
    }
    let found = p.found();
    let range = p.current_range();
    p.error_at(
        Code::SyntaxError,
        range,
        format!("expected `,`, or `=` before the default value, found {found}"),
    );
    expressions::expression(p);
}

/// Reports that the type name after `type` is missing.
pub(crate) fn alias_without_name(p: &mut Parser<'_>) {
    p.expected_here("a type name that begins with an uppercase letter");
    if p.at_any(&[NAME, WORD]) && !p.line_break_before(0) {
        p.bump_into_error();
        if p.eat(EQ) {
            grammar::type_alias_value(p);
        }
    }
}
