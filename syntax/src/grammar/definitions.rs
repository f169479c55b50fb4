//! Definitions of classes, defined types, functions, types, nodes and plans, and their parameters and
//! lambdas.

use super::*;
use codes::Code;

/// `Class: 'class' Name Parameters? ('inherits' (Name | 'default'))? Block`
pub(super) fn class(p: &mut Parser<'_>) -> Completed {
    let class = p.start();
    p.bump();
    name(p, "the name of the class");
    parameters(p);
    if p.at(INHERITS_KW) {
        let clause = p.start();
        p.bump();
        if p.at(DEFAULT_KW) {
            let name = p.start();
            p.bump();
            p.complete(name, DEFINITION_NAME);
        } else {
            name(p, "the name of the class it inherits from");
        }
        p.complete(clause, INHERITS_CLAUSE);
    }
    block(p, "the body of the class");
    p.complete(class, CLASS_DEFINITION)
}

/// `DefinedType: 'define' Name Parameters? Block`
pub(super) fn defined_type(p: &mut Parser<'_>) -> Completed {
    let define = p.start();
    p.bump();
    name(p, "the name of the defined type");
    parameters(p);
    block(p, "the body of the defined type");
    p.complete(define, DEFINED_TYPE)
}

/// `Plan: 'plan' Name Parameters? Block`
pub(super) fn plan(p: &mut Parser<'_>) -> Completed {
    let plan = p.start();
    p.bump();
    name(p, "the name of the plan");
    parameters(p);
    block(p, "the body of the plan");
    p.complete(plan, PLAN_DEFINITION)
}

/// `Function: 'function' Name Parameters? ReturnType? Block`
pub(super) fn function(p: &mut Parser<'_>) -> Completed {
    let function = p.start();
    p.bump();
    name(p, "the name of the function");
    parameters(p);
    return_type(p);
    block(p, "the body of the function");
    p.complete(function, FUNCTION_DEFINITION)
}

/// `Apply: 'apply' '(' Argument (',' Argument)* ','? ')' Block`
pub(super) fn apply(p: &mut Parser<'_>) -> Completed {
    let apply = p.start();
    p.bump();
    if p.at(L_PAREN) {
        if p.nth(1) == R_PAREN {
            let range = p.current_range();
            p.error_at(Code::SyntaxError, range, "missing targets of `apply`");
        }
        lists::call_arguments(p);
    } else {
        p.expected_here("`(` and the targets");
    }
    block(p, "the block to apply");
    p.complete(apply, APPLY_EXPR)
}

/// `Name: name | word | Type`
pub(crate) fn name(p: &mut Parser<'_>, what: &str) {
    if p.at_any(&[NAME, WORD, CLASSREF]) {
        let name = p.start();
        p.bump();
        p.complete(name, DEFINITION_NAME);
        // Handles `class foo::` while it is being typed.
        while p.at(ERROR_TOKEN) && p.is_joined_to_previous() {
            p.bump_into_error();
        }
        recovery::repair::skip_doubled(p);
    } else {
        recovery::definitions::missing_name(p, what);
    }
}

/// `Parameters: '(' (Parameter (',' Parameter)* ','?)? ')'`
pub(crate) fn parameters(p: &mut Parser<'_>) {
    if p.at_any(&[L_PAREN, LINE_START_PAREN]) {
        let list = p.start();
        let open = p.current_range();
        p.bump();
        recovery::repair::skip_doubled(p);
        parameter_list(p, R_PAREN);
        recovery::lists::skip_to_close(p, R_PAREN, open);
        close(p, R_PAREN, open, "`)`");
        p.complete(list, PARAMETER_LIST);
    } else if p.recovering_and(|p| p.at(R_PAREN)) {
        p.expected("`(` and the parameters");
        p.bump_into_error();
    } else if p.recovering_and(recovery::definitions::are_parameters_without_parenthesis) {
        recovery::definitions::parameters_without_parenthesis(p);
    }
}

/// `PipeParameters: '|' (Parameter (',' Parameter)* ','?)? '|'`
pub(super) fn pipe_parameters(p: &mut Parser<'_>) {
    let list = p.start();
    let open = p.current_range();
    if !p.eat(PIPE) {
        p.expected("`|`");
    }
    parameter_list(p, PIPE);
    if !p.eat(PIPE) {
        recovery::calls::missing_pipe(p, open);
    }
    p.complete(list, PARAMETER_LIST);
}

/// Returns true if a parameter can begin with the current token.
pub(crate) fn starts_parameter(p: &Parser<'_>) -> bool {
    match p.current() {
        VARIABLE => true,
        CLASSREF => matches!(p.nth(1), VARIABLE | STAR | L_BRACK | LIST_START),
        STAR => p.nth(1) == VARIABLE,
        _ => false,
    }
}

/// `(Parameter (',' Parameter)* ','?)?`, up to `end`.
pub(crate) fn parameter_list(p: &mut Parser<'_>, end: SyntaxKind) {
    p.inside_list(|p| {
        while !p.at(end) && !p.at_end() {
            if p.at_any(&[VARIABLE, CLASSREF, STAR]) {
                recovery::definitions::parameter_within_lines(p, end, parameter);
            } else if recovery::repair::skip_stray_opener(p) {
                continue;
            } else if recovery::definitions::ends_parameters(p) {
                return;
            }
            if !p.at(end) && !p.eat(COMMA) && !recovery::definitions::parameter_without_comma(p, end) {
                return;
            }
        }
    });
}

