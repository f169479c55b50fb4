//! `rules` and `explain`: documentation of the rules.

use std::path::Path;

use codes::DowngradeReason;
use ide::{GROUPS, LintLevel, LintLevels, Rule, rule_by_any_name, rule_table, rules_named};
use lint::{CheckOrigin, Fix};
use scalars::similar::similar;
use serde_json::json;

use super::arguments::SettingsArguments;
use super::{ColorChoice, CommandOutcome, terminal};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer rules
  puppet-analyzer rules style
  puppet-analyzer rules --format json";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  puppet-analyzer explain unknown-class";

/// Levels of rules in the current folder.
struct EffectiveLevels {
    levels: LintLevels,
    /// Files that the settings come from, each with its kind.
    sources: Vec<String>,
}

impl EffectiveLevels {
    /// Reads the settings of the current folder. Prints a warning and returns the default levels if they are
    /// invalid.
    fn here(color: ColorChoice) -> EffectiveLevels {
        let (settings, folder) = (SettingsArguments { config: None, isolated: false }, Path::new("."));
        match settings.config_in(folder) {
            Ok(config) => {
                EffectiveLevels { levels: config.settings.lint_levels, sources: settings.files_in(folder) }
            }
            Err(error) => {
                terminal::print_warning(color, &format!("{error:#}"));
                EffectiveLevels { levels: LintLevels::default(), sources: Vec::new() }
            }
        }
    }

    fn of(&self, rule: &Rule) -> LintLevel {
        let level = self.levels.get(rule.code.as_str()).copied();
        level.filter(|_| !rule.code.is_fixed()).unwrap_or_else(|| rule.level())
    }
}

/// Prints a list of all rules, or of those in a group.
pub(super) fn list(group: Option<&str>, json: bool, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let rules: Vec<&Rule> = match group {
        Some(name) => {
            let codes = rules_named(name);
            if codes.is_empty() {
                let groups: Vec<String> = GROUPS.iter().map(|it| format!("`{it}`")).collect();
                let problem = format!("unknown rule or rule group `{name}`");
                let help = format!("the groups are {}", groups.join(", "));
                anyhow::bail!(codes::with_help(problem, help));
            }
            rule_table().iter().filter(|rule| codes.contains(&rule.code)).collect()
        }
        None => rule_table().iter().collect(),
    };
    let effective = EffectiveLevels::here(color);
    let output = if json { as_json(&rules, &effective)? } else { as_text(&rules, &effective) };
    terminal::print_bytes(output.as_bytes())?;
    if !json && rules.iter().any(|it| effective.of(it) != it.level()) {
        let sources = effective.sources.join(", ");
        terminal::print_to_stderr(&format!("levels according to the settings here ({sources})\n"));
    }
    Ok(CommandOutcome::Clean)
}

