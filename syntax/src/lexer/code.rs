//! Tokens of Puppet code, outside of the text of strings, heredocs and templates.

use super::*;
use codes::{Code, with_help};

impl Lexer<'_> {
    /// Lexes one token or whitespace. The position must be before the end of the context.
    pub(super) fn code_token(&mut self) {
        let start = self.at;
        let one = self.peek(1);
        let two = self.peek(2);
        match self.bytes[start] {
            b' ' | b'\t' | b'\r' | b'\n' => self.whitespace(),
            b'a'..=b'z' | b'_' => self.bare_word(),
            b'A'..=b'Z' => self.class_reference(),
            b'0'..=b'9' => self.number(),
            b'$' => {
                let length = variable_name_length(&self.bytes[start + 1..self.context.limit]);
                self.punctuation(VARIABLE, 1 + length);
            }
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            b'#' => self.line_comment(),
            b'/' if one == b'*' => self.block_comment(),
            b'/' => self.slash(),
            b'.' => self.punctuation(DOT, 1),
            b',' => self.punctuation(COMMA, 1),
            b'[' => {
                let after_blank = match self.text[..start].chars().next_back() {
                    None => true,
                    Some(before) => is_blank(before) || matches!(before, '\r' | '\n'),
                };
                self.punctuation(if after_blank { LIST_START } else { L_BRACK }, 1);
            }
            b']' => self.punctuation(R_BRACK, 1),
            b'(' => {
                let line = &self.text[self.context.line_start..start];
                let first = line.chars().all(|c| is_blank(c) || c == '\r');
                self.punctuation(if first { LINE_START_PAREN } else { L_PAREN }, 1);
            }
            b')' => self.punctuation(R_PAREN, 1),
            b'{' => {
                self.context.brace_count += 1;
                let after_question = self.context.after == QUESTION;
                self.punctuation(if after_question { SELECTOR_BRACE } else { L_BRACE }, 1);
            }
            b'}' => self.right_brace(),
            b';' => self.punctuation(SEMICOLON, 1),
            b'?' => self.punctuation(QUESTION, 1),
            b'*' => self.punctuation(STAR, 1),
            b'%' | b'@' | b'|' | b'=' | b'+' | b'-' | b'!' | b'~' | b'<' | b'>' => self.operator(one, two),
            b':' if one == b':' && two.is_ascii_uppercase() => self.class_reference(),
            b':' if one == b':' => self.leading_colons(two),
            b':' => self.punctuation(COLON, 1),
            _ => self.other(),
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let line = &self.bytes[start..self.context.limit];
        self.at += line.iter().position(|b| *b == b'\n').unwrap_or(line.len());
        if self.bytes[self.at - 1] == b'\r' && self.at - 1 > start {
            self.at -= 1;
        }
        self.push(COMMENT, start);
    }

    /// Lexes `::` that does not begin a type reference.
    fn leading_colons(&mut self, next: u8) {
        let start = self.at;
        if next.is_ascii_lowercase() || next == b'_' {
            return self.bare_word();
        }
        self.at += 2;
        self.push(ERROR_TOKEN, start);
        self.report(Code::IllegalName, start, self.at, "expected a name after `::`");
    }

    /// Lexes an operator whose first character is shared by several operators. `one` and `two` are the
    /// following bytes.
    #[inline]
    fn operator(&mut self, one: u8, two: u8) {
        match self.bytes[self.at] {
            b'%' if one == b'>' && self.context.epp != EppMode::Off => self.epp_close(2, false),
            b'%' => self.punctuation(PERCENT, 1),
            b'@' if one == b'@' => self.punctuation(AT_AT, 2),
            b'@' if one == b'(' => self.heredoc_start(),
            b'@' => self.punctuation(AT, 1),
            b'|' => match (one, two) {
                (b'>', b'>') => self.punctuation(EXPORTED_END, 3),
                (b'>', _) => self.punctuation(COLLECT_END, 2),
                _ => self.punctuation(PIPE, 1),
            },
            b'=' => match one {
                b'=' => self.punctuation(EQ_EQ, 2),
                b'>' => self.punctuation(FAT_ARROW, 2),
                b'~' => self.punctuation(MATCH, 2),
                _ => self.punctuation(EQ, 1),
            },
            b'+' => match one {
                b'=' => self.punctuation(PLUS_EQ, 2),
                b'>' => self.punctuation(PLUS_ARROW, 2),
                _ => self.punctuation(PLUS, 1),
            },
            b'-' if one == b'%' && two == b'>' && self.context.epp != EppMode::Off => self.epp_close(3, true),
            b'-' => match one {
                b'>' => self.punctuation(BEFORE_ARROW, 2),
                b'=' => self.punctuation(MINUS_EQ, 2),
                _ => self.punctuation(MINUS, 1),
            },
            b'!' => match one {
                b'=' => self.punctuation(NOT_EQ, 2),
                b'~' => self.punctuation(NO_MATCH, 2),
                _ => self.punctuation(BANG, 1),
            },
            b'~' if one == b'>' => self.punctuation(NOTIFY_ARROW, 2),
            b'~' => self.punctuation(TILDE, 1),
            b'<' => match (one, two) {
                (b'<', b'|') => self.punctuation(EXPORTED_START, 3),
                (b'<', _) => self.punctuation(SHIFT_LEFT, 2),
                (b'=', _) => self.punctuation(LT_EQ, 2),
                (b'|', _) => self.punctuation(COLLECT_START, 2),
                (b'-', _) => self.punctuation(REQUIRE_ARROW, 2),
                (b'~', _) => self.punctuation(SUBSCRIBE_ARROW, 2),
                _ => self.punctuation(LT, 1),
            },
            b'>' => match one {
                b'>' => self.punctuation(SHIFT_RIGHT, 2),
                b'=' => self.punctuation(GT_EQ, 2),
                _ => self.punctuation(GT, 1),
            },
            _ => self.other(),
        }
    }

    fn punctuation(&mut self, kind: SyntaxKind, length: usize) {
        let start = self.at;
        self.at += length;
        self.push(kind, start);
    }

    fn whitespace(&mut self) {
        let start = self.at;
        while self.at < self.context.limit {
            match self.bytes[self.at] {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    if self.broken_string_is_open() {
                        if self.at > start {
                            self.push(WHITESPACE, start);
                        }
                        return self.end_broken_string();
                    }
                    self.at += 1;
                    self.context.line_start = self.at;
                    if !self.context.pending_heredocs.is_empty() {
                        break;
                    }
                }
                byte if byte >= 0x80 => match self.rest().chars().next() {
                    Some(c) if is_blank(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.push(WHITESPACE, start);
        self.begin_pending_heredoc();
    }

    fn bare_word(&mut self) {
        let start = self.at;
        let mut is_name = true;
        let mut segments = 0;
        loop {
            let mut at = self.at;
            if self.bytes[at..self.context.limit].starts_with(b"::") {
                at += 2;
            } else if segments > 0 {
                break;
            }
            let first = if at < self.context.limit { self.bytes[at] } else { 0 };
            if !(first.is_ascii_lowercase() || first == b'_') {
                break;
            }
            let run = &self.bytes[at..self.context.limit];
            let mut length = run.iter().take_while(|b| is_word(**b) || **b == b'-').count();
            while run[length - 1] == b'-' {
                length -= 1;
            }
            is_name &= first != b'_' && !run[..length].contains(&b'-');
            self.at = at + length;
            segments += 1;
        }
        let kind = match &self.text[start..self.at] {
            _ if !is_name => WORD,
            word if segments == 1 => keyword(word, self.plan_keywords).unwrap_or(NAME),
            _ => NAME,
        };
        self.push(kind, start);
    }

    fn class_reference(&mut self) {
        let start = self.at;
        loop {
            let mut at = self.at;
            if self.bytes[at..self.context.limit].starts_with(b"::") {
                at += 2;
            }
            if !(at < self.context.limit && self.bytes[at].is_ascii_uppercase()) {
                break;
            }
            let run = &self.bytes[at..self.context.limit];
            self.at = at + run.iter().take_while(|b| is_word(**b)).count();
        }
        if self.rest().starts_with("::") {
            let colons = self.at;
            self.at += 2;
            self.at += self.rest().bytes().take_while(|b| is_word(*b) || *b == b':').count();
            self.report(
                Code::IllegalClassReference,
                colons,
                self.at,
                "each segment of a type name must begin with an uppercase letter",
            );
        }
        self.push(CLASSREF, start);
    }

    fn number(&mut self) {
        let start = self.at;
        let is_hex = matches!(self.bytes[start..self.context.limit], [b'0', b'x' | b'X', ..]);
        let length = if is_hex { self.hex_length() } else { self.decimal_length() };
        if length > 0 {
            self.at += length;
            self.check_number(start, is_hex);
        } else {
            self.at += self
                .rest()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .map(char::len_utf8)
                .sum::<usize>();
            self.report_invalid_number(start);
        }
        self.push(NUMBER, start);
    }

    /// Returns the length of the hexadecimal number here; 0 if it is invalid.
    fn hex_length(&self) -> usize {
        let digits = &self.bytes[self.at + 2..self.context.limit];
        let count = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if count > 0 && self.ends_number(2 + count) { 2 + count } else { 0 }
    }

    /// Returns the length of the decimal or octal number here; 0 if it is invalid.
    fn decimal_length(&self) -> usize {
        let bytes = &self.bytes[self.at..self.context.limit];
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let whole = digits(0);
        let fraction = if bytes.get(whole) == Some(&b'.') { digits(whole + 1) } else { 0 };
        let mantissa = if fraction > 0 { whole + 1 + fraction } else { whole };
        let exponent = match bytes.get(mantissa) {
            Some(b'e' | b'E') => {
                let sign = usize::from(bytes.get(mantissa + 1) == Some(&b'-'));
                let count = if mantissa + 1 + sign <= bytes.len() { digits(mantissa + 1 + sign) } else { 0 };
                if count > 0 { mantissa + 1 + sign + count } else { 0 }
            }
            _ => 0,
        };
        [exponent, mantissa, whole].into_iter().find(|end| *end > 0 && self.ends_number(*end)).unwrap_or(0)
    }

    /// Returns true if a number of this length is not followed by a letter, a digit, or `_`.
    fn ends_number(&self, length: usize) -> bool {
        let following = self.text[self.at + length..self.context.limit].chars().next();
        !following.is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    /// Reports a well-formed number from `start` to the current position without a valid value.
    fn check_number(&mut self, start: usize, is_hex: bool) {
        let text = &self.text[start..self.at];
        let is_octal = !is_hex && text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
        if is_octal && !text.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
            let problem = format!("invalid octal number `{text}`");
            let message = with_help(problem, "remove the leading `0`, or use only the digits 0 to 7");
            self.report(Code::InvalidOctalNumber, start, self.at, message);
        } else if crate::ast::NumberValue::parse(text).is_none() {
            let message = format!("number `{text}` is out of range");
            self.report(Code::NumberOutOfRange, start, self.at, message);
        }
    }

    /// Reports the word from `start` to the current position, which begins with a digit and is no number.
    fn report_invalid_number(&mut self, start: usize) {
        let text = &self.text[start..self.at];
        let (code, kind) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (Code::InvalidHexNumber, "hexadecimal number"),
            [b'0', _, ..] => (Code::InvalidOctalNumber, "octal number"),
            _ if text.contains(['e', 'E']) => (Code::InvalidDecimalNumber, "decimal number"),
            _ => (Code::IllegalNumber, "number"),
        };
        let message = with_help(format!("invalid {kind} `{text}`"), "quote it to make it a string");
        self.report(code, start, self.at, message);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..self.context.limit].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.report(
                    Code::UnclosedComment,
                    start,
                    start + 2,
                    with_help("unterminated comment", "add `*/`"),
                );
                self.at = self.end_of_line(start);
            }
        }
        self.push(BLOCK_COMMENT, start);
    }

    /// Lexes a regular expression if one is allowed here and terminated; otherwise a division.
    fn slash(&mut self) {
        let start = self.at;
        let after_operand = self.context.after.ends_operand();
        if !after_operand {
            let mut escaped = false;
            for (length, byte) in self.bytes[start + 1..self.context.limit].iter().enumerate() {
                match byte {
                    b'/' if !escaped => {
                        self.at = start + 1 + length + 1;
                        self.push(REGEX, start);
                        return;
                    }
                    b'\\' => escaped = !escaped,
                    _ => escaped = false,
                }
            }
        }
        if let Some(length) = self.option_regex_length() {
            self.at = start + length;
            self.push(REGEX, start);
            return;
        }
        self.lacks_regex_end |= !after_operand;
        self.punctuation(SLASH, 1);
    }

    /// Returns the length of a regular expression that begins here after an operand, if the line makes no
    /// sense otherwise.
    ///
    /// It must be the first token on its line and be followed by a token that follows the value of an option.
    /// A division would lack its right operand there, so no valid text is lexed differently. Something is
    /// missing before it.
    fn option_regex_length(&self) -> Option<usize> {
        let line = &self.bytes[self.at..self.end_of_line(self.at).min(self.context.limit)];
        let before = self.bytes[..self.at].iter().rev().find(|it| !matches!(it, b' ' | b'\t'));
        if before.is_some_and(|it| *it != b'\n') {
            return None;
        }
        let mut escaped = false;
        let inside = line[1..].iter().position(|byte| {
            let ends = *byte == b'/' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        })?;
        let (inside, following) = (&line[1..1 + inside], line[inside + 2..].trim_ascii_start());
        // Code that ends with an operand and contains no end of an enclosing construct.
        let is_code = !inside.iter().any(|it| matches!(it, b'\'' | b'"' | b'#' | b'}' | b'%'));
        let ends_operand = match inside {
            [.., b'\\' | b'.', b'*' | b'+' | b'?'] => true,
            [.., last] => last.is_ascii_alphanumeric() || matches!(last, b'_' | b')' | b']' | b'$'),
            [] => false,
        };
        let follows = match following {
            [b':', b':', ..] => false,
            [b':' | b',', ..] | [b'=', b'>', ..] => true,
            _ => false,
        };
        (is_code && ends_operand && follows).then_some(inside.len() + 2)
    }

    fn right_brace(&mut self) {
        let start = self.at;
        self.at += 1;
        self.context.brace_count = self.context.brace_count.saturating_sub(1);
        match self.frames.last() {
            Some(LexerFrame::Interpolation { brace_count, first_token, .. })
                if *brace_count == self.context.brace_count =>
            {
                let first_token = *first_token;
                self.name_to_variable(first_token);
                self.push(R_BRACE, start);
                if let Some(token) = self.out.tokens.last_mut() {
                    token.kind = INTERPOLATION_END;
                }
                self.frames.pop();
            }
            _ => self.push(R_BRACE, start),
        }
    }

    /// Turns the first token into a variable for `${name}`, `${name[...]}` and `${name.function}`.
    pub(super) fn name_to_variable(&mut self, first_token: usize) {
        // The text of a heredoc that began on this line may come in between.
        let bodies = &self.out.heredoc_bodies;
        let first_body = bodies.partition_point(|body| (body.first as usize) < first_token);
        let is_heredoc = |token: usize| {
            bodies[first_body..].iter().any(|body| (body.first as usize..body.end as usize).contains(&token))
        };
        let mut significant = (first_token..self.out.tokens.len())
            .filter(|token| !self.out.tokens[*token].kind.is_trivia() && !is_heredoc(*token));
        let Some(first) = significant.next() else { return };
        let second = significant.next().map(|token| self.out.tokens[token].kind);
        let kind = self.out.tokens[first].kind;
        let is_word = matches!(kind, NUMBER | NAME | WORD)
            || (kind.is_keyword() && !matches!(kind, PLAN_KW | APPLY_KW));
        if !is_word || !matches!(second, None | Some(DOT | L_BRACK)) {
            return;
        }
        if matches!(kind, TRUE_KW | FALSE_KW) {
            let range = self.out.range(first);
            let message = with_help(
                "boolean in an interpolation is interpreted as a variable",
                "remove the interpolation",
            );
            self.report(Code::BooleanAsVariable, range.start as usize, range.end as usize, message);
        }
        self.out.tokens[first].kind = VARIABLE;
    }

    fn other(&mut self) {
        let start = self.at;
        let Some(c) = self.rest().chars().next() else {
            self.at = self.context.limit;
            return;
        };
        if is_blank(c) {
            return self.whitespace();
        }
        self.at += c.len_utf8();
        let continues = self.out.tokens.last().is_some_and(|last| last.kind == ERROR_TOKEN)
            && self.out.errors.last().is_some_and(|last| {
                last.code == Code::UnexpectedCharacter && last.range.end as usize == start
            });
        if continues {
            if let Some(last) = self.out.errors.last_mut() {
                last.range.end = self.at as u32;
            }
        } else {
            let shown = c.escape_debug();
            self.report(Code::UnexpectedCharacter, start, self.at, format!("unexpected character `{shown}`"));
        }
        self.push(ERROR_TOKEN, start);
    }
}

fn keyword(word: &str, plan_keywords: bool) -> Option<SyntaxKind> {
    Some(match word {
        "case" => CASE_KW,
        "class" => CLASS_KW,
        "default" => DEFAULT_KW,
        "define" => DEFINE_KW,
        "if" => IF_KW,
        "elsif" => ELSIF_KW,
        "else" => ELSE_KW,
        "inherits" => INHERITS_KW,
        "node" => NODE_KW,
        "and" => AND_KW,
        "or" => OR_KW,
        "undef" => UNDEF_KW,
        "false" => FALSE_KW,
        "true" => TRUE_KW,
        "in" => IN_KW,
        "unless" => UNLESS_KW,
        "function" => FUNCTION_KW,
        "type" => TYPE_KW,
        "attr" => ATTR_KW,
        "private" => PRIVATE_KW,
        "plan" if plan_keywords => PLAN_KW,
        "apply" if plan_keywords => APPLY_KW,
        _ => return None,
    })
}
