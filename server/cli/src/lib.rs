//! The command line: arguments, dispatch to the commands, and exit codes.
//!
//! One file or folder per command; no other crate uses the terminal. `check` uses the same analysis as an
//! editor, so both report the same. `report/` has one file per output format. **Output does not depend on the
//! number of threads.**
//!
//! * `workspace` loads a project; `files` reads and checks files in parallel, within the limits of
//!   `files/work`.
//! * `compile`, `lookup` and `diff` request catalogs from `ide`. `compile/subject` determines project, node
//!   and facts; `diff/base` loads a Git revision into a second analysis and reports what is unknown about it.
//! * `ci` and `daemon` run other commands and capture their output; `init` writes files that configure them.
//! * `position` is shared by `hover`, `definition` and `references`; `scip` exports occurrences in that
//!   format. `parse` and `stats` use `syntax` directly.
//! * `terminal` is the only code that prints, so that control characters are escaped.

mod check;
mod ci;
mod compile;
mod daemon;
mod definition;
mod diff;
mod eval;
mod fetch;
mod files;
mod format;
mod hover;
mod init;
mod lint;
mod lookup;
mod manual;
mod parse;
mod position;
mod printed_diagnostic;
mod references;
mod report;
mod rules;
mod scip;
mod stats;
mod symbols;
mod terminal;
mod workspace;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use disk::config::{Config, FILE_NAME, RepositorySettings, puppet_lint_folder, settings_folder};

const EXAMPLES: &str = "\
Examples:
  puppet-analyzer check                       check everything below the current folder
  puppet-analyzer check site-modules manifests/site.pp
  puppet-analyzer check --format sarif . > findings.sarif
  git show HEAD:manifests/site.pp | puppet-analyzer check --stdin-path manifests/site.pp -
  puppet-analyzer format                      format all manifests
  puppet-analyzer explain unused-variable     explain a rule
  puppet-analyzer parse --format tree manifests/site.pp
  puppet-analyzer eval -e '[1, 2].map |$x| { $x * 2 }'
  puppet-analyzer eval                        start an interactive prompt
  puppet-analyzer compile --all               compile every node on every platform
  puppet-analyzer symbols apache              find definitions by name
  puppet-analyzer references manifests/init.pp:12:7
  puppet-analyzer lsp                         start the language server";

const CHECK_EXAMPLES: &str = "\
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
  puppet-analyzer check --baseline known.json --write-baseline
  cat site.pp | puppet-analyzer check -";

const CI_EXAMPLES: &str = "\
Steps:
  format   manifests and templates that changed since the merge base are formatted
  lint     those manifests have no errors of puppet-lint, if the repository uses it
  check    the repository has no errors
  compile  all nodes, or all classes, compile on all platforms
  diff     catalogs that differ from the merge base are listed; differences are no failure

Exit codes:
  0  all steps pass
  1  a step fails
  2  usage error, or unreadable input

Examples:
  puppet-analyzer ci
  puppet-analyzer ci --base origin/main --format markdown --output report.md
  puppet-analyzer ci --baseline known.json
  puppet-analyzer ci --skip format --skip lint --os debian12
  puppet-analyzer ci --format github";

const INIT_EXAMPLES: &str = "\
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

const FORMAT_EXAMPLES: &str = "\
Code between `# format:off` and `# format:on`, and the statement after `# format:ignore`, is not formatted.

Exit codes:
  0  success; with --check or --diff: all files are formatted
  1  with --check or --diff: some files would change
  2  usage error, or a file that could not be read, written or completely formatted

Examples:
  puppet-analyzer format
  puppet-analyzer format --check manifests
  puppet-analyzer format --diff site.pp
  puppet-analyzer format --range 10:20 site.pp
  cat site.pp | puppet-analyzer format -";

const PARSE_EXAMPLES: &str = "\
Examples:
  puppet-analyzer parse manifests/site.pp
  puppet-analyzer parse --format tree templates/motd.epp
  echo 'notice(1 + 2)' | puppet-analyzer parse -";

