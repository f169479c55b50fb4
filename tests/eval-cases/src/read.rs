//! Tables of expressions and their values, `eval/*.md`. README.md describes the grammar.

use std::path::{Path, PathBuf};

use fixture::case_file::{RawCase, read_raw_cases};
use fixture::decode;

/// Source and its recorded result in real Puppet: either `value` and `type`, or `error`.
#[derive(Clone, Debug, Default)]
pub struct EvalCase {
    /// File name and line of the case.
    pub place: String,
    pub source: String,
    pub settings: EvalSettings,
    /// Value of the last expression in Puppet notation; `?` if Puppet cannot print it.
    pub value: Option<String>,
    /// Inferred type of the value as Puppet prints it; `?` if it cannot.
    pub r#type: Option<String>,
    /// Log messages in order, without those of level debug.
    pub logs: Vec<EvalLog>,
    pub error: Option<EvalError>,
}

/// Settings given in the info string of the fence.
#[derive(Clone, Debug)]
pub struct EvalSettings {
    /// `off`, `warning` or `error`.
    pub strict: String,
    pub strict_variables: bool,
    /// Object with the facts, which become `$facts` and top-scope variables.
    pub facts: serde_json::Value,
    /// True if the folder `eval/modules` is the module path.
    pub modules: bool,
    /// True if the source is a whole program, including lazily evaluated parts (nodes, defined
    /// types, collectors).
    pub catalog: bool,
}

impl Default for EvalSettings {
    fn default() -> Self {
        let facts = serde_json::Value::Object(serde_json::Map::new());
        Self { strict: "warning".to_owned(), strict_variables: false, facts, modules: false, catalog: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalLog {
    /// `info`, `notice`, `warning`, `err`, `alert`, `emerg` or `crit`.
    pub level: String,
    pub message: LogMessage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogMessage {
    /// Message written by the program, with `notice()` and similar functions.
    Program(String),
    /// Message written by Puppet, identified by its issue code if it has one.
    Puppet(Option<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// Issue code of Puppet; `ERROR` if there is none, `CRASH` if Puppet itself fails.
    pub code: String,
    /// 1-based line, if Puppet reports one.
    pub line: Option<u32>,
    /// 1-based column in characters.
    pub column: Option<u32>,
}

/// Returns the folder with the tables.
pub(crate) fn eval_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/eval")
}

/// Reads the cases of all tables, sorted by file.
///
/// # Errors
/// Returns an error if a file cannot be read or a line does not follow the grammar.
pub fn read_all_eval_cases() -> Result<Vec<EvalCase>, String> {
    let folder = eval_folder();
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "md"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        cases.extend(read_eval_cases(&name, &text)?);
    }
    Ok(cases)
}

/// Reads the cases of one table.
///
/// # Errors
/// Returns an error if a line does not follow the grammar.
pub fn read_eval_cases(file_name: &str, text: &str) -> Result<Vec<EvalCase>, String> {
    let raw_cases = read_raw_cases(file_name, text, "eval", &["=>", "=:", "=#", "=!"]);
    raw_cases.iter().map(|raw| eval_case(raw).map_err(|error| format!("{}: {error}", raw.place))).collect()
}

fn eval_case(raw: &RawCase) -> Result<EvalCase, String> {
    let mut case = EvalCase {
        place: raw.place.clone(),
        source: text(&raw.source)?,
        settings: settings(&raw.words)?,
        ..EvalCase::default()
    };
    for (mark, rest) in &raw.outcomes {
        match *mark {
            "=>" => case.value = Some(text(rest)?),
            "=:" => case.r#type = Some(text(rest)?),
            "=#" => case.logs.push(log(rest)?),
            _ => case.error = Some(error(rest)?),
        }
    }
    let has_value = case.value.is_some() && case.r#type.is_some() && case.error.is_none();
    let has_error = case.value.is_none() && case.r#type.is_none() && case.error.is_some();
    if has_value || has_error {
        Ok(case)
    } else {
        Err("expected a value with its type, or an error".to_owned())
    }
}

fn text(text: &str) -> Result<String, String> {
    String::from_utf8(decode(text)).map_err(|error| error.to_string())
}

fn settings(words: &[&str]) -> Result<EvalSettings, String> {
    let mut settings = EvalSettings::default();
    for word in words {
        match word.split_once('=') {
            None if *word == "strict_variables" => settings.strict_variables = true,
            None if *word == "modules" => settings.modules = true,
            None if *word == "catalog" => settings.catalog = true,
            Some(("strict", level)) => settings.strict = level.to_owned(),
            Some(("facts", json)) => {
                settings.facts = serde_json::from_str(json).map_err(|error| format!("{word}: {error}"))?;
            }
            _ => return Err(format!("unknown setting `{word}`")),
        }
    }
    Ok(settings)
}

/// Parses `warning CODE`, `warning`, or `notice: TEXT`.
fn log(line: &str) -> Result<EvalLog, String> {
    let (level, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (level, message) = match level.strip_suffix(':') {
        Some(level) => (level, LogMessage::Program(text(rest)?)),
        None => (level, LogMessage::Puppet(Some(rest.to_owned()).filter(|it| !it.is_empty()))),
    };
    Ok(EvalLog { level: level.to_owned(), message })
}

/// Parses `CODE line:column`, where `-` means that Puppet does not report it.
fn error(line: &str) -> Result<EvalError, String> {
    let (code, place) = line.split_once(' ').ok_or("error without a location")?;
    let (line, column) = place.split_once(':').unwrap_or((place, "-"));
    let number = |text: &str| match text {
        "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|error| format!("{text}: {error}")),
    };
    Ok(EvalError { code: code.to_owned(), line: number(line)?, column: number(column)? })
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
