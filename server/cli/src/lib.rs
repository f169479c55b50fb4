//! The command line: arguments, what runs for them, and the exit code.

mod check;
mod compile;
mod definition;
mod diff;
mod eval;
mod files;
mod format;
mod hover;
mod lint;
mod lookup;
mod parse;
mod place;
mod printed_diagnostic;
mod progress;
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
use disk::config::Config;

const EXAMPLES: &str = "\
Examples:
  puppet-analyzer check                       check everything under the current folder
  puppet-analyzer check site-modules manifests/site.pp
  puppet-analyzer check --format sarif . > findings.sarif
  git show HEAD:manifests/site.pp | puppet-analyzer check --stdin-path manifests/site.pp -
  puppet-analyzer format                      lay out all manifests as the style guide wants it
  puppet-analyzer explain unused-variable     what a finding means, and how to fix it
  puppet-analyzer parse --format tree manifests/site.pp
  puppet-analyzer eval -e '[1, 2].map |$x| { $x * 2 }'
  puppet-analyzer eval                        a prompt to try code
  puppet-analyzer compile --all               does every node compile, on every platform?
  puppet-analyzer symbols apache              where is what is called like that?
  puppet-analyzer references manifests/init.pp:12:7
  puppet-analyzer lsp                         speak LSP with an editor";

const CHECK_EXAMPLES: &str = "\
Exit codes:
  0  nothing found; what was not looked at is told
  1  something found; with --deny-open, or something was not looked at
  2  wrong usage, or a file that could not be read; with --require-files, or there is none

Examples:
  puppet-analyzer check
  puppet-analyzer check --format github .
  puppet-analyzer check --puppet-version 7 modules
  puppet-analyzer check --select style --fix
  puppet-analyzer check --since origin/main
  puppet-analyzer check --upgrade-to 8 --compile
  puppet-analyzer check --baseline known.json --write-baseline
  cat site.pp | puppet-analyzer check -";

const FORMAT_EXAMPLES: &str = "\
What stands between `# format:off` and `# format:on`, and the statement behind `# format:ignore`, stays as it is.

Exit codes:
  0  done; with --check or --diff, nothing would change
  1  with --check or --diff, something would change
  2  wrong usage, or a file that could not be read, written or laid out as a whole

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
  0  it has a value
  1  it fails
  2  wrong usage, or a file that could not be read

Examples:
  puppet-analyzer eval -e '\"1.2.3\".split(/[.]/).map |$x| { Integer($x) }'
  puppet-analyzer eval --facts facts.json script.pp
  puppet-analyzer eval --format json -e 'type(1)'
  puppet-analyzer eval                        a prompt, when on a terminal";

const COMPILE_EXAMPLES: &str = "\
Exit codes:
  0  it compiles, or all does; what was not looked at is told
  1  it does not, or with --all, something does not; with --deny-open, or something was not looked at
  2  wrong usage, or something that could not be read
  3  there is no catalog and nobody knows whether Puppet has one, as a limit was reached

Examples:
  puppet-analyzer compile --os debian12 web1.example.com
  puppet-analyzer compile --class profile::web --os 'RHEL 9' --format json
  puppet-analyzer compile --code 'include apache' --modulepath modules --facts facts.json
  puppet-analyzer compile --all               every node, or every class, on every platform
  puppet-analyzer compile --class ntp --os debian12 --format dot | dot -Tsvg > ntp.svg";

const LOOKUP_EXAMPLES: &str = "\
Exit codes:
  0  there is a value
  1  nothing has one
  2  wrong usage, or something that could not be read or that Puppet refuses
  3  it is not known: a level of the hierarchy depends on facts, or a function in Ruby gives it

Examples:
  puppet-analyzer lookup --os debian12 profile::web::service_name
  puppet-analyzer lookup --explain --facts web1.json --node web1.example.com ntp::servers
  puppet-analyzer lookup --merge unique --os rhel9 classes";

