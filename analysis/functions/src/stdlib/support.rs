//! Helpers for functions of several subjects.

use std::cmp::Ordering;

use eval::Call;

/// Returns true if the environment's stdlib is known to be older than a version.
pub(super) fn is_stdlib_before(call: &Call, version: &str) -> bool {
    order_of_stdlib(call, version).is_some_and(Ordering::is_lt)
}

/// Returns true if the environment's stdlib is known to have a version or a later one.
pub(super) fn is_stdlib_since(call: &Call, version: &str) -> bool {
    order_of_stdlib(call, version).is_some_and(Ordering::is_ge)
}

/// Compares the version of the environment's stdlib; `None` if it is unknown.
fn order_of_stdlib(call: &Call, version: &str) -> Option<Ordering> {
    let metadata = call.evaluator.world.program.module_metadata("stdlib")?;
    let own = metadata.as_hash()?.get_text("version")?.as_str()?;
    Some(scalars::version_compare::version_compare(own, version, false))
}

/// Splits a string into lines as `^` and `$` of Ruby do.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
