//! Random programs in all layouts: formatting keeps their meaning and is idempotent.

use format::{FormatOptions, apply, format};
use layouts::{Layout, Source, program};
use syntax::Language;

/// Returns a description of the failure if formatting a text violates the invariants.
fn failure(text: &str, language: Language) -> Option<String> {
    let options = FormatOptions::default();
    let parse = syntax::parse(text, language);
    if !parse.errors().is_empty() {
        return None;
    }
    let formatted = format(&parse, &options);
    if !formatted.unformatted.is_empty() {
        return Some(format!("left unformatted: {:?}", formatted.unformatted));
    }
    let out = apply(text, &formatted.edits);
    let again = syntax::parse(&out, language);
    let second = format(&again, &options);
    let changes = || format!("changed again: {:?} in\n{out}", second.edits);
    (!second.edits.is_empty() || !second.unformatted.is_empty()).then(changes)
}

#[test]
fn programs_keep_their_meaning_in_all_layouts() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for seed in 0..120 {
        let language = if seed % 10 == 0 { Language::Plan } else { Language::Manifest };
        let text = program(language, seed);
        let Some(source) = Source::read(&text, language) else { continue };
        for layout in Layout::ALL {
            let text = source.lay(layout, seed);
            count += 1;
            if let Some(failure) = failure(&text, language) {
                wrong.push(format!("seed {seed} {}: {failure}", layout.name()));
            }
        }
    }
    assert!(count > 1_200, "only {count} texts");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
}
