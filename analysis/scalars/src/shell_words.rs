//! Splitting and escaping of command lines, as Ruby's `Shellwords` does.

/// Escapes a word for a shell; `None` if it has null bytes, which versions of Ruby handle differently.
pub fn escape(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("''".to_owned());
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            '\0' => return None,
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    Some(out)
}

/// Splits a command line into words and removes quotes; `None` if a quote is unmatched.
pub fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let (part, after) = match first {
            '\'' => {
                let (inside, after) = rest[1..].split_once('\'')?;
                (inside.to_owned(), after)
            }
            '"' => {
                let end = end_of_quoted(&rest[1..])?;
                (without_escapes(&rest[1..=end]), &rest[end + 2..])
            }
            '\\' => match rest[1..].chars().next() {
                Some('\n') => ("\\\n".to_owned(), &rest[2..]),
                Some(c) => (c.to_string(), &rest[1 + c.len_utf8()..]),
                None => ("\\".to_owned(), ""),
            },
            _ => {
                let end = rest.find(|c| is_blank(c) || matches!(c, '\\' | '\'' | '"')).unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        word.push_str(&part);
        if after.is_empty() || after.starts_with(is_blank) {
            words.push(std::mem::take(&mut word));
        }
        rest = after.trim_start_matches(is_blank);
    }
    Some(words)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Returns the offset of the closing quote.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(index),
            _ => {}
        }
    }
    None
}

fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match letters.peek() {
            Some('$' | '`' | '"' | '\\' | '\n') if c == '\\' => out.extend(letters.next()),
            _ => out.push(c),
        }
    }
    out
}