const DIFF_EXAMPLES: &str = "\
Exit codes:
  0  nothing differs, and all was looked at
  1  something differs
  2  wrong usage, or something that could not be read
  3  nothing is known to differ, but not all could be compared

Examples:
  puppet-analyzer diff                        what the changes since the last commit do
  puppet-analyzer diff --base origin/main --format markdown
  puppet-analyzer diff --os debian12 web1.example.com db1.example.com
  puppet-analyzer diff --class profile::web --format json";

const SYMBOLS_EXAMPLES: &str = "\
Exit codes:
  0  something has such a name
  1  nothing has
  2  wrong usage, or a folder that could not be read

Examples:
  puppet-analyzer symbols
  puppet-analyzer symbols prweb               finds `profile::web`
  puppet-analyzer symbols --path site-modules --format json";

const PLACE_EXIT_CODES: &str = "\
Lines and columns count from 1, columns in characters.

Exit codes:
  0  there is an answer
  1  nothing is known of that place
  2  wrong usage, or a file that could not be read

Examples:
  puppet-analyzer hover manifests/init.pp:12:7
  puppet-analyzer definition manifests/init.pp:12:7
  puppet-analyzer references --format json --root .. manifests/init.pp:12:7";

/// A language server and checker for the Puppet language
#[derive(Parser, Debug)]
#[command(name = "puppet-analyzer", version, after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,

    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Report what is wrong in Puppet files
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Look for what puppet-lint and the plugins of Vox Pupuli look for, with puppet-lint's options
    #[command(disable_help_flag = true)]
    Lint {
        /// puppet-lint's options, files and folders; `--help` lists them
        #[arg(value_name = "OPTION|PATH", trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Lay out manifests as the style guide wants it, without changing what they mean
    #[command(after_help = FORMAT_EXAMPLES)]
    Format(format::FormatArguments),
    /// Print how a file is understood
    #[command(after_help = PARSE_EXAMPLES)]
    Parse(ParseArguments),
    /// Evaluate Puppet code and print its value
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(EvalArguments),
    /// Compile catalogs as a Puppet server does, and print them, or why they do not compile
    #[command(after_help = COMPILE_EXAMPLES)]
    Compile(Box<compile::CompileArguments>),
    /// Say what Hiera has for a key, and how it comes to that
    #[command(after_help = LOOKUP_EXAMPLES)]
    Lookup(Box<lookup::LookupArguments>),
    /// Compile catalogs before and after a change, and print what differs
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(Box<diff::DiffArguments>),
    /// List the definitions of a folder by name: classes, defined types, functions, plans, types, nodes
    #[command(after_help = SYMBOLS_EXAMPLES)]
    Symbols(SymbolsArguments),
    /// Say what the thing at a place is, and what it is worth
    #[command(after_help = PLACE_EXIT_CODES)]
    Hover(PlaceArguments),
    /// Find where the thing that is named at a place is made
    #[command(after_help = PLACE_EXIT_CODES)]
    Definition(PlaceArguments),
    /// Find everything that names the thing at a place
    #[command(after_help = PLACE_EXIT_CODES)]
    References(PlaceArguments),
    /// Write an index of the code for code search and review, in the format SCIP
    Scip(ScipArguments),
    /// List the rules: what findings there are
    Rules {
        /// How they are printed
        #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
        format: AnswerFormat,
        /// The same as `--format json`
        #[arg(long, hide = true)]
        json: bool,
    },
    /// Explain a rule: what it finds, why, and how to fix it
    Explain {
        /// The rule, as findings name it
        #[arg(value_name = "RULE")]
        rule: String,
    },
    /// Time each phase of the work over a tree of files
    Stats(StatsArguments),
    /// Speak LSP with an editor over the standard input and output
    Lsp(LspArguments),
    /// Play a recorded session against a fresh server and print what the server says
    Replay {
        /// A file that `lsp --record` wrote
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in the format of `man`
    Man,
}

#[derive(clap::Args, Debug)]
struct CheckArguments {
    /// Files and folders; `-` is the standard input. Folders are searched for `.pp` and `.epp` files, ignore files
    /// are respected
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,

    #[command(flatten)]
    version: VersionArguments,

    /// The path that the standard input stands for; it decides the language and where definitions may stand
    #[arg(long, value_name = "PATH")]
    stdin_path: Option<PathBuf>,

    /// Report hints too: what is worth a look, no more. They do not count for the exit code
    #[arg(long)]
    hints: bool,
    /// Compile the classes of modules for each platform that they support, too: this takes longer
    #[arg(long)]
    compile: bool,

    /// With --compile: something that was not looked at counts for the exit code, too
    #[arg(long, requires = "compile")]
    deny_open: bool,

    /// Mend what can be mended without a change of what the code does, and report what is left
    #[arg(long)]
    fix: bool,

    /// With --fix: change nothing, and print what would change
    #[arg(long, requires = "fix")]
    diff: bool,

    /// With --fix: make the fixes, too, that may change what the code does
    #[arg(long, requires = "fix")]
    unsafe_fixes: bool,

    /// Report only what is on lines that have changed since a revision of Git
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// Report only what FILE does not have: findings are known by their rule and by what their line says
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// With --baseline: write what is found now into FILE, and report nothing
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "since"])]
    write_baseline: bool,

    /// Report only what is found for this version of Puppet and not for the one before: what an upgrade needs. With --compile,
    /// catalogs are compiled for both
    #[arg(long, value_enum, value_name = "VERSION", conflicts_with = "puppet_version")]
    upgrade_to: Option<UpgradeArgument>,

    /// Print how often each rule has found something
    #[arg(long)]
    statistics: bool,

    /// Rules and groups of rules to report beside those that are reported anyway: names, with commas between them
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,

    /// Rules and groups of rules not to report
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Fail when there is no file to check
    #[arg(long)]
    require_files: bool,

    /// How many threads work [default: one per core, at least 2]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Write where the time goes to FILE, as a Chrome trace
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct ParseArguments {
    /// A file; `-` is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What is printed
    #[arg(long, value_enum, default_value_t = TreeFormat::Pn)]
    format: TreeFormat,

    /// Read the file as a plan: `plan` and `apply` are keywords
    #[arg(long)]
    tasks: bool,

    /// Read the file as an EPP template, whatever its name
    #[arg(long, conflicts_with = "tasks")]
    epp: bool,
}

