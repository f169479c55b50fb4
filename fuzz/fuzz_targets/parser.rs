//! Pieces of Puppet code in any order, as manifests and plans: the grammar and its recovery.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::Language;

fuzz_target!(|bytes: &[u8]| {
    let text = puppet_analyzer_fuzz::text_of_pieces(bytes);
    puppet_analyzer_fuzz::check(&text, Language::Manifest);
    puppet_analyzer_fuzz::check(&text, Language::Plan);
});
