//! Operators, from assignment down to access and calls.

use super::*;
use crate::parser::Marker;

/// `Assignment: Relationship (('=' | '+=' | '-=') Assignment)?`
pub(crate) fn assignment(p: &mut Parser<'_>) -> Option<Completed> {
    let lhs = relationship(p)?;
    if !p.at_any(&[EQ, PLUS_EQ, MINUS_EQ]) {
        return Some(lhs);
    }
    let marker = p.precede(lhs);
    p.bump();
    if starts_expression(p.current()) {
        p.nested(assignment);
    } else {
        p.expected_here("a value");
        recovery::calls::method_without_receiver(p);
    }
    Some(p.complete(marker, ASSIGNMENT_EXPR))
}

/// `Relationship: Resource (('->' | '~>' | '<-' | '<~') Resource)*`
pub(crate) fn relationship(p: &mut Parser<'_>) -> Option<Completed> {
    let mut lhs = resources::resource(p)?;
    while p.at_any(&[BEFORE_ARROW, NOTIFY_ARROW, REQUIRE_ARROW, SUBSCRIBE_ARROW]) {
        let marker = p.precede(lhs);
        p.bump();
        if starts_expression(p.current()) {
            resources::resource(p);
        } else {
            p.expected_here("a resource");
        }
        lhs = p.complete(marker, RELATIONSHIP_EXPR);
    }
    Some(lhs)
}

/// `Expression: ...`: all levels below assignments, relationships and resources.
pub(crate) fn expression(p: &mut Parser<'_>) -> Option<Completed> {
    binary(p, 0)
}

/// Parses a mandatory expression; reports an error if it is missing.
pub(crate) fn expect_expression(p: &mut Parser<'_>, what: &str) -> Option<Completed> {
    if starts_expression(p.current()) {
        return expression(p);
    }
    p.expected_here(what);
    recovery::calls::method_without_receiver(p)
}

const SELECTOR_POWER: u8 = 5;

/// Returns the binding power of a binary operator; 0 for any other token. All operators are left-associative.
fn power(kind: SyntaxKind) -> u8 {
    match kind {
        OR_KW => 3,
        AND_KW => 4,
        QUESTION => SELECTOR_POWER,
        GT | GT_EQ | LT | LT_EQ => 6,
        EQ_EQ | NOT_EQ => 7,
        SHIFT_LEFT | SHIFT_RIGHT => 8,
        PLUS | MINUS => 9,
        STAR | SLASH | PERCENT => 10,
        MATCH | NO_MATCH => 11,
        IN_KW => 12,
        _ => 0,
    }
}

/// `Binary: Unary (operator Binary)*`; operators with more binding power than `least`.
fn binary(p: &mut Parser<'_>, least: u8) -> Option<Completed> {
    p.nested(|p| operators(p, least))
}

fn operators(p: &mut Parser<'_>, least: u8) -> Option<Completed> {
    let lhs = unary(p)?;
    operators_after(p, lhs, least)
}

/// Parses the rest of an expression that begins with `lhs`.
pub(crate) fn expression_after(p: &mut Parser<'_>, lhs: Completed) {
    p.nested(|p| operators_after(p, lhs, 0));
}

fn operators_after(p: &mut Parser<'_>, mut lhs: Completed, least: u8) -> Option<Completed> {
    loop {
        lhs = postfix(p, lhs);
        let power = power(p.current());
        if power == 0 || power <= least {
            return Some(lhs);
        }
        let marker = p.precede(lhs);
        if p.at(QUESTION) {
            lhs = conditionals::selector(p, marker);
            continue;
        }
        p.bump();
        if starts_expression(p.current())
            && !p.recovering_and(recovery::conditionals::is_at_block_of_condition)
        {
            binary(p, power);
        } else {
            p.expected_here("a value");
        }
        lhs = p.complete(marker, BINARY_EXPR);
    }
}

/// `Unary: ('!' | '-' | '*') Unary | Primary`
fn unary(p: &mut Parser<'_>) -> Option<Completed> {
    if !p.at_any(&[BANG, MINUS, STAR]) {
        return primary::primary(p);
    }
    let marker = p.start();
    p.bump();
    if starts_expression(p.current()) {
        if let Some(operand) = p.nested(unary) {
            postfix(p, operand);
        }
    } else {
        p.expected_here("a value");
    }
    Some(p.complete(marker, UNARY_EXPR))
}

/// `Postfix: Primary (CallArguments Lambda? | '.' name MethodArguments? Lambda? | AccessKeys | Query)*`
fn postfix(p: &mut Parser<'_>, mut lhs: Completed) -> Completed {
    loop {
        lhs = match p.current() {
            L_PAREN => {
                let call = p.precede(lhs);
                lists::call_arguments(p);
                lambda(p);
                p.complete(call, CALL_EXPR)
            }
            DOT => method_call(p, lhs),
            L_BRACK => {
                let access = p.precede(lhs);
                lists::access_keys(p);
                p.complete(access, ACCESS_EXPR)
            }
            COLLECT_START | EXPORTED_START => resources::collector(p, lhs),
            _ if p.recovering_and(|p| recovery::lists::lacks_bracket(p, lhs)) => {
                let access = p.precede(lhs);
                recovery::lists::keys_without_bracket(p);
                p.complete(access, ACCESS_EXPR)
            }
            _ if p.recovering_and(recovery::calls::lacks_dot) => {
                p.expected("`.`");
                let call = p.precede(lhs);
                method(p, call)
            }
            _ if p.recovering_and(recovery::calls::is_lambda_without_call) => {
                recovery::calls::lambda_without_call(p, lhs)
            }
            _ => return lhs,
        };
    }
}

/// `MethodCall: Expression '.' (name | 'type') MethodArguments? Lambda?`
fn method_call(p: &mut Parser<'_>, receiver: Completed) -> Completed {
    let call = p.precede(receiver);
    p.bump();
    method(p, call)
}

/// Parses the part of a method call after the dot.
pub(crate) fn method(p: &mut Parser<'_>, call: Marker) -> Completed {
    if p.at_any(&[NAME, TYPE_KW]) && !p.recovering_and(recovery::calls::is_next_line_assignment) {
        p.bump();
    } else {
        recovery::calls::missing_method_name(p);
    }
    if p.at(L_PAREN) {
        lists::method_arguments(p);
    }
    lambda(p);
    p.complete(call, METHOD_CALL_EXPR)
}

/// Parses the optional lambda after the arguments of a call.
fn lambda(p: &mut Parser<'_>) {
    if p.at(PIPE) || p.recovering_and(recovery::calls::is_lambda_without_pipe) {
        definitions::lambda(p);
    }
}
