//! Formats of durations.

use super::{SECOND, TimeError, Timespan};

/// Parsed format as a sequence of segments.
pub(super) struct TimespanFormat {
    text: String,
    segments: Vec<Segment>,
}

enum Segment {
    Literal(String),
    Value(ValueSegment),
}

struct ValueSegment {
    unit: TimespanUnit,
    /// Padding character, or `None` for `%-`.
    padding: Option<char>,
    width: Option<usize>,
    /// True for the largest unit of the format, which takes the whole remainder.
    takes_all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TimespanUnit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

/// Maximum width of a field, which keeps memory bounded.
const MAX_WIDTH: usize = 1000;

impl TimespanFormat {
    pub(super) fn parse(text: &str) -> Result<TimespanFormat, TimeError> {
        let error = || TimeError(format!("invalid timespan format `{text}`"));
        let mut segments: Vec<Segment> = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                push_literal(&mut segments, c);
                continue;
            }
            let padding = match chars.next_if(|c| matches!(c, '-' | '_' | '0')) {
                Some('-') => None,
                Some('_') => Some(' '),
                _ => Some('0'),
            };
            let mut width: Option<usize> = None;
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                chars.next();
                let value = width.unwrap_or(0) * 10 + digit as usize;
                if value > MAX_WIDTH {
                    return Err(error());
                }
                width = Some(value);
            }
            let unit = match chars.next().ok_or_else(error)? {
                'D' => TimespanUnit::Day,
                'H' => TimespanUnit::Hour,
                'M' => TimespanUnit::Minute,
                'S' => TimespanUnit::Second,
                'L' => TimespanUnit::Millisecond,
                'N' => TimespanUnit::Nanosecond,
                '%' => {
                    push_literal(&mut segments, '%');
                    continue;
                }
                _ => return Err(error()),
            };
            segments.push(Segment::Value(ValueSegment { unit, padding, width, takes_all: false }));
        }
        let values = || {
            segments.iter().enumerate().filter_map(|(index, segment)| match segment {
                Segment::Value(value) => Some((index, value.unit)),
                Segment::Literal(_) => None,
            })
        };
        let largest = values().map(|(_, unit)| unit).max();
        let first = values().find(|(_, unit)| Some(*unit) == largest).map(|(index, _)| index);
        if let Some(Segment::Value(value)) = first.and_then(|index| segments.get_mut(index)) {
            value.takes_all = true;
        }
        Ok(TimespanFormat { text: text.to_owned(), segments })
    }

    pub(super) fn write(&self, timespan: Timespan) -> String {
        let mut text = String::new();
        if timespan.nanoseconds < 0 {
            text.push('-');
        }
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => text.push_str(literal),
                Segment::Value(value) => value.write(&mut text, timespan.nanoseconds.saturating_abs()),
            }
        }
        text
    }

    /// Parses a string. Returns `None` if it does not match the format.
    pub(super) fn read(&self, text: &str) -> Result<Option<Timespan>, TimeError> {
        let mut pattern = "\\A-?".to_owned();
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => pattern.push_str(&format!("({})", regex::escape(literal))),
                Segment::Value(value) => pattern.push_str(&value.pattern()),
            }
        }
        pattern.push_str("\\z");
        let pattern = regex::Regex::new(&pattern)
            .map_err(|_| TimeError(format!("timespan format `{}` is too long", self.text)))?;
        let Some(found) = pattern.captures(text) else { return Ok(None) };
        let mut nanoseconds: i128 = 0;
        for (segment, group) in self.segments.iter().zip(found.iter().skip(1)) {
            let Segment::Value(value) = segment else { continue };
            let digits = group.map_or("", |group| group.as_str()).trim_start();
            let Some(part) = value.read(digits)? else { return Ok(None) };
            nanoseconds = nanoseconds.saturating_add(part);
        }
        Ok(Some(Timespan { nanoseconds: if text.starts_with('-') { -nanoseconds } else { nanoseconds } }))
    }
}

