//! Heredocs: `@(TAG)` in the code, and the text that begins behind the line.

use codes::Code;
use std::collections::VecDeque;

use super::strings::EscapeRules;
use super::*;

/// Looking for the end of heredocs costs the square of their number when none has one.
const MAX_UNCLOSED: u32 = 64;

/// More heredocs than anyone would begin on one line.
const MAX_ON_A_LINE: usize = 256;

/// A heredoc whose text has not begun yet.
#[derive(Debug)]
pub(super) struct Pending {
    text_start: usize,
    text_end: usize,
    /// The end of the line with the tag.
    end: usize,
    interpolates: bool,
    /// Does a backslash keep a `$` from interpolating?
    escapes_dollar: bool,
    unicode_escapes: bool,
    /// A byte-order mark that begins the text, once the margin is taken off.
    byte_order_mark: Option<usize>,
}

/// A heredoc whose text is being read.
#[derive(Debug)]
pub(super) struct OpenText {
    pub(super) outer: LexerContext,
    /// Its place in `Lexed::heredoc_bodies`.
    pub(super) body: usize,
    end: usize,
    interpolates: bool,
    escapes_dollar: bool,
    unicode_escapes: bool,
}

/// What `@(...)` says, as slices of its text.
pub(crate) struct HeredocTag<'t> {
    pub(crate) tag: &'t str,
    pub(crate) interpolates: bool,
    pub(crate) syntax: &'t str,
    /// The letters behind `/`, if there is one.
    pub(crate) escapes: Option<&'t str>,
}

/// What is wrong with a heredoc.
type HeredocMistake = (Code, String);

fn mistake(code: Code, message: &str) -> HeredocMistake {
    (code, message.to_owned())
}

/// The escapes that a header turns on.
fn escapes_of(written: Option<&str>) -> Result<&str, HeredocMistake> {
    const ALL: &str = "trnsuL$";
    let escapes = match written {
        Some("") => ALL,
        Some(letters) => letters,
        None => "",
    };
    for (at, letter) in escapes.char_indices() {
        if !ALL.contains(letter) {
            let message = format!("`{letter}` is no escape of a heredoc; there are t, r, n, s, u, L and $");
            return Err((Code::HeredocEscape, message));
        }
        if escapes[..at].contains(letter) {
            return Err((Code::HeredocEscape, format!("the escape `{letter}` is given twice")));
        }
    }
    Ok(escapes)
}

