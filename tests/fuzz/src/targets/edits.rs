//! Repeated edits of a file: after each edit, the incremental host gives the same answers as a
//! fresh one.

use std::sync::Arc;

use ide::{Analysis, AnalysisHost, ChangeBatch, FilePath};

// Each edit is three bytes (start, number of bytes replaced, number of bytes inserted), followed
// by the inserted bytes.
pub(crate) fn run(bytes: &[u8]) {
    let (Some(manifest), Some(template)) = (
        FilePath::from_native("/work/a/manifests/init.pp"),
        FilePath::from_native("/work/a/templates/t.epp"),
    ) else {
        unreachable!("both are paths");
    };
    let mut host = AnalysisHost::new();
    let mut texts = [String::new(), String::new()];
    let mut rest = bytes;
    while let [at, removed, inserted, tail @ ..] = rest {
        let (piece, tail) = tail.split_at(usize::from(inserted % 8).min(tail.len()));
        rest = tail;
        let which = usize::from(at % 2);
        let path = if which == 0 { &manifest } else { &template };
        let text = &mut texts[which];

        let start = boundary(text, text.len() * usize::from(*at) / 256);
        let end = boundary(text, (start + usize::from(*removed % 16)).min(text.len()));
        text.replace_range(start..end.max(start), &crate::text_of_pieces(piece));

        write(&mut host, path, text);
        let mut fresh = AnalysisHost::new();
        write(&mut fresh, path, text);
        assert_eq!(answers(&host.analysis(), path), answers(&fresh.analysis(), path), "for {text:?}");
    }
}

/// Returns the next character boundary at or after `at`.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

fn write(host: &mut AnalysisHost, path: &FilePath, text: &str) {
    let buffers = vec![(path.clone(), Some(Arc::from(text)))];
    host.apply(ChangeBatch { buffers, ..ChangeBatch::default() });
}

/// Returns the results that an editor would show.
fn answers(analysis: &Analysis, path: &FilePath) -> String {
    let Some(file) = analysis.file_id(path) else { return "no file".to_owned() };
    let diagnostics = analysis.syntax_diagnostics(file);
    let symbols = analysis.document_symbols(file);
    let folds = analysis.folding_ranges(file);
    let tokens = analysis.semantic_tokens(file, None);
    format!("{diagnostics:?} {symbols:?} {folds:?} {tokens:?}")
}
