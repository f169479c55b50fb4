//! Classes, defined types, functions, types, nodes, plans, and the parameters and lambdas they share.

use super::*;

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
            p.error_at("syntax-error", range, "`apply` needs the targets to apply to");
        }
        lists::call_arguments(p);
    } else {
        p.expected_here("`(` with the targets");
    }
    block(p, "what to apply");
    p.complete(apply, APPLY_EXPR)
}

/// Does `name(parameters) { statements }` or the like stand here, where only the keyword of a definition is missing?
/// True only for what cannot be a call.
pub(super) fn lacks_keyword(p: &Parser<'_>) -> bool {
    let has_parameters = match (p.nth(1), p.nth(2)) {
        (L_PAREN, VARIABLE) => matches!(p.nth(3), EQ | COMMA | R_PAREN),
        (L_PAREN, CLASSREF) => matches!(p.nth(3), VARIABLE | L_BRACK),
        _ => return false,
    };
    if !has_parameters || !p.is_first_on_line(0) {
        return false;
    }
    let mut depth = 0usize;
    for ahead in 1..4000 {
        match p.nth(ahead) {
            EOF => return false,
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return p.nth(ahead + 1) == INHERITS_KW
                        || (p.nth(ahead + 1) == L_BRACE && resources::holds_statements(p, ahead + 1));
                }
            }
            _ => {}
        }
    }
    false
}

/// A class, defined type or the like without its keyword.
pub(super) fn without_keyword(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    let range = p.current_range();
    p.error_at(
        "syntax-error",
        range,
        "expected a keyword such as `class` or `define` before the name of a definition",
    );
    name(p, "a name");
    parameters(p);
    if p.at(INHERITS_KW) {
        p.bump();
        name(p, "the name of the class it inherits from");
    }
    block(p, "the body of the definition");
    p.complete(marker, ERROR)
}

/// `Name: name | word | Type`
fn name(p: &mut Parser<'_>, what: &str) {
    match p.current() {
        NAME | WORD | CLASSREF => {
            let name = p.start();
            p.bump();
            p.complete(name, DEFINITION_NAME);
            // `class foo::` while it is being typed
            while p.at(ERROR_TOKEN) && p.is_joined_to_previous() {
                p.bump_into_error();
            }
        }
        SQ_STRING | DQ_STRING | DQ_START => {
            let range = p.current_range();
            p.error_at("quoted-name", range, format!("expected {what}: a name is written without quotes"));
            if !p.at(DQ_START) {
                p.bump_into_error();
            }
        }
        kind if kind.is_keyword() && !p.line_break_before(0) && !matches!(kind, INHERITS_KW) => {
            p.expected(what);
            p.bump_into_error();
        }
        _ => p.expected_here(what),
    }
}

/// `Parameters: '(' (Parameter (',' Parameter)* ','?)? ')'`
fn parameters(p: &mut Parser<'_>) {
    if p.at_any(&[L_PAREN, LINE_START_PAREN]) {
        let list = p.start();
        let open = p.current_range();
        p.bump();
        parameter_list(p, R_PAREN);
        lists::skip_to_close(p, R_PAREN, open);
        close(p, R_PAREN, open, "`)`");
        p.complete(list, PARAMETER_LIST);
    } else if starts_parameter(p) && !starts_body(p) {
        p.expected("`(` with the parameters");
        let list = p.start();
        parameter_list(p, R_PAREN);
        p.eat(R_PAREN);
        p.complete(list, PARAMETER_LIST);
    }
}

/// `PipeParameters: '|' (Parameter (',' Parameter)* ','?)? '|'`
pub(super) fn pipe_parameters(p: &mut Parser<'_>) {
    let list = p.start();
    let open = p.current_range();
    p.bump();
    parameter_list(p, PIPE);
    if p.eat(PIPE) {
        p.speak();
    } else {
        let found = p.found();
        let range = p.current_range();
        let range = if range.is_empty() { open } else { range };
        if let Some(error) =
            p.error_at("syntax-error", range, format!("expected `|` behind the parameters, found {found}"))
        {
            error.related.push((open, "opened here".to_owned()));
        }
    }
    p.complete(list, PARAMETER_LIST);
}

