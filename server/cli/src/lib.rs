//! The command line: dispatch to the commands, and exit codes.
//!
//! One file or folder per command. `check` uses the same analysis as an editor, so both report the same.
//! **Output does not depend on the number of threads.**
//!
//! * The arguments of a command are beside it; `cli_common::arguments` has those that several commands share.
//! * `cli_common` has what commands share: `workspace` loads a project, `files` reads and checks files in
//!   parallel within the limits of `measure::work`, and `report` has one file per output format.
//! * `check/run` has the phases of a check, `check/reporting` its report and outcome.
//! * `compile`, `lookup` and `diff` request catalogs from `ide`; `hiera_view` renders lookups. `cli_common::subject` determines project,
//!   node, and facts; `comparison::base` loads a Git revision into a second analysis and reports what is unknown about it.
//! * `ci` and `daemon` run other commands and capture their output; `init` writes files that configure them.
//! * `rewrite` applies the rewrites of modules after `diff/proof` has compared their catalogs.
//! * `position` is shared by `hover`, `definition` and `references`; `scip` exports occurrences in that
//!   format. `parse` and `stats` use `syntax` directly.
//! * `cli_common::terminal` is the only code that prints, so that control characters are escaped.

mod check;
mod ci;
mod compile;
mod completions;
mod daemon;
mod diff;
mod docs;
mod eval;
mod fetch;
mod format;
mod hiera;
mod impact;
mod init;
mod lookup;
mod manual;
mod parse;
mod position;
mod rewrite;
mod rules;
mod scip;
mod stats;
mod symbols;
mod unused;

use cli_common::{
    ColorChoice, CommandOutcome, arguments, files, printed_diagnostic, report, terminal, workspace,
};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use arguments::{AnswerArguments, AnswerFormat};

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

const DIFF_EXAMPLES: &str = "\
Exit codes:
  0  no differences
  1  differences
  2  usage error, or unreadable input
  3  no known differences, but some catalogs could not be compared; with `--nodes` also if there are differences
With `--format octocatalog`, the codes are those of octocatalog-diff: 0 no differences, 2 differences, 1 failure.

Examples:
  puppet-analyzer diff                        compare with the last commit
  puppet-analyzer diff --base origin/main --format markdown
  puppet-analyzer diff --os debian12 web1.example.com db1.example.com
  puppet-analyzer diff --class profile::web --format json
  puppet-analyzer diff --base origin/main --nodes nodes.snapshot
  puppet-analyzer diff --base origin/main --nodes nodes.snapshot --shard 1/8 --output shard1
  puppet-analyzer diff merge shard1 shard2 … --format json
  puppet-analyzer diff --ignore 'File[/etc/*]::parameters::mode' --format octocatalog web1.example.com
  puppet-analyzer diff --from-catalog before.json --to-catalog after.json";

const FETCH_EXAMPLES: &str = "\
Exit codes:
  0  snapshot written
  2  usage error, PuppetDB failed, or it has no such nodes; nothing is written

Examples:
  puppet-analyzer facts fetch --puppetdb https://puppetdb.example.com:8081 --cacert ca.pem --cert me.pem --key key.pem
  puppet-analyzer facts fetch --nodes C:profile::web --drop ssh uptime --mask --output web.snapshot
  puppet-analyzer facts fetch --query 'nodes[certname] { facts_environment = \"production\" }'";

const LSP_EXAMPLES: &str = "\
Examples:
  puppet-analyzer lsp
  puppet-analyzer lsp --log info
  puppet-analyzer lsp --record session.jsonl";

