//! `parse`: prints the syntax tree of a file.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};
use syntax::{Language, Severity, SyntaxElement, SyntaxNode};

use super::printed_diagnostic::printed;
use super::workspace::{self, Workspace};
use super::{ColorChoice, CommandOutcome, files, report, terminal};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer parse manifests/site.pp
  puppet-analyzer parse --format tree templates/motd.epp
  echo 'notice(1 + 2)' | puppet-analyzer parse -";

#[derive(clap::Args, Debug)]
pub(super) struct ParseArguments {
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

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TreeFormat {
    /// Puppet's own notation, as printed by `puppet parser dump --format pn`
    Pn,
    /// Complete tree with whitespace and comments
    Tree,
    /// Complete tree as JSON
    Json,
}

pub(super) fn run(arguments: &ParseArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let is_stdin = arguments.file == Path::new("-");
    let read = if is_stdin {
        files::read_stdin(Path::new("<stdin>"))
    } else {
        files::read_named_text(&arguments.file)
    };
    let text = match read.and_then(|it| files::bounded_text(&arguments.file, it, ide::MAX_TEXT_LENGTH)) {
        Ok(text) => text,
        Err(failure) => {
            terminal::print_error(color, &failure.to_string());
            return Ok(CommandOutcome::Failure);
        }
    };
    let language = match arguments {
        ParseArguments { tasks: true, .. } => Language::Plan,
        ParseArguments { epp: true, .. } => Language::Epp,
        _ => language_of(&arguments.file, &text),
    };
    // Dropping a tree is recursive, so it must happen on a deep stack as well.
    files::on_deep_stack(|| print_tree(arguments, color, &text, language))?
}

/// Returns the language of a file according to its path.
fn language_of(path: &Path, text: &str) -> Language {
    let source = (path.to_owned(), text.into());
    let workspace = Workspace::new(ide::Settings::default(), &[path.to_owned()], std::iter::once(source));
    let analysis = workspace.analysis();
    workspace::file(&analysis, path).and_then(|file| analysis.language(file).ok()).unwrap_or_default()
}

fn print_tree(
    arguments: &ParseArguments,
    color: ColorChoice,
    text: &str,
    language: Language,
) -> anyhow::Result<CommandOutcome> {
    let parse = syntax::parse(text, language);
    let is_refused = parse.errors().iter().any(|it| it.severity() == Severity::Error);

    if !parse.errors().is_empty() {
        let path = if arguments.file == Path::new("-") { Path::new("<stdin>") } else { &arguments.file };
        let styled = terminal::stderr_has_color(color);
        let errors = parse.errors().iter().map(ide::Diagnostic::from).collect();
        let found = printed(text, errors, &|_| None);
        let rendered = report::text::render_file(&files::display_path(path), text, &found, styled);
        terminal::print_to_stderr(&rendered);
    }
    match arguments.format {
        TreeFormat::Pn if is_refused => {}
        TreeFormat::Pn => terminal::print_text(&(syntax::pn::to_pn(&parse) + "\n"), false)?,
        TreeFormat::Tree => terminal::print_text(&parse.syntax().dump(), false)?,
        TreeFormat::Json => terminal::print_json(&json_node(&parse.syntax()))?,
    }
    Ok(if is_refused { CommandOutcome::Findings } else { CommandOutcome::Clean })
}

/// Converts a node with its children, or a token with its text. `start` and `end` are byte offsets.
fn json_node(node: &SyntaxNode) -> Value {
    let children: Vec<Value> = node
        .children_with_tokens()
        .map(|child| match child {
            SyntaxElement::Node(node) => json_node(&node),
            SyntaxElement::Token(token) => {
                let range = token.text_range();
                json!({ "kind": token.kind().name(), "start": range.start, "end": range.end, "text": token.text() })
            }
        })
        .collect();
    let range = node.text_range();
    json!({ "kind": node.kind().name(), "start": range.start, "end": range.end, "children": children })
}
