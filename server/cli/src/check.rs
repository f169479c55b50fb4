//! `check`: finds files, runs the analysis on them, and reports the findings.

mod ahead;
mod arguments;
mod baseline;
mod changes;
mod checked;
mod fix;
mod ignore;
mod nodes;
mod reporting;
mod run;
mod show;
mod since;
mod sources;
mod unseen;
mod upgrade;
mod wanted;
mod watch;

use std::mem::ManuallyDrop;
use std::path::Path;

use cli_common::forge::ForgeSnapshot;
use disk::config::Config;

use self::ahead::compile_ahead;
pub(super) use self::arguments::{CheckArguments, EXAMPLES};
use self::arguments::{edit_option, settings};
use self::fix::{FixChoice, FixRun, print_fixes};
use self::ignore::IgnoreRun;
use self::nodes::NodeFindings;
pub(super) use self::run::UNEVALUATED;
use self::run::{CheckRun, Workspaces};
use self::sources::{SourcesToCheck, read_sources, states_of};
use self::upgrade::Upgrade;
use self::wanted::WantedFindings;
use super::workspace::Workspace;
use super::{ColorChoice, CommandOutcome, terminal};

pub(super) fn run(arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let _profile = arguments.profile.as_deref().map(measure::profile::write).transpose()?;
    let mut config = settings(arguments)?;
    if arguments.show_settings {
        return show::settings(&config, arguments);
    }
    let watched = arguments.watch.then_some("--watch");
    if let Some(option) = edit_option(arguments).or(watched)
        && arguments.paths.iter().any(|it| it == Path::new("-"))
    {
        anyhow::bail!("`{option}` cannot be used with standard input");
    }
    let upgrade = Upgrade::of(arguments)?;
    if let Some(upgrade) = &upgrade {
        config.settings.puppet_version = upgrade.to;
        config.settings.prepares_upgrade = true;
    }
    if arguments.watch {
        return watch::run(arguments, color);
    }
    let (mut sources, folders) = read_sources(arguments, &config, |_| None)?;
    if arguments.show_files {
        return show::files(&sources, color);
    }
    let states = states_of(&sources.texts, arguments);
    let mut workspace = match edit_option(arguments) {
        Some(_) => Workspace::with_surroundings(&config, &sources.named, sources.texts.iter().cloned()),
        None => Workspace::read_once(&config, &sources.named, states.iter().cloned(), &folders),
    };
    if let Some(outcome) = edit(arguments, &config, &mut workspace, &mut sources, color)? {
        return Ok(outcome);
    }
    let mut run = CheckRun::new(WantedFindings::new(arguments, &sources)?, &config, color);
    // Not freed: the process is about to exit, and the operating system frees large workspaces faster.
    let mut workspaces = ManuallyDrop::new(Workspaces::new(workspace));
    if let Some(upgrade) = upgrade {
        let mut config = config.clone();
        config.settings.puppet_version = upgrade.from;
        workspaces.earlier = Some(match edit_option(arguments) {
            Some(_) => Workspace::with_surroundings(&config, &sources.named, sources.texts.iter().cloned()),
            None => Workspace::read_once(&config, &sources.named, states.iter().cloned(), &folders),
        });
        run.set_earlier(upgrade, config.settings);
    }
    let version = config.settings.puppet_version.major();
    let checked: Vec<&Path> = sources.texts.iter().map(|(path, _)| path.as_path()).collect();
    run.forge = arguments.forge_snapshot.as_deref().map(ForgeSnapshot::read).transpose()?;
    run.nodes = NodeFindings::new(arguments, &workspaces.current, version, &checked)?;
    let states = edit_option(arguments).is_none().then_some(states);
    run.run(&mut workspaces, sources, states)
}

/// Applies `--fix` or `--add-ignore`. Returns the outcome if the run ends with a diff.
fn edit(
    arguments: &CheckArguments,
    config: &Config,
    workspace: &mut Workspace,
    sources: &mut SourcesToCheck,
    color: ColorChoice,
) -> anyhow::Result<Option<CommandOutcome>> {
    let threads = arguments.threads.count();
    let changes = if let Some(upgrade) = Upgrade::of(arguments)?.filter(|_| arguments.fix) {
        upgrade.fix(arguments, config, workspace, sources, color)?
    } else if arguments.fix {
        let choice = FixChoice { takes_unsafe: arguments.unsafe_fixes, takes: |_| true };
        let run = FixRun::new(workspace, sources, choice, threads)?;
        print_fixes(&run, arguments, config, color);
        run.changes
    } else if arguments.add_ignore {
        compile_ahead(arguments, workspace, &states_of(&sources.texts, arguments))?;
        let run = IgnoreRun::new(arguments, workspace, sources, &config.settings)?;
        run.print(color);
        run.changes
    } else {
        return Ok(None);
    };
    if arguments.diff {
        terminal::print_text(&changes.diff(sources), false)?;
        let is_clean = changes.count() == 0;
        return Ok(Some(if is_clean { CommandOutcome::Clean } else { CommandOutcome::Findings }));
    }
    let unwritten = changes.write(sources);
    sources.failures.extend(unwritten);
    Ok(None)
}
