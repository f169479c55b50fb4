//! `@param name` tags in documentation comments of definitions and templates.

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::{Access, NameUseKind, NameUseWalk, WalkPosition};
use crate::summary::documentation_tokens;

/// Tags followed by a parameter name.
const TAGS: &[&str] = &["@param", "@option"];

impl NameUseWalk<'_> {
    pub(super) fn documented_definition(&mut self, node: &ast::Definition, position: WalkPosition) {
        let tokens = documentation_tokens(node.syntax());
        self.documented(&tokens, node.parameters(), position);
    }

    /// Records the tags in comments before the parameters of a template.
    pub(super) fn documented_template(
        &mut self,
        root: &SyntaxNode,
        list: &ast::ParameterList,
        position: WalkPosition,
    ) {
        debug_assert!(root.text_range().contains_range(list.syntax().text_range()));
        let end = list.syntax().text_range().start;
        let elements = root.descendants_with_tokens().filter_map(|it| it.into_token());
        let comments = elements
            .take_while(|token| token.text_range().start < end)
            .filter(|token| matches!(token.kind(), SyntaxKind::COMMENT | SyntaxKind::EPP_COMMENT));
        let tokens: Vec<SyntaxToken> = comments.collect();
        self.documented(&tokens, Some(list.clone()), position);
    }

    fn documented(
        &mut self,
        comments: &[SyntaxToken],
        list: Option<ast::ParameterList>,
        position: WalkPosition,
    ) {
        let parameters: Vec<String> = list
            .into_iter()
            .flat_map(|it| it.parameters().collect::<Vec<_>>())
            .filter_map(|it| it.name())
            .collect();
        for comment in comments {
            for (name, range) in documented_names(comment.text(), comment.text_range().start) {
                // Names without a parameter are left to the checks, which read the comment themselves.
                if parameters.contains(&name) {
                    let binding = self.declare(position.scope, &name);
                    self.add(range, NameUseKind::Variable(binding), &name, Access::Documentation, position);
                }
            }
        }
    }
}

/// Returns the names after the tags of a comment, with their ranges.
fn documented_names(text: &str, start: u32) -> Vec<(String, TextRange)> {
    let mut found = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let blank = |c: char| c.is_whitespace() || c == '#' || c == '%' || c == '<' || c == '-';
        let content = line.trim_start_matches(blank);
        let mut at = line_start + line.len() - content.len();
        line_start += line.len();
        let Some(tag) = TAGS.iter().find(|tag| content.starts_with(**tag)) else { continue };
        let mut rest = &content[tag.len()..];
        at += tag.len();
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        rest = trimmed;
        if rest.starts_with('[') {
            let Some(end) = closing_bracket(rest) else { continue };
            let following = rest[end..].trim_start();
            at += rest.len() - following.len();
            rest = following;
        }
        let is_sigil = rest.starts_with(['$', '*']);
        let name = if is_sigil { &rest[1..] } else { rest };
        at += usize::from(is_sigil);
        let length = name.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let range = TextRange::new(start + at as u32, start + (at + length) as u32);
        found.push((name[..length].to_owned(), range));
    }
    found
}

fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
