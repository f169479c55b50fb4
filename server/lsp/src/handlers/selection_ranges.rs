//! `textDocument/selectionRange`.

use ide::Cancellable;
use lsp_types::{Position, SelectionRange, SelectionRangeParams};
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use crate::convert::PositionConverter;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn selection_ranges(
    server: &Server,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let positions = params.positions;
    let request = move |snapshot: &Snapshot, file: &RequestFile| answer(snapshot, file, &positions);
    server.ask("textDocument/selectionRange", &params.text_document.uri, request).await
}

fn answer(
    snapshot: &Snapshot,
    file: &RequestFile,
    positions: &[Position],
) -> Cancellable<Vec<SelectionRange>> {
    let converter = file.converter(snapshot);
    let offsets: Vec<u32> = positions.iter().map(|it| converter.offset(*it)).collect();
    let found = snapshot.analysis.selection_ranges(file.id, &offsets)?;
    Ok(found.iter().map(|ranges| nested(ranges, &converter)).collect())
}

/// Builds the linked list of ranges, innermost first. The protocol does not allow an empty one.
fn nested(ranges: &[TextRange], converter: &PositionConverter<'_>) -> SelectionRange {
    let mut outer = None;
    for range in ranges.iter().rev() {
        outer = Some(SelectionRange { range: converter.range(*range), parent: outer.map(Box::new) });
    }
    outer.unwrap_or_default()
}