const EVAL_EXAMPLES: &str = "\
Exit codes:
  0  success
  1  evaluation error
  2  usage error, or unreadable file

Examples:
  puppet-analyzer eval -e '\"1.2.3\".split(/[.]/).map |$x| { Integer($x) }'
  puppet-analyzer eval --facts facts.json script.pp
  puppet-analyzer eval --format json -e 'type(1)'
  puppet-analyzer eval                        start an interactive prompt";

const COMPILE_EXAMPLES: &str = "\
Exit codes:
  0  everything compiles
  1  something does not compile; with --deny-open also if something could not be checked
  2  usage error, or unreadable input
  3  inconclusive: a limit was reached, so it is unknown whether Puppet compiles the catalog

Examples:
  puppet-analyzer compile --os debian12 web1.example.com
  puppet-analyzer compile --class profile::web --os 'RHEL 9' --format json
  puppet-analyzer compile --code 'include apache' --modulepath modules --facts facts.json
  puppet-analyzer compile --all               compile every node on every platform
  puppet-analyzer compile --os debian12 --why 'File[/etc/motd]' web1.example.com
  puppet-analyzer compile --os debian12 --only 'Class[ntp]' web1.example.com
  puppet-analyzer compile --class ntp --os debian12 --format dot | dot -Tsvg > ntp.svg";

const LOOKUP_EXAMPLES: &str = "\
Exit codes:
  0  value found
  1  no value found
  2  usage error, unreadable input, or lookup error
  3  unknown: a hierarchy level depends on unknown facts, or is a Ruby function

Examples:
  puppet-analyzer lookup --os debian12 profile::web::service_name
  puppet-analyzer lookup --explain --facts web1.json --node web1.example.com ntp::servers
  puppet-analyzer lookup --merge unique --os rhel9 classes";

const DIFF_EXAMPLES: &str = "\
Exit codes:
  0  no differences
  1  differences
  2  usage error, or unreadable input
  3  no known differences, but some catalogs could not be compared; with `--nodes` also if there are differences

Examples:
  puppet-analyzer diff                        compare with the last commit
  puppet-analyzer diff --base origin/main --format markdown
  puppet-analyzer diff --os debian12 web1.example.com db1.example.com
  puppet-analyzer diff --class profile::web --format json
  puppet-analyzer diff --base origin/main --nodes nodes.snapshot
  puppet-analyzer diff --base origin/main --nodes nodes.snapshot --shard 1/8 --output shard1
  puppet-analyzer diff merge shard1 shard2 … --format json";

const FETCH_EXAMPLES: &str = "\
Exit codes:
  0  snapshot written
  2  usage error, PuppetDB failed, or it has no such nodes; nothing is written

Examples:
  puppet-analyzer facts fetch --puppetdb https://puppetdb.example.com:8081 --cacert ca.pem --cert me.pem --key key.pem
  puppet-analyzer facts fetch --nodes C:profile::web --drop ssh uptime --mask --output web.snapshot
  puppet-analyzer facts fetch --query 'nodes[certname] { facts_environment = \"production\" }'";

const SYMBOLS_EXAMPLES: &str = "\
Exit codes:
  0  match found
  1  no match
  2  usage error, or unreadable folder

Examples:
  puppet-analyzer symbols
  puppet-analyzer symbols prweb               finds `profile::web`
  puppet-analyzer symbols --path site-modules --format json";

const POSITION_EXIT_CODES: &str = "\
Lines and columns start at 1. Columns are counted in characters.

Exit codes:
  0  result found
  1  no result at this position
  2  usage error, or unreadable file

Examples:
  puppet-analyzer hover manifests/init.pp:12:7
  puppet-analyzer definition manifests/init.pp:12:7
  puppet-analyzer references --format json --root .. manifests/init.pp:12:7";

const LINT_EXAMPLES: &str = "\
Exit codes:
  0  no errors
  1  errors, unreadable files, or usage error; with --fail-on-warnings also warnings

Examples:
  puppet-analyzer lint --fail-on-warnings .
  puppet-analyzer lint --fix manifests
  puppet-analyzer lint --only-checks hard_tabs,trailing_whitespace site.pp
  puppet-analyzer lint --list-checks";

