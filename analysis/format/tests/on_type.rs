//! Cases of `on_type.md`. Set `UPDATE_EXPECT` to update them.

use std::path::Path;

use format::{FormatOptions, apply, edits_on_type};
use syntax::Language;

const CURSOR: char = '█';

/// Returns the text after the edits for the character before the cursor; a line break if the line before the
/// cursor is blank.
fn edited(fixture: &str) -> String {
    let cursor = fixture.find(CURSOR).expect("a case has a cursor");
    let text = fixture.replacen(CURSOR, "", 1);
    let line = text[..cursor].rsplit('\n').next().unwrap_or_default();
    let is_line_break = line.trim().is_empty() && text[..cursor].contains('\n');
    let typed = if is_line_break { '\n' } else { text[..cursor].chars().next_back().expect("a character") };
    let parse = syntax::parse(&text, Language::Manifest);
    let edits = edits_on_type(&parse, cursor as u32, typed, &FormatOptions::default());
    let (before, after): (Vec<_>, Vec<_>) = edits.into_iter().partition(|it| it.end as usize <= cursor);
    let marked = apply(&text[..cursor], &before);
    let shifted = after.into_iter().map(|mut it| {
        assert!(it.start as usize >= cursor, "an edit surrounds the cursor: {it:?}");
        it.start -= cursor as u32;
        it.end -= cursor as u32;
        it
    });
    let rest = apply(&text[cursor..], &shifted.collect::<Vec<_>>());
    format!("{marked}{CURSOR}{rest}")
}

#[test]
fn cases() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/on_type.md");
    let cases = std::fs::read_to_string(&file).expect("the cases can be read");
    let mut parts = cases.split("\n## ");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for case in parts {
        let (head, rest) = case.split_once("\n```puppet\n").expect("a case has a manifest");
        let (text, _) = rest.split_once("```").expect("the block is closed");
        let found = edited(text);
        written += &format!("\n## {}\n\n```puppet\n{text}```\n", head.trim_end());
        if found != text {
            written += &format!("\n```edited\n{found}```\n");
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &written).expect("the cases can be written");
        return;
    }
    assert!(cases.trim_end() == written.trim_end(), "cases differ:\n{written}");
}
