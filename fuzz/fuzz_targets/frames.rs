//! The bytes of an LSP client, and of a recorded session.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = lsp::messages_in(bytes);
});
