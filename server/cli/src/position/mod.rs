//! Queries about a position in a file: parsing the position, loading its workspace, and printing locations.

pub(super) mod definition;
pub(super) mod hover;
pub(super) mod references;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context;
use ide::{Analysis, FileId, FilePath};
use serde::Serialize;
use syntax::{ColumnUnit, LineColumn, LineMap, TextRange};

use super::arguments::{AnswerArguments, AnswerFormat};
use super::daemon::with_workspace;
use super::files::{self, display_path};
use super::{CommandOutcome, terminal, workspace};

pub(super) const EXIT_CODES: &str = "\
Lines and columns start at 1. Columns are counted in characters.

Exit codes:
  0  result found
  1  no result at this position
  2  usage error, or unreadable file

Examples:
  puppet-analyzer hover manifests/init.pp:12:7
  puppet-analyzer definition manifests/init.pp:12:7
  puppet-analyzer references --format json --root .. manifests/init.pp:12:7";

#[derive(clap::Args, Debug)]
pub(super) struct PositionArguments {
    /// Position in a file
    #[arg(value_name = "FILE:LINE:COLUMN")]
    position: FilePosition,

    #[command(flatten)]
    pub(super) answer: AnswerArguments,
}

/// Position in a file. Line and column start at 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FilePosition {
    file: PathBuf,
    line: u32,
    column: u32,
}

impl FromStr for FilePosition {
    type Err = String;

    fn from_str(text: &str) -> Result<FilePosition, String> {
        let mut parts = text.rsplitn(3, ':');
        let mut number = || parts.next().and_then(|it| it.parse::<u32>().ok()).filter(|it| *it > 0);
        let (column, line) = (number(), number());
        match (parts.next(), line, column) {
            (Some(file), Some(line), Some(column)) if !file.is_empty() => {
                Ok(FilePosition { file: file.into(), line, column })
            }
            _ => Err("expected FILE:LINE:COLUMN, with lines and columns starting at 1".to_owned()),
        }
    }
}

/// Position of a query, as known to the analysis.
pub(super) struct QueryPosition {
    pub(super) file: FileId,
    pub(super) offset: u32,
}

/// Loads the workspace around a position and prints the result of `answer`: a string, empty if there is no
/// answer, and a value for JSON.
pub(super) fn query<T: Serialize>(
    arguments: &PositionArguments,
    answer: impl FnOnce(&Analysis, &QueryPosition) -> anyhow::Result<(String, T)> + Send,
) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| {
        let FilePosition { file: path, line, column } = &arguments.position;
        let text: Arc<str> =
            files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))?.into();
        let AnswerArguments { root, installed_puppet, .. } = &arguments.answer;
        let texts = vec![(path.clone(), text.clone())];
        with_workspace(root, installed_puppet.as_deref(), texts, |workspace| {
            let analysis = workspace.analysis();
            let file = workspace::file(&analysis, path)
                .with_context(|| format!("`{}` is not a Puppet file", display_path(path)))?;
            let lines = LineMap::new(&text);
            if *line > lines.line_count() {
                let count = lines.line_count();
                anyhow::bail!("line {line} is out of range: `{}` has {count} lines", display_path(path));
            }
            let position = LineColumn { line: line - 1, column: column - 1 };
            let offset = lines.offset(&text, position, ColumnUnit::Utf32);
            let (text, value) = answer(&analysis, &QueryPosition { file, offset })?;
            print(arguments.answer.format, &text, &value)
        })
    })?
}

/// Prints an answer. An empty string means that there is none.
pub(super) fn print(
    format: AnswerFormat,
    text: &str,
    value: &impl Serialize,
) -> anyhow::Result<CommandOutcome> {
    match format {
        AnswerFormat::Text => terminal::print_text(text, false)?,
        AnswerFormat::Json => terminal::print_json(value)?,
    }
    Ok(if text.is_empty() { CommandOutcome::Findings } else { CommandOutcome::Clean })
}

/// A printable range: the path as the user would write it; lines and columns (in characters) start at 1.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct PrintedLocation {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl PrintedLocation {
    /// Returns `file:line:column`.
    pub(super) fn label(&self) -> String {
        format!("{}:{}:{}", output::visible(&self.file), self.line, self.column)
    }
}

/// Converter from ranges in several files to printable locations.
pub(super) struct LocationPrinter<'a> {
    analysis: &'a Analysis,
    here: Option<FilePath>,
    texts: HashMap<FileId, Option<(Arc<str>, LineMap)>>,
}

impl<'a> LocationPrinter<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> LocationPrinter<'a> {
        let here = workspace::absolute_path(Path::new("."));
        LocationPrinter { analysis, here, texts: HashMap::new() }
    }

    /// Returns the location of a range; the start of the file if its text is not available.
    pub(super) fn location(&mut self, file: FileId, range: TextRange) -> anyhow::Result<PrintedLocation> {
        let path = self.analysis.path(file);
        let below = self.here.as_ref().and_then(|here| path.strip_prefix(here)).map(str::to_owned);
        let path = below.unwrap_or_else(|| display_path(Path::new(&path.to_native())));
        let (start, end) = match self.text(file)? {
            Some((text, lines)) => {
                let line_column = |offset| lines.line_column(text, offset, ColumnUnit::Utf32);
                (line_column(range.start), line_column(range.end))
            }
            None => (LineColumn { line: 0, column: 0 }, LineColumn { line: 0, column: 0 }),
        };
        Ok(PrintedLocation {
            file: path,
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
        })
    }

    /// Returns the trimmed line that contains an offset.
    pub(super) fn line(&mut self, file: FileId, offset: u32) -> anyhow::Result<String> {
        let Some((text, lines)) = self.text(file)? else { return Ok(String::new()) };
        let range = lines.line_range(lines.line(offset));
        Ok(text.get(range.as_range()).unwrap_or_default().trim().to_owned())
    }

    fn text(&mut self, file: FileId) -> anyhow::Result<Option<&(Arc<str>, LineMap)>> {
        if !self.texts.contains_key(&file) {
            let text = self.analysis.text(file)?;
            self.texts.insert(file, text.map(|text| (text.clone(), LineMap::new(&text))));
        }
        Ok(self.texts.get(&file).and_then(Option::as_ref))
    }
}
