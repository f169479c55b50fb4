//! Examples of strings that a regular expression matches.

use crate::regexp::Regexp;

/// Returns a string that matches a pattern typical for node names, such as `^web\d+\.example\.com$`. Returns
/// `None` if there is no obvious one.
pub fn example_of(pattern: &str) -> Option<String> {
    let mut example = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '(' if rest.peek() == Some(&'?') => return None,
            '^' | '$' | '(' | ')' | '?' | '+' | '*' => {}
            '|' => break,
            '.' => example.push('x'),
            '\\' => match rest.next()? {
                'd' | 'h' => example.push('1'),
                'w' => example.push('x'),
                'A' | 'Z' | 'z' | 'b' => {}
                's' => example.push(' '),
                literal => example.push(literal),
            },
            '[' => {
                let mut inner = rest.by_ref().take_while(|c| *c != ']');
                let first = inner.next()?;
                let second = inner.next();
                inner.for_each(drop);
                match (first, second) {
                    ('\\', Some('d')) => example.push('1'),
                    ('\\' | '^', _) => return None,
                    (first, _) => example.push(first),
                }
            }
            '{' => rest.by_ref().take_while(|c| *c != '}').for_each(drop),
            literal => example.push(literal),
        }
    }
    let regexp = Regexp::new(pattern).ok()?;
    regexp.is_match(&example).ok()?.then_some(example)
}
