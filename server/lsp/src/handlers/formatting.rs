//! `textDocument/formatting`, `textDocument/rangeFormatting`, `textDocument/rangesFormatting`,
//! `textDocument/onTypeFormatting`. Responses contain minimal edits.

use std::path::Path;

use format::{FormatEdit, FormatOptions};
use ide::Cancellable;
use lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    DocumentRangesFormattingParams, Range, TextEdit,
};
use syntax::{Parse, TextRange};
use tower_lsp::jsonrpc::Result;

use crate::{RequestFile, Server, Snapshot, convert};

pub(super) async fn document(
    server: &Server,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let request = |snapshot: &Snapshot, file: &RequestFile| {
        let (_, edits) = edits(snapshot, file)?;
        Ok(answer(snapshot, file, edits))
    };
    server.ask("textDocument/formatting", &params.text_document.uri, request).await
}

pub(super) async fn range(
    server: &Server,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let range = [params.range];
    let request = move |snapshot: &Snapshot, file: &RequestFile| in_ranges(snapshot, file, &range);
    server.ask("textDocument/rangeFormatting", &params.text_document.uri, request).await
}

pub(super) async fn ranges(
    server: &Server,
    params: DocumentRangesFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let ranges = params.ranges;
    let request = move |snapshot: &Snapshot, file: &RequestFile| in_ranges(snapshot, file, &ranges);
    server.ask("textDocument/rangesFormatting", &params.text_document.uri, request).await
}

/// Formats several ranges, which may overlap.
fn in_ranges(snapshot: &Snapshot, file: &RequestFile, ranges: &[Range]) -> Cancellable<Vec<TextEdit>> {
    let (parse, all) = edits(snapshot, file)?;
    let mut chosen: Vec<FormatEdit> = Vec::new();
    for range in ranges {
        let range = trimmed(&file.text, file.converter(snapshot).text_range(*range));
        chosen.extend(format::edits_in_range(&parse, all.clone(), range));
    }
    chosen.sort_by_key(|it| (it.start, it.end));
    chosen.dedup_by_key(|it| (it.start, it.end));
    Ok(answer(snapshot, file, chosen))
}

pub(super) async fn on_type(
    server: &Server,
    params: DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let position = params.position;
    let Some(typed) = params.ch.chars().next() else { return Ok(None) };
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let cursor = file.converter(snapshot).offset(position);
        let parse = snapshot.analysis.parse(file.id)?;
        let edits = format::edits_on_type(&parse, cursor, typed, &options(snapshot, file));
        Ok(answer(snapshot, file, edits))
    };
    server.ask("textDocument/onTypeFormatting", &params.text_document.uri, request).await
}

fn edits(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<(Parse, Vec<FormatEdit>)> {
    let parse = snapshot.analysis.parse(file.id)?;
    let formatted = format::format(&parse, &options(snapshot, file));
    Ok((parse, formatted.edits))
}

fn options(snapshot: &Snapshot, file: &RequestFile) -> FormatOptions {
    let path = convert::file_path(&file.uri).map(|it| it.to_native());
    snapshot.format.options_for(Path::new(&path.unwrap_or_default()), &snapshot.trusted)
}

fn answer(snapshot: &Snapshot, file: &RequestFile, edits: Vec<FormatEdit>) -> Vec<TextEdit> {
    let converter = file.converter(snapshot);
    let edit = |it: FormatEdit| TextEdit {
        range: converter.range(TextRange::new(it.start, it.end)),
        new_text: it.text,
    };
    edits.into_iter().map(edit).collect()
}

/// Trims whitespace from both ends of a range.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    let inner = &text[range.as_range()];
    let start = range.start + (inner.len() - inner.trim_start().len()) as u32;
    TextRange::new(start, start + inner.trim().len() as u32)
}
