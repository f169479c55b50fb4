//! Incremental reparsing after an edit yields the same tree and errors as a full parse.
//!
//! `EDITS=100000 SEED=1 PUPPET_CORPUS=FOLDER cargo test --release -p syntax --test edits` applies that many
//! edits to real files. Without a corpus, the edits are applied to texts that ship with the tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use syntax::{Language, LineMap, Parse, TextEdit, TextRange, parse};

const EDITS: usize = 3_000;
/// Number of consecutive edits of one text.
const EDITS_PER_TEXT: usize = 40;

/// xorshift64* generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

fn texts() -> Vec<String> {
    let Some(corpus) = std::env::var_os("PUPPET_CORPUS") else {
        let everything = include_str!("everything.pp");
        let parts = everything.split("\n\n").map(str::to_owned);
        let twice = format!("class a {{\n{everything}\n}}\n$x = 1\n{everything}");
        return parts.chain([everything.to_owned(), twice]).collect();
    };
    let mut files = Vec::new();
    collect(Path::new(&corpus), &mut files);
    files.sort();
    files.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "pp") {
            files.push(path);
        }
    }
}

const TYPED: &[&str] = &[
    "a",
    "x",
    "1",
    " ",
    "\n",
    "\r\n",
    "\t",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "'",
    "\"",
    "$",
    "${",
    ":",
    "::",
    ",",
    ";",
    "=",
    "=>",
    "->",
    "#",
    "/*",
    "*/",
    "/",
    "\\",
    "|",
    "@",
    "@(E)",
    "\n| E\n",
    "E\n",
    "if ",
    "else ",
    "include ",
    "class b { }\n",
    "notice('x')\n",
    "$y = 2\n",
    "file { '/x': ensure => file }\n",
    "é",
    "?",
    ".",
    "-",
    "*",
    "<| |>",
    "default",
    "# note\n",
    "'s' ",
    "{ a => 1 }",
    "\u{feff}",
];

/// Applies one random edit to a text: typing, deleting, pasting from the text itself, or any of them at
/// several positions.
fn edit(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    let cursors = if random.below(12) == 0 { 3 } else { 1 };
    for _ in 0..cursors {
        let at = boundary(&text, random.below(text.len() + 1));
        match random.below(10) {
            0..=4 => text.insert_str(at, TYPED[random.below(TYPED.len())]),
            5..=7 => {
                let length = if random.below(4) == 0 { random.below(80) } else { 1 + random.below(3) };
                let end = boundary(&text, (at + length).min(text.len()));
                text.replace_range(at.min(end)..end, "");
            }
            8 => {
                let from = boundary(&text, random.below(text.len() + 1));
                let to = boundary(&text, (from + random.below(200)).min(text.len()));
                let copied = text[from.min(to)..to].to_owned();
                text.insert_str(at, &copied);
            }
            _ => match text[at..].find('\n') {
                Some(length) => text.insert(at + length, '\r'),
                None => text.push('\n'),
            },
        }
    }
    text
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the smallest edit that turns `old` into `new`, after checking the line index after it.
fn edit_between(old: &Arc<str>, new: &Arc<str>) -> TextEdit {
    let start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    let range = TextRange::new(start as u32, (old.len() - end) as u32);
    let inserted = (new.len() - end - start) as u32;
    let lines = LineMap::new(old).edited(new, range, inserted);
    assert_eq!(lines, LineMap::new(new), "{old:?}\n{new:?}");
    // An editor may replace more than has changed.
    let wider = TextRange::new(range.start - (start / 2) as u32, range.end + (end / 2) as u32);
    let inserted = inserted + (start / 2 + end / 2) as u32;
    TextEdit::new(old.clone(), new.clone(), lines.into(), wider, inserted)
}

fn check(before: &Parse, text: &str, language: Language) -> Parse {
    let new = Arc::from(text);
    let edited = before.edited_by(Some(&edit_between(before.text(), &new)), &new);
    let fresh = parse(text, language);
    // Compute the lines each time, so that the next ones are derived from them.
    assert_eq!(**edited.lines(), LineMap::new(text), "the lines of {text:?}");
    if edited != fresh {
        let old = before.syntax().text().to_owned();
        let (a, b) = (edited.syntax().dump(), fresh.syntax().dump());
        let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        panic!(
            "--- before\n{old}\n--- after\n{text}\n--- {line:?}\n{:#?}\n{:#?}",
            edited.errors(),
            fresh.errors()
        );
    }
    edited
}

#[test]
fn edits_match_a_full_parse() {
    let edits = std::env::var("EDITS").ok().and_then(|it| it.parse().ok()).unwrap_or(EDITS);
    let texts = texts();
    let seed = std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1u64);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut count = 0;
    while count < edits {
        let mut text = texts[random.below(texts.len())].clone();
        let language = if random.below(20) == 0 { Language::Plan } else { Language::Manifest };
        let mut before = parse(&text, language);
        for _ in 0..EDITS_PER_TEXT {
            let newer = edit(&text, &mut random);
            let after = check(&before, &newer, language);
            count += 1;
            // Mostly undo the edit: a broken text stays broken under further edits.
            if random.below(3) > 0 {
                before = check(&after, &text, language);
                count += 1;
            } else {
                (text, before) = (newer, after);
            }
        }
    }
}
