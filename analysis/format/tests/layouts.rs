//! Random programs in all layouts: formatting keeps their meaning and is idempotent.

use std::path::{Path, PathBuf};

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

/// Real manifests in all layouts, each file in one of them. Set `PUPPET_CORPUS` to a folder of modules.
#[test]
fn manifests_keep_their_meaning_in_all_layouts() {
    let Some(corpus) = std::env::var_os("PUPPET_CORPUS") else { return };
    let mut files = Vec::new();
    collect_manifests(corpus.as_ref(), &mut files);
    let (mut count, mut wrong) = (0, Vec::new());
    for (at, path) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let Some(source) = Source::read(&text, Language::Manifest) else { continue };
        let layout = Layout::ALL[at % Layout::ALL.len()];
        count += 1;
        if let Some(failure) = failure(&source.lay(layout, at as u64), Language::Manifest) {
            let start = failure.lines().next().unwrap_or_default().chars().take(200).collect::<String>();
            wrong.push(format!("{} {}: {start}", path.display(), layout.name()));
        }
    }
    println!("{count} manifests, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn collect_manifests(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|it| it.path()) {
        if path.is_dir() {
            collect_manifests(&path, found);
        } else if path.extension().is_some_and(|it| it == "pp") {
            found.push(path);
        }
    }
    found.sort();
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
