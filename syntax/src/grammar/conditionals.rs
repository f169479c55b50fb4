//! `if`, `unless`, `case` and selectors.

use super::*;
use crate::parser::Marker;

/// No chain of `elsif` is longer: Puppet nests them.
const MAX_ELSIF: usize = 400;

/// `If: 'if' Expression Block ('elsif' Expression Block)* ('else' Block)?`
pub(super) fn if_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition(p);
    conditional_block(p, "what to do", true);
    let mut count = 0;
    while p.at(ELSIF_KW) {
        if count == MAX_ELSIF {
            let range = p.current_range();
            p.error_at("nesting-too-deep", range, format!("more than {MAX_ELSIF} `elsif` in a row"));
            let rest = p.start();
            while p.eat(ELSIF_KW) {
                let ends = |p: &Parser<'_>| {
                    p.at_any(&[ELSIF_KW, ELSE_KW, EOF]) || (p.at(R_BRACE) && p.nth(1) != ELSIF_KW)
                };
                while !ends(p) {
                    p.bump();
                }
            }
            p.complete(rest, ERROR);
            break;
        }
        count += 1;
        let clause = p.start();
        p.bump();
        condition(p);
        conditional_block(p, "what to do", true);
        p.complete(clause, ELSIF_CLAUSE);
    }
    else_clause(p);
    p.complete(marker, IF_EXPR)
}

fn condition(p: &mut Parser<'_>) {
    condition_or_test(p, "a condition");
}

fn condition_or_test(p: &mut Parser<'_>, what: &str) {
    let outer = std::mem::replace(&mut p.in_condition, true);
    if p.at_block_of_condition() {
        p.expected(what);
    } else {
        expressions::expect_expression(p, what);
    }
    p.in_condition = outer;
}

/// `Else: 'else' Block`
fn else_clause(p: &mut Parser<'_>) {
    if !p.at(ELSE_KW) {
        return;
    }
    let clause = p.start();
    p.bump();
    block(p, "what to do otherwise");
    p.complete(clause, ELSE_CLAUSE);
}

/// `Unless: 'unless' Expression Block ('else' Block)?`
pub(super) fn unless_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition(p);
    conditional_block(p, "what to do", true);
    if p.at(ELSIF_KW) {
        let range = p.current_range();
        p.error_at(
            "syntax-error",
            range,
            "`unless` takes no `elsif`; write `else`, or an `if` with the opposite condition",
        );
        while p.at(ELSIF_KW) {
            let clause = p.start();
            p.bump();
            condition(p);
            block(p, "what to do");
            p.complete(clause, ERROR);
        }
    }
    else_clause(p);
    p.complete(marker, UNLESS_EXPR)
}

/// `Case: 'case' Expression '{' CaseOption+ '}'`
pub(super) fn case_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition_or_test(p, "a value to compare");
    if !p.at(L_BRACE) && !p.is_first_on_line(0) {
        p.expected_here("`{` with the options of the case");
        let braces = p.brace_on_this_line();
        p.skip(braces.unwrap_or(0));
    }
    let open = p.current_range();
    if !p.eat(L_BRACE) {
        p.expected_here("`{` with the options of the case");
        if !starts_expression(p.current()) {
            return p.complete(marker, CASE_EXPR);
        }
    }
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at("syntax-error", range, "a case needs at least one option");
    }
    while !p.at(R_BRACE) && !p.at_end() {
        let before = p.position();
        if starts_expression(p.current()) {
            case_option(p);
        } else if p.at(COLON) && p.nth(1) == L_BRACE {
            let option = p.start();
            p.expected("a value to compare");
            p.bump();
            block(p, "what to do in this case");
            p.complete(option, CASE_OPTION);
        }
        if p.position() == before || !(starts_expression(p.current()) || p.at_any(&[R_BRACE, COLON])) {
            if p.at_end() || p.at_any(&[R_BRACE, INTERPOLATION_END, EPP_CLOSE_EXPR]) {
                break;
            }
            let found = p.found();
            let range = p.current_range();
            p.error_at("syntax-error", range, format!("expected an option of the case, found {found}"));
            p.bump_into_error();
        }
    }
    close(p, R_BRACE, open, "`}`");
    p.complete(marker, CASE_EXPR)
}

/// `CaseOption: Expression (',' Expression)* ':' '{' Statements? '}'`
fn case_option(p: &mut Parser<'_>) {
    let option = p.start();
    expressions::expression(p);
    while p.at(COMMA) {
        p.bump();
        if p.at(COLON) {
            let range = p.previous_range();
            p.error_at("syntax-error", range, "no `,` may stand before this `:`");
        } else {
            expressions::expect_expression(p, "another value");
        }
    }
    while p.is_value_of_option() {
        lists::expected_comma(p);
        expressions::expression(p);
        while p.eat(COMMA) {
            expressions::expect_expression(p, "another value");
        }
    }
    if !p.eat(COLON) {
        p.expected_here("`:`");
    }
    block(p, "what to do in this case");
    p.complete(option, CASE_OPTION);
}

/// `Selector: Expression '?' (SelectorEntry | '{' SelectorEntry (',' SelectorEntry)* ','? '}')`
///
/// The marker stands before the expression on the left; the `?` is the current token.
pub(super) fn selector(p: &mut Parser<'_>, marker: Marker) -> Completed {
    p.bump();
    let open = p.current_range();
    if !p.eat(SELECTOR_BRACE) {
        selector_entry(p);
        return p.complete(marker, SELECTOR_EXPR);
    }
    p.speak();
    let errors = p.error_count();
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at("syntax-error", range, "a selector needs at least one `value => result`");
    }
    while starts_expression(p.current()) {
        let before = p.position();
        selector_entry(p);
        if p.eat(COMMA) {
            p.speak_if_clean(errors);
        } else if starts_expression(p.current())
            && !p.at(L_BRACE)
            && p.position() > before
            && !p.is_outside_of(0, open)
        {
            lists::expected_comma(p);
        } else {
            break;
        }
    }
    lists::skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
    p.complete(marker, SELECTOR_EXPR)
}

/// `SelectorEntry: Expression '=>' Expression`
fn selector_entry(p: &mut Parser<'_>) {
    let entry = p.start();
    if expressions::expect_expression(p, "a value to compare").is_none() {
        p.abandon(entry);
        return;
    }
    if p.eat(FAT_ARROW) {
        expressions::expect_expression(p, "a result");
    } else {
        p.expected_here("`=>`");
        if starts_expression(p.current()) && !p.line_break_before(0) {
            expressions::expression(p);
        }
    }
    p.complete(entry, SELECTOR_ENTRY);
}