const SCIP_EXAMPLES: &str = "\
Examples:
  puppet-analyzer scip
  puppet-analyzer scip --root control-repo --output control-repo.scip";

const RULES_EXAMPLES: &str = "\
Examples:
  puppet-analyzer rules
  puppet-analyzer rules style
  puppet-analyzer rules --format json";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  puppet-analyzer explain unknown-class";

const STATS_EXAMPLES: &str = "\
Examples:
  puppet-analyzer stats
  puppet-analyzer stats --json --repeat 5 modules
  puppet-analyzer stats --unknown modules/apache";

const LSP_EXAMPLES: &str = "\
Examples:
  puppet-analyzer lsp
  puppet-analyzer lsp --log info
  puppet-analyzer lsp --record session.jsonl";

const REPLAY_EXAMPLES: &str = "\
Examples:
  puppet-analyzer replay session.jsonl";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  puppet-analyzer completions bash > ~/.local/share/bash-completion/completions/puppet-analyzer
  puppet-analyzer completions zsh > ~/.zfunc/_puppet-analyzer
  puppet-analyzer completions fish > ~/.config/fish/completions/puppet-analyzer.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  puppet-analyzer man | man -l -
  puppet-analyzer man --output /usr/local/share/man/man1";

const HOVER_FORMAT_HELP: &str = "Output format: Markdown, or JSON with the Markdown and its location";

/// Language server and checker for the Puppet language
#[derive(Parser, Debug)]
#[command(name = "puppet-analyzer", version, after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,

    /// Control when colors are used
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,

    /// Print to standard error which settings, environments and files are used, and how long each phase takes
    #[arg(long, global = true)]
    verbose: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write settings, pre-commit hooks and CI jobs for a repository
    #[command(after_help = INIT_EXAMPLES)]
    Init(init::InitOptions),
    /// Check Puppet code for errors
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Run all checks on a change and report the results
    #[command(after_help = CI_EXAMPLES)]
    Ci(ci::CiArguments),
    /// Run the checks of puppet-lint and Vox Pupuli's plugins, with puppet-lint's options
    #[command(disable_help_flag = true, after_help = LINT_EXAMPLES)]
    Lint {
        /// puppet-lint options, files and folders; see `puppet-analyzer lint --help`
        #[arg(value_name = "OPTION|PATH", trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Format manifests according to the Puppet style guide
    #[command(after_help = FORMAT_EXAMPLES)]
    Format(format::FormatArguments),
    /// Print the syntax tree of a file
    #[command(after_help = PARSE_EXAMPLES)]
    Parse(ParseArguments),
    /// Evaluate Puppet code and print its value
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArguments),
    /// Compile catalogs like a Puppet server
    #[command(after_help = COMPILE_EXAMPLES)]
    Compile(Box<compile::CompileArguments>),
    /// Look up a key in Hiera and explain the result
    #[command(after_help = LOOKUP_EXAMPLES)]
    Lookup(Box<lookup::LookupArguments>),
    /// Compare catalogs before and after a change
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(Box<diff::DiffArguments>),
    /// Fetch the facts of nodes
    #[command(subcommand)]
    Facts(fetch::FactsCommand),
    /// List classes, defined types, functions, plans, types and nodes by name
    #[command(after_help = SYMBOLS_EXAMPLES)]
    Symbols(SymbolsArguments),
    /// Show type, value and documentation at a position
    #[command(after_help = POSITION_EXIT_CODES, mut_arg("format", |it| it.help(HOVER_FORMAT_HELP)))]
    Hover(PositionArguments),
    /// Find the definition of the symbol at a position
    #[command(after_help = POSITION_EXIT_CODES)]
    Definition(PositionArguments),
    /// Find all references to the symbol at a position
    #[command(after_help = POSITION_EXIT_CODES)]
    References(PositionArguments),
    /// Write a SCIP index for code search and review tools
    #[command(after_help = SCIP_EXAMPLES)]
    Scip(ScipArguments),
    /// List all rules, or those of a group
    ///
    /// The levels are those of the settings that apply to the current folder.
    #[command(after_help = RULES_EXAMPLES)]
    Rules {
        /// Rule or rule group, such as `style` [default: all rules]
        #[arg(value_name = "GROUP")]
        group: Option<String>,
        /// Output format: one line per rule with its effective level, title, and default level if that differs;
        /// or JSON
        #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
        format: AnswerFormat,
        /// Alias for `--format json`
        #[arg(long, hide = true)]
        json: bool,
    },
    /// Explain a rule
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// Name of the rule
        #[arg(value_name = "RULE")]
        rule: String,
    },
    /// Measure the time and memory that each phase takes
    #[command(after_help = STATS_EXAMPLES)]
    Stats(StatsArguments),
    /// Answer questions of the option `--daemon`
    #[command(hide = true)]
    Daemon {
        /// Socket to listen on
        #[arg(long, value_name = "FILE")]
        socket: PathBuf,
    },
    /// Start the language server on standard input and output
    #[command(after_help = LSP_EXAMPLES)]
    Lsp(LspArguments),
    /// Replay a recorded session and print the messages of the server
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay {
        /// Recording written by `lsp --record`
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Generate a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Shell to generate the script for
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Generate the man page of the program, or those of all commands
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Write one file per command to FOLDER instead of printing the page of the program
        #[arg(long, value_name = "FOLDER")]
        output: Option<PathBuf>,
    },
}