fn push_literal(segments: &mut Vec<Segment>, c: char) {
    match segments.last_mut() {
        Some(Segment::Literal(literal)) => literal.push(c),
        _ => segments.push(Segment::Literal(c.to_string())),
    }
}

impl ValueSegment {
    fn default_width(&self) -> usize {
        match self.unit {
            TimespanUnit::Day => 1,
            TimespanUnit::Hour | TimespanUnit::Minute | TimespanUnit::Second => 2,
            TimespanUnit::Millisecond => 3,
            TimespanUnit::Nanosecond => 9,
        }
    }

    fn is_fraction(&self) -> bool {
        matches!(self.unit, TimespanUnit::Millisecond | TimespanUnit::Nanosecond)
    }

    fn pattern(&self) -> String {
        const SPACE: &str = " \\t\\r\\n\\f\\v";
        let default = self.default_width();
        match (self.width, self.padding) {
            (None, None | Some('0')) if self.takes_all => "([0-9]+)".to_owned(),
            (None, None | Some('0')) => format!("([0-9]{{1,{default}}})"),
            (None, _) if self.takes_all => format!("[{SPACE}]*([0-9]+)"),
            (None, _) => format!("([0-9{SPACE}]{{1,{default}}})"),
            (Some(width), None) => format!("([0-9]{{1,{width}}})"),
            (Some(width), Some('0')) => format!("([0-9]{{{width}}})"),
            (Some(width), _) => format!("([0-9{SPACE}]{{{width}}})"),
        }
    }

    /// Converts digits to nanoseconds. Returns `None` if they are not digits.
    fn read(&self, digits: &str) -> Result<Option<i128>, TimeError> {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        let number: i128 = digits.parse().unwrap_or(i128::MAX / (100_000 * SECOND));
        if self.is_fraction() {
            if self.takes_all {
                return Err(TimeError("`%L` and `%N` require a larger unit in the format".to_owned()));
            }
            let missing = 9u32.saturating_sub(digits.len() as u32);
            return Ok(Some(number * 10i128.pow(missing)));
        }
        let unit = match self.unit {
            TimespanUnit::Day => 86_400 * SECOND,
            TimespanUnit::Hour => 3_600 * SECOND,
            TimespanUnit::Minute => 60 * SECOND,
            _ => SECOND,
        };
        Ok(Some(number.saturating_mul(unit)))
    }

    fn write(&self, text: &mut String, total: i128) {
        let (unit, limit) = match self.unit {
            TimespanUnit::Day => (86_400 * SECOND, None),
            TimespanUnit::Hour => (3_600 * SECOND, Some(24)),
            TimespanUnit::Minute => (60 * SECOND, Some(60)),
            TimespanUnit::Second => (SECOND, Some(60)),
            TimespanUnit::Millisecond => (1_000_000, Some(1000)),
            TimespanUnit::Nanosecond => {
                let width = self.width.unwrap_or(9).min(9) as u32;
                (10i128.pow(9 - width), Some(10i128.pow(width)))
            }
        };
        let number = match limit.filter(|_| !self.takes_all) {
            Some(limit) => total / unit % limit,
            None => total / unit,
        };
        let width = self.width.unwrap_or(self.default_width());
        let mut digits = number.to_string();
        if self.is_fraction() {
            if !self.takes_all && self.padding != Some('0') {
                let kept = digits.trim_end_matches('0');
                digits = if kept.is_empty() { "0".to_owned() } else { kept.to_owned() };
            }
            match self.padding {
                None => text.push_str(&digits),
                Some(_) => text.push_str(&format!("{digits:<width$}")),
            }
            return;
        }
        match self.padding {
            None => text.push_str(&digits),
            Some('0') => text.push_str(&format!("{digits:0>width$}")),
            Some(_) => text.push_str(&format!("{digits:>width$}")),
        }
    }
}
