//! Reparsing of one parameter of a definition. The smallest run of statements around it is the whole definition.

use std::sync::Arc;

use rowan::NodeOrToken;

use crate::lexer::{self, Suspect, Token};
use crate::parser::{self, Fragment, Input, Parser};
use crate::tree::{Tree, TreeSplice, kind_of};
use crate::{LineMap, Parse, Severity, SyntaxKind, SyntaxKind::*, SyntaxNode, TextRange, grammar};

use super::change::Change;
use super::container::path_to_node;
use super::{MAX_DEPTH, affects_rest};

/// Maximum number of tokens of a parameter, so that it cannot reach the depth limits of the parser.
const MAX_TOKENS: usize = 128;

/// Reparses a valid text in which only one parameter of a definition changed, if the new one ends where the old one
/// did. Returns the result and the number of tokens lexed for it.
pub(super) fn edited_in_parameter(
    old: &Parse,
    change: &Change,
    text: &Arc<str>,
    lines: Option<&Arc<LineMap>>,
) -> Option<(Parse, usize)> {
    if old.has_errors() {
        return None;
    }
    let parameter = parameter_around(&old.tree, change.old)?;
    let range = parameter.text_range();
    let (from, to) = (range.start as usize, change.moved(range.end) as usize);
    let (new, following) = (text.get(from..to)?, &text[to..]);
    let line = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
    let has_heredoc = |text: &str| text.contains("@(");
    let is_separate = following.starts_with([',', ')', ' ', '\t', '\r', '\n']);
    if !is_separate || has_heredoc(parameter.text()) || has_heredoc(&text[line..from]) || has_heredoc(new) {
        return None;
    }
    let mut lexed = lexer::lex_part(&text[..to], old.language, from, line)?;
    let (new_errors, new_suspects) = (std::mem::take(&mut lexed.errors), std::mem::take(&mut lexed.suspects));
    if new_errors.iter().any(|it| affects_rest(it) || it.severity() == Severity::Error) {
        return None;
    }
    let own = lexed.tokens.len() - 1;
    let ends = lexed.tokens[..own].first().zip(lexed.tokens[..own].last());
    let (first, last) = ends.map(|(first, last)| (first.kind, last.kind))?;
    if !matches!(first, VARIABLE | CLASSREF | STAR) || last.is_trivia() {
        return None;
    }
    let mut inputs = parser::fragments(&lexed);
    let count = inputs[0].len();
    if inputs.len() > 1 || count > MAX_TOKENS {
        return None;
    }
    inputs[0].push(Input { kind: token_after(&parameter)?, token: lexed.tokens.len() as u32 });
    let end = to as u32;
    lexed.tokens.extend([Token { kind: COMMA, start: end }, Token { kind: WHITESPACE, start: end + 1 }]);
    let mut parser = Parser::new(text, &lexed, &inputs[0], None);
    grammar::parameter(&mut parser);
    let (events, _) = parser.finish_part(count).ok()?;
    lexed.tokens.truncate(own + 1);
    let mut fragments = [Fragment { input: &inputs[0][..count], events }];
    let (node, too_deep) = parser::build_tree(text, &lexed, &mut fragments, MAX_DEPTH);
    if too_deep.is_some()
        || kind_of(node.kind()) != PARAMETER
        || u32::from(node.text_len()) != end - range.start
    {
        return None;
    }
    let mut path = path_to_node(&parameter);
    let index = path.pop().filter(|_| path.len() < MAX_DEPTH)?;
    let splice = TreeSplice {
        root: old.tree.green().clone(),
        path,
        replaced: index..index + 1,
        elements: vec![NodeOrToken::Node(node)],
    };
    let mut errors = change.moved_errors(&old.all_errors, range);
    errors.extend(new_errors);
    let mut suspects = change.moved_suspects(&old.suspects, range);
    suspects.extend(new_suspects);
    Suspect::sort(&mut suspects);
    let tree = Tree::spliced(splice, text.clone()).with_lines(lines.cloned());
    let layout = old.layout.edited(text, change.old, change.new);
    Some((Parse::of_edited(tree, errors, suspects, layout, old.language), own))
}

/// Returns the parameter of a definition that contains `range` after its first byte.
fn parameter_around(tree: &Tree, range: TextRange) -> Option<SyntaxNode> {
    let before = range.start.checked_sub(1)?;
    let element = tree.root().covering_element(TextRange::new(before, range.end))?;
    let nodes =
        std::iter::successors(element.as_node().cloned().or_else(|| element.parent()), SyntaxNode::parent);
    let is_of_definition = |node: &SyntaxNode| {
        let owner = node.parent().filter(|list| list.kind() == PARAMETER_LIST).and_then(|list| list.parent());
        let definitions = [CLASS_DEFINITION, DEFINED_TYPE, FUNCTION_DEFINITION, PLAN_DEFINITION];
        node.kind() == PARAMETER && owner.is_some_and(|owner| definitions.contains(&owner.kind()))
    };
    nodes.into_iter().find(is_of_definition)
}

/// Returns the kind of the token after a parameter, a comma or the closing parenthesis.
fn token_after(parameter: &SyntaxNode) -> Option<SyntaxKind> {
    let mut siblings =
        std::iter::successors(parameter.next_sibling_or_token(), |it| it.next_sibling_or_token());
    let next = siblings.find(|it| !it.kind().is_trivia())?.kind();
    matches!(next, COMMA | R_PAREN).then_some(next)
}
