//! `textDocument/semanticTokens/full`, `full/delta` and `range`.

use ide::Cancellable;
use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensDeltaResponse, SemanticTokensEdit, SemanticTokensParams, SemanticTokensRangeParams,
};
use syntax::TextRange;
use tower_lsp::jsonrpc::Result;

use crate::semantic_tokens::{kind_number, modifier_bits};
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn full(server: &Server, params: SemanticTokensParams) -> Result<Option<SemanticTokens>> {
    let uri = params.text_document.uri;
    let tokens = server.ask("textDocument/semanticTokens/full", &uri, whole_file).await?;
    Ok(tokens.map(|data| server.tokens.remember(&uri, data)))
}

pub(super) async fn delta(
    server: &Server,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensDeltaResponse>> {
    let uri = params.text_document.uri;
    let tokens = server.ask("textDocument/semanticTokens/full/delta", &uri, whole_file).await?;
    let Some(data) = tokens else { return Ok(None) };
    let before = server.tokens.recall(&uri, &params.previous_result_id);
    let edits = before.map(|before| edits(&before, &data));
    let tokens = server.tokens.remember(&uri, data);
    Ok(Some(match edits {
        Some(edits) => SemanticTokensDelta { result_id: tokens.result_id, edits }.into(),
        None => tokens.into(),
    }))
}

pub(super) async fn range(
    server: &Server,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokens>> {
    let range = params.range;
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        tokens(snapshot, file, Some(file.converter(snapshot).text_range(range)))
    };
    let method = "textDocument/semanticTokens/range";
    let data = server.ask(method, &params.text_document.uri, request).await?;
    Ok(data.map(|data| SemanticTokens { result_id: None, data }))
}

fn whole_file(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<SemanticToken>> {
    tokens(snapshot, file, None)
}

fn tokens(
    snapshot: &Snapshot,
    file: &RequestFile,
    range: Option<TextRange>,
) -> Cancellable<Vec<SemanticToken>> {
    let mut found = snapshot.analysis.semantic_tokens(file.id, range)?;
    if snapshot.features.has_grammar {
        found.retain(|it| !it.kind.is_lexical());
    }
    let converter = file.converter(snapshot);
    let mut data = Vec::with_capacity(found.len());
    let (mut last_line, mut last_start) = (0, 0);
    let mut add = |token: &ide::SemanticToken, part: TextRange| {
        let start = converter.position(part.start);
        let is_same_line = start.line == last_line;
        data.push(SemanticToken {
            delta_line: start.line - last_line,
            delta_start: if is_same_line { start.character - last_start } else { start.character },
            length: converter.length(&file.text[part.as_range()]),
            token_type: kind_number(token.kind),
            token_modifiers_bitset: modifier_bits(token.modifiers),
        });
        (last_line, last_start) = (start.line, start.character);
    };
    for token in &found {
        if snapshot.features.tokens_may_span_lines {
            add(token, token.range);
        } else {
            converter.split_at_lines(token.range).for_each(|part| add(token, part));
        }
    }
    Ok(data)
}

/// Returns a single edit that replaces everything between the first and the last difference; none if the
/// tokens are equal.
fn edits(before: &[SemanticToken], after: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let (start, same_at_end) = syntax::common_ends(before, after);
    let (before, after) =
        (&before[start..before.len() - same_at_end], &after[start..after.len() - same_at_end]);
    if before.is_empty() && after.is_empty() {
        return Vec::new();
    }
    let numbers = |it: &SemanticToken| {
        [it.delta_line, it.delta_start, it.length, it.token_type, it.token_modifiers_bitset]
    };
    vec![SemanticTokensEdit {
        start: 5 * start as u32,
        delete_count: 5 * before.len() as u32,
        data: Some(after.iter().flat_map(numbers).collect()),
    }]
}
