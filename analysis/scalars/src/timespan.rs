//! Lengths of time, and the formats they are read and written in. Specification: the chapter on `Timespan`.

mod format;
mod limit;

use std::fmt;

use format::TimespanFormat;
pub use limit::TimespanLimit;

/// A length of time, negative ones too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timespan {
    pub nanoseconds: i128,
}

/// Nanoseconds in a second.
pub const SECOND: i128 = 1_000_000_000;

/// Why a text is no time, or a format none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeError(pub String);

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TimeError {}

/// The formats that are tried when none is given.
pub const DEFAULT_FORMATS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

impl Timespan {
    /// Reads a text by the first of the formats that fits; by the default ones when there are none.
    pub fn parse(text: &str, formats: Option<&[&str]>) -> Result<Timespan, TimeError> {
        let formats = formats.unwrap_or(&DEFAULT_FORMATS);
        for format in formats {
            // A format that is none is an error, whatever the text is.
            if let Some(timespan) = TimespanFormat::parse(format)?.read(text)? {
                return Ok(timespan);
            }
        }
        Err(TimeError(format!("'{text}' does not have the form {}", formats.join(" or "))))
    }

    /// Written in a format: `%D` days, `%H` hours, `%M` minutes, `%S` seconds, `%L` milliseconds, `%N` nanoseconds, with
    /// `-`, `_`, `0` and a width in front.
    pub fn format(self, format: &str) -> Result<String, TimeError> {
        Ok(TimespanFormat::parse(format)?.write(self))
    }

    /// Whole seconds, rounded down.
    pub fn to_integer(self) -> i64 {
        i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or(i64::MAX)
    }

    /// Seconds.
    pub fn to_float(self) -> f64 {
        self.nanoseconds as f64 / SECOND as f64
    }

    /// Its parts without a sign, largest first: days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds.
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