#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("edits").args(["fix", "add_ignore"])))]
struct CheckArguments {
    /// Files and folders to check; `-` reads standard input. Folders are searched for manifests (`.pp`), EPP
    /// and ERB templates, Hiera data (YAML), `hiera.yaml`, `metadata.json`, `Puppetfile` and the metadata of tasks; ignore files are
    /// respected
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,

    #[command(flatten)]
    version: VersionArguments,

    /// Path to assume for standard input; it determines the language and the allowed definitions
    #[arg(long, value_name = "PATH")]
    stdin_path: Option<PathBuf>,

    /// Report hints as well; they do not affect the exit code
    #[arg(long)]
    hints: bool,

    /// Lowest level that is reported; findings of lower levels are only counted
    #[arg(
        long,
        visible_alias = "min-severity",
        value_enum,
        value_name = "LEVEL",
        default_value_t = MinLevel::Warning,
        conflicts_with = "hints"
    )]
    min_level: MinLevel,

    /// Compile the classes of modules for each supported platform as well (slower)
    #[arg(long)]
    compile: bool,

    /// With --compile: fail if something could not be checked
    #[arg(long, requires = "compile")]
    deny_open: bool,

    /// Apply safe fixes and report the remaining findings
    #[arg(long)]
    fix: bool,

    /// Add comments (`# lint:ignore:RULE`) that suppress the findings, except for code that Puppet rejects, and
    /// report the remaining findings
    #[arg(long, conflicts_with_all = ["fix", "write_baseline", "upgrade_to"])]
    add_ignore: bool,

    /// With --fix and --add-ignore: print a diff instead of writing files
    #[arg(long, requires = "edits")]
    diff: bool,

    /// With --fix: apply fixes that may change behavior as well
    #[arg(long, requires = "fix")]
    unsafe_fixes: bool,

    /// Only report findings on lines changed since a Git revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// Only report findings that are not in the baseline FILE, which identifies them by rule and line
    /// contents
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// With --baseline: write the current findings to FILE and report nothing
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "since"])]
    write_baseline: bool,

    /// Only report what an upgrade from Puppet 7, or from `--puppet-version`, to this version breaks or
    /// changes. With --compile, catalogs are compiled for both versions. With --fix, fixes that may change
    /// behavior are applied as well if the catalogs before and after them are equal
    #[arg(long, value_enum, value_name = "VERSION")]
    upgrade_to: Option<VersionArgument>,

    /// Print the number of findings per rule, errors first, and the files with the most findings. Formats:
    /// `text` and `json`
    #[arg(long)]
    statistics: bool,

    /// Lowest level that makes the command fail
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailLevel::Error)]
    fail_on: FailLevel,

    /// Alias for `--fail-on never`
    #[arg(long, conflicts_with = "fail_on")]
    exit_zero: bool,

    /// Order of the findings in the formats `text` and `concise`
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SortOrder::Level)]
    sort: SortOrder,

    /// Write the report to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Only print the findings and errors of the command itself
    #[arg(long, short)]
    quiet: bool,

    /// Comma-separated rules and rule groups to enable in addition to the default ones
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,

    /// Comma-separated rules and rule groups to disable
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Additional folders of modules, separated by `:` (Windows: `;`)
    #[arg(long, value_name = "DIRS")]
    modulepath: Option<String>,

    /// Comma-separated files and folders to skip, in addition to those of the settings
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    exclude: Vec<PathBuf>,

    /// Also skip named files that a search would skip: excluded and hidden ones, and those of other kinds
    #[arg(long)]
    force_exclude: bool,

    /// Only report the checks of puppet-lint that the settings enable; the step `lint` of `ci`
    #[arg(long, hide = true)]
    style_only: bool,

    /// Print the effective settings and the files they come from, and exit
    #[arg(long)]
    show_settings: bool,

    /// Print the files that would be checked, and exit
    #[arg(long, conflicts_with = "show_settings")]
    show_files: bool,

    /// Fail if there are no files to check
    #[arg(long)]
    require_files: bool,

    /// Check again whenever files change, until interrupted; the exit code is that of the last result
    #[arg(long, conflicts_with_all = ["edits", "write_baseline", "upgrade_to", "profile"])]
    watch: bool,

    /// Number of threads [default: one per core, at least 2]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Write a Chrome trace of the run to FILE
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct ParseArguments {
    /// File to parse; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value_t = TreeFormat::Pn)]
    format: TreeFormat,

    /// Parse the file as a plan, with the keywords `plan` and `apply`
    #[arg(long)]
    tasks: bool,

    /// Parse the file as an EPP template regardless of its name
    #[arg(long, conflicts_with = "tasks")]
    epp: bool,
}

