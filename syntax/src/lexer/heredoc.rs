//! Heredocs: `@(TAG)` in the code, and the text that begins after the line.

use codes::{Code, with_help};
use std::collections::VecDeque;

use super::strings::EscapeRules;
use super::*;

/// Maximum number of unterminated heredocs. Searching their ends takes quadratic time.
const MAX_UNTERMINATED_HEREDOCS: u32 = 64;

/// Maximum number of heredocs that begin on one line.
const MAX_HEREDOCS_PER_LINE: usize = 256;

/// Heredoc whose text has not begun yet.
#[derive(Debug)]
pub(super) struct Pending {
    text_start: usize,
    text_end: usize,
    /// End of the line with the end tag.
    end: usize,
    interpolates: bool,
    /// True if a backslash prevents a `$` from interpolating.
    escapes_dollar: bool,
    unicode_escapes: bool,
    /// Offset of a byte-order mark at the start of the text without its margin.
    byte_order_mark: Option<usize>,
}

/// Heredoc whose text is being lexed.
#[derive(Debug)]
pub(super) struct OpenText {
    pub(super) outer: LexerContext,
    /// Index in `Lexed::heredoc_bodies`.
    pub(super) body: usize,
    end: usize,
    interpolates: bool,
    escapes_dollar: bool,
    unicode_escapes: bool,
}

/// Contents of `@(...)` as slices of the source.
pub(crate) struct HeredocTag<'t> {
    pub(crate) tag: &'t str,
    pub(crate) interpolates: bool,
    pub(crate) syntax: &'t str,
    /// Letters after the `/`, if there is one.
    pub(crate) escapes: Option<&'t str>,
}

/// Code and message of an error in a heredoc.
type HeredocMistake = (Code, String);

fn mistake(code: Code, message: impl Into<String>) -> HeredocMistake {
    (code, message.into())
}

/// Returns the escapes that a header enables.
fn escapes_of(written: Option<&str>) -> Result<&str, HeredocMistake> {
    const ALL: &str = "trnsuL$";
    let escapes = match written {
        Some("") => ALL,
        Some(letters) => letters,
        None => "",
    };
    for (at, letter) in escapes.char_indices() {
        if !ALL.contains(letter) {
            let message = with_help(
                format!("invalid heredoc escape `{letter}`"),
                "use `t`, `r`, `n`, `s`, `u`, `L` or `$`",
            );
            return Err((Code::HeredocEscape, message));
        }
        if escapes[..at].contains(letter) {
            return Err((Code::HeredocEscape, format!("duplicate heredoc escape `{letter}`")));
        }
    }
    Ok(escapes)
}

/// Splits `@(TAG:syntax/escapes)` into its parts. Returns `None` for any other form.
pub(crate) fn parse_header(text: &str) -> Option<HeredocTag<'_>> {
    let inner = text.strip_prefix("@(")?.strip_suffix(')')?;
    if inner.contains(['\r', '\n']) {
        return None;
    }
    let tag_end = inner.find([':', '/']).unwrap_or(inner.len());
    let mut tag = inner[..tag_end].trim_matches([' ', '\t', '\x0b', '\x0c', '\0']);
    if tag_end == 0 {
        return None;
    }
    let mut rest = &inner[tag_end..];
    let mut syntax = "";
    if let Some(following) = rest.strip_prefix(':') {
        let end = following.find('/').unwrap_or(following.len());
        syntax = following[..end].trim_matches(is_blank);
        let valid = syntax.len() >= 2
            && syntax.starts_with(|c: char| c.is_ascii_lowercase())
            && syntax.bytes().all(|b| is_word(b) || b == b'+');
        if !valid {
            return None;
        }
        rest = &following[end..];
    }
    let escapes = match rest.strip_prefix('/') {
        Some(following) => {
            let letters = following.trim_end_matches(is_blank);
            if !letters.bytes().all(|b| is_word(b) || b == b'$') {
                return None;
            }
            Some(letters)
        }
        None => None,
    };
    let mut interpolates = false;
    if tag.len() >= 2 && tag.starts_with('"') && tag.ends_with('"') {
        interpolates = true;
        tag = tag[1..tag.len() - 1].trim_matches([' ', '\t', '\x0b', '\x0c', '\0']);
    }
    Some(HeredocTag { tag, interpolates, syntax, escapes })
}

impl<'t> Lexer<'t> {
    pub(super) fn heredoc_start(&mut self) {
        let start = self.at;
        match self.pending_heredoc(start) {
            Ok(pending) => {
                self.context.pending_heredocs.push_back(pending);
                self.push(HEREDOC_START, start);
            }
            Err((code, message)) => self.report_invalid_heredoc(start, code, message),
        }
    }

