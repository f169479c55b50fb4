//! Formats all manifests and templates of a folder into another folder, to compare both with `git diff --no-index`.
//!
//!     cargo run -p format --example format_tree -- FOLDER OUTPUT
//!
//! Prints the files and statements that are left unformatted, and files that change when they are formatted again.

use std::path::{Path, PathBuf};
use std::{env, fs};

use format::{FormatOptions, apply, format};
use syntax::Language;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !name.to_string_lossy().starts_with('.') => files(&path, found),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|it| it == "pp" || it == "epp") => {
                found.push(path);
            }
            _ => {}
        }
    }
}

fn main() -> std::io::Result<()> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: format_tree FOLDER OUTPUT");
        std::process::exit(2);
    };
    let mut found = Vec::new();
    files(&from, &mut found);
    found.sort();
    let options = FormatOptions::default();
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let is_plan = path.components().any(|it| it.as_os_str() == "plans");
        let language = match path.extension() {
            Some(extension) if extension == "epp" => Language::Epp,
            _ if is_plan => Language::Plan,
            _ => Language::Manifest,
        };
        let formatted = format(&syntax::parse(&text, language), &options);
        for (range, reason) in &formatted.unformatted {
            println!("{}: bytes {} to {} unformatted: {reason:?}", path.display(), range.start, range.end);
        }
        let out = apply(&text, &formatted.edits);
        if !format(&syntax::parse(&out, language), &options).edits.is_empty() {
            println!("{}: changes again", path.display());
        }
        let relative = path.strip_prefix(&from).unwrap_or(&path);
        for (side, text) in [("before", &text), ("after", &out)] {
            let target = to.join(side).join(relative);
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(target, text)?;
        }
    }
    Ok(())
}
