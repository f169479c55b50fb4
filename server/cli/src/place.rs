//! Questions about a place: how it is given, the workspace it lies in, and how places are printed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context;
use disk::config::Config;
use ide::{Analysis, FileId, FilePath};
use serde::Serialize;
use syntax::{ColumnUnit, LineColumn, LineMap, TextRange};

use super::files::{self, display_path};
use super::workspace::{self, Workspace};
use super::{AnswerFormat, CommandOutcome, PlaceArguments, terminal};

/// A file, and a line and column in it, both from 1.
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
            _ => Err("a place is written FILE:LINE:COLUMN, both numbers from 1".to_owned()),
        }
    }
}

/// The workspace of a folder with everything around it, and in it `texts` of files that may lie elsewhere.
pub(super) fn load(root: &Path, texts: Vec<(PathBuf, Arc<str>)>) -> anyhow::Result<Workspace> {
    if !root.is_dir() {
        anyhow::bail!("cannot read {}: no such folder", display_path(root));
    }
    let config = Config::load(root)?;
    let mut arguments = vec![root.to_owned()];
    arguments.extend(texts.iter().map(|(path, _)| path.clone()).filter(|path| !is_below(path, root)));
    Ok(Workspace::with_surroundings(&config, &arguments, texts.into_iter()))
}

fn is_below(path: &Path, folder: &Path) -> bool {
    match (workspace::absolute_path(path), workspace::absolute_path(folder)) {
        (Some(path), Some(folder)) => path.starts_with(&folder),
        _ => false,
    }
}

/// The place that a question is about, as the analysis knows it.
pub(super) struct Asked {
    pub(super) file: FileId,
    pub(super) offset: u32,
}

/// Loads the workspace around a place and prints what `answer` says of it: a text, empty for nothing, and a value for JSON.
pub(super) fn ask<T: Serialize>(
    arguments: &PlaceArguments,
    answer: impl FnOnce(&Analysis, &Asked) -> anyhow::Result<(String, T)> + Send,
) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| {
        let FilePosition { file: path, line, column } = &arguments.place;
        let text: Arc<str> =
            files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))?.into();
        let mut workspace = load(&arguments.answer.root, vec![(path.clone(), text.clone())])?;
        workspace.add_installed_puppet(arguments.answer.installed_puppet.as_deref());
        let analysis = workspace.analysis();
        let file = workspace::file(&analysis, path)
            .with_context(|| format!("{} is no file that Puppet would load", display_path(path)))?;
        let lines = LineMap::new(&text);
        if *line > lines.line_count() {
            let count = lines.line_count();
            anyhow::bail!("{} has no line {line}, only {count}", display_path(path));
        }
        let place = LineColumn { line: line - 1, column: column - 1 };
        let offset = lines.offset(&text, place, ColumnUnit::Utf32);
        let (text, value) = answer(&analysis, &Asked { file, offset })?;
        print(arguments.answer.format, &text, &value)
    })?
}

/// Prints an answer, and says whether there was one: an empty text is none.
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

/// A range as it is printed: the path as the user would write it, lines and columns (in characters) from 1.
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
    /// `file:line:column`
    pub(super) fn label(&self) -> String {
        format!("{}:{}:{}", output::visible(&self.file), self.line, self.column)
    }
}

/// Translates ranges of many files.
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

    /// The place of a range; in a file without a text its beginning.
    pub(super) fn location(&mut self, file: FileId, range: TextRange) -> anyhow::Result<PrintedLocation> {
        let path = self.analysis.path(file);
        let below = self.here.as_ref().and_then(|here| path.strip_prefix(here)).map(str::to_owned);
        let path = below.unwrap_or_else(|| display_path(Path::new(&path.to_native())));
        let (start, end) = match self.text(file)? {
            Some((text, lines)) => {
                let place = |offset| lines.line_column(text, offset, ColumnUnit::Utf32);
                (place(range.start), place(range.end))
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

    /// The line that an offset lies in, without the blanks around it.
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
