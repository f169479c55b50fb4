//! Any bytes, read as text in each language: what the lexer makes of odd characters, quotes and heredocs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::Language;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for language in [Language::Manifest, Language::Plan, Language::Epp] {
        puppet_analyzer_fuzz::check(&text, language);
    }
});
