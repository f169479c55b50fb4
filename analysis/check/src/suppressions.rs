//! Comments that suppress findings, in the syntax of puppet-lint.
//!
//! `# lint:ignore:rule lint:ignore:other_rule the reason` at the end of a line applies to that line. On a separate line it applies
//! to all lines up to `# lint:endignore` or the end of the file. `# lint:ignore-file:rule` applies to the whole file.

use codes::Code;
use std::sync::Arc;

use memchr::memmem;
use project::{Db, File, FileKind};
use smol_str::SmolStr;
use syntax::{LineMap, SyntaxKind, SyntaxToken, TextRange};

use crate::rule_table::is_name_of;

/// Suppressions in one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Suppressions {
    ignored: Vec<Ignored>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Ignored {
    /// Name of the rule as written.
    rule: SmolStr,
    /// First suppressed line, 0-based; `last_line` is inclusive.
    first_line: u32,
    last_line: u32,
}

impl Suppressions {
    /// Returns true if findings of the rule are suppressed on the line.
    pub(crate) fn hide(&self, code: Code, line: u32) -> bool {
        self.ignored.iter().any(|ignored| {
            (ignored.first_line..=ignored.last_line).contains(&line) && is_name_of(code, &ignored.rule)
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ignored.is_empty()
    }
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    suppressions::set_lru_capacity(db, files);
}

/// Returns the suppressions in a file.
#[salsa::tracked(returns(clone), lru = 0)]
pub(crate) fn suppressions(db: &dyn Db, file: File) -> Arc<Suppressions> {
    let _span = tracing::info_span!("suppressions").entered();
    let Some(text) = project::text(db, file) else { return Arc::default() };
    if memmem::find(text.as_bytes(), b"lint:ignore").is_none() {
        return Arc::default();
    }
    let comments = match (file.path(db).extension(), project::file_kind(db, file)) {
        (Some("pp" | "epp"), _) => comments_of_tree(db, file, &text, &project::line_map(db, file)),
        (_, FileKind::RubyPlugin | FileKind::Puppetfile) => {
            comments_of_ruby(&text, &project::line_map(db, file))
        }
        _ => comments_of_lines(&text),
    };
    Arc::new(read(&comments))
}

struct Comment {
    line: u32,
    /// True if the comment is the first thing on its line.
    is_alone: bool,
    text: String,
}

/// Returns the comments that contain `lint:`.
fn comments_of_tree(db: &dyn Db, file: File, text: &str, lines: &LineMap) -> Vec<Comment> {
    let root = project::parse_once(db, file).syntax();
    let mut comments = Vec::new();
    let mut seen_up_to = 0;
    for at in memmem::find_iter(text.as_bytes(), b"lint:") {
        let at = at as u32;
        let comment = root.tokens_at(at).find(|it| is_comment(it) && it.text_range().contains(at));
        let Some(comment) = comment.filter(|it| it.text_range().start >= seen_up_to) else { continue };
        seen_up_to = comment.text_range().end;
        let line = lines.line(comment.text_range().start);
        let said = comment.text().trim_start_matches(['#', '/', '*', '<', '%', '-']).to_owned();
        comments.push(Comment { line, is_alone: is_alone(&comment, lines.line_start(line)), text: said });
    }
    comments
}

fn is_comment(token: &SyntaxToken) -> bool {
    matches!(token.kind(), SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT | SyntaxKind::EPP_COMMENT)
}

/// Returns true if no code ends on the line before the comment.
fn is_alone(comment: &SyntaxToken, line_start: u32) -> bool {
    let before = std::iter::successors(comment.prev_token(), SyntaxToken::prev_token);
    let mut on_line = before.take_while(|it| it.text_range().end > line_start);
    // The text around the tags of a template contains the line breaks.
    on_line.all(|it| it.kind() == SyntaxKind::WHITESPACE || is_comment(&it) || it.text().trim().is_empty())
}

fn comments_of_ruby(text: &str, lines: &LineMap) -> Vec<Comment> {
    let comments = plugins::comments::comments(text).unwrap_or_default().into_iter();
    let comment = |range: TextRange| {
        let line = lines.line(range.start);
        let before = &text[lines.line_start(line) as usize..range.start as usize];
        let said = text[range.as_range()].trim_start_matches('#').to_owned();
        Comment { line, is_alone: before.trim().is_empty(), text: said }
    };
    comments.map(comment).collect()
}

fn comments_of_lines(text: &str) -> Vec<Comment> {
    let comment = |(line, text): (usize, &str)| {
        let (before, comment) = text.split_once('#')?;
        let is_alone = before.trim().is_empty();
        Some(Comment { line: line as u32, is_alone, text: comment.to_owned() })
    };
    text.lines().enumerate().filter_map(comment).collect()
}

fn read(comments: &[Comment]) -> Suppressions {
    let mut ignored = Vec::new();
    // Suppressions that begin on the same line end together.
    let mut open: Vec<(u32, Vec<SmolStr>)> = Vec::new();
    for comment in comments {
        let words = comment.text.split_whitespace();
        let mut rules = Vec::new();
        for word in words.take_while(|word| word.starts_with("lint:")) {
            if let Some(rule) = word.strip_prefix("lint:ignore-file:") {
                ignored.push(Ignored { rule: rule.into(), first_line: 0, last_line: u32::MAX });
            } else if let Some(rule) = word.strip_prefix("lint:ignore:") {
                rules.push(SmolStr::new(rule));
            } else if word == "lint:endignore"
                && let Some((first_line, rules)) = open.pop()
            {
                let last_line = comment.line;
                ignored.extend(rules.into_iter().map(|rule| Ignored { rule, first_line, last_line }));
            }
        }
        if rules.is_empty() {
            continue;
        }
        if comment.is_alone {
            open.push((comment.line, rules))
        } else {
            let line = comment.line;
            let on_line = |rule| Ignored { rule, first_line: line, last_line: line };
            ignored.extend(rules.into_iter().map(on_line));
        }
    }
    for (first_line, rules) in open {
        let to_end = |rule| Ignored { rule, first_line, last_line: u32::MAX };
        ignored.extend(rules.into_iter().map(to_end));
    }
    Suppressions { ignored }
}
