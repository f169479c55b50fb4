//! Trees without trivia: the part that must not depend on layout.

use std::fmt::Write;

use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode};

/// Prints the nodes and tokens of a tree, one per line, each below its parent. The bodies of
/// heredocs come last.
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

/// Returns one name for token kinds that depend on layout: where both a list and an access (or a
/// group and a call) are possible, the kind of the bracket depends on the whitespace before it.
fn name(kind: SyntaxKind) -> &'static str {
    match kind {
        LIST_START => L_BRACK.name(),
        LINE_START_PAREN => L_PAREN.name(),
        _ => kind.name(),
    }
}