/// Where a parameter list or a body lacks what opens it: does a statement stand here rather than a parameter? Between
/// statements there is no comma.
fn starts_body(p: &Parser<'_>) -> bool {
    if p.nth(1) != EQ || !p.is_first_on_line(0) {
        return false;
    }
    let mut depth = 0usize;
    for ahead in 1..400 {
        if depth == 0 && p.is_first_on_line(ahead) && ahead > 2 {
            return !matches!(p.nth(ahead), COMMA | R_PAREN);
        }
        match p.nth(ahead) {
            EOF => return true,
            COMMA | R_PAREN if depth == 0 => return false,
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    true
}

fn starts_parameter(p: &Parser<'_>) -> bool {
    match p.current() {
        VARIABLE => true,
        CLASSREF => matches!(p.nth(1), VARIABLE | STAR | L_BRACK | LIST_START),
        STAR => p.nth(1) == VARIABLE,
        _ => false,
    }
}

fn parameter_list(p: &mut Parser<'_>, end: SyntaxKind) {
    p.speak();
    let errors = p.error_count();
    while !p.at(end) && !p.at_end() {
        match p.current() {
            VARIABLE | CLASSREF | STAR => parameter(p),
            COMMA => p.expected("a parameter"),
            L_BRACE | R_BRACE | INHERITS_KW => return,
            _ if begins_definition(p) => return,
            NAME | WORD => {
                let found = p.found();
                let range = p.current_range();
                let message = format!("expected a parameter, found {found}: its name begins with `$`");
                p.error_at("syntax-error", range, message);
            }
            _ => p.expected("a parameter"),
        }
        if p.at(end) {
            return;
        }
        if !p.at(COMMA) {
            if starts_parameter(p) {
                lists::expected_comma(p);
                continue;
            }
            if p.at_end() || !skip_to_parameter(p, end) {
                return;
            }
        }
        if p.eat(COMMA) {
            p.speak_if_clean(errors);
        }
    }
}

fn begins_definition(p: &Parser<'_>) -> bool {
    matches!(p.current(), CLASS_KW | DEFINE_KW | NODE_KW | FUNCTION_KW | PLAN_KW) && p.is_first_on_line(0)
}

/// Skips the rest of a broken parameter; true if another one, or the end of the list, comes next.
fn skip_to_parameter(p: &mut Parser<'_>, end: SyntaxKind) -> bool {
    let closing = end.fixed_text().unwrap_or("the end");
    if !p.at_any(&[L_BRACE, INHERITS_KW, SHIFT_RIGHT, EOF]) {
        p.expected(&format!("`,` or `{closing}`"));
    }
    let mut depth = 0usize;
    let mut ahead = 0;
    let found = loop {
        let kind = p.nth(ahead);
        match kind {
            EOF => break false,
            _ if depth == 0 && (kind == COMMA || kind == end) => break true,
            VARIABLE | CLASSREF if depth == 0 && ahead > 0 && p.is_first_on_line(ahead) => break true,
            INHERITS_KW if depth == 0 => break false,
            CLASS_KW | DEFINE_KW | NODE_KW if p.is_first_on_line(ahead) && ahead > 0 => break false,
            L_BRACE if depth == 0 && (ahead == 0 || matches!(p.nth(ahead - 1), R_PAREN)) => break false,
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
            | INTERPOLATION_START => depth += 1,
            R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => depth = depth.saturating_sub(1),
            _ => {}
        }
        ahead += 1;
        if ahead > 300 {
            break false;
        }
    };
    if found {
        p.skip(ahead);
    }
    found
}

/// `Parameter: (Type)? '*'? Variable ('=' Expression)?`
fn parameter(p: &mut Parser<'_>) {
    let parameter = p.start();
    if p.at(CLASSREF) {
        type_reference(p);
    }
    p.eat(STAR);
    if !p.at(VARIABLE) {
        p.expected_here("the name of the parameter");
        if let Some(length) = variable_on_this_line(p) {
            p.skip(length);
        }
    }
    p.eat(VARIABLE);
    if p.eat(EQ) {
        if starts_expression(p.current()) && !next_line_is_parameter(p) {
            expressions::expression(p);
        } else {
            p.expected_here("a default value");
        }
    } else if starts_expression(p.current())
        && !p.line_break_before(0)
        && !starts_parameter(p)
        && !p.at(L_BRACE)
    {
        let found = p.found();
        let range = p.current_range();
        p.error_at(
            "syntax-error",
            range,
            format!("expected `,`, or `=` before the default value, found {found}"),
        );
        expressions::expression(p);
    }
    p.complete(parameter, PARAMETER);
}

/// How many tokens of a broken type stand before the parameter's name on the same line.
fn variable_on_this_line(p: &Parser<'_>) -> Option<usize> {
    for ahead in 0..40 {
        if ahead > 0 && p.line_break_before(ahead) {
            return None;
        }
        match p.nth(ahead) {
            VARIABLE => return Some(ahead),
            CLASSREF | L_BRACK | LIST_START | R_BRACK | COMMA | NUMBER | SQ_STRING | DQ_STRING | REGEX
            | NAME | STAR | DEFAULT_KW | UNDEF_KW => {}
            _ => return None,
        }
    }
    None
}

/// `$a =` and on the next line `$b = 1` or `Type $b`: the first lacks its default.
fn next_line_is_parameter(p: &Parser<'_>) -> bool {
    p.line_break_before(0) && (p.at(VARIABLE) && p.nth(1) == EQ || p.at(CLASSREF) && p.nth(1) == VARIABLE)
}

/// `Type: TypeName ('[' Keys ']')?`: the bracket follows at once, and no comma stands at the end.
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
        p.error_at("syntax-error", range, "expected a type behind `>>`");
        if p.at(NAME) {
            p.bump_into_error();
        }
    }
    p.complete(marker, RETURN_TYPE);
}

