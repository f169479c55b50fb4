//! Corpus of real files.

use std::io;
use std::path::{Path, PathBuf};

use syntax::Language;

/// Real file of the corpus.
pub struct CorpusFile {
    /// Path relative to the corpus folder.
    pub path: String,
    pub text: String,
    pub language: Language,
}

/// Reads the `.pp` and `.epp` files below a folder, sorted by path. Skips files that are not UTF-8.
pub fn read_corpus(root: &Path) -> io::Result<Vec<CorpusFile>> {
    let mut paths = Vec::new();
    collect(root, &mut paths)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let Ok(text) = String::from_utf8(std::fs::read(&path)?) else { continue };
        let language = language_of(&path);
        let relative = path.strip_prefix(root).unwrap_or(&path);
        files.push(CorpusFile { path: relative.display().to_string(), text, language });
    }
    Ok(files)
}

pub fn language_of(path: &Path) -> Language {
    match path.extension() {
        Some(extension) if extension == "epp" => Language::Epp,
        _ if path.parent().is_some_and(|it| it.ends_with("plans")) => Language::Plan,
        _ => Language::Manifest,
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|it| it == "pp" || it == "epp") {
            paths.push(path);
        }
    }
    Ok(())
}