#[derive(clap::Args, Debug)]
struct EvalArguments {
    /// Code to evaluate
    #[arg(short, long, value_name = "CODE", conflicts_with = "file")]
    expression: Option<String>,

    /// A file to evaluate; `-` is the standard input [default: a prompt on a terminal, else the standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Facts, as `facter --json` prints them
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// How the value is printed
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    format: EvalFormat,

    /// The Puppet version whose defaults hold [default: 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    puppet_version: Option<VersionArgument>,

    /// Puppet's setting `strict` [default: error for Puppet 8, warning for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    strict: Option<StrictArgument>,

    /// Read the files of this machine that the code names by full paths (`file('/etc/motd')`); without it what they hold is
    /// not known
    #[arg(long)]
    this_machine: bool,

    /// How many steps the evaluation may take [default: five million]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum EvalFormat {
    /// The value in Puppet notation, log messages and errors on the standard error
    Text,
    /// The value as rich data, its type, log messages and errors with their places
    Json,
}

#[derive(clap::Args, Debug)]
struct SymbolsArguments {
    /// Letters of the names, in their order [default: all names]
    #[arg(value_name = "PATTERN", default_value = "", hide_default_value = true)]
    pattern: String,

    /// Only what this folder or file defines [default: the root]
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,

    #[command(flatten)]
    answer: AnswerArguments,
}

