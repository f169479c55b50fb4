//! The bytes of an LSP client, and of a recorded session.

pub(crate) fn run(bytes: &[u8]) {
    let _ = lsp::messages_in(bytes);
}
