//! `man`: the man page of the program, and one page per command.

use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::{CommandLine, CommandOutcome, files, terminal};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer man | man -l -
  puppet-analyzer man --output /usr/local/share/man/man1";

/// Files that the program reads.
const FILES: &[(&str, &str)] = &[
    (
        "puppet-analyzer.toml",
        "Settings of a repository: the nearest one, up to the root of the Git work tree.",
    ),
    (
        "$XDG_CONFIG_HOME/puppet-analyzer/settings.toml",
        "Settings of the user, with the same keys. The default of $XDG_CONFIG_HOME is ~/.config.",
    ),
    (
        ".puppet-lint.rc, Rakefile, Gemfile, Gemfile.lock",
        "Configuration of puppet-lint, as far as it is declared without Ruby code.",
    ),
];

/// Environment variables that the program reads.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "If set and not empty, output is not colored unless --color is given."),
    ("FORCE_HYPERLINK", "If 1, colored output links rules to their pages; if 0, it never does."),
    ("PUPPET_ANALYZER_LOG", "Log filter of the language server, such as `info`."),
    ("XDG_CACHE_HOME", "Base folder of the index that the language server keeps."),
    ("XDG_CONFIG_HOME", "Base folder of the user's settings."),
];

/// Prints the man page of the program, or writes the pages of the program and of its commands to a folder.
pub(super) fn run(folder: Option<&Path>) -> anyhow::Result<CommandOutcome> {
    let mut program = CommandLine::command().name("puppet-analyzer");
    program.build();
    let Some(folder) = folder else {
        terminal::print_bytes(&page(&program)?)?;
        return Ok(CommandOutcome::Clean);
    };
    anyhow::ensure!(folder.is_dir(), "folder `{}` not found", files::display_path(folder));
    let commands = program.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help");
    for command in std::iter::once(&program).chain(commands) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let file = folder.join(format!("{name}.1"));
        files::write(&file, &page(command)?)
            .with_context(|| format!("cannot write `{}`", files::display_path(&file)))?;
    }
    Ok(CommandOutcome::Clean)
}

/// Renders the page of a command. The sections of its help text become sections of the page.
fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone());
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    let parts = HelpParts::of(&notes);
    let mut rest = Roff::default();
    if !parts.remarks.is_empty() {
        rest.control("SH", ["NOTES"]);
        rest.text([roman(parts.remarks.join(" "))]);
    }
    rest.control("SH", ["EXIT STATUS"]);
    match parts.exit_codes.as_slice() {
        [] => add_entries(&mut rest, &[("0", "success"), ("1", "failure"), ("2", "usage error")]),
        codes => {
            let entries: Vec<_> = codes.iter().filter_map(|it| it.split_once("  ")).collect();
            add_entries(&mut rest, &entries);
        }
    }
    rest.control("SH", ["FILES"]);
    add_entries(&mut rest, FILES);
    rest.control("SH", ["ENVIRONMENT"]);
    add_entries(&mut rest, ENVIRONMENT);
    if !parts.examples.is_empty() {
        rest.control("SH", ["EXAMPLES"]);
        rest.control("nf", []);
        for line in &parts.examples {
            rest.text([roman(*line)]);
        }
        rest.control("fi", []);
    }
    rest.to_writer(&mut out)?;
    Ok(out)
}

fn add_entries(page: &mut Roff, entries: &[(&str, &str)]) {
    for (name, text) in entries {
        page.control("TP", []);
        page.text([bold(*name)]);
        page.text([roman(text.trim())]);
    }
}

/// Lines of a help text after its options, without indentation.
#[derive(Default)]
struct HelpParts<'a> {
    remarks: Vec<&'a str>,
    exit_codes: Vec<&'a str>,
    examples: Vec<&'a str>,
}

impl HelpParts<'_> {
    fn of(text: &str) -> HelpParts<'_> {
        let mut parts = HelpParts::default();
        let mut section = "";
        for line in text.lines() {
            match (section, line.trim()) {
                (_, "") => {}
                (_, heading @ ("Exit codes:" | "Examples:")) => section = heading,
                ("Exit codes:", line) => parts.exit_codes.push(line),
                ("Examples:", line) => parts.examples.push(line),
                (_, line) => parts.remarks.push(line),
            }
        }
        parts
    }
}
