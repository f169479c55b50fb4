//! Durations, and their parsing and formatting. See "Timespan" in the Puppet specification.

mod format;
mod limit;

use std::fmt;

use format::TimespanFormat;
pub use limit::TimespanLimit;

/// Duration, which may be negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timespan {
    pub nanoseconds: i128,
}

/// Nanoseconds in a second.
pub const SECOND: i128 = 1_000_000_000;

/// Error of a string that does not match a time format, or of an invalid format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeError(pub String);

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TimeError {}

/// Formats that are tried by default.
pub const DEFAULT_FORMATS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

impl Timespan {
    /// Parses a string with the first matching format, or with the default formats.
    pub fn parse(text: &str, formats: Option<&[&str]>) -> Result<Timespan, TimeError> {
        let formats = formats.unwrap_or(&DEFAULT_FORMATS);
        for format in formats {
            // An invalid format is an error regardless of the string.
            if let Some(timespan) = TimespanFormat::parse(format)?.read(text)? {
                return Ok(timespan);
            }
        }
        Err(TimeError(format!("`{text}` does not match the format `{}`", formats.join("` or `"))))
    }

    /// Formats the duration: `%D` days, `%H` hours, `%M` minutes, `%S` seconds, `%L` milliseconds, `%N`
    /// nanoseconds, optionally preceded by `-`, `_`, `0` and a width.
    pub fn format(self, format: &str) -> Result<String, TimeError> {
        Ok(TimespanFormat::parse(format)?.write(self))
    }

    /// Returns whole seconds, rounded down.
    pub fn to_integer(self) -> i64 {
        i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or(i64::MAX)
    }

    /// Returns seconds.
    pub fn to_float(self) -> f64 {
        self.nanoseconds as f64 / SECOND as f64
    }

    /// Returns the unsigned fields, largest first: days, hours, minutes, seconds, milliseconds, microseconds,
    /// nanoseconds.
    pub fn fields(self) -> [(&'static str, i128); 7] {
        let total = self.nanoseconds.saturating_abs();
        [
            ("days", total / (86_400 * SECOND)),
            ("hours", total / (3_600 * SECOND) % 24),
            ("minutes", total / (60 * SECOND) % 60),
            ("seconds", total / SECOND % 60),
            ("milliseconds", total / 1_000_000 % 1000),
            ("microseconds", total / 1000 % 1000),
            ("nanoseconds", total % 1000),
        ]
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(DEFAULT_FORMATS[0]).unwrap_or_default())
    }
}
