//! Verdict on the use of an item.

use smol_str::SmolStr;

/// Verdict on the use of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UseVerdict {
    Used,
    /// Possibly used, with the reason.
    Open(SmolStr),
    Unused {
        /// True if tests mention it.
        only_tests: bool,
    },
}
