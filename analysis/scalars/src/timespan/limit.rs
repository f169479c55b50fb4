//! Limits of a range of durations.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::{SECOND, Timespan};
use crate::numbers::{compare_integer_and_float, float_text};

/// Limit of a `Timespan` type. A limit written as a float (`Timespan[1.5]`) stays a float: it may be between
/// two nanoseconds, and it prints differently.
#[derive(Clone, Copy, Debug)]
pub enum TimespanLimit {
    Whole(Timespan),
    /// Finite number of nanoseconds.
    Fraction(f64),
}

impl From<Timespan> for TimespanLimit {
    fn from(timespan: Timespan) -> TimespanLimit {
        TimespanLimit::Whole(timespan)
    }
}

impl Ord for TimespanLimit {
    fn cmp(&self, other: &TimespanLimit) -> Ordering {
        use TimespanLimit::{Fraction, Whole};
        match (self, other) {
            (Whole(a), Whole(b)) => a.cmp(b),
            (Fraction(a), Fraction(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Whole(a), Fraction(b)) => {
                compare_integer_and_float(a.nanoseconds, *b).unwrap_or(Ordering::Equal)
            }
            (Fraction(_), Whole(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for TimespanLimit {
    fn partial_cmp(&self, other: &TimespanLimit) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TimespanLimit {
    fn eq(&self, other: &TimespanLimit) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for TimespanLimit {}

impl Hash for TimespanLimit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let nanoseconds = match self {
            TimespanLimit::Whole(timespan) => timespan.nanoseconds,
            TimespanLimit::Fraction(nanoseconds) => nanoseconds.floor() as i128,
        };
        nanoseconds.hash(state);
    }
}

/// Formats like [`Timespan`], but with float arithmetic: the fraction consists of the nanoseconds, cut off at
/// the point of *their* decimal notation, with trailing zeros.
impl fmt::Display for TimespanLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = match self {
            TimespanLimit::Whole(timespan) => return timespan.fmt(f),
            TimespanLimit::Fraction(nanoseconds) => *nanoseconds,
        };
        let total = nanoseconds.abs();
        let second = SECOND as f64;
        let sign = if nanoseconds < 0.0 { "-" } else { "" };
        let days = crate::numbers::Magnitude::from_float(total / (86_400.0 * second)).digits(10);
        let hours = (total / (3_600.0 * second) % 24.0) as u8;
        let minutes = (total / (60.0 * second) % 60.0) as u8;
        let seconds = (total / second % 60.0) as u8;
        let rest = float_text(total % second);
        let rest = rest.split(['.', 'e']).next().unwrap_or_default();
        write!(f, "{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{rest}")
    }
}