/// Prints the documentation of one rule, whose name may be copied from a finding (`error[unknown-class]`).
pub(super) fn explain(name: &str, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let copied = name.strip_suffix(']').and_then(|it| it.split_once('['));
    let name = copied.map_or(name, |(_, name)| name);
    let Some(rule) = rule_by_any_name(name) else {
        let names = rule_table().iter().map(|rule| rule.code.as_str());
        let help = match similar(&name.replace('_', "-"), names).as_slice() {
            [] => "run `puppet-analyzer rules` to list all rules".to_owned(),
            similar => {
                let quoted: Vec<String> = similar.iter().map(|it| format!("`{it}`")).collect();
                format!("did you mean {}?", quoted.join(" or "))
            }
        };
        anyhow::bail!(codes::with_help(format!("unknown rule `{name}`"), help));
    };
    let text = explanation(rule, EffectiveLevels::here(color).of(rule));
    terminal::print_bytes(text.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

fn as_text(rules: &[&Rule], effective: &EffectiveLevels) -> String {
    let width = rules.iter().map(|rule| rule.code.as_str().len()).max().unwrap_or_default();
    let line = |rule: &Rule| {
        let level = effective.of(rule);
        let default = match rule.level() {
            default if default == level => String::new(),
            default => format!(" (default: {})", default.name()),
        };
        format!("{:width$}  {:7}  {}{default}\n", rule.code, level.name(), rule.title())
    };
    rules.iter().map(|it| line(it)).collect()
}

fn as_json(rules: &[&Rule], effective: &EffectiveLevels) -> serde_json::Result<String> {
    let rules = rules.iter().map(|rule| {
        json!({
            "code": rule.code.as_str(),
            "level": rule.level().name(),
            "effectiveLevel": effective.of(rule).name(),
            "isFixed": rule.code.is_fixed(),
            "puppetLintNames": rule.code.puppet_lint_names(),
            "groups": GROUPS.into_iter().filter(|it| rules_named(it).contains(&rule.code)).collect::<Vec<_>>(),
            "title": rule.title(),
            "url": rule.url(),
        })
    });
    Ok(serde_json::to_string_pretty(&rules.collect::<Vec<_>>())? + "\n")
}

fn explanation(rule: &Rule, effective: LintLevel) -> String {
    let shown = rule.documentation.split_inclusive('\n').filter(|it| !it.starts_with("<!--"));
    let mut text = format!("# {}\n\n{}", rule.code, shown.collect::<String>());
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let also = match rule.code.puppet_lint_names() {
        [] => String::new(),
        names => format!(", known to puppet-lint as {}", names.join(", ")),
    };
    text.push_str(&origin(rule));
    let code = rule.code.as_str();
    text.push_str(&match (rule.code.is_fixed(), rule.level()) {
        (true, _) => "\nThis rule cannot be disabled: Puppet rejects such a file.\n".to_owned(),
        (false, LintLevel::Off) => {
            format!("\nLevel: off{also}. To enable the rule, add to puppet-analyzer.toml:\n\n    [lint]\n    {code} = \"warning\"\n")
        }
        (false, level) => format!(
            "\nLevel: {}{also}. To change it, add to puppet-analyzer.toml:\n\n    [lint]\n    {code} = \"off\"\n\n\
             or suppress a single finding with a comment at the end of its line: # lint:ignore:{}\n",
            level.name(),
            rule.code.comment_name()
        ),
    });
    for reason in rule.code.downgrade_reasons() {
        text.push_str(&format!("\nA finding has a lower level if {}.\n", condition(*reason)));
    }
    if effective != rule.level() {
        text.push_str(&format!("\nAccording to the settings here, the level is {}.\n", effective.name()));
    }
    text
}

/// Returns the condition under which a finding has a lower severity.
fn condition(reason: DowngradeReason) -> &'static str {
    match reason {
        DowngradeReason::Uncertain => {
            "the code may not run, or if it depends on values or on code that are not available"
        }
        DowngradeReason::Tolerated => "Puppet's compiler accepts the code, but an agent may not",
        DowngradeReason::Strict => "the setting `strict` says so",
        DowngradeReason::Version => "the version of Puppet still accepts the code",
    }
}

/// Describes the equivalent check of puppet-lint and the available fix.
fn origin(rule: &Rule) -> String {
    let Some(check) = lint::CHECKS.iter().find(|it| it.code == rule.code && it.is_own_rule()) else {
        return String::new();
    };
    let fix = match check.fix {
        Fix::None => "There is no automatic fix.",
        Fix::Formatting | Fix::Safe => "`check --fix` fixes it.",
        Fix::Unsafe => "`check --fix --unsafe-fixes` fixes it, which may change behavior.",
    };
    let owner = match check.origin {
        CheckOrigin::PuppetLint => "puppet-lint",
        CheckOrigin::VoxPupuli => "voxpupuli-puppet-lint-plugins",
        CheckOrigin::Plugin => "a plugin of puppet-lint",
        CheckOrigin::Own => {
            return format!("\nNeither puppet-lint nor its plugins have an equivalent check. {fix}\n");
        }
    };
    let level = if check.level == lint::Level::Error { "error" } else { "warning" };
    let default = if check.is_default { "" } else { ", off by default" };
    format!("\nEquivalent to `{}` of {owner} ({level}{default}). {fix}\n", check.name)
}
