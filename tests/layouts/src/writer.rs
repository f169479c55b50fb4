//! Writer of a source in a layout, which preserves everything that Puppet depends on.

use std::collections::VecDeque;

use crate::layout::Layout;
use crate::random::Random;
use crate::source::{Gap, Rule, Source, Token};

use syntax::SyntaxKind::*;

impl Source {
    /// Writes the source in a layout, deterministically for a given seed.
    pub fn lay(&self, layout: Layout, seed: u64) -> String {
        let mut writer = Writer::new(layout, seed, false);
        let mut heredocs = self.heredocs.iter();
        for (index, token) in self.tokens.iter().enumerate() {
            let spans_lines = spans_lines(&self.tokens[index..]);
            writer.token(token, spans_lines);
            if token.kind == HEREDOC_START {
                let inner_seed = writer.random.next_number();
                let mut inner = Writer::new(layout, inner_seed, true);
                heredocs.next().into_iter().flatten().for_each(|it| inner.token(it, false));
                writer.pending.push_back(inner.out);
            }
        }
        if let Some(original) = &self.rest {
            let gap = layout.gap(original, None, &mut writer.random);
            writer.gap(&gap);
        }
        if !writer.pending.is_empty() || writer.in_line_comment {
            writer.line_break("\n");
        }
        writer.out
    }
}

/// Returns true if the text of the first token (of the whole string, if the token starts one) spans
/// several lines.
fn spans_lines(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return false };
    match first.kind {
        DQ_START => {
            let mut depth = 0;
            tokens
                .iter()
                .take_while(|it| {
                    depth += usize::from(it.kind == DQ_START);
                    depth -= usize::from(it.kind == DQ_END);
                    depth > 0
                })
                .any(|it| it.gap.is_none() && it.text.contains('\n'))
        }
        // Text follows, which may have any number of lines.
        INTERPOLATION_END | EPP_CLOSE | EPP_CLOSE_EXPR => true,
        _ => first.text.contains('\n'),
    }
}

struct Writer {
    layout: Layout,
    random: Random,
    out: String,
    /// Heredocs that start on this line of code.
    pending: VecDeque<String>,
    /// True if this line of code holds only whitespace so far.
    is_line_blank: bool,
    in_line_comment: bool,
    /// True in the body of a heredoc, whose lines stay unchanged.
    in_heredoc: bool,
    after_epp_open: bool,
}

impl Writer {
    fn new(layout: Layout, seed: u64, in_heredoc: bool) -> Writer {
        Writer {
            layout,
            random: Random::new(seed),
            out: String::new(),
            pending: VecDeque::new(),
            is_line_blank: true,
            in_line_comment: false,
            in_heredoc,
            after_epp_open: false,
        }
    }

    fn token(&mut self, token: &Token, spans_lines: bool) {
        if let Some(original) = &token.gap {
            let start = self.out.len();
            let keeps_lines = self.in_heredoc
                && original.iter().any(|it| match it {
                    Gap::Spaces(text) | Gap::BlockComment(text) => text.contains(['\r', '\n']),
                    Gap::Break(_) | Gap::LineComment(_) => true,
                });
            let mut gap = if keeps_lines {
                original.clone()
            } else {
                self.layout.gap(original, Some(token), &mut self.random)
            };
            let is_call = matches!(token.rule, Rule::NotAfterBlank | Rule::NotFirstOnLine);
            if is_call
                && !keeps_lines
                && !matches!(self.layout, Layout::Comments | Layout::Random)
                && !self.random.one_in(4)
            {
                gap.clear();
            }
            if self.in_heredoc && !keeps_lines {
                gap.retain(|it| match it {
                    Gap::Spaces(text) | Gap::BlockComment(text) => !text.contains('\n'),
                    Gap::Break(_) | Gap::LineComment(_) => false,
                });
            }
            self.gap(&gap);
            if self.in_line_comment || spans_lines && !self.pending.is_empty() {
                self.line_break("\n");
            }
            if token.merges && self.out.len() == start {
                self.spaces(if self.layout == Layout::Tabs { "\t" } else { " " });
            }
            self.keep(token.rule);
        }
        self.out.push_str(&token.text);
        self.is_line_blank = false;
        self.after_epp_open = token.text == "<%";
    }

    fn keep(&mut self, rule: Rule) {
        let is_after_blank = self.out.chars().next_back().is_none_or(|it| is_whitespace(it) || it == '\n');
        match rule {
            Rule::AfterBlank if !is_after_blank => self.spaces(match self.layout {
                Layout::Tabs => "\t",
                Layout::LoneCr => "\r",
                _ => " ",
            }),
            Rule::NotAfterBlank if is_after_blank => self.block_comment("/**/"),
            Rule::FirstOnLine if !self.is_line_blank => self.line_break("\n"),
            Rule::NotFirstOnLine if self.is_line_blank => self.block_comment("/**/"),
            _ => {}
        }
    }

    fn gap(&mut self, gap: &[Gap]) {
        for item in gap {
            match item {
                Gap::Break(text) => self.line_break(text),
                _ if self.in_line_comment => self.line_break("\n"),
                _ => {}
            }
            match item {
                Gap::Break(_) => {}
                Gap::Spaces(text) => self.spaces(text),
                Gap::BlockComment(text) => {
                    if text.contains('\n') && !self.pending.is_empty() {
                        self.line_break("\n");
                    }
                    self.block_comment(text);
                }
                Gap::LineComment(text) => {
                    if self.after_epp_open {
                        self.spaces(" ");
                    }
                    self.out.push_str(text);
                    self.in_line_comment = true;
                    self.is_line_blank = false;
                }
            }
        }
    }

    fn spaces(&mut self, text: &str) {
        self.out.push_str(text);
        self.after_epp_open = false;
    }

    fn block_comment(&mut self, text: &str) {
        self.out.push_str(text);
        self.is_line_blank = false;
        self.after_epp_open = false;
    }

    /// Writes a line break, followed by the bodies of the heredocs that start on the line before
    /// it.
    fn line_break(&mut self, text: &str) {
        self.out.push_str(text);
        for heredoc in std::mem::take(&mut self.pending) {
            self.out.push_str(&heredoc);
            if !heredoc.ends_with('\n') {
                self.out.push('\n');
            }
        }
        self.is_line_blank = true;
        self.in_line_comment = false;
        self.after_epp_open = false;
    }
}

/// Returns true for Puppet's whitespace characters (Ruby's `[[:blank:]]`, and `\r`).
fn is_whitespace(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\r' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}
