//! Comments and heredoc texts, which the grammar does not see at their location.

use syntax::{SyntaxKind, SyntaxNode, TextRange};

/// Kind of trivia between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TriviaKind {
    /// `# ...`: extends to the end of its line.
    LineComment,
    /// `/* ... */`
    BlockComment,
    /// Text of a heredoc.
    Heredoc,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Trivia {
    pub(crate) kind: TriviaKind,
    /// Range without the line break.
    pub(crate) range: TextRange,
}

/// Returns all trivia of a tree in source order, except those within strings.
pub(crate) fn trivia(root: &SyntaxNode) -> Vec<Trivia> {
    let mut found = Vec::new();
    collect(root, &mut found);
    found
}

fn collect(node: &SyntaxNode, found: &mut Vec<Trivia>) {
    for child in node.children_with_tokens() {
        let range = child.text_range();
        let kind = match child.kind() {
            SyntaxKind::COMMENT => TriviaKind::LineComment,
            SyntaxKind::BLOCK_COMMENT => TriviaKind::BlockComment,
            SyntaxKind::HEREDOC_BODY => TriviaKind::Heredoc,
            SyntaxKind::INTERPOLATED_STRING => continue,
            _ => {
                if let Some(node) = child.as_node() {
                    collect(node, found);
                }
                continue;
            }
        };
        let range = match (kind, child.as_token()) {
            (TriviaKind::LineComment, Some(token)) => TextRange::new(
                range.start,
                range.start + token.text().trim_end_matches(['\r', '\n']).len() as u32,
            ),
            _ => range,
        };
        found.push(Trivia { kind, range });
    }
}
