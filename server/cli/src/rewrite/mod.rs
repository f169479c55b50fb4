//! `rewrite`: rewrites whole modules, after comparing the catalogs before and after.

mod epp;
mod options;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use catalog_view::text::plural;
use disk::config::Config;
use git::unified;
use ide::{Analysis, DiskState, FilePath};
use rewrites::{ModuleRewrite, ModuleTexts};

use self::options::RewriteOutputArguments;
use crate::diff::proof::{self, EditEffect};
use crate::files::{self, display_path};
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, CommandOutcome, terminal};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  rewritten, or shown with --diff
  1  nothing written: the rewrite is not possible, or not all catalogs are known to stay equal
  2  usage error, or unreadable or unwritable file

Examples:
  puppet-analyzer rewrite params modules/ntp
  puppet-analyzer rewrite params --diff modules/ntp
  puppet-analyzer rewrite params --puppet-version 7 modules/ntp";

#[derive(clap::Subcommand, Debug)]
pub(super) enum RewriteCommand {
    /// Move the values of a class `params` to data of the module
    ///
    /// Writes `hiera.yaml` and one data file per platform, removes the defaults that read the class, and deletes
    /// it. All catalogs of the class are compiled before and after.
    #[command(after_help = EXAMPLES)]
    Params(RewriteArguments),

    /// Convert ERB templates to EPP
    ///
    /// Converts the templates whose code is understood completely, and the calls of the function `template` that
    /// name them; others are refused with the line and the reason. All catalogs with the code are compiled before
    /// and after.
    #[command(after_help = epp::EXAMPLES)]
    Epp(epp::EppArguments),
}

#[derive(clap::Args, Debug)]
pub(super) struct RewriteArguments {
    /// Folder of the module
    #[arg(value_name = "MODULE", default_value = ".")]
    module: PathBuf,

    #[command(flatten)]
    output: RewriteOutputArguments,

    /// Also rewrite if catalogs change, or if not all of them are known to stay equal
    #[arg(long = "unsafe")]
    is_unsafe: bool,
}

pub(super) fn run(command: &RewriteCommand, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| match command {
        RewriteCommand::Params(arguments) => rewrite(arguments, color),
        RewriteCommand::Epp(arguments) => epp::run(arguments, color),
    })?
}

fn rewrite(arguments: &RewriteArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let named = [arguments.module.clone()];
    workspace::existing_folder(&arguments.module)?;
    let config = arguments.output.version.config_in(&workspace::settings_folder(&named))?;
    let before = Workspace::with_surroundings(&config, &named, std::iter::empty());
    let root = workspace::absolute_path(&arguments.module).context("the path of the module is not UTF-8")?;
    let name = module_name(&before.analysis(), &root)?;
    let module = ModuleTexts { name, files: read(&config, &arguments.module)? };
    let refused = |problem: &str| {
        terminal::print_error(color, &format!("nothing rewritten: {problem}"));
        Ok(CommandOutcome::Findings)
    };
    let rewrite = match rewrites::params_to_data(&module) {
        Ok(rewrite) => rewrite,
        Err(refusal) => {
            let path = refusal
                .place
                .map(|(path, line)| format!("{}:{line}: ", display_path(&arguments.module.join(path))));
            return refused(&format!("{}{}", path.unwrap_or_default(), refusal.reason));
        }
    };
    let class = format!("{}::params", module.name);
    if let Some(path) = user_outside(&before.analysis(), &root, &class)? {
        return refused(&format!("`{class}` is used in `{path}`"));
    }
    let mut after = Workspace::with_surroundings(&config, &named, std::iter::empty());
    after.replace(states(&root, &rewrite));
    let effect = proof::effect_of_removal(&config, [before, after], &class, &root)?;
    let problem = match effect {
        EditEffect::Nothing => None,
        EditEffect::Difference(what) => Some(format!("a catalog changes: {what}")),
        EditEffect::Open(why) => Some(format!("not all catalogs are known to stay equal: {why}")),
    };
    match problem {
        Some(problem) if !arguments.is_unsafe => {
            let help = "use `--unsafe` to rewrite the module anyway";
            return refused(&codes::with_help(problem, help));
        }
        Some(problem) => terminal::print_warning(color, &problem),
        None => {}
    }
    apply(arguments, &module, &rewrite)?;
    Ok(CommandOutcome::Clean)
}

