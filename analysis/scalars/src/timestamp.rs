//! Timestamps, and their parsing and formatting. See "Timestamp" in the Puppet specification.

mod calendar;
mod read;
mod write;
mod zones;

use std::fmt;

pub use crate::timespan::{SECOND, TimeError};

/// Point in time relative to the start of 1970 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp {
    pub nanoseconds: i128,
}

/// Formats that are tried by default for strings without a time zone.
pub const FORMATS_WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];
/// Formats that are tried by default.
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

/// Returns the expansion of a directive that combines others, when parsing or formatting.
fn combined_format(letter: char) -> Option<&'static str> {
    Some(match letter {
        'F' => "%Y-%m-%d",
        'T' | 'X' => "%H:%M:%S",
        'R' => "%H:%M",
        'r' => "%I:%M:%S %p",
        'D' | 'x' => "%m/%d/%y",
        'c' => "%a %b %e %H:%M:%S %Y",
        _ => return None,
    })
}

impl Timestamp {
    /// Parses a string with the first matching format, or with the default formats. `is_single` means that
    /// the format was not given in a list; in that case, the string must not contain a time zone if `zone` is
    /// set.
    pub fn parse(
        text: &str,
        formats: Option<&[&str]>,
        is_single: bool,
        zone: Option<&str>,
    ) -> Result<Timestamp, TimeError> {
        let zone = zone.filter(|zone| !zone.is_empty());
        let formats =
            formats.unwrap_or(if zone.is_some() { &FORMATS_WITHOUT_ZONE } else { &DEFAULT_FORMATS });
        for format in formats {
            let Some(found) = read::read(text, format) else { continue };
            if zone.is_some() && found.zone.is_some() {
                if is_single {
                    let message = "time zone is given both in the string and as an argument";
                    return Err(TimeError(message.to_owned()));
                }
                continue;
            }
            let offset = match (zone, found.zone) {
                (Some(zone), _) => zone_offset(zone),
                (None, Some(zone)) => zone.0,
                (None, None) => Some(0),
            };
            let no_zone = || TimeError(format!("unknown time zone `{}`", zone.unwrap_or(text)));
            let offset = offset.ok_or_else(no_zone)?;
            let nanoseconds =
                found.nanoseconds().ok_or_else(|| TimeError(format!("invalid date `{text}`")))?;
            return Ok(Timestamp { nanoseconds: nanoseconds - i128::from(offset) * SECOND });
        }
        Err(TimeError(format!("`{text}` does not match the format `{}`", formats.join("` or `"))))
    }

    /// Formats the timestamp like Ruby's `strftime` in a time zone, UTC by default.
    pub fn format(self, format: &str, zone: Option<&str>) -> Result<String, TimeError> {
        let offset = match zone.filter(|zone| !zone.is_empty()) {
            Some(zone) => {
                // Offsets are whole minutes and less than a day.
                let offset = zone_offset(zone).map(|seconds| seconds.div_euclid(60) * 60);
                let is_clock = zone.len() == 6 && zone.as_bytes()[3] == b':' && zone.starts_with(['+', '-']);
                let has_minutes = !is_clock || zone.as_bytes()[4] < b'6';
                let offset = offset.filter(|seconds| seconds.abs() < 86_400 && has_minutes);
                Some(offset.ok_or_else(|| TimeError(format!("'{zone}' is no time zone")))?)
            }
            None => None,
        };
        write::write(self, format, offset)
    }

    /// Returns whole seconds, rounded down.
    pub fn to_integer(self) -> i64 {
        i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or(i64::MAX)
    }

    /// Returns seconds.
    pub fn to_float(self) -> f64 {
        self.nanoseconds as f64 / SECOND as f64
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(DEFAULT_FORMATS[0], None).unwrap_or_default())
    }
}

/// Returns the offset from UTC in seconds of the time zone name or offset at the start of a string. `current`
/// is UTC, so that results do not depend on the machine.
pub fn zone_offset(zone: &str) -> Option<i32> {
    if zone.eq_ignore_ascii_case("current") { Some(0) } else { zones::zone_at_start(zone)?.0 }
}
