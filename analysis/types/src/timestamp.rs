//! Points in time, and the formats they are read and written in. Specification: the chapter on `Timestamp`.

mod calendar;
mod read;
mod write;

use std::fmt;

pub use crate::timespan::{SECOND, TimeError};

/// A point in time, counted from the beginning of 1970 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp {
    pub nanoseconds: i128,
}

/// The formats that are tried when none is given, for a text without a time zone.
pub const FORMATS_WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];
/// The formats that are tried when none is given.
pub const DEFAULT_FORMATS: [&str; 10] = [
    "%FT%T.%N %Z",
    "%FT%T %Z",
    "%F %T.%N %Z",
    "%F %T %Z",
    "%F %Z",
    "%FT%T.%N",
    "%FT%T",
    "%F %T.%N",
    "%F %T",
    "%F",
];

impl Timestamp {
    /// Reads a text by the first of the formats that fits, by default ones when there are none. `is_single`: the format
    /// was not given in a list; then it is the text that must have no time zone of its own when `zone` is given.
    pub fn parse(
        text: &str,
        formats: Option<&[&str]>,
        is_single: bool,
        zone: Option<&str>,
    ) -> Result<Timestamp, TimeError> {
        let zone = zone.filter(|zone| !zone.is_empty());
        let formats = formats.unwrap_or(if zone.is_some() { &FORMATS_WITHOUT_ZONE } else { &DEFAULT_FORMATS });
        for format in formats {
            let Some(found) = read::read(text, format) else { continue };
            if zone.is_some() && found.zone.is_some() {
                if is_single {
                    let message = "a time zone cannot be both in the format and given beside it";
                    return Err(TimeError(message.to_owned()));
                }
                continue;
            }
            let offset = match zone.or(found.zone.as_deref()) {
                Some(zone) => {
                    zone_offset(zone).ok_or_else(|| TimeError(format!("'{zone}' is no time zone")))?
                }
                None => 0,
            };
            let nanoseconds = found.nanoseconds().ok_or_else(|| TimeError(format!("'{text}' is no date")))?;
            return Ok(Timestamp { nanoseconds: nanoseconds - i128::from(offset) * SECOND });
        }
        Err(TimeError(format!("'{text}' does not have the form {}", formats.join(" or "))))
    }

    /// Written as Ruby's `strftime` does, in a time zone (UTC without one).
    pub fn format(self, format: &str, zone: Option<&str>) -> Result<String, TimeError> {
        let offset = match zone.filter(|zone| !zone.is_empty()) {
            Some(zone) => {
                Some(zone_offset(zone).ok_or_else(|| TimeError(format!("'{zone}' is no time zone")))?)
            }
            None => None,
        };
        write::write(self, format, offset)
    }

    /// Whole seconds, rounded down.
    pub fn to_integer(self) -> i64 {
        i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or(i64::MAX)
    }

    /// Seconds.
    pub fn to_float(self) -> f64 {
        self.nanoseconds as f64 / SECOND as f64
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(DEFAULT_FORMATS[0], None).unwrap_or_default())
    }
}

/// The distance from UTC in seconds that the name of a time zone or an offset stands for. `current` is UTC: results do
/// not depend on where they are computed.
pub fn zone_offset(zone: &str) -> Option<i32> {
    let upper = zone.trim().to_ascii_uppercase();
    let named = match upper.as_str() {
        "CURRENT" | "UTC" | "GMT" | "Z" | "UT" | "WET" => Some(0),
        "EST" => Some(-5),
        "EDT" => Some(-4),
        "CST" => Some(-6),
        "CDT" => Some(-5),
        "MST" => Some(-7),
        "MDT" => Some(-6),
        "PST" => Some(-8),
        "PDT" => Some(-7),
        "AKST" => Some(-9),
        "AKDT" => Some(-8),
        "HST" => Some(-10),
        "BRT" => Some(-3),
        "CET" | "MET" | "BST" | "WEST" | "MEWT" => Some(1),
        "CEST" | "MEST" | "MESZ" | "EET" | "SAST" => Some(2),
        "EEST" | "MSK" => Some(3),
        "MSD" => Some(4),
        "SGT" => Some(8),
        "JST" => Some(9),
        "NZST" | "IDLE" => Some(12),
        "NZDT" => Some(13),
        _ => None,
    };
    if let Some(hours) = named {
        return Some(hours * 3600);
    }
    if let [letter] = upper.as_bytes() {
        return match letter {
            b'A'..=b'I' => Some(i32::from(letter - b'A' + 1) * 3600),
            b'K'..=b'M' => Some(i32::from(letter - b'K' + 10) * 3600),
            b'N'..=b'Y' => Some(-i32::from(letter - b'N' + 1) * 3600),
            _ => None,
        };
    }
    let offset = upper.strip_prefix("GMT").or(upper.strip_prefix("UTC")).unwrap_or(&upper);
    let (sign, digits) = match offset.as_bytes().first()? {
        b'+' => (1, &offset[1..]),
        b'-' => (-1, &offset[1..]),
        _ => return None,
    };
    let plain: String = digits.chars().filter(|c| *c != ':').collect();
    if plain.is_empty() || plain.len() > 6 || !plain.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let pairs: Vec<i32> = match digits.contains(':') {
        true => digits.split(':').map(|part| part.parse().unwrap_or(0)).collect(),
        false => {
            // An odd digit comes first: `+100` is one hour.
            let (head, tail) = plain.split_at(2 - plain.len() % 2);
            let tail = tail.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or("0"));
            [head].into_iter().chain(tail).map(|part| part.parse().unwrap_or(0)).collect()
        }
    };
    let seconds: i32 = pairs.iter().zip([3600, 60, 1]).map(|(part, unit)| part * unit).sum();
    Some(sign * seconds)
}
