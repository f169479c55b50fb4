//! Arguments of `check`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::arguments::{ThreadArguments, VersionArgument, VersionArguments};
use crate::report::{ReportFormat, SortOrder};
use crate::workspace;
use anyhow::Context;
use cli_common::nodes::exports::ExportSource;
use disk::config::Config;

pub(crate) const EXAMPLES: &str = "\
Exit codes:
  0  no errors, or nothing at or above the level of --fail-on
  1  errors, or findings at or above that level; with --deny-open also if something could not be checked
  2  usage error, or unreadable file; with --require-files also if there are no files

Examples:
  puppet-analyzer check
  puppet-analyzer check --min-level error
  puppet-analyzer check --format github .
  puppet-analyzer check --puppet-version 7 modules
  puppet-analyzer check --select style --fix
  puppet-analyzer check --add-ignore --diff
  puppet-analyzer check --watch
  puppet-analyzer check --since origin/main
  puppet-analyzer check --upgrade-to 8 --compile
  puppet-analyzer check --nodes nodes.snapshot
  puppet-analyzer check --baseline known.json --write-baseline
  cat site.pp | puppet-analyzer check -";

#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("edits").args(["fix", "add_ignore"])))]
#[command(group(clap::ArgGroup::new("compiles").args(["compile", "node_set", "forge_snapshot"]).multiple(true)))]
pub(crate) struct CheckArguments {
    /// Files and folders to check; `-` reads standard input. Folders are searched for manifests (`.pp`), EPP
    /// and ERB templates, Hiera data (YAML), `hiera.yaml`, `metadata.json`, `Puppetfile`, the metadata of tasks,
    /// and files of Bolt; ignore files are respected
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,

    #[command(flatten)]
    pub(super) version: VersionArguments,

    /// Path to assume for standard input; it determines the language and the allowed definitions
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_path: Option<PathBuf>,

    /// Report hints as well; they do not affect the exit code
    #[arg(long)]
    pub(super) hints: bool,

    /// Lowest level that is reported; findings of lower levels are only counted
    #[arg(
        long,
        visible_alias = "min-severity",
        value_enum,
        value_name = "LEVEL",
        default_value_t = MinLevel::Warning,
        conflicts_with = "hints"
    )]
    pub(super) min_level: MinLevel,

    /// Compile the classes of modules for each supported platform as well (slower)
    #[arg(long)]
    pub(super) compile: bool,

    #[command(flatten)]
    pub(super) nodes: CheckedNodeArguments,

    /// With --compile, --nodes, and --forge-snapshot: fail if something could not be checked
    #[arg(long, requires = "compiles")]
    pub(super) deny_open: bool,

    /// Report versions in `Puppetfile` and `metadata.json` that the Forge does not have according to FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["edits", "upgrade_to", "watch"])]
    pub(super) forge_snapshot: Option<PathBuf>,

    /// Apply safe fixes and report the remaining findings
    #[arg(long)]
    pub(super) fix: bool,

    /// Add comments (`# lint:ignore:RULE`) that suppress the findings, except for code that Puppet rejects, and
    /// report the remaining findings
    #[arg(long, conflicts_with_all = ["fix", "write_baseline", "upgrade_to"])]
    pub(super) add_ignore: bool,

    /// With --fix and --add-ignore: print a diff instead of writing files
    #[arg(long, requires = "edits")]
    pub(super) diff: bool,

    /// With --fix: apply fixes that may change behavior as well
    #[arg(long, requires = "fix")]
    pub(super) unsafe_fixes: bool,

    /// Only report findings on lines changed since a Git revision
    #[arg(long, value_name = "REV")]
    pub(super) since: Option<String>,

    /// Only report findings that are not in the baseline FILE, which identifies them by rule and line
    /// contents
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,

    /// With --baseline: write the current findings to FILE and report nothing
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "since"])]
    pub(super) write_baseline: bool,

    /// Only report what an upgrade from Puppet 7, or from `--puppet-version`, to this version breaks or
    /// changes. With --compile, catalogs are compiled for both versions. With --fix, fixes that may change
    /// behavior are applied as well if the catalogs before and after them are equal
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(super) upgrade_to: Option<VersionArgument>,

    /// Print the number of findings per rule, errors first, and the files with the most findings. Formats:
    /// `text`, `json`, and `markdown`
    #[arg(long)]
    pub(super) statistics: bool,

    /// Lowest level that makes the command fail
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailLevel::Error)]
    pub(super) fail_on: FailLevel,

    /// Alias for `--fail-on never`
    #[arg(long, conflicts_with = "fail_on")]
    pub(super) exit_zero: bool,

    /// Order of the findings in the formats `text` and `concise`
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SortOrder::Level)]
    pub(super) sort: SortOrder,

    /// Write the report to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Only print the findings and errors of the command itself
    #[arg(long, short)]
    pub(super) quiet: bool,

    /// Comma-separated rules and rule groups to enable in addition to the default ones
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) select: Vec<String>,

    /// Comma-separated rules and rule groups to disable
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,

    /// Additional folders of modules, separated by `:` (Windows: `;`)
    #[arg(long, value_name = "DIRS")]
    pub(super) modulepath: Option<String>,

    /// Comma-separated files and folders to skip, in addition to those of the settings
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(super) exclude: Vec<PathBuf>,

    /// Also skip named files that a search would skip: excluded and hidden ones, and those of other kinds
    #[arg(long)]
    pub(super) force_exclude: bool,

    /// Only report the checks of puppet-lint that the settings enable; the step `lint` of `ci`
    #[arg(long, hide = true)]
    pub(super) style_only: bool,

    /// Print the effective settings and the files they come from, and exit
    #[arg(long)]
    pub(super) show_settings: bool,

    /// Print the files that would be checked, and exit
    #[arg(long, conflicts_with = "show_settings")]
    pub(super) show_files: bool,

    /// Fail if there are no files to check
    #[arg(long)]
    pub(super) require_files: bool,

    /// Check again whenever files change, until interrupted; the exit code is that of the last result
    #[arg(long, conflicts_with_all = ["edits", "write_baseline", "upgrade_to", "profile"])]
    pub(super) watch: bool,

    #[command(flatten)]
    pub(super) threads: ThreadArguments,

    /// Write a Chrome trace of the run to FILE
    #[arg(long, value_name = "FILE")]
    pub(super) profile: Option<PathBuf>,
}

