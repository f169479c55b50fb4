//! How bad a finding is, and why one may be milder than its row says.

/// How bad a finding is; the worst comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Accepted today, refused by a later version of Puppet.
    Deprecation,
    /// RecordedValue a look, no more.
    Hint,
}

/// Why a finding may be milder than the row of its code says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DowngradeReason {
    /// It depends on a condition, on values, or on what cannot be seen from here.
    Uncertain,
    /// Puppet's compiler goes on in this case; something else may not.
    Tolerated,
    /// The setting `strict` says so.
    Strict,
    /// The version of Puppet that the code is for still takes it.
    Version,
}