#[derive(clap::Args, Debug)]
struct EvalArguments {
    /// Code to evaluate
    #[arg(short, long, value_name = "CODE", conflicts_with = "file")]
    expression: Option<String>,

    /// File to evaluate; `-` reads standard input [default: a prompt on a terminal, otherwise standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Facts as printed by `facter --json`
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    format: EvalFormat,

    /// Puppet version whose defaults apply [default: 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    puppet_version: Option<VersionArgument>,

    /// Puppet setting `strict` [default: error for Puppet 8, warning for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    strict: Option<StrictArgument>,

    /// Allow the code to read files of this machine by absolute path (`file('/etc/motd')`); without it their
    /// contents are unknown
    #[arg(long)]
    this_machine: bool,

    /// Maximum number of evaluation steps [default: five million]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EvalFormat {
    /// Value in Puppet notation; logs and errors on standard error
    Text,
    /// JSON with value (rich data), type, logs and errors
    Json,
}

#[derive(clap::Args, Debug)]
struct SymbolsArguments {
    /// Fuzzy pattern for the names [default: all names]
    #[arg(value_name = "PATTERN", default_value = "", hide_default_value = true)]
    pattern: String,

    /// Only list definitions in this folder or file [default: the root]
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,

    #[command(flatten)]
    answer: AnswerArguments,
}

#[derive(clap::Args, Debug)]
struct PositionArguments {
    /// Position in a file
    #[arg(value_name = "FILE:LINE:COLUMN")]
    position: position::FilePosition,

    #[command(flatten)]
    answer: AnswerArguments,
}

#[derive(clap::Args, Debug)]
struct AnswerArguments {
    /// Folder of an installed Puppet whose documentation is shown, or `none` [default: the usual locations]
    #[arg(long, value_name = "DIR")]
    installed_puppet: Option<String>,

    /// Workspace folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// Ask a background server, which keeps the analysis for the next question. It is started if necessary,
    /// and ends after ten minutes without a question
    #[arg(long)]
    daemon: bool,

