//! Hovers for keywords and for operators between resources.

use super::markdown::Markdown;
use symbols::descriptions::Hover;
use syntax::SyntaxKind::{self, *};
use syntax::{SyntaxNode, SyntaxToken};

/// Returns the hover for a keyword or an operator; `None` for other tokens, and where a keyword is a name.
pub(super) fn hover(token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
    let mut after = std::iter::successors(token.next_token(), SyntaxToken::next_token);
    let is_before_arrow = after.find(|it| !it.kind().is_trivia()).is_some_and(|it| it.kind() == FAT_ARROW);
    let is_key = is_before_arrow && token.kind() != DEFAULT_KW;
    let is_name = is_key || matches!(parent.kind(), LITERAL_STRING | DEFINITION_NAME);
    let text = description(token.kind()).filter(|_| !is_name)?;
    let mut markdown = Markdown::default();
    markdown.code(token.text());
    markdown.text(text);
    Some(Hover { range: token.text_range(), markdown: markdown.finish() })
}

fn description(kind: SyntaxKind) -> Option<&'static str> {
    Some(match kind {
        CLASS_KW => {
            "Defines a class, or declares one like a resource (`class { 'name': }`). A catalog contains a class at most once."
        }
        DEFINE_KW => {
            "Defines a resource type in Puppet code. Each of its resources evaluates the body with its own `$title`."
        }
        NODE_KW => {
            "Assigns code to the nodes whose certificate name matches. The most specific definition applies."
        }
        INHERITS_KW => {
            "Evaluates another class first. Its variables are visible here, and this class can override attributes of its resources."
        }
        FUNCTION_KW => "Defines a function. Its value is that of the last expression.",
        PLAN_KW => "Defines a plan, which Bolt runs.",
        APPLY_KW => "Compiles the block for each target and applies the catalog there.",
        TYPE_KW => "Defines an alias of a data type.",
        IF_KW => {
            "Evaluates the first block whose condition is true. Only `undef` and `false` are not true. It is an expression with the value of that block."
        }
        ELSIF_KW => "Condition to try if the conditions above are false.",
        ELSE_KW => "Block to evaluate if no condition is true.",
        UNLESS_KW => {
            "Evaluates the block if the condition is false. It is an expression with the value of that block."
        }
        CASE_KW => {
            "Evaluates the block of the first option that matches the value: by equality without regard to case, by regular \
             expression, or by data type. It is an expression with the value of that block."
        }
        DEFAULT_KW => "Matches if nothing else does.",
        BEFORE_ARROW => "The left resources are applied before the right ones.",
        NOTIFY_ARROW => {
            "The left resources are applied before the right ones, which are refreshed if the left ones change."
        }
        REQUIRE_ARROW => "The right resources are applied before the left ones.",
        SUBSCRIBE_ARROW => {
            "The right resources are applied before the left ones, which are refreshed if the right ones change."
        }
        COLLECT_START | COLLECT_END => {
            "Realizes the virtual resources that match the query, and selects all matching resources for relationships and overrides."
        }
        EXPORTED_START | EXPORTED_END => "Collects the exported resources of all nodes that match the query.",
        AT => "Declares virtual resources, which are applied only if they are realized.",
        AT_AT => "Declares exported resources, which other nodes can collect.",
        PLUS_ARROW => "Appends to the value of the attribute in the class that is inherited.",
        _ => return None,
    })
}
