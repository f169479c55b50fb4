//! The settings file that `init` writes.

use std::collections::BTreeSet;
use std::fmt::Write;

use codes::Code;
use ide::rules_named;

use super::look::RepositoryFacts;

/// Renders a commented settings file.
pub(super) fn render(facts: &RepositoryFacts) -> String {
    let mut out =
        String::from("# Settings of puppet-analyzer. All keys: `puppet-analyzer check --show-settings`\n\n");
    match facts.puppet_version {
        Some((version, file)) => {
            let _ = writeln!(out, "# From {file}; the default is 8.\npuppet-version = {version}\n");
        }
        None => out.push_str(
            "# Puppet version that the code runs on: 7, 8, or 9 for OpenVox 9.\n# puppet-version = 8\n\n",
        ),
    }
    if !facts.is_module {
        match facts.extra_module_folders.as_slice() {
            [] => {
                out.push_str("# Additional folders that contain modules.\n# module-path = [\"vendor\"]\n\n")
            }
            folders => {
                let _ = writeln!(
                    out,
                    "# Folders with modules that environment.conf does not list.\nmodule-path = {folders:?}\n"
                );
            }
        }
    }
    match facts.excluded.as_slice() {
        [] => out.push_str("# Files and folders that are not checked.\n# exclude = [\"vendor\"]\n\n"),
        folders => {
            let _ = writeln!(out, "# Files and folders that are not checked.\nexclude = {folders:?}\n");
        }
    }
    if !facts.is_module {
        out.push_str(
            "# Facts of your nodes, as printed by `facter --json`.\n# fact-files = [\"facts.json\"]\n\n",
        );
    }
    style_rules(&mut out, facts);
    out.push_str(
        "# Level of single rules: off, hint, warning, or error. `puppet-analyzer rules` lists all.\n\
         [lint]\n# unused-parameter = \"off\"\n",
    );
    if let Some(spaces) = facts.puppet_lint.chars_per_indent.filter(|_| facts.puppet_lint.is_used) {
        let _ = write!(
            out,
            "\n[format]\n# From the option `chars_per_indent` of puppet-lint.\nindent = {spaces}\n"
        );
    }
    per_file(&mut out, facts);
    out
}

/// Adds the rules of style: those that puppet-lint checks in this repository.
fn style_rules(out: &mut String, facts: &RepositoryFacts) {
    if !facts.puppet_lint.is_used {
        out.push_str(
            "# Rules of style to enable: a rule, or a group such as `puppet-lint` or `style`.\n\
             # select = [\"style\"]\n\n",
        );
        return;
    }
    let enabled: BTreeSet<Code> = facts
        .puppet_lint
        .checks()
        .filter(|it| it.is_own_rule() && it.code.is_off())
        .map(|it| it.code)
        .collect();
    let codes = |group: &str| -> BTreeSet<Code> { rules_named(group).into_iter().collect() };
    let missing = |group: &str| codes(group).difference(&enabled).count();
    let has_plugins = enabled.intersection(&codes("vox-pupuli")).count() * 2 > codes("vox-pupuli").len();
    let group = if has_plugins { "style" } else { "puppet-lint" };
    // A few checks that are selected alone need no group.
    let has_group = missing(group) <= enabled.len();
    let of_group = if has_group { codes(group) } else { BTreeSet::new() };
    let mut select: Vec<&str> = if has_group { vec![group] } else { Vec::new() };
    select.extend(enabled.difference(&of_group).map(|it| name(*it)));
    let ignore: Vec<&str> = of_group.difference(&enabled).map(|it| name(*it)).collect();
    let files = facts.puppet_lint_files.join(", ");
    let _ = writeln!(out, "# The checks that puppet-lint runs here, from {files}.\nselect = {select:?}");
    let _ = writeln!(out, "ignore = {ignore:?}\n");
}

/// Adds the files that puppet-lint skips.
fn per_file(out: &mut String, facts: &RepositoryFacts) {
    let patterns = facts.puppet_lint.ignored_paths.as_deref().unwrap_or_default();
    if patterns.is_empty() || !facts.puppet_lint.is_used {
        return;
    }
    out.push_str("\n# Files that puppet-lint skips.\n[per-file]\n");
    for pattern in patterns {
        let _ = writeln!(out, "{pattern:?} = [\"pedantic\"]");
    }
}

/// Returns puppet-lint's name for a rule.
fn name(code: Code) -> &'static str {
    code.puppet_lint_names().first().copied().unwrap_or(code.as_str())
}