    /// Output format: one line per location, beginning with `file:line:column`, or JSON
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum AnswerFormat {
    /// Human-readable text
    Text,
    /// JSON
    Json,
}

#[derive(clap::Args, Debug)]
struct ScipArguments {
    /// Folder to index
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// Output file
    #[arg(long, value_name = "FILE", default_value = "index.scip")]
    output: PathBuf,
}

#[derive(clap::Args, Debug)]
struct StatsArguments {
    /// Files and folders
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Check the files and print memory usage instead
    #[arg(long)]
    memory: bool,

    /// Compile each class for the first platform of its module and print which values remain unknown because
    /// of unsupported Ruby code, most frequent first
    #[arg(long, conflicts_with = "repeat")]
    unknown: bool,

    /// Number of runs per phase; the fastest one is reported
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

#[derive(clap::Args, Debug)]
struct LspArguments {
    /// Use standard input and output; the default, accepted for compatibility with editors
    #[arg(long)]
    stdio: bool,

    /// Log filter for standard error: a level (`info`), or `tracing` directives [default: the environment
    /// variable PUPPET_ANALYZER_LOG, then `warn`]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,

    /// Write a Chrome trace of the session to FILE
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,

    /// Record the session to FILE for `replay`, including file contents, settings and values
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Sources of settings.
#[derive(clap::Args, Clone, Debug)]
struct SettingsArguments {
    /// Read the settings from FILE instead of the nearest `puppet-analyzer.toml`
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    config: Option<PathBuf>,

    /// Ignore all settings files
    #[arg(long)]
    isolated: bool,
}

impl SettingsArguments {
    /// Loads the settings that apply to a folder.
    fn config_in(&self, folder: &Path) -> anyhow::Result<Config> {
        let config = match &self.config {
            _ if self.isolated => Config::default(),
            Some(file) => Config::load_file(file, folder)?,
            None => Config::load(folder)?,
        };
        for line in self.files_in(folder) {
            terminal::verbose::say(|| format!("settings: {line}"));
        }
        Ok(config)
    }

    /// Lists the settings files that apply to a folder, each with its kind.
    fn files_in(&self, folder: &Path) -> Vec<String> {
        let folder = &std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let files = match &self.config {
            _ if self.isolated => return vec!["none, because of `--isolated`".to_owned()],
            Some(file) => {
                RepositorySettings::read(&std::path::absolute(file).unwrap_or_else(|_| file.clone()))
            }
            None => match settings_folder(folder) {
                Some(folder) => RepositorySettings::read(&folder.join(FILE_NAME)),
                None => RepositorySettings::default(),
            },
        };
        let mut lines = Vec::new();
        if let Some((file, _)) = disk::config::user_file() {
            lines.push(format!("user: {}", files::display_path(&file)));
        }
        let lint = puppet_lint_folder(folder);
        for name in disk::config::PUPPET_LINT_FILES.iter().filter(|it| lint.join(it).is_file()) {
            lines.push(format!("puppet-lint: {}", files::display_path(&lint.join(name))));
        }
        lines.extend(files.files().map(|(file, _)| format!("repository: {}", file.to_native())));
        if lines.is_empty() {
            lines.push("no settings files".to_owned());
        }
        lines
    }
}

#[derive(clap::Args, Clone, Debug)]
struct VersionArguments {
    #[command(flatten)]
    source: SettingsArguments,

    /// Puppet version whose defaults apply [default: from `puppet-analyzer.toml`, otherwise 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    puppet_version: Option<VersionArgument>,

