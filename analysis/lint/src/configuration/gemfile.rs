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

/// Collection of Vox Pupuli's plugins.
const COLLECTION: &str = "voxpupuli-puppet-lint-plugins";

/// Plugin with the check `strict_indent`.
const STRICT_INDENT: &str = "puppet-lint-strict_indent-check";

/// First version of the collection with a check, for checks that were added later.
const ADDED: &[(&str, u32)] = &[
    ("exec_idempotency", 7),
    ("lookup_in_parameter", 3),
    ("package_ensure", 7),
    ("parameter_documentation", 3),
    ("parameter_types", 3),
    ("params_empty_string_assignment", 3),
    ("params_not_optional_with_undef", 7),
];

/// Major versions of the gems that determine what checks report. A `Gemfile` leads to the highest version that
/// it allows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GemVersions {
    collection: Option<u32>,
    vox_test: Option<u32>,
    strict_indent: Option<u32>,
    /// Gems of plugins that are listed on their own.
    listed: Vec<String>,
}

impl GemVersions {
    pub(super) fn read_gemfile(&mut self, text: &str) {
        for line in text.lines().map(|it| it.split('#').next().unwrap_or_default().trim()) {
            let Some(arguments) = line.strip_prefix("gem ").or_else(|| line.strip_prefix("gem(")) else {
                continue;
            };
            let mut strings = arguments.split(['\'', '"']).skip(1).step_by(2);
            let Some(gem) = strings.next() else { continue };
            let requirements =
                strings.take_while(|it| it.starts_with(|c: char| "<>=~!0123456789".contains(c)));
            self.set(gem, highest_major(requirements));
        }
    }

    pub(super) fn read_lock(&mut self, text: &str) {
        for line in text.lines() {
            // A gem of the lock file: four spaces, the name, and the version in parentheses.
            let Some(gem) = line.strip_prefix("    ").filter(|it| !it.starts_with(' ')) else { continue };
            let Some((name, version)) = gem.split_once(" (") else { continue };
            let major = major(version);
            if major.is_some() {
                self.set(name, major);
            }
        }
    }

    fn set(&mut self, gem: &str, major: Option<u32>) {
        match gem {
            COLLECTION => self.collection = major,
            STRICT_INDENT => self.strict_indent = major,
            "voxpupuli-test" => self.vox_test = major,
            _ => self.listed.push(gem.to_owned()),
        }
    }

    fn collection(&self) -> Option<u32> {
        self.collection.or_else(|| match self.vox_test? {
            5 => Some(3),
            6..=11 => Some(5),
            12 => Some(6),
            _ => None,
        })
    }

    /// Returns true if the tasks of `voxpupuli-test` are those of `puppetlabs_spec_helper`.
    pub(super) fn vox_tasks_are_those_of_spec_helper(&self) -> bool {
        self.vox_test.is_some_and(|it| it < 12)
    }

    /// Returns the major version of `strict_indent`; `None` for the newest one.
    pub(super) fn strict_indent(&self) -> Option<u32> {
        self.strict_indent.or_else(|| match self.collection()? {
            0..=4 => Some(2),
            5 => Some(3),
            6 => Some(4),
            _ => None,
        })
    }

    /// Returns true if the gems include a check of a plugin.
    pub(super) fn include(&self, check: &str) -> bool {
        let first = ADDED.iter().find(|(name, _)| *name == check).map_or(0, |(_, first)| *first);
        self.collection().is_none_or(|it| it >= first) || self.listed.iter().any(|gem| brings(gem, check))
    }
}

/// Returns the highest major version that all requirements allow; `None` if there is no upper bound.
fn highest_major<'t>(requirements: impl Iterator<Item = &'t str>) -> Option<u32> {
    let bounds = requirements.filter_map(|requirement| {
        let version = requirement.trim_start_matches(['<', '>', '=', '~', '!', ' ']);
        let number = major(version)?;
        let is_whole = version.split('.').skip(1).all(|it| it.trim() == "0");
        match requirement.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '.').trim() {
            "" | "=" | "<=" | "~>" => Some(number),
            "<" => Some(if is_whole { number.saturating_sub(1) } else { number }),
            _ => None,
        }
    });
    bounds.min()
}

fn major(version: &str) -> Option<u32> {
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
