//! Bare words as the options of a `case` and of a selector.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::quoted;
use crate::token::Kind;

/// `unquoted_string_in_case`
pub(crate) fn in_case(manifest: &Manifest, report: &mut Report) {
    words_before(manifest, Kind::Case, Kind::Colon, "the option of the `case` has no quotes", report);
}

/// `unquoted_string_in_selector`
pub(crate) fn in_selector(manifest: &Manifest, report: &mut Report) {
    words_before(manifest, Kind::Question, Kind::FatArrow, "the option of the selector has no quotes", report);
}

fn words_before(manifest: &Manifest, begin: Kind, separator: Kind, message: &str, report: &mut Report) {
    let tokens = &manifest.tokens;
    for at in tokens.of(begin) {
        let mut depth = 0_i32;
        for it in at + 1..tokens.len() {
            match tokens.kind(it) {
                Kind::LeftBrace => depth += 1,
                Kind::RightBrace => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                kind if kind == separator && depth == 1 => {
                    let line = (0..it).rev().take_while(|&it| !matches!(tokens.kind(it), Kind::Newline | Kind::LeftBrace));
                    for word in line {
                        let is_word = match tokens.kind(word) {
                            Kind::Name => true,
                            Kind::ClassRef => !tokens.value(word).contains("::"),
                            _ => false,
                        };
                        if is_word {
                            report.at(word, message).fix(quoted(manifest, word));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
