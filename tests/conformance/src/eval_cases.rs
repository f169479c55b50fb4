//! The tables of what expressions are worth, `eval/*.md`; README.md gives their grammar.

use std::path::{Path, PathBuf};

use fixture::case_file::{RawCase, read_raw_cases};
use fixture::decode;

/// One source and what real Puppet made of it. Either `value` and `type` are there or `error` is.
#[derive(Clone, Debug, Default)]
pub struct EvalCase {
    /// The file's name and the line of the case.
    pub place: String,
    pub source: String,
    pub settings: EvalSettings,
    /// The value of the last expression in Puppet notation; `?` where Puppet cannot show it.
    pub value: Option<String>,
    /// The value's inferred type as Puppet prints it; `?` where it cannot.
    pub r#type: Option<String>,
    /// In order, without the level debug.
    pub logs: Vec<EvalLog>,
    pub error: Option<EvalError>,
}

/// The words on the fence.
#[derive(Clone, Debug)]
pub struct EvalSettings {
    /// `off`, `warning` or `error`.
    pub strict: String,
    pub strict_variables: bool,
    /// An object: what stands in `$facts` and as variables of the top scope.
    pub facts: serde_json::Value,
    /// The folder `eval/modules` is the module path.
    pub modules: bool,
    /// The source is a whole program: what is evaluated late (nodes, defined types, collectors) is part of it.
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
    /// The program's own text, from `notice()` and its like.
    Program(String),
    /// Puppet's own message: its issue code, where it has one.
    Puppet(Option<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// Puppet's issue code; `ERROR` where there is none, `CRASH` where Puppet itself fails.
    pub code: String,
    /// From 1, as far as Puppet tells.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
}

/// Where the tables are.
pub fn eval_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("eval")
}

/// The cases of all tables, sorted by file.
///
/// # Errors
/// A file that cannot be read, or a line that does not follow the grammar.
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

/// The cases of one table.
///
/// # Errors
/// A line that does not follow the grammar.
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
        Err("neither a value with its type nor an error".to_owned())
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
            _ => return Err(format!("unknown word {word}")),
        }
    }
    Ok(settings)
}

/// `warning CODE`, `warning` or `notice: TEXT`.
fn log(line: &str) -> Result<EvalLog, String> {
    let (level, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (level, message) = match level.strip_suffix(':') {
        Some(level) => (level, LogMessage::Program(text(rest)?)),
        None => (level, LogMessage::Puppet(Some(rest.to_owned()).filter(|it| !it.is_empty()))),
    };
    Ok(EvalLog { level: level.to_owned(), message })
}

/// `CODE line:column`, where `-` stands for what Puppet does not tell.
fn error(line: &str) -> Result<EvalError, String> {
    let (code, place) = line.split_once(' ').ok_or("an error without a place")?;
    let (line, column) = place.split_once(':').unwrap_or((place, "-"));
    let number = |text: &str| match text {
        "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|error| format!("{text}: {error}")),
    };
    Ok(EvalError { code: code.to_owned(), line: number(line)?, column: number(column)? })
}

#[cfg(test)]
#[path = "eval_cases_tests.rs"]
mod tests;