impl CheckArguments {
    /// Returns true if findings are printed as compiler-style messages.
    pub(super) fn is_text(&self) -> bool {
        self.format == ReportFormat::Text && !self.statistics && !self.write_baseline
    }
}

/// Lowest level of a finding that is reported.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MinLevel {
    /// Errors
    Error,
    /// Errors, warnings and deprecations
    Warning,
    /// All findings, like `--hints`
    Hint,
}

/// Lowest level of a finding that makes `check` fail.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailLevel {
    /// Errors
    Error,
    /// Errors, warnings and deprecations
    Warning,
    /// No finding makes the command fail
    Never,
}

/// Returns the option that changes files, if any.
pub(super) fn edit_option(arguments: &CheckArguments) -> Option<&'static str> {
    let options = [(arguments.fix, "--fix"), (arguments.add_ignore, "--add-ignore")];
    options.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
}

/// Returns the settings that apply to the run: those of files, and the options on top.
pub(super) fn settings(arguments: &CheckArguments) -> anyhow::Result<Config> {
    let mut config = arguments.version.config_in(&workspace::settings_folder(&arguments.paths))?;
    config.apply_rule_options(&arguments.select, &arguments.ignore).map_err(|name| unknown_rule(&name))?;
    if let Some(paths) = &arguments.modulepath {
        let folders = workspace::trusted_module_path(&mut config, paths)?;
        config.settings.module_path.extend(folders);
    }
    let excluded = arguments.exclude.iter().map(|it| {
        let path = std::path::absolute(it)?;
        path.to_str().map(str::to_owned).context("the path of an excluded folder is not UTF-8")
    });
    config.settings.excluded_paths.extend(excluded.collect::<anyhow::Result<Vec<_>>>()?);
    Ok(config)
}

pub(super) fn unknown_rule(name: &str) -> anyhow::Error {
    let problem = format!("unknown rule or rule group `{name}`");
    anyhow::Error::msg(codes::with_help(problem, "run `puppet-analyzer rules` to list all rules"))
}

/// Options for the nodes to compile.
#[derive(clap::Args, Debug)]
pub(super) struct CheckedNodeArguments {
    /// Compile real nodes as well, and report what fails on which of them: the nodes of a snapshot written by
    /// `facts fetch`, or of a folder with a file of facts per node (`NODE.json`, `NODE.yaml`)
    #[arg(
        long = "nodes",
        id = "node_set",
        value_name = "SNAPSHOT|FOLDER",
        conflicts_with_all = ["edits", "upgrade_to", "watch", "style_only"]
    )]
    pub(super) path: Option<PathBuf>,

    /// With --nodes: folder with the output of an external node classifier for each node: `NODE.yaml` or `NODE.json`
    #[arg(long, value_name = "FOLDER", requires = "node_set")]
    pub(super) enc_dir: Option<PathBuf>,

    /// With --nodes: source of the resources that nodes export, for the collectors of other nodes [default: none, so
    /// that catalogs with such collectors are open]
    #[arg(long, value_enum, value_name = "SOURCE", requires = "node_set")]
    pub(super) exported: Option<ExportSource>,
}