/// `Parameter: (Type)? '*'? Variable ('=' Expression)?`
pub(crate) fn parameter(p: &mut Parser<'_>) {
    let parameter = p.start();
    if p.at(CLASSREF) {
        type_reference(p);
    }
    p.eat(STAR);
    if !p.at(VARIABLE) {
        recovery::definitions::missing_variable(p);
    }
    p.eat(VARIABLE);
    if p.eat(EQ) {
        if p.recovering_and(recovery::definitions::is_next_line_parameter) {
            p.expected_here("a default value");
        } else {
            expressions::expect_expression(p, "a default value");
        }
    } else {
        recovery::definitions::default_without_equals_sign(p);
    }
    p.complete(parameter, PARAMETER);
}

/// `Type: typename AccessKeys?`; no whitespace before the bracket and no trailing comma.
fn type_reference(p: &mut Parser<'_>) -> Completed {
    let name = p.start();
    p.bump();
    let name = p.complete(name, QUALIFIED_REFERENCE);
    if !p.at(L_BRACK) {
        return name;
    }
    let access = p.precede(name);
    lists::type_keys(p);
    p.complete(access, ACCESS_EXPR)
}

/// `ReturnType: '>>' Type`
fn return_type(p: &mut Parser<'_>) {
    if !p.at(SHIFT_RIGHT) {
        return;
    }
    let marker = p.start();
    p.bump();
    if p.at(CLASSREF) {
        type_reference(p);
    } else {
        let range = p.previous_range();
        p.error_at(Code::SyntaxError, range, "expected a type after `>>`");
        if p.at(NAME) {
            p.bump_into_error();
        }
    }
    p.complete(marker, RETURN_TYPE);
}

/// `Lambda: PipeParameters ReturnType? Block`
pub(crate) fn lambda(p: &mut Parser<'_>) {
    p.nested(|p| {
        let lambda = p.start();
        pipe_parameters(p);
        return_type(p);
        block(p, "the body of the lambda");
        Some(p.complete(lambda, LAMBDA))
    });
}

/// `TypeAlias: 'type' typename '=' (Type Hash | typename AccessKeys | Type | Hash | Array)`
/// `TypeMapping: 'type' typename AccessKeys '=' ...`
/// `TypeDefinition: 'type' typename ('inherits' typename)? '{' Statements? '}'`
pub(super) fn type_alias(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    if !p.at(CLASSREF) {
        recovery::definitions::alias_without_name(p);
        return p.complete(marker, TYPE_ALIAS);
    }
    match p.nth(1) {
        L_BRACK => {
            type_reference(p);
            if p.eat(EQ) {
                type_alias_value(p);
            } else {
                p.expected_here("`=`");
            }
            return p.complete(marker, TYPE_MAPPING);
        }
        L_BRACE | INHERITS_KW => {
            name(p, "the name of the type");
            if p.at(INHERITS_KW) {
                let clause = p.start();
                p.bump();
                if p.at(CLASSREF) {
                    name(p, "the name of a type");
                } else {
                    p.expected_here("the name of a type");
                }
                p.complete(clause, INHERITS_CLAUSE);
            }
            block(p, "the body of the type");
            return p.complete(marker, TYPE_DEFINITION);
        }
        _ => {}
    }
    name(p, "the name of the type");
    if p.eat(EQ) {
        type_alias_value(p);
    } else {
        p.expected_here("`=`");
        if p.at(CLASSREF) && !p.line_break_before(0) {
            type_alias_value(p);
        }
    }
    p.complete(marker, TYPE_ALIAS)
}

/// Parses the value after the `=` of a type alias.
pub(crate) fn type_alias_value(p: &mut Parser<'_>) {
    match p.current() {
        CLASSREF => {
            let name = p.start();
            p.bump();
            let name = p.complete(name, QUALIFIED_REFERENCE);
            if p.at(L_BRACK) {
                let access = p.precede(name);
                lists::access_keys(p);
                p.complete(access, ACCESS_EXPR);
            } else if p.at(L_BRACE) {
                lists::hash(p);
            }
        }
        L_BRACE => {
            lists::hash(p);
        }
        L_BRACK | LIST_START => {
            lists::array(p);
        }
        _ => p.expected_here("a type"),
    }
}

/// `Node: 'node' Host (',' Host)* ','? ('inherits' Host)? Block`
pub(super) fn node(p: &mut Parser<'_>) -> Completed {
    let node = p.start();
    p.bump();
    let hosts = p.start();
    host(p);
    while p.at(COMMA) {
        p.bump();
        if p.at_any(&[L_BRACE, INHERITS_KW]) {
            break;
        }
        host(p);
    }
    p.complete(hosts, HOST_LIST);
    if p.at(INHERITS_KW) {
        let clause = p.start();
        p.bump();
        host(p);
        p.complete(clause, INHERITS_CLAUSE);
    }
    block(p, "the body of the node");
    p.complete(node, NODE_DEFINITION)
}

/// `Host: (name | number) ('.' (name | number))* | String | heredoc | regex | 'default'`
fn host(p: &mut Parser<'_>) {
    match p.current() {
        NAME | NUMBER => {
            let host = p.start();
            p.bump();
            while p.eat(DOT) {
                if p.at_any(&[NAME, NUMBER]) {
                    p.bump();
                } else {
                    p.expected_here("the next part of the hostname");
                    break;
                }
            }
            p.complete(host, HOST_NAME);
        }
        WORD | SQ_STRING | DQ_STRING | DQ_START | HEREDOC_START | REGEX | DEFAULT_KW => {
            primary::primary(p);
        }
        _ => p.expected_here("a node name, a regular expression or `default`"),
    }
}
