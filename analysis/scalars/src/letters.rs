//! Character sets of Ruby's `tr`, `delete`, `count` and `squeeze`: `a-z`, `^0-9`, `\-`.

/// Set of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetterSet {
    /// Inclusive ranges in source order.
    parts: Vec<(char, char)>,
    /// True if the set is the complement of the ranges.
    is_negated: bool,
}

impl LetterSet {
    /// Parses a set in which a leading `^` negates it.
    ///
    /// # Errors
    /// If the ends of a range are in reverse order.
    pub fn read(text: &str) -> Result<LetterSet, String> {
        match text.strip_prefix('^').filter(|rest| !rest.is_empty()) {
            Some(rest) => Ok(LetterSet { parts: parts(rest)?, is_negated: true }),
            None => LetterSet::listed(text),
        }
    }

    /// Parses a set in which a leading `^` is literal.
    ///
    /// # Errors
    /// Those of [`LetterSet::read`].
    pub fn listed(text: &str) -> Result<LetterSet, String> {
        Ok(LetterSet { parts: parts(text)?, is_negated: false })
    }

    pub fn contains(&self, letter: char) -> bool {
        self.parts.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.is_negated
    }

    /// Returns the number of ranges, which bounds the cost of a lookup.
    pub fn size(&self) -> usize {
        self.parts.len()
    }

    /// Returns true if the set was written with a leading `^`.
    pub fn is_negated(&self) -> bool {
        self.is_negated
    }

    /// Returns the position of a character among the listed ones.
    pub fn position(&self, letter: char) -> Option<usize> {
        let mut before = 0;
        for (first, last) in &self.parts {
            if (*first..=*last).contains(&letter) {
                return Some(before + distance(*first, letter));
            }
            before += distance(*first, *last) + 1;
        }
        None
    }

    /// Returns the character at a position, or the last one if the position is out of bounds.
    pub fn letter_at(&self, position: usize) -> Option<char> {
        let mut before = position;
        for (first, last) in &self.parts {
            let size = distance(*first, *last) + 1;
            if before < size {
                return later(*first, before);
            }
            before -= size;
        }
        self.last()
    }

    pub fn last(&self) -> Option<char> {
        self.parts.last().map(|(_, last)| *last)
    }
}

/// Last code point before the surrogates, and the first one after them.
const GAP: (u32, u32) = (0xD7FF, 0xE000);

/// Returns the number of characters from `first` to `last`.
fn distance(first: char, last: char) -> usize {
    let (first, last) = (u32::from(first), u32::from(last));
    let gap = if first <= GAP.0 && last >= GAP.1 { GAP.1 - GAP.0 - 1 } else { 0 };
    (last - first - gap) as usize
}

/// Returns the character `steps` after `first`.
fn later(first: char, steps: usize) -> Option<char> {
    let steps = u32::try_from(steps).ok()?;
    let number = u32::from(first).checked_add(steps)?;
    let is_behind = u32::from(first) <= GAP.0 && number > GAP.0;
    char::from_u32(if is_behind { number.checked_add(GAP.1 - GAP.0 - 1)? } else { number })
}

fn parts(text: &str) -> Result<Vec<(char, char)>, String> {
    let letters: Vec<char> = text.chars().collect();
    let mut parts = Vec::new();
    let mut index = 0;
    while index < letters.len() {
        if letters[index] == '\\' && index + 1 < letters.len() {
            index += 1;
        }
        let first = letters[index];
        match letters.get(index + 1..index + 3) {
            Some(['-', last]) => {
                if first > *last {
                    return Err(format!("invalid range \"{first}-{last}\" in string transliteration"));
                }
                parts.push((first, *last));
                index += 3;
            }
            _ => {
                parts.push((first, first));
                index += 1;
            }
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::LetterSet;

    /// Sets, and the characters of `a-^\z0` that they contain according to Ruby 3.1, or `!` if Ruby rejects
    /// the set.
    const SETS: &[(&str, &str)] = &[
        ("a-z", "az"),
        ("^a-z", "-^\\0"),
        ("^", "^"),
        ("a^", "a^"),
        ("-a", "a-"),
        ("a-", "a-"),
        ("\\-a", "a-"),
        ("\\^a", "a^"),
        ("a\\-z", "a-z"),
        ("\\", "\\"),
        ("\\\\", "\\"),
        ("z-a", "!"),
        ("", ""),
    ];

    #[test]
    fn positions_round_trip() {
        let set = LetterSet::read("x\u{d000}-\u{e010}a-c").expect("a set");
        for letter in ['x', '\u{d000}', '\u{d7ff}', '\u{e000}', '\u{e010}', 'a', 'c'] {
            let position = set.position(letter).expect("letter is in the set");
            assert_eq!(set.letter_at(position), Some(letter));
        }
        assert_eq!(set.letter_at(1_000_000), Some('c'));
    }

    #[test]
    fn sets_match_ruby() {
        for (text, held) in SETS {
            let found = match LetterSet::read(text) {
                Ok(set) => "a-^\\z0".chars().filter(|c| set.contains(*c)).collect(),
                Err(_) => "!".to_owned(),
            };
            assert_eq!(found, *held, "{text}");
        }
    }
}
