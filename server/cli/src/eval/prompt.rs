//! Interactive prompt.

use std::path::PathBuf;

use eval::Session;
use rustyline::error::ReadlineError;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Completer, Editor, Helper, Highlighter, Hinter};
use syntax::Language;

use super::messages::{print_diagnostics, print_logs};
use crate::{ColorChoice, CommandOutcome, terminal};

const HELP: &str = "\
:type EXPR   print the type of an expression
:help        print this help
:quit        quit (also Ctrl-D)
Everything else is evaluated. Variables, functions and types are kept. Incomplete code continues on the next line.
";

/// Runs the prompt until the end of input.
pub(super) fn run(mut session: Session, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let mut editor: Editor<IncompleteCode, _> = Editor::new()?;
    editor.set_helper(Some(IncompleteCode));
    let history = history_file();
    if let Some(file) = &history {
        // The file does not exist the first time.
        let _ = editor.load_history(file);
    }
    let mut count = 0;
    loop {
        let line = match editor.readline("puppet> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.into()),
        };
        if line.trim().is_empty() {
            continue;
        }
        // The prompt also works without a history.
        let _ = editor.add_history_entry(line.as_str());
        match command(line.trim()) {
            PromptCommand::Quit => break,
            PromptCommand::Help => terminal::print_bytes(HELP.as_bytes())?,
            PromptCommand::Unknown(name) => {
                terminal::print_to_stderr(&format!(
                    "unknown command `:{name}`; `:help` lists all commands\n"
                ));
            }
            PromptCommand::Evaluate { code, shows_type } => {
                count += 1;
                let evaluation = session.evaluate(&format!("<{count}>"), code);
                print_logs(&evaluation, color);
                match &evaluation.result {
                    Ok(value) => {
                        let text = session.with_world(|world| {
                            if shows_type {
                                types::display::type_text(&types::infer::infer_set(value, world), world)
                            } else {
                                types::text::to_notation(value, world)
                            }
                        });
                        terminal::print_text(&format!("{text}\n"), false)?;
                    }
                    Err(diagnostics) => print_diagnostics(&session, diagnostics, color),
                }
            }
        }
    }
    if let Some(file) = &history {
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = editor.save_history(file);
    }
    Ok(CommandOutcome::Clean)
}

enum PromptCommand<'l> {
    Evaluate { code: &'l str, shows_type: bool },
    Help,
    Quit,
    Unknown(&'l str),
}

fn command(line: &str) -> PromptCommand<'_> {
    let Some(rest) = line.strip_prefix(':').filter(|rest| !rest.starts_with(':')) else {
        return PromptCommand::Evaluate { code: line, shows_type: false };
    };
    let (name, code) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match name {
        "t" | "type" => PromptCommand::Evaluate { code, shows_type: true },
        "h" | "help" | "?" => PromptCommand::Help,
        "q" | "quit" | "exit" => PromptCommand::Quit,
        _ => PromptCommand::Unknown(name),
    }
}

/// Returns `$XDG_STATE_HOME/puppet-analyzer/history`, which defaults to `~/.local/state`.
fn history_file() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_STATE_HOME").filter(|it| !it.is_empty()).map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(folder.join("puppet-analyzer").join("history"))
}

/// Validator that requests another line while the code is incomplete.
#[derive(Completer, Helper, Highlighter, Hinter)]
struct IncompleteCode;

impl Validator for IncompleteCode {
    fn validate(&self, ctx: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let code = match command(ctx.input().trim_end()) {
            PromptCommand::Evaluate { code, .. } => code,
            _ => return Ok(ValidationResult::Valid(None)),
        };
        Ok(if is_incomplete(code) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// Returns true if the code ends too early: inside brackets or a string, or after an operator. An empty line
/// at the end submits it anyway.
fn is_incomplete(code: &str) -> bool {
    if code.ends_with('\n') {
        return false;
    }
    let parse = syntax::parse(code, Language::Manifest);
    if parse.errors().is_empty() {
        return false;
    }
    let tokens = parse.syntax().descendants_with_tokens().filter_map(syntax::SyntaxElement::into_token);
    let depth: i32 = tokens
        .map(|token| match token.text() {
            "(" | "[" | "{" | "${" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        })
        .sum();
    let ends_in_operator =
        code.trim_end().ends_with(['+', '*', '/', ',', '=', '>', '<', '|', '~', '-', '?', '@', '.']);
    let is_unclosed = |error: &syntax::TextFinding| error.code.is_unclosed();
    depth > 0 || ends_in_operator || parse.errors().iter().any(is_unclosed)
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
