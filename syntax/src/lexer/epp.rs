//! Text of EPP templates and the tags around code.

use super::*;
use codes::{Code, with_help};

impl Lexer<'_> {
    /// Lexes `%>` or `-%>` and the text after it.
    pub(super) fn epp_close(&mut self, length: usize, trims: bool) {
        let start = self.at;
        if self
            .frames
            .iter()
            .any(|frame| matches!(frame, LexerFrame::String { .. } | LexerFrame::Interpolation { .. }))
        {
            let interpolation = self.frames.iter().find_map(|frame| match frame {
                LexerFrame::Interpolation { start, .. } => Some(*start),
                _ => None,
            });
            self.frames.clear();
            let open = interpolation.unwrap_or(start);
            self.report(
                Code::UnclosedInterpolation,
                open,
                open + 2,
                with_help("unterminated interpolation", "add `}`"),
            );
        }
        self.at += length;
        match self.context.epp {
            EppMode::Expr => self.push(EPP_CLOSE_EXPR, start),
            _ => self.push(EPP_CLOSE, start),
        }
        self.context.epp = EppMode::Text;
        self.epp_text(trims);
    }

    /// Lexes text up to and including the next tag that opens code. If `trims` is true, whitespace up to the
    /// end of the line and the line break are trimmed.
    pub(super) fn epp_text(&mut self, mut trims: bool) {
        let limit = self.context.limit;
        let first_token = self.out.tokens.len();
        if self.at >= limit {
            return;
        }
        while self.at < limit {
            let start = self.at;
            let tag = self.rest().find("<%").map(|length| start + length);
            let text_end = tag.unwrap_or(limit);
            if trims {
                self.trim_line_start(text_end);
                trims = false;
            }
            if text_end > self.at {
                let text = self.at;
                self.at = text_end;
                self.push(EPP_TEXT, text);
            }
            let Some(tag) = tag else {
                return self.mark_empty_text(first_token);
            };
            match self.peek(2) {
                b'%' => {
                    self.at = tag + 3;
                    self.push(EPP_TEXT, tag);
                }
                b'#' => trims = self.epp_comment(tag, first_token),
                b'=' => {
                    self.at = tag + 3;
                    self.push(EPP_OPEN_EXPR, tag);
                    return self.open_epp(EppMode::Expr, tag);
                }
                b'-' => {
                    self.trim_line_end(first_token);
                    self.at = tag + 3;
                    self.push(EPP_OPEN, tag);
                    return self.open_epp(EppMode::Code, tag);
                }
                _ if tag + 2 >= limit => {
                    self.at = limit;
                    self.push(ERROR_TOKEN, tag);
                    let message = with_help("unterminated template tag", "add `%>`");
                    return self.report(Code::EppUnclosedTag, tag, limit, message);
                }
                _ => {
                    self.at = tag + 2;
                    self.push(EPP_OPEN, tag);
                    return self.open_epp(EppMode::Code, tag);
                }
            }
        }
        // Puppet drops the text between the last code and a comment or `<%%` at the end of the file.
        for token in &mut self.out.tokens[first_token..] {
            if token.kind == EPP_TEXT {
                token.kind = EPP_TRIMMED;
            }
        }
    }

    /// Marks the last trimmed token if all tokens since `first_token` were trimmed, since Puppet emits an empty
    /// string for text at the end that is trimmed completely.
    fn mark_empty_text(&mut self, first_token: usize) {
        let tokens = &mut self.out.tokens[first_token..];
        let is_copied = tokens.iter().any(|token| token.kind == EPP_TEXT);
        let trimmed = tokens.iter_mut().rfind(|token| token.kind == EPP_TRIMMED);
        if let Some(last) = trimmed.filter(|_| !is_copied) {
            last.kind = EPP_EMPTY_TEXT;
        }
    }

    fn open_epp(&mut self, mode: EppMode, tag: usize) {
        self.context.epp = mode;
        self.context.epp_open = tag;
    }

    /// Lexes `<%# ... %>`. Returns true if it ends with `-%>`.
    fn epp_comment(&mut self, tag: usize, first_token: usize) -> bool {
        let bytes = &self.bytes[tag + 2..self.context.limit];
        let close = (1..bytes.len().saturating_sub(1))
            .find(|at| bytes[*at..].starts_with(b"%>") && bytes[at - 1] != b'%');
        if bytes.get(1) == Some(&b'-') && close.is_some() {
            self.trim_line_end(first_token);
        }
        match close {
            Some(at) => self.at = tag + 2 + at + 2,
            None => {
                self.report(
                    Code::EppUnclosedComment,
                    tag,
                    tag + 3,
                    with_help("unterminated comment", "add `%>`"),
                );
                self.at = self.context.limit;
            }
        }
        self.push(EPP_COMMENT, tag);
        self.text[tag..self.at].ends_with("-%>")
    }

    fn trim_line_start(&mut self, text_end: usize) {
        let start = self.at;
        let bytes = &self.bytes[start..text_end];
        let mut length = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        length += usize::from(bytes.get(length) == Some(&b'\r'));
        length += usize::from(bytes.get(length) == Some(&b'\n'));
        if length > 0 {
            self.at += length;
            self.push(EPP_TRIMMED, start);
        }
    }

    /// Trims trailing whitespace from the text lexed since `first_token`.
    fn trim_line_end(&mut self, first_token: usize) {
        for index in (first_token..self.out.tokens.len()).rev() {
            let token = self.out.tokens[index];
            if token.kind != EPP_TEXT {
                continue;
            }
            let end = self.out.tokens.get(index + 1).map_or(self.at, |next| next.start as usize);
            let text = &self.text[token.start as usize..end];
            let kept = text.trim_end_matches([' ', '\t']).len();
            if kept == 0 {
                self.out.tokens[index].kind = EPP_TRIMMED;
                continue;
            }
            if kept < text.len() {
                let start = token.start + kept as u32;
                self.out.tokens.insert(index + 1, Token { kind: EPP_TRIMMED, start });
            }
            return;
        }
    }
}