/// Takes `@(TAG:syntax/escapes)` apart; `None` where it is not of that form.
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
    if let Some(behind) = rest.strip_prefix(':') {
        let end = behind.find('/').unwrap_or(behind.len());
        syntax = behind[..end].trim_matches(is_blank);
        let valid = syntax.len() >= 2
            && syntax.starts_with(|c: char| c.is_ascii_lowercase())
            && syntax.bytes().all(|b| is_word(b) || b == b'+');
        if !valid {
            return None;
        }
        rest = &behind[end..];
    }
    let escapes = match rest.strip_prefix('/') {
        Some(behind) => {
            let letters = behind.trim_end_matches(is_blank);
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
            Err((code, message)) => self.bad_heredoc(start, code, message),
        }
    }

    /// Reads a header and finds its text. Goes on behind the header, or where reading can go on behind a bad one.
    fn pending_heredoc(&mut self, start: usize) -> Result<Pending, HeredocMistake> {
        let header = self.heredoc_header(start)?;
        let escapes = escapes_of(header.escapes)?;
        if self.context.pending_heredocs.len() >= MAX_ON_A_LINE {
            let message = format!("more than {MAX_ON_A_LINE} heredocs begin on this line");
            return Err((Code::NestingTooDeep, message));
        }
        let text_start = match self.context.pending_heredocs.back() {
            Some(before) => Some(before.end),
            None if self.on_last_line => None,
            None => self.rest().find('\n').map(|length| self.at + length + 1),
        };
        self.on_last_line |= text_start.is_none() && self.context.limit == self.text.len();
        let text_start = text_start.ok_or_else(|| {
            mistake(Code::HeredocWithoutText, "the heredoc's text must begin on the next line")
        })?;
        let end = (self.unclosed_heredocs < MAX_UNCLOSED)
            .then(|| self.find_heredoc_end(text_start, header.tag))
            .flatten();
        let Some((text_end, end, margin)) = end else {
            self.unclosed_heredocs += 1;
            let message = format!("the heredoc has no end: add a line with `| {}`", header.tag);
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
            let message = "the heredoc's tag is never closed: add `)`";
            return Err(mistake(Code::HeredocUnclosedParenthesis, message));
        };
        let header_end = start + length + 1;
        let Some(header) = parse_header(&self.text[start..header_end]) else {
            self.at = header_end.min(self.end_of_line(start));
            let message = "a heredoc begins with `@(TAG)`, `@(TAG:syntax)` or `@(TAG:syntax/escapes)`";
            return Err(mistake(Code::HeredocSyntax, message));
        };
        self.at = header_end;
        if header.tag.is_empty() {
            return Err(mistake(Code::HeredocEmptyTag, "the heredoc has no tag that could end it"));
        }
        if self.frames.iter().any(|frame| matches!(frame, LexerFrame::Heredoc(_))) {
            self.report(
                Code::NestedHeredoc,
                start,
                self.at,
                "Puppet fails on a heredoc inside a heredoc: assign it to a variable first",
            );
        }
        Ok(header)
    }

    fn bad_heredoc(&mut self, start: usize, code: Code, message: impl Into<String>) {
        self.report(code, start, self.at, message);
        self.push(ERROR_TOKEN, start);
        if code == Code::UnclosedHeredoc {
            self.skip_unclosed_heredoc(start);
        }
    }

    /// The lines behind a heredoc without an end that are indented deeper than its own line are taken for its text.
    fn skip_unclosed_heredoc(&mut self, start: usize) {
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let own = indent(&self.text[line_start..start]);
        let Some(first) = self.rest().find('\n').map(|length| self.at + length + 1) else { return };
        if !self.text[self.at..first].trim().is_empty() {
            return; // more of the statement stands on this line
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
        self.push_quietly(ERROR_TOKEN, text);
    }

    /// Where the text that begins at `start` ends, where the line with its tag ends, and the margin that this line gives.
    /// The tag may stand behind other text on its line, which then is lost: that is what Puppet does.
    fn find_heredoc_end(&self, start: usize, tag: &str) -> Option<(usize, usize, &str)> {
        let mut line_start = start;
        for line in self.text[start..self.context.limit].split_inclusive('\n') {
            let line_end = line_start + line.len();
            if let Some(end_line) = EndLine::parse(line, tag) {
                let text = &self.text[start..line_start];
                let kept = match end_line.trims {
                    true => text
                        .strip_suffix('\n')
                        .map(|text| text.strip_suffix('\r').unwrap_or(text))
                        .unwrap_or(text),
                    false => text,
                };
                return Some((start + kept.len(), line_end, end_line.margin.unwrap_or_default()));
            }
            line_start = line_end;
        }
        None
    }

    /// If the text of a heredoc begins here, opens it.
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
                "Puppet refuses text that begins with a byte-order mark",
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

    /// The heredoc whose text begins here, or of whose text the beginning stands in a string or a comment. At the end of
    /// a line of code Puppet goes on behind all the texts that began on that line.
    fn next_heredoc_text(&mut self) -> Option<Pending> {
        while let Some(pending) = self.context.pending_heredocs.pop_front() {
            let start = pending.text_start;
            if start == self.at {
                return Some(pending);
            }
            if self.context.pending_heredocs.is_empty() && pending.end < self.at {
                let message = "the text of a heredoc is inside a string, a comment or a template's text here, and Puppet reads what follows it there a second time: end that on the line of the heredoc";
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
        let message = "the text of a heredoc begins inside a string, a comment or a template's text here: end that on the line of the heredoc";
        self.tolerated(Code::HeredocInString, text_start, text_start, message);
    }

    /// The code has ended on the line of heredocs: their texts stand in something else.
    pub(super) fn warn_of_pending_heredocs(&mut self) {
        while let Some(pending) = self.context.pending_heredocs.pop_front() {
            self.heredoc_in_string(pending.text_start);
        }
    }

    /// Text up to the next interpolation or the end of the heredoc.
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
            self.push_quietly(HEREDOC_END, end_line);
            self.out.heredoc_bodies[open.body].end = self.out.tokens.len() as u32;
            self.context.line_start = self.at;
        }
        self.begin_pending_heredoc();
    }
}

/// The last line of a heredoc: `| - TAG`.
pub(crate) struct EndLine<'t> {
    /// The blanks before `|`, which are taken off each line of the text; `None` without a `|`.
    pub(crate) margin: Option<&'t str>,
    /// Is there a `-`, which takes the last line break off?
    pub(crate) trims: bool,
}

impl EndLine<'_> {
    /// Is `line` the end of a heredoc with this tag?
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
