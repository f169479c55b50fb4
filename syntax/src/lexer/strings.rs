//! Single- and double-quoted strings, and the text between their interpolations.

use super::*;
use codes::{Code, with_help};

const BAD_UNICODE: Code = Code::IllegalUnicodeEscape;

impl Lexer<'_> {
    /// Returns the offset of the first character that can end the string, and the latest possible end of the
    /// string.
    fn string_bounds(&self, start: usize) -> (usize, usize) {
        let broken = self.broken_string == Some(start);
        let limit = if broken { self.end_of_broken_string(start) } else { self.context.limit };
        let at = start + 1;
        (at + usize::from(self.first_character_is_text(at, limit)), limit)
    }

    pub(super) fn single_quoted(&mut self) {
        let start = self.at;
        let (mut at, limit) = self.string_bounds(start);
        let closed = loop {
            if at >= limit {
                break false;
            }
            match self.bytes[at] {
                b'\'' => break true,
                b'\\' => at += 2,
                _ => at += 1,
            }
        };
        if closed {
            self.at = at + 1;
            self.record_suspect(start);
        } else {
            self.at = limit;
            self.out.suspects.push(Suspect::String(start as u32));
            self.report_unterminated_string(start);
        }
        self.push(SQ_STRING, start);
    }

    /// Lexes a whole string if it has no interpolation; otherwise lexes its opening quote and pushes a frame.
    pub(super) fn double_quoted(&mut self) {
        let start = self.at;
        if self.quote_closes_broken_string() {
            return;
        }
        let (mut at, limit) = self.string_bounds(start);
        let mut escapes = false;
        let closed = loop {
            if at >= limit {
                break false;
            }
            match self.bytes[at] {
                b'"' => break true,
                b'\\' => {
                    escapes = true;
                    at += 2;
                }
                b'$' if self.interpolates_at(at) => {
                    self.at = start + 1;
                    self.push_insignificant(DQ_START, start);
                    self.open_frame(LexerFrame::String { start });
                    return;
                }
                b'$' => {
                    at += 1;
                    if self.first_character_is_text(at, limit) {
                        at += 1;
                    }
                }
                _ => at += 1,
            }
        };
        self.at = if closed { at + 1 } else { limit };
        if escapes {
            self.check_escapes(start + 1, at.min(limit), EscapeRules::DoubleQuoted);
        }
        if closed {
            self.record_suspect(start);
        } else {
            self.out.suspects.push(Suspect::String(start as u32));
            self.report_unterminated_string(start);
        }
        self.push(DQ_STRING, start);
    }

    /// Lexes text up to the next interpolation or the end of the string that began at `string_start`.
    pub(super) fn double_quoted_text(&mut self, string_start: usize) {
        let start = self.at;
        let broken = self.broken_string == Some(string_start);
        let limit = if broken { self.end_of_broken_string(string_start) } else { self.context.limit };
        let mut escapes = false;
        if self.first_character_is_text(start, self.context.limit) {
            self.at += 1;
        }
        loop {
            if self.at >= limit {
                self.at = self.at.min(limit.max(start));
                if !broken {
                    self.out.suspects.push(Suspect::String(string_start as u32));
                }
                self.text_token(start, escapes, EscapeRules::DoubleQuoted);
                self.report_unterminated_string(string_start);
                self.frames.pop();
                self.push(DQ_END, self.at); // of no length: the string ends here
                return;
            }
            match self.bytes[self.at] {
                b'"' => {
                    self.text_token(start, escapes, EscapeRules::DoubleQuoted);
                    let quote = self.at;
                    self.at += 1;
                    self.push(DQ_END, quote);
                    self.frames.pop();
                    self.record_suspect(string_start);
                    return;
                }
                b'\\' => {
                    escapes = true;
                    self.at += 2;
                }
                b'$' if self.interpolates_at(self.at) => {
                    self.text_token(start, escapes, EscapeRules::DoubleQuoted);
                    return self.interpolation();
                }
                b'$' => {
                    self.at += 1;
                    if self.first_character_is_text(self.at, self.context.limit) {
                        self.at += 1;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// Returns true if the character at `at` is text although it looks like the end of the string or like a
    /// `$`.
    ///
    /// That is the case at the start of a string's text (after its quote, an interpolation, or a `$` that is
    /// text) if the next character could also end the text: `'''` is a string that contains a quote.
    fn first_character_is_text(&self, at: usize, limit: usize) -> bool {
        let Some((first, rest)) = self.bytes[at.min(limit)..limit].split_first() else { return false };
        let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
        let next = rest.get(backslashes);
        backslashes % 2 == 0
            && match first {
                b'\'' => next == Some(&b'\''),
                b'"' | b'$' => matches!(next, Some(b'"' | b'$')),
                _ => false,
            }
    }

    /// Returns true if the `$` at `at` begins an interpolation.
    pub(super) fn interpolates_at(&self, at: usize) -> bool {
        let rest = &self.bytes[at + 1..self.context.limit];
        rest.first() == Some(&b'{') || variable_name_length(rest) > 0
    }

    /// Lexes `$name` or the `${` of an interpolation.
    pub(super) fn interpolation(&mut self) {
        let start = self.at;
        if self.peek(1) != b'{' {
            self.at += 1 + variable_name_length(&self.bytes[start + 1..self.context.limit]);
            self.push_insignificant(VARIABLE, start);
            return;
        }
        self.at += 2;
        self.push_insignificant(INTERPOLATION_START, start);
        let first_token = self.out.tokens.len();
        let brace_count = self.context.brace_count;
        self.context.brace_count += 1;
        self.open_frame(LexerFrame::Interpolation { start, brace_count, first_token });
    }

    /// Adds the text from `start` to the current position, if any.
    pub(super) fn text_token(&mut self, start: usize, escapes: bool, rules: EscapeRules) {
        if self.at > start {
            if escapes {
                self.check_escapes(start, self.at, rules);
            }
            self.push_insignificant(STRING_TEXT, start);
        }
    }

    pub(super) fn open_frame(&mut self, frame: LexerFrame) {
        self.frames.push(frame);
        if self.frames.len() > MAX_NESTING {
            self.reject_deep_nesting();
        }
    }

    /// Turns the rest of the text into one token, since the nesting is too deep.
    fn reject_deep_nesting(&mut self) {
        let start = self.at;
        while let Some(frame) = self.frames.pop() {
            if let LexerFrame::Heredoc(open) = frame {
                self.context = open.outer;
                self.out.heredoc_bodies[open.body].end = self.out.tokens.len() as u32;
            }
        }
        self.context.pending_heredocs.clear();
        self.at = self.text.len();
        self.report(
            Code::NestingTooDeep,
            start,
            start + 1,
            format!("strings and heredocs are nested more than {MAX_NESTING} levels deep"),
        );
        if self.at > start {
            self.push(ERROR_TOKEN, start);
        }
    }

    /// Returns the end of a string that is assumed to end with its line. Common line endings of code (closing
    /// brackets without an opening one in the string, the start of a block, commas and the like) are not part
    /// of it.
    fn end_of_broken_string(&self, start: usize) -> usize {
        let end = self.end_of_line(start);
        let is_inner = self.frames.iter().any(|frame| matches!(frame, LexerFrame::String { .. }));
        let text = self.text.get(start + 1..end).unwrap_or_default();
        // The text after the quote follows an operand: the quote closes a string that has lost its opening
        // one.
        let following = text.trim_start_matches([' ', '\t']);
        let is_after_title = |rest: &str| {
            rest.split_once("=>")
                .is_some_and(|(name, _)| name.trim().bytes().all(|it| it.is_ascii_lowercase() || it == b'_'))
        };
        if following.starts_with("=> ") || following.strip_prefix(": ").is_some_and(is_after_title) {
            return start + 1;
        }
        let quote = self.bytes[start] as char;
        // A key before its arrow and a value.
        if let Some((key, value)) = text.split_once("=>")
            && value.trim_start_matches([' ', '\t']).starts_with([quote, '{', '[', '$'])
            && key.trim_end_matches([' ', '\t']).bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric())
        {
            return start + 1 + key.trim_end_matches([' ', '\t']).len();
        }
        // The next string of a list begins with the same quote.
        if let Some(length) = text.find([',', quote]).filter(|at| text[*at..].starts_with(','))
            && text[length + 1..].trim_start_matches([' ', '\t']).starts_with(quote)
        {
            return start + 1 + length;
        }
        let mut kept = text;
        while let Some(last) = kept.chars().next_back() {
            let rest = &kept[..kept.len() - last.len_utf8()];
            let is_opened = |open: char| rest.matches(open).count() > rest.matches(last).count();
            let is_outside = match last {
                ' ' | '\t' | ',' | ';' | ':' | '{' | '|' => true,
                '>' => rest.ends_with("|") || rest.ends_with("|>"),
                ')' => !is_opened('('),
                ']' => !is_opened('['),
                '}' => !is_opened('{') || rest.trim_end_matches([' ', '\t']).ends_with('{'),
                '"' => is_inner,
                _ => false,
            };
            if !is_outside {
                break;
            }
            kept = rest;
        }
        if text[kept.len()..].trim().is_empty() { end } else { start + 1 + kept.len() }
    }

    fn report_unterminated_string(&mut self, start: usize) {
        let end = self.end_of_line(start);
        let quote = &self.text[start..start + 1];
        self.out.rest_is_string |= self.at >= self.text.len();
        self.report(
            Code::UnclosedString,
            start,
            end,
            with_help("unterminated string", format!("add the closing `{quote}`")),
        );
    }

    /// Ends an interpolation at the end of the text, in a string (which then is unterminated, too) or in a
    /// heredoc.
    pub(super) fn end_unterminated_interpolation(&mut self) {
        let Some(LexerFrame::Interpolation { start, brace_count, .. }) = self.frames.pop() else { return };
        self.context.brace_count = brace_count;
        match self.frames.last() {
            Some(LexerFrame::String { start: string }) => {
                let string = *string as u32;
                self.frames.pop();
                self.push(DQ_END, self.at);
                self.out.suspects.push(Suspect::Interpolation(start as u32));
                self.out.suspects.push(Suspect::String(string));
                // Its end may be inside a string that is itself unterminated.
                if !self.out.rest_is_string {
                    self.report(
                        Code::UnclosedInterpolation,
                        start,
                        start + 2,
                        with_help("unterminated interpolation", "add `}`"),
                    );
                }
            }
            // Puppet treats the end of a heredoc as the end of the interpolation.
            _ => self.report_tolerated(
                Code::UnclosedInterpolation,
                start,
                start + 2,
                with_help("unterminated interpolation", "add `}`"),
            ),
        }
    }

    /// Records a multi-line string whose end looks like the start of another string: it may have lost its own
    /// end.
    fn record_suspect(&mut self, start: usize) {
        let next = self.peek(0);
        let text = &self.text[start..self.at];
        let before = text[..text.len() - 1].trim_end_matches([' ', '\t']);
        if !text.contains('\n') {
            // `'a, 'b'` and `'a => 'b'`
            if is_word(next) && (before.ends_with(',') || before.ends_with("=>")) {
                self.out.suspects.push(Suspect::String(start as u32));
            }
            return;
        }
        // `",` and the like at the end of a line end a string that has lost its opening quote.
        let first_line = text[1..].lines().next().unwrap_or_default();
        let looks_like_end = !first_line.is_empty()
            && first_line.trim_matches([',', ';', ':', ')', ']', ' ', '\t']).is_empty();
        let looks_like_opening = is_word(next)
            || looks_like_end
            || b"$/%*<.@'\"\\^-(!&".contains(&next)
            || before.ends_with(['=', '>', '(', '[', '{', ',']) && !before.ends_with("/>");
        if looks_like_opening {
            self.out.suspects.push(Suspect::String(start as u32));
            if let Some(LexerFrame::Interpolation { start, .. }) = self.frames.last() {
                self.out.suspects.push(Suspect::Interpolation(*start as u32));
            }
        }
    }

    /// Returns true if the interpolation that is assumed to be unterminated has its first token.
    pub(super) fn broken_interpolation_ends(&self) -> bool {
        let Some(LexerFrame::Interpolation { start, first_token, .. }) = self.frames.last() else {
            return false;
        };
        Some(*start) == self.broken_interpolation
            && self.out.tokens[*first_token..].iter().any(|token| !token.kind.is_trivia())
    }

    pub(super) fn end_broken_interpolation(&mut self) {
        let Some(LexerFrame::Interpolation { start, brace_count, first_token }) = self.frames.pop() else {
            return;
        };
        self.context.brace_count = brace_count;
        self.name_to_variable(first_token);
        self.report(
            Code::UnclosedInterpolation,
            start,
            start + 2,
            with_help("unterminated interpolation", "add `}`"),
        );
    }

    pub(super) fn broken_string_is_open(&self) -> bool {
        self.broken_string.is_some()
            && self
                .frames
                .iter()
                .rev()
                .any(|it| matches!(it, LexerFrame::String { start } if Some(*start) == self.broken_string))
    }

    /// Closes the string that is assumed to end with its line when the line ends inside an interpolation.
    pub(super) fn end_broken_string(&mut self) {
        let mut interpolation = None;
        while let Some(frame) = self.frames.pop() {
            match frame {
                LexerFrame::Interpolation { start, brace_count, .. } => {
                    self.context.brace_count = brace_count;
                    interpolation = Some(start);
                }
                LexerFrame::String { start } if Some(start) == self.broken_string => break,
                LexerFrame::String { .. } | LexerFrame::Heredoc(_) => {}
            }
        }
        self.push(DQ_END, self.at);
        if let Some(start) = interpolation {
            self.report(
                Code::UnclosedInterpolation,
                start,
                start + 2,
                with_help("unterminated interpolation", "add `}`"),
            );
        }
    }

    /// Closes the string at the second quote of `"${name"`, if no brace after it closes the interpolation.
    fn quote_closes_broken_string(&mut self) -> bool {
        let [.., LexerFrame::String { start: string }, LexerFrame::Interpolation { start, brace_count, .. }] =
            self.frames.as_slice()
        else {
            return false;
        };
        let (string, start, brace_count, quote) = (*string, *start, *brace_count, self.at);
        if self.broken_string != Some(string) {
            return false;
        }
        let mut rest_of_line = self.bytes[quote..self.context.limit].iter();
        if rest_of_line.find(|it| matches!(it, b'}' | b'\n')) == Some(&b'}') {
            return false;
        }
        self.context.brace_count = brace_count;
        self.frames.truncate(self.frames.len() - 2);
        self.report(
            Code::UnclosedInterpolation,
            start,
            start + 2,
            with_help("unterminated interpolation", "add `}`"),
        );
        self.at += 1;
        self.push(DQ_END, quote);
        true
    }

    fn check_escapes(&mut self, start: usize, end: usize, rules: EscapeRules) {
        let bytes = &self.bytes[start..end];
        let mut at = 0;
        while at + 1 < bytes.len() {
            if bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            let escape = start + at;
            match bytes[at + 1] {
                b'u' if rules != EscapeRules::HeredocWithoutUnicode => {
                    let (length, code) = unicode_escape(&bytes[at..]);
                    match code {
                        None => {
                            let message = with_help(
                                "invalid Unicode escape",
                                "write four hexadecimal digits, or one to six in braces",
                            );
                            match rules {
                                EscapeRules::DoubleQuoted => {
                                    self.report_tolerated(BAD_UNICODE, escape, escape + 2, message)
                                }
                                // Puppet fails while printing its own warning there.
                                _ => self.report(BAD_UNICODE, escape, escape + 2, message),
                            }
                        }
                        Some(code) if char::from_u32(code).is_none() => {
                            self.report(
                                Code::IllegalUnicodeEscape,
                                escape,
                                escape + length,
                                "escape does not denote a Unicode character",
                            );
                        }
                        Some(_) => {}
                    }
                }
                b'\\' | b'$' | b'\'' | b'"' | b'r' | b'n' | b't' | b's' | b'u' | b'\n' | b'\r' => {}
                _ if rules != EscapeRules::DoubleQuoted => {}
                _ => {
                    let length = 1 + self.text[escape + 1..end].chars().next().map_or(0, char::len_utf8);
                    let shown = &self.text[escape..escape + length];
                    self.report(
                        Code::UnrecognizedEscape,
                        escape,
                        escape + length,
                        with_help(
                            format!("unrecognized escape sequence `{shown}`"),
                            "write `\\\\` for a literal backslash",
                        ),
                    );
                }
            }
            at += 2;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EscapeRules {
    DoubleQuoted,
    Heredoc,
    HeredocWithoutUnicode,
}

/// Returns the length and the code point of the `\uXXXX` or `\u{X}` at the start of `bytes`.
pub(crate) fn unicode_escape(bytes: &[u8]) -> (usize, Option<u32>) {
    let digits = |from: usize, most: usize| {
        let run = bytes.get(from..).unwrap_or_default();
        run.iter().take(most).take_while(|b| b.is_ascii_hexdigit()).count()
    };
    let value = |from: usize, count: usize| {
        bytes[from..from + count]
            .iter()
            .fold(0u32, |value, b| value * 16 + (*b as char).to_digit(16).unwrap_or(0))
    };
    if bytes.get(2) == Some(&b'{') {
        let count = digits(3, 6);
        if count > 0 && bytes.get(3 + count) == Some(&b'}') {
            return (4 + count, Some(value(3, count)));
        }
        return (2, None);
    }
    match digits(2, 4) {
        4 => (6, Some(value(2, 4))),
        _ => (2, None),
    }
}
