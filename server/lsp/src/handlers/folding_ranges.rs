//! `textDocument/foldingRange`.

use ide::{Cancellable, FoldingKind};
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};
use tower_lsp::jsonrpc::Result;

use crate::convert::PositionConverter;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn folding_ranges(
    server: &Server,
    params: FoldingRangeParams,
) -> Result<Option<Vec<FoldingRange>>> {
    let found = server.ask("textDocument/foldingRange", &params.text_document.uri, answer).await?;
    // Without an answer, clients fold by indentation.
    Ok(found.filter(|it| !it.is_empty()))
}

fn answer(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<FoldingRange>> {
    let found = snapshot.analysis.folding_ranges(file.id)?;
    let converter = file.converter(snapshot);
    let whole_lines = snapshot.features.folds_whole_lines_only;
    let ranges = found.iter().filter_map(|it| folding_range(it, file, &converter, whole_lines));
    Ok(ranges.take(snapshot.features.max_folding_ranges).collect())
}

fn folding_range(
    found: &ide::FoldingRange,
    file: &RequestFile,
    converter: &PositionConverter<'_>,
    whole_lines: bool,
) -> Option<FoldingRange> {
    let range = converter.range(found.range);
    let kind = match found.kind {
        FoldingKind::Code => None,
        FoldingKind::Comment => Some(FoldingRangeKind::Comment),
        FoldingKind::Region => Some(FoldingRangeKind::Region),
    };
    let mut folding =
        FoldingRange { start_line: range.start.line, end_line: range.end.line, kind, ..Default::default() };
    if whole_lines {
        // Keep the line with the closing bracket visible.
        let line_start = file.lines.line_start(range.end.line);
        let before_end = file.text.get(line_start as usize..found.range.end as usize)?;
        if before_end.trim().is_empty() {
            folding.end_line -= 1;
        }
        return (folding.start_line < folding.end_line).then_some(folding);
    }
    folding.start_character = Some(range.start.character);
    folding.end_character = Some(range.end.character);
    Some(folding)
}
