//! Ruby's string methods that take a regular expression: `sub`, `gsub`, `split` and `scan`.

use super::{Captures, Engine, Regexp, RegexpError};

/// Maximum size of a result in bytes.
const RESULT_LIMIT: usize = 64 << 20;
/// Maximum total number of bytes that the searches of one call may have to scan. Each search may scan to the
/// end of the string.
const SEARCH_LIMIT: usize = 32 << 20;

impl Regexp {
    /// Returns `text` with the first match replaced. In `replacement`, `\0` to `\9`, `\k<name>`, `\&`,
    /// `` \` ``, `\'` and `\\` are special; any other backslash is literal.
    ///
    /// # Errors
    /// Those of [`Regexp::captures_at`], and those caused by the replacement.
    pub fn sub(&self, text: &str, replacement: &str) -> Result<String, RegexpError> {
        let Some(captures) = self.captures_at(text, 0)? else { return Ok(text.to_owned()) };
        let range = captures.range();
        let mut out = text[..range.start].to_owned();
        self.expand(&mut out, text, &captures, replacement)?;
        out.push_str(&text[range.end..]);
        Ok(out)
    }

    /// Returns `text` with all matches replaced; see [`Regexp::sub`].
    ///
    /// # Errors
    /// Those of [`Regexp::sub`], and [`RegexpError::ResultTooLarge`].
    pub fn gsub(&self, text: &str, replacement: &str) -> Result<String, RegexpError> {
        let mut out = String::new();
        let mut copied = 0;
        self.each_match(text, |captures| {
            let range = captures.range();
            // Because of `\K`, a match may begin before the end of the previous one.
            out.push_str(text.get(copied..range.start).unwrap_or_default());
            self.expand(&mut out, text, captures, replacement)?;
            copied = range.end;
            if out.len() > RESULT_LIMIT { Err(RegexpError::ResultTooLarge) } else { Ok(()) }
        })?;
        out.push_str(&text[copied..]);
        Ok(out)
    }

    /// Returns all matches from left to right. An empty match may directly follow a nonempty one.
    ///
    /// # Errors
    /// Those of [`Regexp::captures_at`].
    pub fn scan(&self, text: &str) -> Result<Vec<Captures>, RegexpError> {
        let mut found = Vec::new();
        self.each_match(text, |captures| {
            found.push(captures.clone());
            Ok(())
        })?;
        Ok(found)
    }

    fn each_match(
        &self,
        text: &str,
        mut visit: impl FnMut(&Captures) -> Result<(), RegexpError>,
    ) -> Result<(), RegexpError> {
        let mut searches = Searches::new(self, text)?;
        let mut start = 0;
        while start <= text.len()
            && let Some(captures) = searches.next(start)?
        {
            visit(&captures)?;
            let range = captures.range();
            start = if range.is_empty() { range.end + width_at(text, range.end) } else { range.end };
        }
        Ok(())
    }

    /// Splits `text` like Ruby's `String#split`: returns the parts between the matches, interspersed with
    /// captured groups, without trailing empty strings. An empty match splits between characters.
    ///
    /// # Errors
    /// Those of [`Regexp::captures_at`].
    pub fn split(&self, text: &str) -> Result<Vec<String>, RegexpError> {
        let mut parts = Vec::new();
        let mut searches = Searches::new(self, text)?;
        let (mut begin, mut start) = (0, 0);
        let mut after_empty = false;
        while start <= text.len()
            && let Some(captures) = searches.next(start)?
        {
            let range = captures.range();
            if start == range.end && range.is_empty() {
                if text.is_empty() {
                    parts.push(String::new());
                    break;
                }
                if !after_empty {
                    start += width_at(text, start);
                    after_empty = true;
                    continue;
                }
                parts.push(text[begin..start].to_owned());
                begin = start;
            } else {
                parts.push(text.get(begin..range.start).unwrap_or_default().to_owned());
                begin = range.end;
                start = range.end;
            }
            after_empty = false;
            parts.extend(captures.iter().skip(1).flatten().map(|group| text[group].to_owned()));
        }
        if begin < text.len() {
            parts.push(text[begin..].to_owned());
        }
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        Ok(parts)
    }

    /// Appends the expansion of `replacement`.
    fn expand(
        &self,
        out: &mut String,
        text: &str,
        captures: &Captures,
        replacement: &str,
    ) -> Result<(), RegexpError> {
        let mut rest = replacement;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let mut chars = rest.chars();
            let Some(c) = chars.next() else {
                out.push('\\');
                return Ok(());
            };
            let mut remaining = chars.as_str();
            match c {
                // If groups have names, they cannot be referenced by number.
                '1'..='9' if self.group_names().next().is_some() => {}
                '0'..='9' => push_group(out, text, captures, c as usize - '0' as usize),
                '&' => push_group(out, text, captures, 0),
                '`' => out.push_str(&text[..captures.range().start]),
                '\'' => out.push_str(&text[captures.range().end..]),
                '\\' => out.push('\\'),
                'k' if remaining.starts_with('<') => {
                    let Some((name, after)) = remaining[1..].split_once('>') else {
                        return Err(RegexpError::UnfinishedGroupName);
                    };
                    if !self.group_names().any(|known| known == name) {
                        return Err(RegexpError::UndefinedGroup(name.to_owned()));
                    }
                    if let Some(range) = captures.name(name) {
                        out.push_str(&text[range]);
                    }
                    remaining = after;
                }
                c => {
                    out.push('\\');
                    out.push(c);
                }
            }
            rest = remaining;
        }
        out.push_str(rest);
        Ok(())
    }
}

/// Searches of one call in one string.
struct Searches<'a> {
    pattern: &'a Regexp,
    text: &'a str,
    /// Remaining budget for [`SEARCH_LIMIT`], or `None` for an engine that does not look ahead and stops
    /// where its match ends.
    left: Option<usize>,
}

impl<'a> Searches<'a> {
    fn new(pattern: &'a Regexp, text: &'a str) -> Result<Searches<'a>, RegexpError> {
        let looks_ahead = matches!(pattern.engines(text.len())?.for_text(text)?, Engine::Backtracking(_));
        Ok(Searches { pattern, text, left: looks_ahead.then_some(SEARCH_LIMIT) })
    }

    fn next(&mut self, start: usize) -> Result<Option<Captures>, RegexpError> {
        if let Some(left) = &mut self.left {
            let bytes = self.text.len().saturating_sub(start);
            *left = left.checked_sub(bytes).ok_or(RegexpError::BacktrackLimit)?;
        }
        self.pattern.captures_at(self.text, start)
    }
}

fn push_group(out: &mut String, text: &str, captures: &Captures, number: usize) {
    if let Some(range) = captures.get(number) {
        out.push_str(&text[range]);
    }
}

/// Returns the number of bytes of the character at `at`, or 1 at the end.
fn width_at(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}
