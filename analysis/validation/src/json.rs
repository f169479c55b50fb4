//! Does Ruby's JSON parser accept a text? It allows comments, and any character behind a backslash; it refuses `NaN`,
//! the empty text, and more than 100 arrays and objects in each other.

#[derive(PartialEq, Eq, Debug)]
pub(super) struct JsonError {
    /// In bytes.
    pub(super) offset: usize,
    /// What is wrong there, to be read before "in line 5".
    pub(super) failure: &'static str,
}

const NESTING_LIMIT: u32 = 100;

pub(super) fn check(text: &str) -> Result<(), JsonError> {
    let mut reader = JsonChecker { bytes: text.as_bytes(), at: 0 };
    reader.skip_ignored()?;
    reader.value(0)?;
    reader.skip_ignored()?;
    if reader.at < reader.bytes.len() {
        return Err(reader.error("something follows the value"));
    }
    Ok(())
}

struct JsonChecker<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl JsonChecker<'_> {
    fn error(&self, failure: &'static str) -> JsonError {
        JsonError { offset: self.at.min(self.bytes.len()), failure }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += found as usize;
        found
    }

    /// Blanks and comments.
    fn skip_ignored(&mut self) -> Result<(), JsonError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), JsonError> {
        let rest = &self.bytes[self.at..];
        let length = match rest.get(1) {
            Some(b'*') => rest[2..].windows(2).position(|it| it == b"*/").map(|it| it + 4),
            Some(b'/') => rest.iter().position(|&it| it == b'\n').map(|it| it + 1),
            _ => None,
        };
        let Some(length) = length else { return Err(self.error("a comment that does not end")) };
        self.at += length;
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<(), JsonError> {
        match self.peek() {
            None => Err(self.error("a value is missing")),
            Some(b'"') => self.string(),
            Some(b'[') => self.array(depth + 1),
            Some(b'{') => self.object(depth + 1),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => {
                let rest = &self.bytes[self.at..];
                let words: [&[u8]; 3] = [b"null", b"true", b"false"];
                let Some(word) = words.into_iter().find(|it| rest.starts_with(it)) else {
                    return Err(self.error("this is no value"));
                };
                self.at += word.len();
                Ok(())
            }
        }
    }

    fn array(&mut self, depth: u32) -> Result<(), JsonError> {
        self.check_depth(depth)?;
        self.at += 1;
        self.skip_ignored()?;
        if self.eat(b']') {
            return Ok(());
        }
        loop {
            self.value(depth)?;
            self.skip_ignored()?;
            if self.eat(b']') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.error("a `,` or `]` is missing"));
            }
            self.skip_ignored()?;
        }
    }

    fn object(&mut self, depth: u32) -> Result<(), JsonError> {
        self.check_depth(depth)?;
        self.at += 1;
        self.skip_ignored()?;
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key in double quotes is missing"));
            }
            self.string()?;
            self.skip_ignored()?;
            if !self.eat(b':') {
                return Err(self.error("a `:` is missing"));
            }
            self.skip_ignored()?;
            self.value(depth)?;
            self.skip_ignored()?;
            if self.eat(b'}') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.error("a `,` or `}` is missing"));
            }
            self.skip_ignored()?;
        }
    }

    fn check_depth(&self, depth: u32) -> Result<(), JsonError> {
        if depth > NESTING_LIMIT {
            return Err(self.error("there are more than 100 arrays and objects in each other"));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.at += 1;
        // Behind the first half of a surrogate pair, six bytes must follow, whatever they are.
        let mut shortest_end = 0;
        loop {
            match self.peek() {
                None => {
                    self.at = start;
                    return Err(self.error("a string that does not end"));
                }
                Some(b'"') if self.at < shortest_end => {
                    return Err(self.error("the second half of a surrogate pair is missing"));
                }
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => match self.bytes.get(self.at + 1) {
                    None | Some(0..=0x1f) => return Err(self.error("a backslash with nothing behind it")),
                    Some(b'u') => {
                        let Some(code) = self.code_unit(self.at) else {
                            return Err(self.error("four digits must follow `\\u`"));
                        };
                        self.at += 6;
                        if (0xd800..0xdc00).contains(&code) {
                            shortest_end = self.at + 6;
                            self.at += self.code_unit(self.at).map_or(0, |_| 6);
                        }
                    }
                    Some(_) => self.at += 2,
                },
                Some(0..=0x1f) => {
                    return Err(self.error("a control character, such as a line break, in a string"));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// The value of the `\uXXXX` that stands at `at`.
    fn code_unit(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let hex = std::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(hex, 16).ok()
    }

    fn number(&mut self) -> Result<(), JsonError> {
        self.eat(b'-');
        if self.eat(b'0') {
            if self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return Err(self.error("a number that begins with 0"));
            }
        } else {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let count = self.bytes[self.at..].iter().take_while(|it| it.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.error("a digit is missing"));
        }
        self.at += count;
        Ok(())
    }
}
