//! Comments and heredoc texts, which the grammar does not see at their location.

use rustc_hash::FxHashSet;
use syntax::{FlatTree, SyntaxKind, TextRange};

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
pub(crate) fn trivia(tree: &FlatTree) -> Vec<Trivia> {
    let mut found = Vec::new();
    // End of the last string or heredoc text.
    let mut end = 0;
    for element in tree.elements() {
        let mut range = element.text_range();
        if range.start < end {
            continue;
        }
        let kind = match element.kind() {
            SyntaxKind::COMMENT => TriviaKind::LineComment,
            SyntaxKind::BLOCK_COMMENT => TriviaKind::BlockComment,
            SyntaxKind::HEREDOC_BODY => TriviaKind::Heredoc,
            SyntaxKind::INTERPOLATED_STRING => {
                end = range.end;
                continue;
            }
            _ => continue,
        };
        end = range.end;
        if kind == TriviaKind::LineComment {
            range.end = range.start + element.text().trim_end_matches(['\r', '\n']).len() as u32;
        }
        found.push(Trivia { kind, range });
    }
    found
}

/// Returns the offsets of the comments at the start of a line that are not indented: control comments of puppet-lint,
/// which mark lines, and code that was commented out there, with its own indentation after the `#`.
pub(crate) fn unindented_comments(text: &str, trivia: &[Trivia]) -> FxHashSet<u32> {
    let is_at_margin =
        |it: &&Trivia| it.kind == TriviaKind::LineComment && text[..it.range.start as usize].ends_with('\n');
    let comments: Vec<&Trivia> = trivia.iter().filter(is_at_margin).collect();
    let contents = |it: &Trivia| text[it.range.as_range()].trim_start_matches('#');
    let are_adjacent = |before: &&Trivia, next: &&Trivia| {
        text[before.range.end as usize..next.range.start as usize].trim_matches('\r') == "\n"
    };
    let mut found = FxHashSet::default();
    for block in comments.chunk_by(are_adjacent) {
        let is_code = block.iter().any(|it| contents(it).starts_with("  "));
        let is_kept = |it: &&&Trivia| is_code || contents(it).trim_start().starts_with("lint:");
        found.extend(block.iter().filter(is_kept).map(|it| it.range.start));
    }
    found
}
