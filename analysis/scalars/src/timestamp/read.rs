//! Timestamp parsing with the semantics of Ruby's `strptime`.

use super::SECOND;
use super::calendar::{MONTHS, WEEKDAYS, days_from_date, days_of_month};
use super::zones::zone_at_start;
use crate::numbers::is_whitespace;

/// Maximum number of digits of a year.
const MAX_YEAR_DIGITS: usize = 12;

/// Fields parsed from a string.
#[derive(Default)]
pub(super) struct TimestampFields {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    /// Fraction of a second in nanoseconds.
    fraction: Option<i128>,
    is_afternoon: Option<bool>,
    century: Option<i64>,
    pub(super) zone: Option<Zone>,
}

/// Time zone as its offset from UTC in seconds, if known.
#[derive(Clone, Copy)]
pub(super) struct Zone(pub(super) Option<i32>);

impl TimestampFields {
    /// Returns the nanoseconds since the start of 1970, interpreting the fields as UTC. Only year, month, day
    /// and time of day are used. Returns `None` if there is no year, or the date does not exist.
    pub(super) fn nanoseconds(&self) -> Option<i128> {
        let year = self.year?;
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let (minute, second) = (self.minute.unwrap_or(0), self.second.unwrap_or(0));
        let hour = match (self.hour.unwrap_or(0), self.is_afternoon) {
            (hour, Some(is_afternoon)) if self.hour.is_some() => {
                hour % 12 + if is_afternoon { 12 } else { 0 }
            }
            (hour, _) => hour,
        };
        let fraction = self.fraction.unwrap_or(0);
        if hour == 24 && (minute > 0 || second > 0 || fraction > 0) || fraction < 0 {
            return None;
        }
        // A day after the end of its month counts into the next month.
        let overflow = (day - days_of_month(year, month)).max(0);
        let days = days_from_date(year, month, day - overflow) + overflow;
        let seconds = i128::from(days) * 86_400 + i128::from(hour * 3600 + minute * 60 + second);
        Some(seconds * SECOND + fraction)
    }
}

/// Parses a complete string. Returns `None` if it does not match the format.
pub(super) fn read(text: &str, format: &str) -> Option<TimestampFields> {
    let mut reader = TimestampReader { rest: text, found: TimestampFields::default() };
    reader.read(format)?;
    let TimestampReader { rest, mut found } = reader;
    if let (Some(century), Some(year)) = (found.century, &mut found.year) {
        *year += century * 100;
    }
    rest.is_empty().then_some(found)
}

struct TimestampReader<'t> {
    rest: &'t str,
    found: TimestampFields,
}

