//! `rules` and `explain`: what there is to be found.

use ide::{GROUPS, LintLevel, Rule, rule_by_any_name, rule_table, rules_named};
use lint::{CheckOrigin, Fix};
use serde_json::json;

use super::{CommandOutcome, terminal};

/// Prints all rules.
pub(super) fn list(json: bool) -> anyhow::Result<CommandOutcome> {
    let output = if json { as_json()? } else { as_text() };
    terminal::print_bytes(output.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

/// Prints what is to be said of one rule.
pub(super) fn explain(name: &str) -> anyhow::Result<CommandOutcome> {
    let Some(rule) = rule_by_any_name(name) else {
        anyhow::bail!("there is no rule {name}; `puppet-analyzer rules` lists them all");
    };
    let text = explanation(rule);
    terminal::print_bytes(text.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

fn as_text() -> String {
    let width = rule_table().iter().map(|rule| rule.code.as_str().len()).max().unwrap_or_default();
    let line = |rule: &Rule| format!("{:width$}  {:7}  {}\n", rule.code, level(rule), rule.title());
    rule_table().iter().map(line).collect()
}

fn as_json() -> serde_json::Result<String> {
    let rules = rule_table().iter().map(|rule| {
        json!({
            "code": rule.code.as_str(),
            "level": level(rule),
            "isFixed": rule.code.is_fixed(),
            "puppetLintNames": rule.code.puppet_lint_names(),
            "groups": GROUPS.into_iter().filter(|it| rules_named(it).contains(&rule.code)).collect::<Vec<_>>(),
            "title": rule.title(),
            "url": rule.url(),
        })
    });
    Ok(serde_json::to_string_pretty(&rules.collect::<Vec<_>>())? + "\n")
}

fn level(rule: &Rule) -> &'static str {
    rule.level().name()
}

fn explanation(rule: &Rule) -> String {
    let mut text = format!("# {}\n\n{}", rule.code, rule.documentation);
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
        (true, _) => "\nIt is always shown: Puppet cannot read such a file.\n".to_owned(),
        (false, LintLevel::Off) => {
            format!("\nLevel: off{also}. Turn it on in puppet-analyzer.toml:\n\n    [lint]\n    {code} = \"warning\"\n")
        }
        (false, level) => format!(
            "\nLevel: {}{also}. Change it in puppet-analyzer.toml:\n\n    [lint]\n    {code} = \"off\"\n\n\
             or hide one finding with a comment at the end of its line: # lint:ignore:{}\n",
            level.name(),
            code.replace('-', "_")
        ),
    });
    text
}

/// Who else looks for what a rule finds, and who mends it.
fn origin(rule: &Rule) -> String {
    let Some(check) = lint::CHECKS.iter().find(|it| it.code == rule.code && it.is_own_rule()) else {
        return String::new();
    };
    let fix = match check.fix {
        Fix::None => "Nothing mends it by itself.",
        Fix::Layout | Fix::Safe => "`check --fix` mends it.",
        Fix::Unsafe => "`check --fix --unsafe-fixes` mends it; that may change what the code does.",
    };
    let bringer = match check.origin {
        CheckOrigin::PuppetLint => "puppet-lint itself",
        CheckOrigin::VoxPupuli => "voxpupuli-puppet-lint-plugins",
        CheckOrigin::Plugin => "a plugin of puppet-lint",
        CheckOrigin::Own => return format!("\nNeither puppet-lint nor a plugin of it has this. {fix}\n"),
    };
    let level = if check.level == lint::Level::Error { "an error" } else { "a warning" };
    let usual = if check.is_default { "" } else { ", which looks for it only when it is asked to" };
    format!("\nIt is `{}` of {bringer}{usual}, {level} there. {fix}\n", check.name)
}
