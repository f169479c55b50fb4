//! Programs made at random, in all layouts: formatting keeps what they mean, and does not change what it has made.

use format::{FormatOptions, apply, format};
use layouts::{Layout, Source, program};
use syntax::Language;

/// What is wrong with what becomes of a text.
fn complaint(text: &str, language: Language) -> Option<String> {
    let options = FormatOptions::default();
    let parse = syntax::parse(text, language);
    if !parse.errors().is_empty() {
        return None;
    }
    let formatted = format(&parse, &options);
    if !formatted.left.is_empty() {
        return Some(format!("left as it is: {:?}", formatted.left));
    }
    let out = apply(text, &formatted.edits);
    let again = syntax::parse(&out, language);
    let second = format(&again, &options);
    let changes = || format!("changed again: {:?} in\n{out}", second.edits);
    (!second.edits.is_empty() || !second.left.is_empty()).then(changes)
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
            let laid = source.lay(layout, seed);
            count += 1;
            if let Some(complaint) = complaint(&laid, language) {
                wrong.push(format!("seed {seed} {}: {complaint}", layout.name()));
            }
        }
    }
    assert!(count > 1_200, "only {count} texts");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
}