impl TimestampReader<'_> {
    fn read(&mut self, format: &str) -> Option<()> {
        let mut format = format;
        while let Some(c) = format.chars().next() {
            let after = &format[c.len_utf8()..];
            if is_whitespace(c) {
                self.skip_blanks();
                format = after;
                continue;
            }
            let directive = (c == '%').then(|| directive(after)).flatten();
            format = match directive {
                Some((directive, after)) => {
                    self.directive(directive, is_number_next(after))?;
                    after
                }
                None => {
                    self.literal(c)?;
                    after
                }
            };
        }
        Some(())
    }

    /// Parses a directive. If `before_number` is set, the format continues with a number, so that a numeric
    /// field has a fixed width.
    fn directive(&mut self, directive: char, before_number: bool) -> Option<()> {
        let unless_before_number = |width: usize| if before_number { width } else { usize::MAX };
        match directive {
            'Y' => {
                let negative = self.sign();
                let year = self.number(unless_before_number(4))?;
                self.found.year = Some(if negative { -year } else { year });
            }
            'C' => {
                let negative = self.sign();
                let century = self.number(unless_before_number(2))?;
                self.found.century = Some(if negative { -century } else { century });
            }
            'y' => {
                let year = self.number(2)?;
                self.found.year = Some(year);
                self.found.century.get_or_insert(if year >= 69 { 19 } else { 20 });
            }
            'm' => self.found.month = Some(self.within(1, 12)?),
            'B' | 'b' | 'h' => self.found.month = Some(self.name(&MONTHS)? + 1),
            'A' | 'a' => {
                self.name(&WEEKDAYS)?;
            }
            'd' | 'e' => self.found.day = Some(self.within_or_space_padded(1, 31)?),
            'H' | 'k' => self.found.hour = Some(self.within_or_space_padded(0, 24)?),
            'I' | 'l' => self.found.hour = Some(self.within_or_space_padded(1, 12)?),
            'M' => self.found.minute = Some(self.within(0, 59)?),
            'S' => self.found.second = Some(self.within(0, 60)?),
            'L' | 'N' => {
                let negative = self.sign();
                let digits = self.digits(unless_before_number(if directive == 'L' { 3 } else { 9 }))?;
                let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
                let fraction: i128 = nine.parse().ok()?;
                self.found.fraction = Some(if negative { -fraction } else { fraction });
            }
            'p' | 'P' => self.half_of_day()?,
            'z' | 'Z' => {
                let (distance, length) = zone_at_start(self.rest)?;
                self.found.zone = Some(Zone(distance));
                self.rest = &self.rest[length..];
            }
            'n' | 't' => self.skip_blanks(),
            '%' => self.literal('%')?,
            letter => match combined_format(letter) {
                Some(format) => self.read(format)?,
                None => self.ignored(letter, before_number)?,
            },
        }
        Some(())
    }

    /// Parses a directive that does not affect the time. Unknown letters match themselves.
    fn ignored(&mut self, directive: char, before_number: bool) -> Option<()> {
        match directive {
            's' | 'Q' => {
                self.sign();
                self.digits(usize::MAX)?;
            }
            'G' => {
                self.sign();
                self.digits(if before_number { 4 } else { usize::MAX })?;
            }
            'g' => drop(self.number(2)?),
            'j' => drop(self.number(3).filter(|day| (1..=366).contains(day))?),
            'u' => drop(self.number(1).filter(|day| (1..=7).contains(day))?),
            'w' => drop(self.number(1).filter(|day| (0..=6).contains(day))?),
            'U' | 'W' => drop(self.within(0, 53)?),
            'V' => drop(self.within(1, 53)?),
            letter => {
                self.literal('%')?;
                self.literal(letter)?;
            }
        }
        Some(())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(is_whitespace);
    }

    fn literal(&mut self, c: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    /// Consumes an optional sign and returns true for `-`.
    fn sign(&mut self) -> bool {
        let is_negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        is_negative
    }

    fn digits(&mut self, most: usize) -> Option<&str> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        (count > 0).then_some(digits)
    }

    fn number(&mut self, most: usize) -> Option<i64> {
        let digits = self.digits(most)?.trim_start_matches('0');
        match digits.len() {
            0 => Some(0),
            1..=MAX_YEAR_DIGITS => digits.parse().ok(),
            _ => None,
        }
    }

    fn within(&mut self, min: i64, max: i64) -> Option<i64> {
        self.number(2).filter(|number| (min..=max).contains(number))
    }

    /// Parses two digits, or a space and one digit.
    fn within_or_space_padded(&mut self, min: i64, max: i64) -> Option<i64> {
        let Some(rest) = self.rest.strip_prefix(' ') else { return self.within(min, max) };
        self.rest = rest;
        self.number(1).filter(|number| (min..=max).contains(number))
    }

    /// Parses `am`, `PM` or `a.m.`.
    fn half_of_day(&mut self) -> Option<()> {
        let mut chars = self.rest.chars();
        self.found.is_afternoon = Some(match chars.next()?.to_ascii_lowercase() {
            'a' => false,
            'p' => true,
            _ => return None,
        });
        let rest = chars.as_str();
        let is_short =
            rest.starts_with(['m', 'M']) && !rest[1..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_dotted = rest.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(".m."));
        let length = match (is_short, is_dotted) {
            (true, _) => 1,
            (_, true) => 3,
            _ => return None,
        };
        self.rest = &rest[length..];
        Some(())
    }

    /// Parses a name, or its first three letters, and returns its index.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let starts =
            |name: &str| self.rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let find = |wanted: &dyn Fn(&str) -> usize| {
            names
                .iter()
                .position(|name| starts(&name[..wanted(name)]))
                .map(|index| (index, wanted(names[index])))
        };
        let (index, length) = find(&str::len).or_else(|| find(&|_| 3))?;
        self.rest = &self.rest[length..];
        Some(index as i64)
    }
}

/// Splits the directive after a `%` into its letter and the rest. Some letters may be preceded by `E`, `O` or
/// colons.
fn directive(after: &str) -> Option<(char, &str)> {
    let mut chars = after.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    let letter = |rest: &str, letters: &str| {
        let letter = rest.chars().next().filter(|&c| letters.contains(c))?;
        Some((letter, rest.len() - letter.len_utf8()))
    };
    let found = match first {
        'E' => letter(rest, "cCxXyY"),
        'O' => letter(rest, "deHImMSuUVwWy"),
        ':' => {
            let colons = rest.bytes().take(2).take_while(|&byte| byte == b':').count();
            letter(&rest[colons..], "z")
        }
        first => return Some((first, rest)),
    };
    let (letter, left) = found?;
    Some((letter, &after[after.len() - left..]))
}

/// Returns true if the format begins with a digit or a numeric directive.
fn is_number_next(format: &str) -> bool {
    let Some(directive) = format.strip_prefix('%') else {
        return format.starts_with(|c: char| c.is_ascii_digit());
    };
    let directive = directive.strip_prefix(['E', 'O']).unwrap_or(directive);
    directive.starts_with(|c: char| c.is_ascii_digit() || "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(c))
}

/// Returns the expansion of a directive that combines others, when parsing.
fn combined_format(letter: char) -> Option<&'static str> {
    match letter {
        'v' => Some("%e-%b-%Y"),
        '+' => Some("%a %b %e %H:%M:%S %Z %Y"),
        letter => super::combined_format(letter),
    }
}