    /// Lexes a header and finds its text. Continues after the header, or at a recovery point after a
    /// malformed one.
    fn pending_heredoc(&mut self, start: usize) -> Result<Pending, HeredocMistake> {
        let header = self.heredoc_header(start)?;
        let escapes = escapes_of(header.escapes)?;
        if self.context.pending_heredocs.len() >= MAX_HEREDOCS_PER_LINE {
            let message = format!("more than {MAX_HEREDOCS_PER_LINE} heredocs begin on one line");
            return Err((Code::NestingTooDeep, message));
        }
        let text_start = match self.context.pending_heredocs.back() {
            Some(before) => Some(before.end),
            None if self.on_last_line => None,
            None => self.rest().find('\n').map(|length| self.at + length + 1),
        };
        self.on_last_line |= text_start.is_none() && self.context.limit == self.text.len();
        let text_start = text_start.ok_or_else(|| {
            mistake(
                Code::HeredocWithoutText,
                with_help("missing heredoc text", "begin the text on the next line"),
            )
        })?;
        let end = (self.unterminated_heredocs < MAX_UNTERMINATED_HEREDOCS)
            .then(|| self.find_heredoc_end(text_start, header.tag))
            .flatten();
        let Some((text_end, end, margin)) = end else {
            self.unterminated_heredocs += 1;
            let message = with_help("unterminated heredoc", format!("add a line with `| {}`", header.tag));
            return Err((Code::UnclosedHeredoc, message));
        };
        let heredoc = &self.text[text_start..text_end];
        let without_margin = heredoc.strip_prefix(margin).unwrap_or(heredoc);
        Ok(Pending {
            byte_order_mark: without_margin
                .starts_with('\u{feff}')
                .then_some(text_end - without_margin.len()),
            text_start,
            text_end,
            end,
            interpolates: header.interpolates,
            escapes_dollar: escapes.contains('$'),
            unicode_escapes: escapes.contains('u'),
        })
    }

