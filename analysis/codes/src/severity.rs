//! Severities, and the reasons for which a diagnostic may have a lower one than the row of its code.

/// Severity of a diagnostic, in descending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Accepted today, but rejected by a later version of Puppet.
    Deprecation,
    /// Suggestion, not necessarily a problem.
    Hint,
}

/// Reason for a severity below that of the code's row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DowngradeReason {
    /// The finding depends on a condition, on values, or on code that is not available.
    Uncertain,
    /// Puppet's compiler accepts this, but another component may not.
    Tolerated,
    /// The `strict` setting lowers the severity.
    Strict,
    /// The targeted version of Puppet still accepts this.
    Version,
}
