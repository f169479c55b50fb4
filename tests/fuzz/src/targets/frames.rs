//! Bytes sent by an LSP client, and bytes of a recorded session.

pub(crate) fn run(bytes: &[u8]) {
    let _ = lsp::messages_in(bytes);
}
