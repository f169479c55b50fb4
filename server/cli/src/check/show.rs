//! `--show-settings` and `--show-files`.

use std::fmt::Write;

use disk::config::Config;
use ide::{LintLevel, Strict};

use super::arguments::CheckArguments;
use super::sources::SourcesToCheck;
use crate::files::display_path;
use crate::{ColorChoice, CommandOutcome, terminal, workspace};

/// Prints the effective settings, as a settings file with the sources in comments.
pub(super) fn settings(config: &Config, arguments: &CheckArguments) -> anyhow::Result<CommandOutcome> {
    let folder = workspace::settings_folder(&arguments.paths);
    let files = arguments.version.source.files_in(&folder);
    let mut out: String = files.iter().map(|it| format!("# {it}\n")).collect();
    let settings = &config.settings;
    let version = settings.puppet_version.major();
    let strict = match settings.strict() {
        Strict::Off => "off",
        Strict::Warning => "warning",
        Strict::Error => "error",
    };
    let list = |values: &[String]| toml_list(values);
    let lines = [
        ("puppet-version", version.to_string()),
        ("strict", format!("{strict:?}")),
        ("tasks", settings.tasks.to_string()),
        ("module-path", list(&settings.module_path)),
        ("base-module-path", list(&settings.base_module_path)),
        ("fact-files", list(&settings.fact_files)),
        ("exclude", list(&settings.excluded_paths)),
        ("secret-keys", list(&config.secret_keys)),
        ("trusted-folders", list(&config.trusted_folders)),
        ("large-file-limit", settings.large_file_limit.to_string()),
    ];
    for (key, value) in lines {
        writeln!(out, "{key} = {value}")?;
    }
    if let Some(nodes) = &config.nodes {
        writeln!(out, "nodes = {nodes:?}")?;
    }
    writeln!(out, "\n[lint]")?;
    let mut levels: Vec<(&String, &LintLevel)> = settings.lint_levels.iter().collect();
    levels.sort();
    for (rule, level) in levels {
        writeln!(out, "{rule} = {:?}", level.name())?;
    }
    terminal::print_text(&out, false)?;
    Ok(CommandOutcome::Clean)
}

fn toml_list(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|it| format!("{it:?}")).collect();
    format!("[{}]", values.join(", "))
}

/// Prints the files that would be checked, one per line.
pub(super) fn files(sources: &SourcesToCheck, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let paths = sources.texts.iter().map(|(path, _)| path).chain(&sources.undecoded);
    let mut lines: Vec<String> =
        paths.map(|it| format!("{}\n", output::visible(&display_path(it)))).collect();
    lines.sort();
    terminal::print_text(&lines.concat(), false)?;
    for failure in &sources.failures {
        terminal::print_error(color, &failure.to_string());
    }
    Ok(if sources.failures.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Failure })
}