/// Returns the name of the module in a folder.
fn module_name(analysis: &Analysis, root: &FilePath) -> anyhow::Result<String> {
    let modules = analysis.environments().into_iter().flat_map(|it| analysis.modules(it));
    let name = modules.into_iter().find(|(_, folder)| folder == root).map(|(name, _)| name);
    name.with_context(|| format!("`{root}` is not the folder of a module"))
}

/// Returns true for the files of a module that can use its classes.
fn is_read(path: &Path) -> bool {
    let has_extension =
        |known: &[&str]| path.extension().and_then(|it| it.to_str()).is_some_and(|it| known.contains(&it));
    let is_template = path.components().any(|it| it.as_os_str() == "templates");
    is_template || has_extension(&["pp", "epp", "erb", "rb", "yaml", "yml", "json"])
}

fn read(config: &Config, module: &Path) -> anyhow::Result<BTreeMap<String, Arc<str>>> {
    let named = [module.to_owned()];
    let trusted = config.trusted(&named);
    let (found, failures) = files::find_files(&named, &config.settings.excluded_paths, is_read);
    let mut texts = BTreeMap::new();
    for path in found {
        let relative = path.strip_prefix(module).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if !relative.starts_with("spec/fixtures/") {
            let text = files::read_found_text(&path, &trusted);
            let text = text.map_err(|it| anyhow::anyhow!("{it}"))?;
            texts.insert(relative.trim_start_matches("./").to_owned(), text.into());
        }
    }
    match failures.first() {
        Some(failure) => bail!("{failure}"),
        None => Ok(texts),
    }
}

/// Returns the path of a file outside of the module that contains the name of the class.
fn user_outside(analysis: &Analysis, root: &FilePath, class: &str) -> anyhow::Result<Option<FilePath>> {
    for file in analysis.all_files() {
        let path = analysis.path(file);
        if !path.starts_with(root)
            && analysis.text(file).map_err(|it| anyhow::anyhow!("{it}"))?.is_some_and(|it| it.contains(class))
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Returns the states of the files after the rewrite.
fn states(root: &FilePath, rewrite: &ModuleRewrite) -> Vec<(FilePath, DiskState)> {
    let state = |(path, text): (&String, &Option<String>)| {
        let state = text.as_deref().map_or(DiskState::Missing, |it| DiskState::Text(it.into()));
        (root.join(path), state)
    };
    rewrite.files.iter().map(state).collect()
}

/// Writes the files, or prints the diff.
fn apply(arguments: &RewriteArguments, module: &ModuleTexts, rewrite: &ModuleRewrite) -> anyhow::Result<()> {
    for note in &rewrite.notes {
        terminal::print_to_stderr(&format!("note: {note}\n"));
    }
    if arguments.output.diff {
        let mut diff = String::new();
        for (path, text) in &rewrite.files {
            let shown = display_path(&arguments.module.join(path));
            let old = module.files.get(path).map(|it| &**it).unwrap_or_default();
            diff +=
                &unified::diff_of_texts(&output::visible(&shown), old, text.as_deref().unwrap_or_default());
        }
        return Ok(terminal::print_text(&diff, false)?);
    }
    // The class is deleted after everything that replaces it is written.
    let is_deleted = |it: &(&String, &Option<String>)| it.1.is_none();
    let (deleted, written): (Vec<_>, Vec<_>) = rewrite.files.iter().partition(is_deleted);
    for (path, text) in written {
        let path = arguments.module.join(path);
        let text = text.as_deref().unwrap_or_default();
        files::replace_or_create(&path, text)
            .with_context(|| format!("cannot write `{}`", display_path(&path)))?;
    }
    for (path, _) in deleted {
        let path = arguments.module.join(path);
        std::fs::remove_file(&path).with_context(|| format!("cannot delete `{}`", display_path(&path)))?;
    }
    let files = plural(rewrite.files.len(), "file", "files");
    terminal::print_to_stderr(&format!("{files} rewritten\n"));
    Ok(())
}
