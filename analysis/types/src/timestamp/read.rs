//! Reading points in time as Ruby's `strptime` does.

use super::SECOND;
use super::calendar::{MONTHS, WEEKDAYS, days_from_date, days_of_month};

/// What a text said.
#[derive(Default)]
pub(super) struct Found {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    fraction: Option<i128>,
    is_afternoon: Option<bool>,
    pub(super) zone: Option<String>,
    century: Option<i64>,
    seconds_since_epoch: Option<i128>,
}

impl Found {
    /// Since the beginning of 1970, as if it were UTC; `None` where there is no such date.
    pub(super) fn nanoseconds(&self) -> Option<i128> {
        let fraction = self.fraction.unwrap_or(0);
        if let (Some(seconds), None) = (self.seconds_since_epoch, self.year) {
            return Some(seconds * SECOND + fraction);
        }
        let year = self.year?;
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let hour = match (self.hour.unwrap_or(0), self.is_afternoon) {
            (hour, Some(is_afternoon)) => hour % 12 + if is_afternoon { 12 } else { 0 },
            (hour, None) => hour,
        };
        // A day behind the end of its month is one of the next month.
        let overflow = (day - days_of_month(year, month)).max(0);
        let days = days_from_date(year, month, day - overflow) + overflow;
        let seconds =
            i128::from(days) * 86_400 + i128::from(hour * 3600 + self.minute.unwrap_or(0) * 60 + self.second.unwrap_or(0));
        Some(seconds * SECOND + fraction)
    }
}

/// Reads all of a text; `None` where it does not have the form.
pub(super) fn read(text: &str, format: &str) -> Option<Found> {
    let mut reader = Reader { rest: text, found: Found::default() };
    reader.read(format, 0)?;
    let Reader { rest, mut found } = reader;
    if let (Some(century), Some(year)) = (found.century, found.year) {
        found.year = Some(century * 100 + year.rem_euclid(100));
    }
    rest.is_empty().then_some(found)
}

struct Reader<'t> {
    rest: &'t str,
    found: Found,
}

impl Reader<'_> {
    fn read(&mut self, format: &str, depth: u32) -> Option<()> {
        if depth > 4 {
            return None;
        }
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_ascii_whitespace() {
                self.skip_blanks();
                continue;
            }
            if c != '%' {
                self.literal(c)?;
                continue;
            }
            while matches!(chars.peek(), Some('-' | '0' | '^' | '#' | '_' | ':' | 'E' | 'O' | '1'..='9')) {
                chars.next();
            }
            // A number in front of another one may only take as many digits as it needs.
            let is_tight = chars.clone().nth(1).is_some_and(|next| next.is_ascii_digit() || next == '%')
                && chars.clone().nth(2).is_none_or(|next| !matches!(next, 'Z' | 'z' | 'p' | 'P'));
            self.directive(chars.next()?, is_tight, depth)?;
        }
        Some(())
    }

    fn directive(&mut self, directive: char, is_tight: bool, depth: u32) -> Option<()> {
        match directive {
            'Y' => {
                let negative = self.sign();
                let year = self.number(if is_tight { 4 } else { 18 })?;
                self.found.year = Some(if negative { -year } else { year });
            }
            'C' => self.found.century = Some(self.number(2)?),
            'y' => {
                let year = self.number(2)?;
                self.found.year = Some(if year >= 69 { 1900 + year } else { 2000 + year });
            }
            'm' => self.found.month = Some(self.within(2, 1, 12)?),
            'B' | 'b' | 'h' => self.found.month = Some(self.name(&MONTHS)? + 1),
            'A' | 'a' => {
                self.name(&WEEKDAYS)?;
            }
            'd' | 'e' => {
                self.skip_blanks();
                self.found.day = Some(self.within(2, 1, 31)?);
            }
            'j' => {
                let day = self.within(3, 1, 366)?;
                self.found.month = Some(1);
                self.found.day = Some(day);
            }
            'H' | 'k' => {
                self.skip_blanks();
                self.found.hour = Some(self.within(2, 0, 24)?);
            }
            'I' | 'l' => {
                self.skip_blanks();
                self.found.hour = Some(self.within(2, 1, 12)?);
            }
            'M' => self.found.minute = Some(self.within(2, 0, 59)?),
            'S' => self.found.second = Some(self.within(2, 0, 60)?),
            'L' | 'N' => {
                let digits = self.digits(usize::MAX)?;
                let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
                self.found.fraction = Some(nine.parse().ok()?);
            }
            'p' | 'P' => {
                let half = self.rest.get(..2)?.to_ascii_lowercase();
                self.found.is_afternoon = Some(match half.as_str() {
                    "am" => false,
                    "pm" => true,
                    _ => return None,
                });
                self.rest = &self.rest[2..];
            }
            's' => {
                let negative = self.sign();
                let seconds = i128::from(self.number(18)?);
                self.found.seconds_since_epoch = Some(if negative { -seconds } else { seconds });
            }
            'Q' => {
                let milliseconds = i128::from(self.number(18)?);
                self.found.seconds_since_epoch = Some(milliseconds / 1000);
                self.found.fraction = Some(milliseconds % 1000 * 1_000_000);
            }
            'z' | 'Z' => {
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | ':');
                let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                if end == 0 || self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                    return None;
                }
                self.found.zone = Some(self.rest[..end].to_owned());
                self.rest = &self.rest[end..];
            }
            'u' | 'w' => {
                self.number(1)?;
            }
            'U' | 'W' | 'V' => {
                self.number(2)?;
            }
            'F' => self.read("%Y-%m-%d", depth + 1)?,
            'T' | 'X' => self.read("%H:%M:%S", depth + 1)?,
            'R' => self.read("%H:%M", depth + 1)?,
            'r' => self.read("%I:%M:%S %p", depth + 1)?,
            'D' | 'x' => self.read("%m/%d/%y", depth + 1)?,
            'c' => self.read("%a %b %e %H:%M:%S %Y", depth + 1)?,
            'v' => self.read("%e-%b-%Y", depth + 1)?,
            '+' => self.read("%a %b %e %H:%M:%S %Z %Y", depth + 1)?,
            'n' | 't' => self.skip_blanks(),
            '%' => self.literal('%')?,
            _ => return None,
        }
        Some(())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
    }

    fn literal(&mut self, c: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    fn sign(&mut self) -> bool {
        let is_negative = self.rest.starts_with('-');
        if is_negative || self.rest.starts_with('+') {
            self.rest = &self.rest[1..];
        }
        is_negative
    }

    fn digits(&mut self, most: usize) -> Option<String> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let digits = self.rest.get(..count).filter(|digits| !digits.is_empty())?.to_owned();
        self.rest = &self.rest[count..];
        Some(digits)
    }

    fn number(&mut self, most: usize) -> Option<i64> {
        self.digits(most)?.parse().ok()
    }

    fn within(&mut self, most: usize, min: i64, max: i64) -> Option<i64> {
        self.number(most).filter(|number| (min..=max).contains(number))
    }

    /// The index of a name, whole or its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let starts = |name: &str| self.rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let (index, length) = names.iter().enumerate().find_map(|(index, name)| {
            let length = if starts(name) { name.len() } else if starts(&name[..3]) { 3 } else { return None };
            Some((index, length))
        })?;
        self.rest = &self.rest[length..];
        Some(index as i64)
    }
}