const REPLAY_EXAMPLES: &str = "\
Examples:
  puppet-analyzer replay session.jsonl";

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
    #[command(after_help = init::EXAMPLES)]
    Init(init::InitOptions),
    /// Check Puppet code for errors
    #[command(after_help = check::EXAMPLES)]
    Check(Box<check::CheckArguments>),
    /// Run all checks on a change and report the results
    #[command(after_help = ci::EXAMPLES)]
    Ci(ci::CiArguments),
    /// Run the checks of puppet-lint and Vox Pupuli's plugins, with puppet-lint's options
    #[command(disable_help_flag = true, after_help = cli_lint::EXAMPLES)]
    Lint {
        /// puppet-lint options, files and folders; see `puppet-analyzer lint --help`
        #[arg(value_name = "OPTION|PATH", trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Format manifests according to the Puppet style guide
    #[command(after_help = format::EXAMPLES)]
    Format(format::FormatArguments),
    /// Print the syntax tree of a file
    #[command(after_help = parse::EXAMPLES)]
    Parse(parse::ParseArguments),
    /// Evaluate Puppet code and print its value
    #[command(after_help = eval::EXAMPLES)]
    Eval(eval::EvalArguments),
    /// Compile catalogs like a Puppet server
    #[command(after_help = compile::EXAMPLES)]
    Compile(Box<compile::CompileArguments>),
    /// Look up a key in Hiera and explain the result
    #[command(after_help = lookup::EXAMPLES)]
    Lookup(Box<lookup::LookupArguments>),
    /// List all keys of a node in Hiera, and data that can be removed or moved
    #[command(subcommand, after_help = hiera::EXAMPLES)]
    Hiera(hiera::HieraCommand),
    /// List everything in a control repository that no node can reach
    #[command(after_help = unused::EXAMPLES)]
    Unused(Box<crate::unused::arguments::UnusedArguments>),
    /// Compare catalogs before and after a change
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(Box<crate::diff::arguments::DiffArguments>),
    /// List the nodes whose catalogs contain what a file defines, or a resource
    #[command(after_help = impact::EXAMPLES)]
    Impact(Box<impact::ImpactArguments>),
    /// Fetch the facts of nodes
    #[command(subcommand, after_help = FETCH_EXAMPLES)]
    Facts(fetch::FactsCommand),
    /// List classes, defined types, functions, plans, types and nodes by name
    #[command(after_help = symbols::EXAMPLES)]
    Symbols(symbols::SymbolsArguments),
    /// Show type, value and documentation at a position
    #[command(after_help = position::EXIT_CODES, mut_arg("format", |it| it.help(position::hover::FORMAT_HELP)))]
    Hover(position::PositionArguments),
    /// Find the definition of the symbol at a position
    #[command(after_help = position::EXIT_CODES)]
    Definition(position::PositionArguments),
    /// Find all references to the symbol at a position
    #[command(after_help = position::EXIT_CODES)]
    References(position::PositionArguments),
    /// Write a SCIP index for code search and review tools
    #[command(after_help = scip::EXAMPLES)]
    Scip(scip::ScipArguments),
    /// Write the reference page of a module, as puppet-strings does
    #[command(after_help = docs::EXAMPLES)]
    Docs(docs::DocsArguments),
    /// Rewrite whole modules, and prove that their catalogs stay equal
    #[command(subcommand, after_help = rewrite::EXAMPLES)]
    Rewrite(rewrite::RewriteCommand),
    /// List all rules, or those of a group
    ///
    /// The levels are those of the settings that apply to the current folder.
    #[command(after_help = rules::EXAMPLES)]
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
    #[command(after_help = rules::EXPLAIN_EXAMPLES)]
    Explain {
        /// Name of the rule
        #[arg(value_name = "RULE")]
        rule: String,
    },
    /// Measure the time and memory that each phase takes
    #[command(after_help = stats::EXAMPLES)]
    Stats(crate::stats::arguments::StatsArguments),
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
    #[command(after_help = completions::EXAMPLES)]
    Completions {
        /// Shell to generate the script for
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Generate the man page of the program, or those of all commands
    #[command(after_help = manual::EXAMPLES)]
    Man {
        /// Write one file per command to FOLDER instead of printing the page of the program
        #[arg(long, value_name = "FOLDER")]
        output: Option<PathBuf>,
    },
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
        Command::Lint { arguments } => cli_lint::run(&arguments, color),
        Command::Format(arguments) => format::run(&arguments, color),
        Command::Parse(parse) => parse::run(&parse, color),
        Command::Eval(arguments) => eval::run(&arguments, color),
        Command::Compile(arguments) => compile::run(&arguments, color),
        Command::Lookup(arguments) => lookup::run(&arguments, color),
        Command::Hiera(command) => hiera::run(&command, color),
        Command::Unused(arguments) => unused::run(&arguments, color),
        Command::Impact(arguments) => impact::run(&arguments, color),
        Command::Diff(arguments) => diff::run(&arguments, color),
        Command::Facts(command) => fetch::run(&command, color),
        Command::Symbols(symbols) => answer(&symbols.answer, color, || symbols::run(&symbols)),
        Command::Hover(arguments) => answer(&arguments.answer, color, || position::hover::run(&arguments)),
        Command::Definition(arguments) => {
            answer(&arguments.answer, color, || position::definition::run(&arguments))
        }
        Command::References(arguments) => {
            answer(&arguments.answer, color, || position::references::run(&arguments))
        }
        Command::Daemon { socket } => daemon::serve(&socket),
        Command::Scip(arguments) => scip::run(&arguments),
        Command::Docs(arguments) => docs::run(arguments, color),
        Command::Rewrite(command) => rewrite::run(&command, color),
        Command::Rules { group, json, format } => {
            let is_json = json || format == AnswerFormat::Json;
            rules::list(group.as_deref(), is_json, color)
        }
        Command::Explain { rule } => rules::explain(&rule, color),
        Command::Stats(stats) => stats::run(&stats, color),
        Command::Completions { shell } => completions::run(shell),
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
