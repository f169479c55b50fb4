//! Checks for reads of facts.

use plugins::built_in;

pub(crate) mod legacy_facts;
pub(crate) mod top_scope_facts;

/// Legacy facts that puppet-lint does not report, as patterns of `built_in`.
const NOT_REPORTED: [&str; 4] = ["dhcp_servers", "macosx_productversion_patch", "scope6", "scope6_*"];

/// Prefixes of legacy facts of macOS and Solaris; puppet-lint reports any name with one of them.
const PREFIXES: [&str; 2] = ["sp_", "ldom_"];

/// Returns true if puppet-lint reports `name` as a legacy fact.
pub(crate) fn is_legacy_fact(name: &str) -> bool {
    let is_reported = |fact: &built_in::Fact| {
        fact.is_legacy && !NOT_REPORTED.contains(&fact.name.as_str()) && !fact.name.starts_with("windows_")
    };
    PREFIXES.iter().any(|it| name.starts_with(it)) || built_in::fact(name).is_some_and(is_reported)
}
