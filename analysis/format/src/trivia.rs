//! Comments and the texts of heredocs: what the grammar does not see where it stands.

use syntax::{SyntaxKind, SyntaxNode, TextRange};

/// What stands between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TriviaKind {
    /// `# ...`: nothing stands behind it on its line.
    LineComment,
    /// `/* ... */`
    BlockComment,
    /// The text of a heredoc.
    Heredoc,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Trivia {
    pub(crate) kind: TriviaKind,
    /// Without blanks at its end.
    pub(crate) range: TextRange,
}

/// All trivia of a tree, from front to back; none of those within strings.
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
            (TriviaKind::LineComment, Some(token)) => {
                TextRange::new(range.start, range.start + token.text().trim_end().len() as u32)
            }
            _ => range,
        };
        found.push(Trivia { kind, range });
    }
}
