//! Literals, names, variables, strings, and the keywords that begin an expression.

use super::*;
use codes::{Code, with_help};

/// `Primary: literal | name | Variable | String | Array | Hash | '(' Assignment ')' | If | Case | ... | Class | ...`
pub(crate) fn primary(p: &mut Parser<'_>) -> Option<Completed> {
    Some(match p.current() {
        NAME => leaf(p, QUALIFIED_NAME),
        CLASSREF => leaf(p, QUALIFIED_REFERENCE),
        VARIABLE => variable(p),
        NUMBER => leaf(p, LITERAL_NUMBER),
        WORD | SQ_STRING | DQ_STRING => leaf(p, LITERAL_STRING),
        DQ_START => interpolated_string(p),
        HEREDOC_START => leaf(p, HEREDOC),
        REGEX => leaf(p, LITERAL_REGEX),
        TRUE_KW | FALSE_KW => leaf(p, LITERAL_BOOLEAN),
        UNDEF_KW => leaf(p, LITERAL_UNDEF),
        DEFAULT_KW => leaf(p, LITERAL_DEFAULT),
        ATTR_KW | PRIVATE_KW => leaf(p, RESERVED_WORD),
        L_PAREN | LINE_START_PAREN => paren(p),
        L_BRACK | LIST_START => lists::array(p),
        L_BRACE => lists::hash(p),
        IF_KW => conditionals::if_expression(p),
        UNLESS_KW => conditionals::unless_expression(p),
        CASE_KW => conditionals::case_expression(p),
        CLASS_KW => definitions::class(p),
        DEFINE_KW => definitions::defined_type(p),
        NODE_KW => definitions::node(p),
        FUNCTION_KW => definitions::function(p),
        PLAN_KW => definitions::plan(p),
        APPLY_KW => definitions::apply(p),
        TYPE_KW if p.nth(1) == L_PAREN => leaf(p, QUALIFIED_NAME), // a call of the function `type`
        TYPE_KW => definitions::type_alias(p),
        EPP_TEXT | EPP_EMPTY_TEXT => render_string(p),
        EPP_OPEN_EXPR => render_expression(p),
        // The lexer has already reported this token.
        ERROR_TOKEN => {
            let error = p.start();
            while p.at(ERROR_TOKEN) {
                p.bump();
            }
            p.complete(error, ERROR)
        }
        _ => {
            p.expected_here("a value");
            return None;
        }
    })
}

fn leaf(p: &mut Parser<'_>, kind: SyntaxKind) -> Completed {
    let marker = p.start();
    p.bump();
    p.complete(marker, kind)
}

/// `Variable: '$' name`
pub(super) fn variable(p: &mut Parser<'_>) -> Completed {
    let is_lone = p.text() == "$";
    let variable = leaf(p, VARIABLE_EXPR);
    if is_lone && p.recovering_and(|p| p.at(L_BRACE) && p.is_joined_to_previous()) {
        recovery::strings::interpolation_outside_string(p);
    }
    variable
}

/// `Paren: '(' Assignment ')'`
fn paren(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    let open = p.current_range();
    p.bump();
    p.inside_list(|p| {
        if starts_expression(p.current()) {
            expressions::assignment(p);
        } else {
            p.expected_here("a value");
        }
        recovery::lists::skip_to_close(p, R_PAREN, open);
    });
    close(p, R_PAREN, open, "`)`");
    p.complete(marker, PAREN_EXPR)
}

/// `String: '"' (text | Variable | Interpolation)* '"'`
fn interpolated_string(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    loop {
        match p.current() {
            STRING_TEXT => p.bump(),
            VARIABLE => {
                variable(p);
            }
            INTERPOLATION_START => interpolation(p),
            DQ_END => {
                p.bump();
                break;
            }
            _ => break, // the lexer has reported that it has no end
        }
    }
    p.complete(marker, INTERPOLATED_STRING)
}

/// `Interpolation: '${' Assignment '}'`
pub(super) fn interpolation(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if starts_expression(p.current()) {
        p.nested(expressions::assignment);
    } else if p.at(INTERPOLATION_END) {
        let range = p.previous_range().cover(p.current_range());
        p.error_at(
            Code::SyntaxError,
            range,
            with_help("empty interpolation", "add an expression, or write `\\${` for a literal `${`"),
        );
    } else {
        p.expected("a value");
    }
    recovery::strings::skip_to_end_of_interpolation(p);
    p.eat(INTERPOLATION_END);
    p.complete(marker, INTERPOLATION);
}

/// `RenderString: text`; template comments may separate the pieces.
fn render_string(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    p.bump();
    while p.at_any(&[EPP_TEXT, EPP_EMPTY_TEXT]) && p.only_template_comments_before() {
        p.bump();
    }
    p.complete(marker, RENDER_STRING)
}

/// `RenderExpression: '<%=' (Expression | '{' Statements '}') '%>'`
fn render_expression(p: &mut Parser<'_>) -> Completed {
    let marker = p.start();
    let open = p.current_range();
    p.bump();
    if p.at(L_BRACE) {
        lists::hash_or_block(p);
    } else if p.at(EPP_CLOSE_EXPR) {
        let range = open.cover(p.current_range());
        p.error_at(Code::SyntaxError, range, "expected an expression after `<%=`");
    } else {
        expressions::expect_expression(p, "a value");
    }
    recovery::strings::skip_to_end_of_tag(p, open);
    p.eat(EPP_CLOSE_EXPR);
    p.complete(marker, RENDER_EXPR)
}