    fn heredoc_header(&mut self, start: usize) -> Result<HeredocTag<'t>, HeredocMistake> {
        let Some(length) = self.rest().find(')') else {
            self.at = self.end_of_line(start);
            let message = with_help("unclosed heredoc tag", "add `)`");
            return Err(mistake(Code::HeredocUnclosedParenthesis, message));
        };
        let header_end = start + length + 1;
        let Some(header) = parse_header(&self.text[start..header_end]) else {
            self.at = header_end.min(self.end_of_line(start));
            let message =
                with_help("invalid heredoc tag", "use `@(TAG)`, `@(TAG:syntax)` or `@(TAG:syntax/escapes)`");
            return Err(mistake(Code::HeredocSyntax, message));
        };
        self.at = header_end;
        if header.tag.is_empty() {
            return Err(mistake(Code::HeredocEmptyTag, "empty heredoc tag"));
        }
        if self.frames.iter().any(|frame| matches!(frame, LexerFrame::Heredoc(_))) {
            self.report(
                Code::NestedHeredoc,
                start,
                self.at,
                with_help(
                    "nested heredocs are not supported",
                    "assign the inner heredoc to a variable first",
                ),
            );
        }
        Ok(header)
    }

    fn report_invalid_heredoc(&mut self, start: usize, code: Code, message: impl Into<String>) {
        self.report(code, start, self.at, message);
        self.push(ERROR_TOKEN, start);
        if code == Code::UnclosedHeredoc {
            self.skip_unterminated_heredoc(start);
        }
    }

    /// Treats the lines after an unterminated heredoc that are indented deeper than its own line as its text.
    fn skip_unterminated_heredoc(&mut self, start: usize) {
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let own = indent(&self.text[line_start..start]);
        let Some(first) = self.rest().find('\n').map(|length| self.at + length + 1) else { return };
        if !self.text[self.at..first].trim().is_empty() {
            return; // the statement continues on this line
        }
        let mut end = first;
        for line in self.text[first..self.context.limit].split_inclusive('\n') {
            if !line.trim().is_empty() && indent(line) <= own {
                break;
            }
            end += line.len();
        }
        if self.text[first..end].trim().is_empty() {
            return;
        }
        let text = self.at;
        self.at = end;
        self.context.line_start = end;
        self.push_insignificant(ERROR_TOKEN, text);
    }

    /// Returns the end of the text that begins at `start`, the end of the line with its end tag, and the
    /// margin given by that line. Other text may precede the tag on its line and is lost, as in Puppet.
    fn find_heredoc_end(&self, start: usize, tag: &str) -> Option<(usize, usize, &str)> {
        let mut line_start = start;
        for line in self.text[start..self.context.limit].split_inclusive('\n') {
            let line_end = line_start + line.len();
            if let Some(end_line) = EndLine::parse(line, tag) {
                let text = &self.text[start..line_start];
                let kept = if end_line.trims {
                    text.strip_suffix('\n')
                        .map(|text| text.strip_suffix('\r').unwrap_or(text))
                        .unwrap_or(text)
                } else {
                    text
                };
                return Some((start + kept.len(), line_end, end_line.margin.unwrap_or_default()));
            }
            line_start = line_end;
        }
        None
    }

    /// Opens the heredoc whose text begins here, if any.
    pub(super) fn begin_pending_heredoc(&mut self) {
        if self.context.pending_heredocs.is_empty() || self.bytes[self.at - 1] != b'\n' {
            return;
        }
        let Some(pending) = self.next_heredoc_text() else { return };
        if let Some(mark) = pending.byte_order_mark {
            self.report(
                Code::ByteOrderMark,
                mark,
                mark + '\u{feff}'.len_utf8(),
                "heredoc text begins with a byte-order mark, which Puppet rejects",
            );
        }
        let inner = LexerContext {
            brace_count: 0,
            after: EOF,
            line_start: self.at,
            pending_heredocs: VecDeque::new(),
            limit: pending.text_end.max(self.at),
            epp: EppMode::Off,
            epp_open: 0,
        };
        let outer = std::mem::replace(&mut self.context, inner);
        let body = self.out.heredoc_bodies.len();
        let first = self.out.tokens.len() as u32;
        self.out.heredoc_bodies.push(HeredocTokens { first, end: first });
        let Pending { end, interpolates, escapes_dollar, unicode_escapes, .. } = pending;
        self.open_frame(LexerFrame::Heredoc(Box::new(OpenText {
            outer,
            body,
            end,
            interpolates,
            escapes_dollar,
            unicode_escapes,
        })));
    }

    /// Returns the heredoc whose text begins here, or began inside a string or a comment. At the end of a
    /// line of code, Puppet continues after all texts that began on that line.
    fn next_heredoc_text(&mut self) -> Option<Pending> {
        while let Some(pending) = self.context.pending_heredocs.pop_front() {
            let start = pending.text_start;
            if start == self.at {
                return Some(pending);
            }
            if self.context.pending_heredocs.is_empty() && pending.end < self.at {
                let message = with_help(
                    "heredoc text is inside a string, comment or template text, and Puppet parses the code after it twice",
                    "end the string, comment or template text on the line of the heredoc",
                );
                self.report(Code::HeredocInString, start, start, message);
                return None;
            }
            self.heredoc_in_string(start);
            if pending.end > self.at {
                return Some(pending);
            }
        }
        None
    }

    fn heredoc_in_string(&mut self, text_start: usize) {
        let message = with_help(
            "heredoc text begins inside a string, comment or template text",
            "end the string, comment or template text on the line of the heredoc",
        );
        self.report_tolerated(Code::HeredocInString, text_start, text_start, message);
    }

    /// Reports heredocs left at the end of the code: their texts are inside other tokens.
    pub(super) fn report_pending_heredocs(&mut self) {
        while let Some(pending) = self.context.pending_heredocs.pop_front() {
            self.heredoc_in_string(pending.text_start);
        }
    }

    /// Lexes text up to the next interpolation or the end of the heredoc.
    pub(super) fn heredoc_text(&mut self) {
        let Some(LexerFrame::Heredoc(open)) = self.frames.last() else { return };
        let (interpolates, escapes_dollar) = (open.interpolates, open.escapes_dollar);
        let rules =
            if open.unicode_escapes { EscapeRules::Heredoc } else { EscapeRules::HeredocWithoutUnicode };
        let start = self.at;
        if !interpolates {
            self.at = self.context.limit;
        }
        while self.at < self.context.limit {
            match self.bytes[self.at] {
                b'\\' if escapes_dollar => self.at += 2,
                b'$' if self.interpolates_at(self.at) => {
                    self.text_token(start, true, rules);
                    return self.interpolation();
                }
                _ => self.at += 1,
            }
        }
        self.at = self.context.limit;
        self.text_token(start, true, rules);
        if let Some(LexerFrame::Heredoc(open)) = self.frames.pop() {
            self.context = open.outer;
            let end_line = self.at;
            self.at = open.end;
            self.push_insignificant(HEREDOC_END, end_line);
            self.out.heredoc_bodies[open.body].end = self.out.tokens.len() as u32;
            self.context.line_start = self.at;
        }
        self.begin_pending_heredoc();
    }
}

/// Last line of a heredoc, `| - TAG`.
pub(crate) struct EndLine<'t> {
    /// Whitespace before `|`, which is removed from each line of the text; `None` without a `|`.
    pub(crate) margin: Option<&'t str>,
    /// True if a `-` removes the last line break.
    pub(crate) trims: bool,
}

impl EndLine<'_> {
    /// Parses `line` as the end of a heredoc with this tag.
    pub(crate) fn parse<'t>(line: &'t str, tag: &str) -> Option<EndLine<'t>> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let before = line.trim_end_matches(is_blank).strip_suffix(tag)?;
        let before = before.trim_end_matches(is_blank);
        let (before, trims) = match before.strip_suffix('-') {
            Some(before) => (before, true),
            None => (before, false),
        };
        let margin = before.trim_end_matches(is_blank).strip_suffix('|').map(|before| {
            let text = before.trim_end_matches(is_blank);
            &before[text.len()..]
        });
        Some(EndLine { margin, trims })
    }
}
