//! `init`: looks at a repository and writes settings, a pre-commit configuration, and CI jobs for it.

mod ci_files;
mod look;
mod settings;

use std::path::{Path, PathBuf};

use anyhow::Context;

use self::ci_files::{NewFile, Revision};
use self::look::{CiSystem, RepositoryFacts};
use super::files::{self, display_path};
use super::{ColorChoice, CommandOutcome, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Settings of puppet-lint (`.puppet-lint.rc`, Rakefile, Gemfile) become settings of the same rules.

Exit codes:
  0  files written, or printed with --dry-run
  1  nothing written, because all files exist; --force overwrites them
  2  usage error, or a file that could not be written

Examples:
  puppet-analyzer init
  puppet-analyzer init --dry-run
  puppet-analyzer init --pre-commit --ci gitlab
  puppet-analyzer init --pre-commit --ci github --rev main --force";

#[derive(clap::Args, Debug)]
pub(super) struct InitOptions {
    /// Root of the repository
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Write a `.pre-commit-config.yaml` as well
    #[arg(long)]
    pre_commit: bool,

    /// Write a job for a CI system as well; may be repeated
    #[arg(long, value_enum, value_name = "SYSTEM")]
    ci: Vec<CiSystem>,

    /// Revision of the program that hooks and jobs use: a release, or a branch or commit to build, such as
    /// `main` [default: the release of this version]
    #[arg(long, value_name = "REV")]
    rev: Option<Revision>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// Print the files instead of writing them
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &InitOptions, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let folder = &arguments.folder;
    workspace::existing_folder(folder)?;
    let facts = RepositoryFacts::of(folder);
    let revision = arguments.rev.clone().unwrap_or_default();
    let downloads = |it: &CiSystem| *it != CiSystem::Github;
    if revision.release().is_none() && arguments.ci.iter().any(downloads) {
        let problem = "jobs for GitLab and Jenkins download a release";
        anyhow::bail!(codes::with_help(problem.to_owned(), "use a release with `--rev`, such as `v1.0.0`"));
    }
    let mut new = vec![NewFile { path: disk::config::FILE_NAME, text: settings::render(&facts), note: None }];
    if arguments.pre_commit {
        new.push(ci_files::pre_commit(&revision));
    }
    new.extend(arguments.ci.iter().map(|system| ci_files::job(*system, &facts, &revision)));
    facts.summary().iter().for_each(|line| terminal::print_to_stderr(&format!("found {line}\n")));
    if arguments.dry_run {
        let shown = new.iter().map(|it| format!("# {}\n\n{}", it.path, it.text));
        terminal::print_text(&shown.collect::<Vec<_>>().join("\n"), false)?;
        return Ok(CommandOutcome::Clean);
    }
    let mut written = 0;
    for NewFile { path, text, note } in new {
        let file = folder.join(path);
        let shown = output::visible(&display_path(&file)).into_owned();
        if !arguments.force && file.symlink_metadata().is_ok() {
            let help = "use `--force` to overwrite it, or `--dry-run` to print the new contents";
            let problem = format!("`{shown}` exists and was not changed");
            terminal::print_warning(color, &codes::with_help(problem, help));
            continue;
        }
        write(&file, &text)?;
        written += 1;
        terminal::print_to_stderr(&format!("wrote `{shown}`\n"));
        note.into_iter().for_each(|note| terminal::print_to_stderr(&format!("    {note}\n")));
    }
    if written == 0 {
        return Ok(CommandOutcome::Findings);
    }
    let uses_release = arguments.pre_commit || !arguments.ci.is_empty();
    if let Some(version) = revision.release().filter(|_| uses_release && arguments.rev.is_none()) {
        terminal::print_to_stderr(&format!(
            "the hooks and jobs use the release v{version}, which must be published before they run; `--rev` \
             chooses another revision, such as `--rev main`\n"
        ));
    }
    if let Some(hint) = facts.ci_hint(&arguments.ci) {
        terminal::print_to_stderr(&format!("{hint}\n"));
    }
    Ok(CommandOutcome::Clean)
}

/// Writes a file, whose folders are created. Links are not followed: they may lead out of the repository.
fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let failure = || format!("cannot write `{}`", display_path(file));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(failure)?;
    }
    if file.is_symlink() {
        std::fs::remove_file(file).with_context(failure)?;
    }
    files::write(file, text.as_bytes()).with_context(failure)
}
