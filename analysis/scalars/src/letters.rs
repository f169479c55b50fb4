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
        self.parts.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.is_negated
    }

    /// Of how many letters and ranges it is written: so much work is a question.
    pub fn size(&self) -> usize {
        self.parts.len()
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
                return Some(before + distance(*first, letter));
            }
            before += distance(*first, *last) + 1;
        }
        None
    }

    /// The letter that stands at a place; the last one behind all.
    pub fn letter_at(&self, place: usize) -> Option<char> {
        let mut before = place;
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

/// The numbers between these two belong to no letters.
const GAP: (u32, u32) = (0xD7FF, 0xE000);

/// How many letters later than `first` another one is.
fn distance(first: char, last: char) -> usize {
    let (first, last) = (u32::from(first), u32::from(last));
    let gap = if first <= GAP.0 && last >= GAP.1 { GAP.1 - GAP.0 - 1 } else { 0 };
    (last - first - gap) as usize
}

/// The letter that is so many later.
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
    fn places_lead_back_to_letters() {
        let set = LetterSet::read("x\u{d000}-\u{e010}a-c").expect("a set");
        for letter in ['x', '\u{d000}', '\u{d7ff}', '\u{e000}', '\u{e010}', 'a', 'c'] {
            let place = set.place(letter).expect("it is in the set");
            assert_eq!(set.letter_at(place), Some(letter));
        }
        assert_eq!(set.letter_at(1_000_000), Some('c'));
    }

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
