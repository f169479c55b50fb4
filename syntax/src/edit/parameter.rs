//! Reparsing of one parameter of a definition. The smallest run of statements around it is the whole definition.

use std::sync::Arc;

use rowan::{GreenNode, NodeOrToken};

use crate::lexer::{self, Lexed, Suspect, Token};
use crate::parser::{self, Fragment, Input, Parser};
use crate::tree::{Tree, TreeSplice, kind_of};
use crate::{Language, LineMap, Parse, Severity, SyntaxKind, SyntaxKind::*, SyntaxNode, TextRange, grammar};

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
    let new = TextRange::new(range.start, change.moved(range.end));
    if contains_heredoc(parameter.text()) {
        return None;
    }
    let mut lexed = lex(text, new, old.language)?;
    let own = lexed.tokens.len() - 1;
    let mut errors = change.moved_errors(&old.all_errors, range);
    errors.append(&mut lexed.errors);
    let mut suspects = change.moved_suspects(&old.suspects, range);
    suspects.append(&mut lexed.suspects);
    Suspect::sort(&mut suspects);
    let node = read(text, lexed, new.end, token_after(&parameter)?)?;
    if kind_of(node.kind()) != PARAMETER || u32::from(node.text_len()) != new.len() {
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
    let tree = Tree::spliced(splice, text.clone()).with_lines(lines.cloned());
    let layout = old.layout.edited(text, change.old, change.new);
    Some((Parse::of_edited(tree, errors, suspects, layout, old.language), own))
}

fn contains_heredoc(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"@(").is_some()
}

/// Lexes a parameter. Returns `None` if that depends on the text around it, or affects the text after it.
fn lex(text: &str, range: TextRange, language: Language) -> Option<Lexed> {
    let (from, to) = (range.start as usize, range.end as usize);
    let line = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
    let is_separate =
        !text.get(from..to)?.is_empty() && text[to..].starts_with([',', ')', ' ', '\t', '\r', '\n']);
    if !is_separate || contains_heredoc(&text[line..to]) {
        return None;
    }
    let lexed = lexer::lex_part(&text[..to], language, from, line)?;
    let tokens = &lexed.tokens[..lexed.tokens.len() - 1];
    let (first, last) = (tokens.first()?.kind, tokens.last()?.kind);
    let is_valid = !lexed.errors.iter().any(|it| affects_rest(it) || it.severity() == Severity::Error);
    (is_valid && matches!(first, VARIABLE | CLASSREF | STAR) && !last.is_trivia()).then_some(lexed)
}

/// Parses a parameter before a token of this kind. Returns `None` unless the parameter ends there.
fn read(text: &str, mut lexed: Lexed, end: u32, following: SyntaxKind) -> Option<GreenNode> {
    let mut inputs = parser::fragments(&lexed);
    let count = inputs[0].len();
    if inputs.len() > 1 || count > MAX_TOKENS {
        return None;
    }
    let own = lexed.tokens.len();
    inputs[0].push(Input { kind: following, token: own as u32 });
    lexed.tokens.extend([Token { kind: following, start: end }, Token { kind: WHITESPACE, start: end + 1 }]);
    let mut parser = Parser::new(text, &lexed, &inputs[0], None);
    grammar::parameter(&mut parser);
    let (events, _) = parser.finish_part(count).ok()?;
    lexed.tokens.truncate(own);
    let mut fragments = [Fragment { input: &inputs[0][..count], events }];
    let (node, too_deep) = parser::build_tree(text, &lexed, &mut fragments, MAX_DEPTH);
    too_deep.is_none().then_some(node)
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