#[derive(clap::Args, Debug)]
struct PlaceArguments {
    /// A place in a file
    #[arg(value_name = "FILE:LINE:COLUMN")]
    place: place::FilePosition,

    #[command(flatten)]
    answer: AnswerArguments,
}

#[derive(clap::Args, Debug)]
struct AnswerArguments {
    /// The folder of an installed Puppet whose documentation is shown, or `none` [default: the usual places]
    #[arg(long, value_name = "DIR")]
    installed_puppet: Option<String>,

    /// The folder of the workspace
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum AnswerFormat {
    /// For people: one line for each place, `file:line:column` first
    Text,
    /// For programs
    Json,
}

#[derive(clap::Args, Debug)]
struct ScipArguments {
    /// The folder whose files are in the index
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "index.scip")]
    output: PathBuf,
}

#[derive(clap::Args, Debug)]
struct StatsArguments {
    /// Files and folders
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,

    /// Check the files instead, and print what takes the memory
    #[arg(long)]
    memory: bool,

    /// What stays unknown when each class is compiled for the first platform of its module, and why: the Ruby that is not
    /// understood, worst first
    #[arg(long, conflicts_with = "repeat")]
    unknown: bool,

    /// How often each phase runs; the fastest run counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

#[derive(clap::Args, Debug)]
struct LspArguments {
    /// The default, and the only way; editors like to say so
    #[arg(long)]
    stdio: bool,

    /// What is logged to the standard error: a level (`info`), or directives as `tracing` knows them
    /// [default: the environment variable PUPPET_ANALYZER_LOG, then `warn`]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,

    /// Write where the time goes to FILE, as a Chrome trace
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,

    /// Record the session in FILE, for `replay`: all that is said, texts of files, settings and values included
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(clap::Args, Clone, Debug)]
struct VersionArguments {
    /// The Puppet version whose defaults hold [default: what `puppet-analyzer.toml` says, then 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    puppet_version: Option<VersionArgument>,

