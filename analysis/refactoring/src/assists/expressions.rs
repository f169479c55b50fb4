//! Properties of expressions that decide whether they can be moved.

use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxKind::*, SyntaxNode};

pub(super) use crate::lines::{indentation, reindented};

/// Functions without side effects whose results depend on their arguments, facts and data alone.
const MOVABLE_FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any2array",
    "any2bool",
    "basename",
    "bool2num",
    "bool2str",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "clamp",
    "compare",
    "concat",
    "count",
    "deep_merge",
    "delete",
    "delete_at",
    "delete_regex",
    "delete_undef_values",
    "delete_values",
    "difference",
    "dig",
    "dirname",
    "downcase",
    "empty",
    "flatten",
    "floor",
    "fqdn_rand",
    "get",
    "grep",
    "has_key",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "intersection",
    "join",
    "join_keys_to_values",
    "keys",
    "length",
    "lookup",
    "lstrip",
    "max",
    "md5",
    "member",
    "merge",
    "min",
    "num2bool",
    "os_transform_list_to_hash",
    "pick",
    "pick_default",
    "prefix",
    "range",
    "regsubst",
    "reverse",
    "round",
    "rstrip",
    "sha1",
    "sha256",
    "shell_escape",
    "shell_join",
    "size",
    "sort",
    "split",
    "sprintf",
    "squeeze",
    "str2bool",
    "strip",
    "suffix",
    "swapcase",
    "to_json",
    "to_yaml",
    "union",
    "unique",
    "upcase",
    "uriescape",
    "values",
    "values_at",
    "versioncmp",
    "zip",
];

/// Returns true if an expression can be evaluated earlier, later or repeatedly within its definition: it has no
/// side effects and does not depend on its position.
pub(super) fn is_movable(node: &SyntaxNode) -> bool {
    node.descendants().all(|it| match it.kind() {
        LITERAL_NUMBER | LITERAL_STRING | LITERAL_BOOLEAN | LITERAL_UNDEF | INTERPOLATED_STRING
        | INTERPOLATION | ARRAY_EXPR | HASH_EXPR | KEYED_ENTRY | PAREN_EXPR | ACCESS_EXPR | ARGUMENT_LIST
        | QUALIFIED_NAME => true,
        VARIABLE_EXPR => !is_match_variable(&it),
        UNARY_EXPR => {
            ast::UnaryExpr::cast(it).and_then(|it| it.operator_token()).is_some_and(|it| it.kind() != STAR)
        }
        // Matches set `$0`, `$1` and so on.
        BINARY_EXPR => ast::BinaryExpr::cast(it)
            .and_then(|it| it.operator_token())
            .is_some_and(|it| !matches!(it.kind(), MATCH | NO_MATCH | IN_KW)),
        CALL_EXPR => ast::CallExpr::cast(it).is_some_and(|call| {
            let name = call.functor().map(|it| it.syntax().text().to_owned());
            call.lambda().is_none() && name.is_some_and(|name| is_movable_function(&name))
        }),
        METHOD_CALL_EXPR => ast::MethodCallExpr::cast(it).is_some_and(|call| {
            let name = call.name_token();
            call.lambda().is_none() && name.is_some_and(|it| is_movable_function(it.text()))
        }),
        _ => false,
    })
}

pub(super) fn is_movable_function(name: &str) -> bool {
    let name = name.trim_start_matches("::");
    let name = name.strip_prefix("stdlib::").unwrap_or(name);
    MOVABLE_FUNCTIONS.contains(&name)
}

fn is_match_variable(node: &SyntaxNode) -> bool {
    node.text().trim_start_matches('$').starts_with(|it: char| it.is_ascii_digit())
}

/// Returns true if evaluating the expression cannot fail: it consists of literals.
pub(super) fn is_constant(node: &SyntaxNode) -> bool {
    node.descendants().all(|it| {
        matches!(
            it.kind(),
            LITERAL_NUMBER
                | LITERAL_STRING
                | LITERAL_BOOLEAN
                | LITERAL_UNDEF
                | ARRAY_EXPR
                | HASH_EXPR
                | KEYED_ENTRY
                | QUALIFIED_NAME
        )
    })
}

/// Returns true if an expression contains a call.
pub(super) fn has_call(node: &SyntaxNode) -> bool {
    node.descendants().any(|it| matches!(it.kind(), CALL_EXPR | METHOD_CALL_EXPR))
}

/// Returns true if an expression never needs parentheses.
pub(super) fn is_atomic(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        LITERAL_NUMBER
            | LITERAL_STRING
            | LITERAL_BOOLEAN
            | LITERAL_UNDEF
            | INTERPOLATED_STRING
            | ARRAY_EXPR
            | HASH_EXPR
            | PAREN_EXPR
            | ACCESS_EXPR
            | QUALIFIED_NAME
            | VARIABLE_EXPR
            | CALL_EXPR
            | METHOD_CALL_EXPR
    )
}

/// Returns the statement that contains a node: its innermost ancestor directly in a block or file.
pub(super) fn statement_around(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.ancestors().find(is_statement)
}

/// Returns true if a node is a statement of a block or file.
pub(super) fn is_statement(node: &SyntaxNode) -> bool {
    Expr::can_cast(node.kind()) && node.parent().is_some_and(|it| matches!(it.kind(), BLOCK | SOURCE_FILE))
}

/// Returns true if nothing follows a statement in its block, so that its value may be the result of a lambda or
/// function.
pub(super) fn is_last_statement(node: &SyntaxNode) -> bool {
    let mut later = std::iter::successors(node.next_sibling(), SyntaxNode::next_sibling);
    !later.any(|it| Expr::can_cast(it.kind()))
}

/// Returns true if a node is inside of a node of one of the kinds.
pub(super) fn is_inside(node: &SyntaxNode, kinds: &[SyntaxKind]) -> bool {
    node.ancestors().skip(1).any(|it| kinds.contains(&it.kind()))
}

/// Returns true if a node contains comments or heredocs, which cannot be moved with its parts. Blocks are moved
/// as a whole and may contain comments.
pub(super) fn has_fixed_parts(node: &SyntaxNode, moves_blocks: bool) -> bool {
    node.descendants_with_tokens().any(|it| match it.kind() {
        HEREDOC | HEREDOC_BODY => true,
        COMMENT | BLOCK_COMMENT => {
            let mut around =
                it.as_token().into_iter().flat_map(|token| token.ancestors().take_while(|it| it != node));
            !(moves_blocks && around.any(|it| it.kind() == BLOCK))
        }
        _ => false,
    })
}

/// Returns true if a string of the node spans lines, so that its lines cannot be indented.
pub(super) fn has_multiline_string(node: &SyntaxNode) -> bool {
    node.descendants_with_tokens().any(|it| {
        let is_string =
            matches!(it.kind(), SQ_STRING | DQ_STRING | STRING_TEXT | HEREDOC_START | BLOCK_COMMENT);
        is_string
            && it.as_token().is_some_and(|token| token.text().contains('\n') || token.kind() == HEREDOC_START)
    })
}
