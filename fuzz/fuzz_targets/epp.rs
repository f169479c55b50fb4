//! Templates: bytes as they are, and pieces of Puppet code between tags.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::Language;

fuzz_target!(|bytes: &[u8]| {
    puppet_analyzer_fuzz::check(&String::from_utf8_lossy(bytes), Language::Epp);
    puppet_analyzer_fuzz::check(&puppet_analyzer_fuzz::text_of_pieces(bytes), Language::Epp);
});