/// `Lambda: PipeParameters ReturnType? Block`
pub(super) fn lambda(p: &mut Parser<'_>) {
    p.nested(|p| {
        let lambda = p.start();
        pipe_parameters(p);
        return_type(p);
        block(p, "the body of the lambda");
        Some(p.complete(lambda, LAMBDA))
    });
}

/// `TypeAlias: 'type' TypeName '=' (Type Hash | TypeName '[' Keys ','? ']' | Type | Hash | Array)`
/// `TypeMapping: 'type' TypeName '[' Keys ']' '=' ...`
/// `TypeDefinition: 'type' TypeName ('inherits' TypeName)? '{' Statements? '}'`
pub(super) fn type_alias(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    if !p.at(CLASSREF) {
        p.expected_here("the name of a type, which begins with an upper-case letter");
        if p.at_any(&[NAME, WORD]) && !p.line_break_before(0) {
            p.bump_into_error();
            if p.eat(EQ) {
                type_alias_value(p);
            }
        }
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

fn type_alias_value(p: &mut Parser<'_>) {
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

/// `Host: (name | number) ('.' (name | number))* | String | Heredoc | Regex | 'default'`
fn host(p: &mut Parser<'_>) {
    match p.current() {
        NAME | NUMBER => {
            let host = p.start();
            p.bump();
            while p.eat(DOT) {
                if p.at_any(&[NAME, NUMBER]) {
                    p.bump();
                } else {
                    p.expected_here("the next part of the host name");
                    break;
                }
            }
            p.complete(host, HOST_NAME);
        }
        WORD | SQ_STRING | DQ_STRING | DQ_START | HEREDOC_START | REGEX | DEFAULT_KW => {
            primary::primary(p);
        }
        _ => p.expected_here("the name of a node, a regular expression, or `default`"),
    }
}
