//! Detection of puppet-lint plugins in a `Gemfile`.

use crate::{CHECKS, CheckOrigin};

/// Gems that depend on all plugins of Vox Pupuli.
const BUNDLES: [&str; 2] = ["voxpupuli-puppet-lint-plugins", "voxpupuli-test"];

/// Gems whose name differs from that of their checks, with the prefix of the checks.
const RENAMED: &[(&str, &str)] = &[
    ("absolute_classname", "relative_classname"),
    ("anchor", "anchor_resource"),
    ("manifest_whitespace", "manifest_whitespace"),
    ("param_docs", "parameter_documentation"),
    ("param_types", "parameter_types"),
    ("params_empty_string", "params_empty_string_assignment"),
    ("resource_reference_syntax", "resource_reference"),
    ("unquoted_string", "unquoted_string"),
    ("unsafe_interpolations", "check_unsafe_interpolations"),
    ("check_unsafe_interpolations", "check_unsafe_interpolations"),
];

/// Returns the names of the checks in the installed plugins.
pub(super) fn checks(text: &str) -> Vec<&'static str> {
    let lines = text.lines().map(|it| it.split('#').next().unwrap_or_default());
    let gems: Vec<&str> =
        lines.filter(|it| it.contains("gem")).flat_map(|it| it.split(['\'', '"']).skip(1).take(1)).collect();
    let is_bundled = gems.iter().any(|it| BUNDLES.contains(it));
    let checks = CHECKS.iter().filter(|check| match check.origin {
        CheckOrigin::PuppetLint => false,
        CheckOrigin::VoxPupuli if is_bundled => true,
        _ => gems.iter().any(|gem| brings(gem, check.name)),
    });
    checks.map(|it| it.name).collect()
}

fn brings(gem: &str, check: &str) -> bool {
    let Some(name) = gem.strip_prefix("puppet-lint-") else { return false };
    let name = name.strip_suffix("-check").unwrap_or(name).replace('-', "_");
    match RENAMED.iter().find(|(gem, _)| *gem == name) {
        Some((_, prefix)) => check.starts_with(prefix),
        None => check == name,
    }
}
