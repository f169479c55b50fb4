//! `if`, `unless`, `case` and selectors.

use super::*;
use crate::parser::Marker;
use codes::{Code, with_help};

/// Maximum number of `elsif` clauses: Puppet nests them.
const MAX_ELSIF_CLAUSES: usize = 400;

/// `If: 'if' Expression Block ('elsif' Expression Block)* ('else' Block)?`
pub(super) fn if_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition(p, "a condition");
    conditional_block(p);
    let mut count = 0;
    while p.at(ELSIF_KW) {
        if count == MAX_ELSIF_CLAUSES {
            let range = p.current_range();
            p.error_at(Code::NestingTooDeep, range, format!("more than {MAX_ELSIF_CLAUSES} `elsif` clauses"));
            recovery::conditionals::skip_elsif_clauses(p);
            break;
        }
        count += 1;
        let clause = p.start();
        p.bump();
        condition(p, "a condition");
        conditional_block(p);
        p.complete(clause, ELSIF_CLAUSE);
    }
    else_clause(p);
    p.complete(marker, IF_EXPR)
}

/// Parses the expression before a block.
fn condition(p: &mut Parser<'_>, what: &str) {
    p.inside(RecoveryContext::Condition, |p| {
        if p.recovering_and(recovery::conditionals::is_at_block_of_condition) {
            p.expected(what);
        } else {
            expressions::expect_expression(p, what);
            recovery::conditionals::assignment_for_comparison(p);
        }
    });
}

/// `Else: 'else' Block`
fn else_clause(p: &mut Parser<'_>) {
    if !p.at(ELSE_KW) {
        return;
    }
    let clause = p.start();
    p.bump();
    block(p, "the `else` block");
    p.complete(clause, ELSE_CLAUSE);
}

/// `Unless: 'unless' Expression Block ('else' Block)?`
pub(super) fn unless_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition(p, "a condition");
    conditional_block(p);
    if p.at(ELSIF_KW) {
        recovery::conditionals::elsif_of_unless(p);
    }
    else_clause(p);
    p.complete(marker, UNLESS_EXPR)
}

/// `Case: 'case' Expression '{' CaseOption+ '}'`
pub(super) fn case_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    condition(p, "a value to compare");
    if !p.at(L_BRACE) {
        recovery::conditionals::case_without_brace(p);
    }
    case_options(p);
    p.complete(marker, CASE_EXPR)
}

/// `'{' CaseOption+ '}'`
pub(crate) fn case_options(p: &mut Parser<'_>) {
    let open = p.current_range();
    if !p.eat(L_BRACE) && !starts_expression(p.current()) {
        return;
    }
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at(Code::SyntaxError, range, with_help("empty `case`", "add at least one option"));
    }
    while recovery::conditionals::skip_to_option(p) {
        case_option(p);
    }
    close(p, R_BRACE, open, "`}`");
}

/// `CaseOption: Expression (',' Expression)* ':' '{' Statements? '}'`
fn case_option(p: &mut Parser<'_>) {
    let option = p.start();
    expressions::expect_expression(p, "a value to compare");
    while p.eat(COMMA) {
        if p.at(COLON) {
            let range = p.previous_range();
            p.error_at(Code::SyntaxError, range, "unexpected `,` before `:`");
        } else {
            expressions::expect_expression(p, "another value");
        }
        recovery::conditionals::values_without_comma(p);
    }
    recovery::conditionals::values_without_comma(p);
    if p.eat(COLON) {
        recovery::repair::skip_doubled(p);
    } else {
        p.expected_here("`:`");
    }
    block_of(p, RecoveryContext::OptionBlock, "the block of the option");
    p.complete(option, CASE_OPTION);
}

/// `Selector: Expression '?' (SelectorEntry | '{' SelectorEntry (',' SelectorEntry)* ','? '}')`
///
/// `marker` precedes the expression on the left; the `?` is the current token.
pub(super) fn selector(p: &mut Parser<'_>, marker: Marker) -> Completed {
    p.bump();
    let open = p.current_range();
    if !p.eat(SELECTOR_BRACE) {
        selector_entry(p);
        recovery::conditionals::selector_without_brace(p, open);
        return p.complete(marker, SELECTOR_EXPR);
    }
    if p.at(R_BRACE) {
        let range = open.cover(p.current_range());
        p.error_at(
            Code::SyntaxError,
            range,
            with_help("empty selector", "add at least one `value => result`"),
        );
    }
    p.inside_list(|p| {
        while starts_expression(p.current()) {
            let before = p.position();
            selector_entry(p);
            if !p.eat(COMMA) && !recovery::conditionals::entry_without_comma(p, before, open) {
                break;
            }
        }
    });
    recovery::lists::skip_to_close(p, R_BRACE, open);
    close(p, R_BRACE, open, "`}`");
    p.complete(marker, SELECTOR_EXPR)
}

/// `SelectorEntry: Expression '=>' Expression`
pub(crate) fn selector_entry(p: &mut Parser<'_>) {
    let entry = p.start();
    if expressions::expect_expression(p, "a value to compare").is_none() {
        p.abandon(entry);
        return;
    }
    if p.eat(FAT_ARROW) {
        expressions::expect_expression(p, "a result");
    } else {
        recovery::conditionals::entry_without_arrow(p);
    }
    p.complete(entry, SELECTOR_ENTRY);
}