    /// Puppet's setting `strict` [default: what `puppet-analyzer.toml` says, then error for Puppet 8, warning for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    strict: Option<StrictArgument>,
}

impl VersionArguments {
    /// The settings of `puppet-analyzer.toml` in a folder, and on top of them what the user says.
    fn config_in(&self, folder: &Path) -> anyhow::Result<Config> {
        let mut config = Config::load(folder)?;
        let settings = &mut config.settings;
        match self.puppet_version {
            Some(VersionArgument::Seven) => settings.puppet_version = ide::PuppetVersion::V7,
            Some(VersionArgument::Eight) => settings.puppet_version = ide::PuppetVersion::V8,
            None => {}
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
    /// Like a compiler, for people
    Text,
    /// A line for each finding
    Concise,
    /// A JSON array, one object per finding
    Json,
    /// Workflow commands that annotate a pull request on GitHub
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A report of Code Quality, for GitLab
    Gitlab,
    /// JUnit's XML
    Junit,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum TreeFormat {
    /// Puppet's own notation, as `puppet parser dump --format pn` prints it
    Pn,
    /// The whole tree with blanks and comments
    Tree,
    /// The whole tree as JSON
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum VersionArgument {
    #[value(name = "7")]
    Seven,
    #[value(name = "8")]
    Eight,
}

/// A version of Puppet that another one comes before.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum UpgradeArgument {
    #[value(name = "8")]
    Eight,
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

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum CommandOutcome {
    Clean,
    /// `check` has found something; a question has no answer.
    Findings,
    /// Input or output failed.
    Failure,
    /// Nothing was found, but something could not be looked at; an answer is not known.
    Open,
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> ExitCode {
        ExitCode::from(match outcome {
            CommandOutcome::Clean => 0,
            CommandOutcome::Findings => 1,
            CommandOutcome::Failure => 2,
            CommandOutcome::Open => 3,
        })
    }
}

/// A command that is not carried out here: it starts a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerCommand {
    /// Speak LSP over the standard input and output.
    Lsp {
        /// What is logged: a level, or directives as `tracing` knows them.
        log: Option<String>,
        /// Where to write a Chrome trace of the session.
        profile: Option<PathBuf>,
        /// Where to record the messages of the session.
        record: Option<PathBuf>,
    },
    /// Play a session that was recorded in a file.
    Replay { file: PathBuf },
}

/// A binary that is called `puppet-lint` is the command `lint`.
fn as_puppet_lint(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let name = arguments.first().and_then(|it| Path::new(it).file_stem());
    if name.is_some_and(|it| it == "puppet-lint") {
        arguments.insert(1, "lint".into());
    }
    arguments
}

/// Runs the program with its arguments, the program's name first; `serve` carries out the commands that start a server. Wrong
/// usage gives code 2.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    serve: impl FnOnce(ServerCommand) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let arguments = match CommandLine::try_parse_from(as_puppet_lint(arguments)) {
        Ok(arguments) => arguments,
        Err(answer) => return print_answer(&answer),
    };
    let color = arguments.color;
    // A server ends as its editor wants it.
    if !matches!(arguments.command, Command::Lsp(_) | Command::Replay { .. }) {
        files::partial::end_when_interrupted();
    }
    let result = match arguments.command {
        Command::Check(check) => check::run(&check, color).map(ExitCode::from),
        Command::Lint { arguments } => lint::run(&arguments, color).map(ExitCode::from),
        Command::Format(arguments) => format::run(&arguments, color).map(ExitCode::from),
        Command::Parse(parse) => parse::run(&parse, color).map(ExitCode::from),
        Command::Eval(arguments) => eval::run(&arguments, color).map(ExitCode::from),
        Command::Compile(arguments) => compile::run(&arguments, color).map(ExitCode::from),
        Command::Lookup(arguments) => lookup::run(&arguments, color).map(ExitCode::from),
        Command::Diff(arguments) => diff::run(&arguments, color).map(ExitCode::from),
        Command::Symbols(symbols) => symbols::run(&symbols).map(ExitCode::from),
        Command::Hover(arguments) => hover::run(&arguments).map(ExitCode::from),
        Command::Definition(arguments) => definition::run(&arguments).map(ExitCode::from),
        Command::References(arguments) => references::run(&arguments).map(ExitCode::from),
        Command::Scip(arguments) => scip::run(&arguments).map(ExitCode::from),
        Command::Rules { json, format } => {
            rules::list(json || format == AnswerFormat::Json).map(ExitCode::from)
        }
        Command::Explain { rule } => rules::explain(&rule).map(ExitCode::from),
        Command::Stats(stats) => stats::run(&stats, color).map(ExitCode::from),
        Command::Lsp(LspArguments { stdio: _, log, profile, record }) => {
            serve(ServerCommand::Lsp { log, profile, record })
        }
        Command::Replay { file } => serve(ServerCommand::Replay { file }),
        Command::Completions { shell } => completions(shell).map(ExitCode::from),
        Command::Man => manual().map(ExitCode::from),
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

/// Prints the help that was asked for, or what is wrong with the arguments.
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

/// Whoever read our output went away, which is no trouble of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// The page of the program, and behind it those of its commands.
fn manual() -> anyhow::Result<CommandOutcome> {
    let mut page = Vec::new();
    let mut program = CommandLine::command().name("puppet-analyzer");
    program.build();
    let commands = program.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help");
    let of_commands: Vec<_> = commands.map(|it| clap_mangen::Man::new(it.clone())).collect();
    clap_mangen::Man::new(program).render(&mut page)?;
    for command in of_commands {
        command.render_name_section(&mut page)?;
        command.render_synopsis_section(&mut page)?;
        command.render_options_section(&mut page)?;
    }
    terminal::print_bytes(&page)?;
    Ok(CommandOutcome::Clean)
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "puppet-analyzer", &mut script);
    terminal::print_bytes(&script)?;
    Ok(CommandOutcome::Clean)
}
