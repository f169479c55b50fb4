//! `rules` and `explain`: what there is to be found.

use ide::{LintLevel, Rule, rule_by_any_name, rule_table};
use lint::{Check, Fix};
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
    let text = match (rule_by_any_name(name), lint::CHECKS.iter().find(|it| it.name == name)) {
        (Some(rule), _) => explanation(rule),
        (None, Some(check)) => explanation_of_check(check),
        (None, None) => {
            anyhow::bail!(
                "there is no rule {name}; `puppet-analyzer rules` and `puppet-analyzer lint --list-checks` list them all"
            );
        }
    };
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

/// What is to be said of a check of `lint`.
fn explanation_of_check(check: &Check) -> String {
    let level = if check.level == lint::Level::Error { "error" } else { "warning" };
    let fix = match check.fix {
        Fix::None => "It is not mended.",
        Fix::Safe => "`lint --fix` mends it.",
        Fix::Unsafe => "`lint --fix --unsafe-fixes` mends it; that may change what the code does.",
    };
    let Check { name, summary, .. } = check;
    let switch = match check.is_default {
        true => format!("`puppet-analyzer lint --no-{name}-check` does not look for it."),
        false => format!("It is off; `puppet-analyzer lint --{name}-check` looks for it."),
    };
    format!("# {name}\n\n{summary}\n\nLevel: {level}, as puppet-lint has it. {fix}\n{switch}\n")
}
