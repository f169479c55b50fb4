//! Sets of letters as Ruby's `tr`, `delete`, `count` and `squeeze` read them: `a-z`, `^0-9`, `\-`.

/// A set of letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetterSet {
    /// First and last of each part, in the order in which they stand there.
    parts: Vec<(char, char)>,
    /// Are all others meant?
    is_negated: bool,
}

impl LetterSet {
    /// # Errors
    /// In a range the last letter comes before the first.
    pub fn read(text: &str) -> Result<LetterSet, String> {
        match text.strip_prefix('^').filter(|rest| !rest.is_empty()) {
            Some(rest) => Ok(LetterSet { parts: parts(rest)?, is_negated: true }),
            None => LetterSet::listed(text),
        }
    }

    /// The same where `^` stands for itself.
    ///
    /// # Errors
    /// As [`LetterSet::read`].
    pub fn listed(text: &str) -> Result<LetterSet, String> {
        Ok(LetterSet { parts: parts(text)?, is_negated: false })
    }

    pub fn contains(&self, letter: char) -> bool {
        self.place(letter).is_some() != self.is_negated
    }

    /// Is it written as those letters that are not in it?
    pub fn is_negated(&self) -> bool {
        self.is_negated
    }

    /// Where a letter stands among those that are written.
    pub fn place(&self, letter: char) -> Option<usize> {
        let mut before = 0;
        for (first, last) in &self.parts {
            if (*first..=*last).contains(&letter) {
                return Some(before + (*first..letter).count());
            }
            before += (*first..=*last).count();
        }
        None
    }

    /// The letter that stands at a place; the last one behind all.
    pub fn letter_at(&self, place: usize) -> Option<char> {
        let mut before = place;
        for (first, last) in &self.parts {
            let size = (*first..=*last).count();
            if before < size {
                return (*first..=*last).nth(before);
            }
            before -= size;
        }
        self.last()
    }

    pub fn last(&self) -> Option<char> {
        self.parts.last().map(|(_, last)| *last)
    }
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

    /// Set, the letters of `a-^\z0` that are in it, as Ruby 3.1 counts them; `!` where it refuses the set.
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
    fn sets_hold_what_they_hold_in_ruby() {
        for (text, held) in SETS {
            let found = match LetterSet::read(text) {
                Ok(set) => "a-^\\z0".chars().filter(|c| set.contains(*c)).collect(),
                Err(_) => "!".to_owned(),
            };
            assert_eq!(found, *held, "{text}");
        }
    }
}