    /// Puppet setting `strict` [default: from `puppet-analyzer.toml`, otherwise error for Puppet 8, warning
    /// for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    strict: Option<StrictArgument>,
}

impl VersionArguments {
    /// Loads the settings of a folder and applies these options on top.
    fn config_in(&self, folder: &Path) -> anyhow::Result<Config> {
        let mut config = self.source.config_in(folder)?;
        let settings = &mut config.settings;
        if let Some(version) = self.puppet_version {
            settings.puppet_version = version.into();
        }
        if let Some(strict) = self.strict {
            settings.strict = Some(strict.into());
        }
        Ok(config)
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ReportFormat {
    /// Compiler-style messages
    Text,
    /// One line per finding
    Concise,
    /// JSON array with one object per finding
    Json,
    /// GitHub workflow commands
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// GitLab Code Quality report
    Gitlab,
    /// JUnit XML
    Junit,
}

/// Lowest level of a finding that is reported.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum MinLevel {
    /// Errors
    Error,
    /// Errors, warnings and deprecations
    Warning,
    /// All findings, like `--hints`
    Hint,
}

/// Lowest level of a finding that makes `check` fail.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FailLevel {
    /// Errors
    Error,
    /// Errors, warnings and deprecations
    Warning,
    /// No finding makes the command fail
    Never,
}

/// Order of the findings in a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SortOrder {
    /// Errors first, then everything else; each by path and location
    Level,
    /// By path and location
    Path,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum TreeFormat {
    /// Puppet's own notation, as printed by `puppet parser dump --format pn`
    Pn,
    /// Complete tree with whitespace and comments
    Tree,
    /// Complete tree as JSON
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum VersionArgument {
    #[value(name = "7")]
    Seven,
    #[value(name = "8")]
    Eight,
    /// OpenVox 9
    #[value(name = "9")]
    Nine,
}

impl From<VersionArgument> for ide::PuppetVersion {
    fn from(version: VersionArgument) -> ide::PuppetVersion {
        match version {
            VersionArgument::Seven => ide::PuppetVersion::V7,
            VersionArgument::Eight => ide::PuppetVersion::V8,
            VersionArgument::Nine => ide::PuppetVersion::V9,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum StrictArgument {
    Off,
    Warning,
    Error,
}

impl From<StrictArgument> for ide::Strict {
    fn from(level: StrictArgument) -> ide::Strict {
        match level {
            StrictArgument::Off => ide::Strict::Off,
            StrictArgument::Warning => ide::Strict::Warning,
            StrictArgument::Error => ide::Strict::Error,
        }
    }
}

/// Outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
enum CommandOutcome {
    Clean,
    /// `check` has findings, or a query has no answer.
    Findings,
    /// Input or output failed.
    Failure,
    /// The result is inconclusive: something could not be checked.
    Inconclusive,
}

impl CommandOutcome {
    fn exit_code(self) -> u8 {
        match self {
            CommandOutcome::Clean => 0,
            CommandOutcome::Findings => 1,
            CommandOutcome::Failure => 2,
            CommandOutcome::Inconclusive => 3,
        }
    }
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> ExitCode {
        ExitCode::from(outcome.exit_code())
    }
}

/// A command that starts a server, which is run by the caller of [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerCommand {
    /// Start the language server on standard input and output.
    Lsp {
        /// Log filter: a level, or `tracing` directives.
        log: Option<String>,
        /// Path of a Chrome trace to write.
        profile: Option<PathBuf>,
        /// Path of a recording to write.
        record: Option<PathBuf>,
    },
    /// Replay a recorded session.
    Replay { file: PathBuf },
}

/// Inserts the command `lint` if the binary is named `puppet-lint`.
fn as_puppet_lint(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let name = arguments.first().and_then(|it| Path::new(it).file_stem());
    if name.is_some_and(|it| it == "puppet-lint") {
        arguments.insert(1, "lint".into());
    }
    arguments
}

/// Runs the program with its arguments, including the program name. `serve` runs the commands that start a
/// server. Returns exit code 2 for usage errors.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    serve: impl FnOnce(ServerCommand) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let arguments = match CommandLine::try_parse_from(as_puppet_lint(arguments)) {
        Ok(arguments) => arguments,
        Err(answer) => return print_answer(&answer),
    };
    let color = arguments.color;
    if arguments.verbose {
        terminal::verbose::enable();
    }
    // A server is terminated by its editor.
    if !matches!(arguments.command, Command::Lsp(_) | Command::Replay { .. }) {
        disk::partial::end_when_interrupted();
    }
    let result = match arguments.command {
        Command::Lsp(LspArguments { stdio: _, log, profile, record }) => {
            serve(ServerCommand::Lsp { log, profile, record })
        }
        Command::Replay { file } => serve(ServerCommand::Replay { file }),
        command => run_command(command, color).map(ExitCode::from),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::print_error(color, &format!("{error:#}"));
            CommandOutcome::Failure.into()
        }
    }
}

/// Runs a command that does not start a language server.
fn run_command(command: Command, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    match command {
        Command::Ci(arguments) => ci::run(&arguments, color),
        Command::Init(arguments) => init::run(&arguments, color),
        Command::Check(check) => check::run(&check, color),
        Command::Lint { arguments } => lint::run(&arguments, color),
        Command::Format(arguments) => format::run(&arguments, color),
        Command::Parse(parse) => parse::run(&parse, color),
        Command::Eval(arguments) => eval::run(&arguments, color),
        Command::Compile(arguments) => compile::run(&arguments, color),
        Command::Lookup(arguments) => lookup::run(&arguments, color),
        Command::Diff(arguments) => diff::run(&arguments, color),
        Command::Facts(command) => fetch::run(&command),
        Command::Symbols(symbols) => answer(&symbols.answer, color, || symbols::run(&symbols)),
        Command::Hover(arguments) => answer(&arguments.answer, color, || hover::run(&arguments)),
        Command::Definition(arguments) => answer(&arguments.answer, color, || definition::run(&arguments)),
        Command::References(arguments) => answer(&arguments.answer, color, || references::run(&arguments)),
        Command::Daemon { socket } => daemon::serve(&socket),
        Command::Scip(arguments) => scip::run(&arguments),
        Command::Rules { group, json, format } => {
            let is_json = json || format == AnswerFormat::Json;
            rules::list(group.as_deref(), is_json, color)
        }
        Command::Explain { rule } => rules::explain(&rule, color),
        Command::Stats(stats) => stats::run(&stats, color),
        Command::Completions { shell } => completions(shell),
        Command::Man { output } => manual::run(output.as_deref()),
        // Started by the caller.
        Command::Lsp(_) | Command::Replay { .. } => Ok(CommandOutcome::Failure),
    }
}

/// Asks the background server if that is wanted and possible, and runs the command otherwise.
fn answer(
    arguments: &AnswerArguments,
    color: ColorChoice,
    run: impl FnOnce() -> anyhow::Result<CommandOutcome>,
) -> anyhow::Result<CommandOutcome> {
    let answered = arguments.daemon.then(|| daemon::ask(&arguments.root, color)).flatten();
    answered.unwrap_or_else(run)
}

/// Prints the requested help or a usage error.
fn print_answer(answer: &clap::Error) -> ExitCode {
    let written = answer.print().and_then(|()| io::stdout().flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            terminal::print_error(ColorChoice::Auto, &error.to_string());
            CommandOutcome::Failure.into()
        }
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
    }
}

/// Returns true if the reader of the output has closed the pipe, which is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
    })
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<CommandOutcome> {
    let mut program = CommandLine::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "puppet-analyzer", &mut script);
    let mut script = String::from_utf8(script)?;
    match shell {
        // clap_complete derives two different names from a program name with a hyphen, so that nothing after a
        // command would be completed.
        clap_complete::Shell::Bash => script = script.replace("puppet__subcmd__analyzer", "puppet__analyzer"),
        clap_complete::Shell::Fish => script += &fish_values(&program),
        _ => {}
    }
    terminal::print_bytes(script.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

/// Returns completions of the values of positional arguments, which clap_complete does not generate for fish.
fn fish_values(program: &clap::Command) -> String {
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let values = command.get_positionals().flat_map(clap::Arg::get_possible_values);
        for value in values {
            let (command, value) = (command.get_name(), value.get_name());
            let condition = format!("__fish_puppet_analyzer_using_subcommand {command}");
            lines += &format!("complete -c puppet-analyzer -n \"{condition}\" -f -a \"{value}\"\n");
        }
    }
    lines
}
