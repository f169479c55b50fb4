//! A tree without its trivia: what must not depend on layout.

use std::fmt::Write;

use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode};

/// The nodes and tokens of a tree, one a line, each below its parent. The texts of heredocs come last.
pub fn shape(root: &SyntaxNode) -> String {
    let mut out = String::new();
    let mut heredocs = Vec::new();
    write_node(root, 0, &mut out, &mut heredocs);
    let mut next = 0;
    while next < heredocs.len() {
        let heredoc = heredocs[next].clone();
        write_node(&heredoc, 0, &mut out, &mut heredocs);
        next += 1;
    }
    out
}

fn write_node(node: &SyntaxNode, depth: usize, out: &mut String, heredocs: &mut Vec<SyntaxNode>) {
    let _ = writeln!(out, "{:depth$}{}", "", node.kind().name());
    for child in node.children_with_tokens() {
        let kind = child.kind();
        if let Some(inner) = child.as_node() {
            match kind {
                HEREDOC_BODY => heredocs.push(inner.clone()),
                _ => write_node(inner, depth + 1, out, heredocs),
            }
        } else if let Some(token) = child.as_token()
            && !kind.is_trivia()
        {
            // The last line of a heredoc may be the last one of the file.
            let text = match kind {
                HEREDOC_END => token.text().trim_end_matches(['\r', '\n']),
                _ => token.text(),
            };
            let _ = writeln!(out, "{:width$}{} {text:?}", "", name(kind), width = depth + 1);
        }
    }
}

/// Where a list or a group may stand in any case, its bracket is called one thing or the other by layout.
fn name(kind: SyntaxKind) -> &'static str {
    match kind {
        LIST_START => L_BRACK.name(),
        LINE_START_PAREN => L_PAREN.name(),
        _ => kind.name(),
    }
}
