//! Speed, as ratios against something else on the same machine, and how well the parser recovers.

use std::io;
use std::path::{Path, PathBuf};

use syntax::Language;

/// A real file.
pub struct CorpusFile {
    /// Relative to the corpus.
    pub path: String,
    pub text: String,
    pub language: Language,
}

/// The `.pp` and `.epp` files below the folder that `PUPPET_CORPUS` names, else below `target/corpus`, by path.
/// Files that are not UTF-8 are left out.
pub fn read_corpus() -> io::Result<Vec<CorpusFile>> {
    let root = match std::env::var_os("PUPPET_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus"),
    };
    let mut paths = Vec::new();
    collect(&root, &mut paths).map_err(|error| {
        let hint = "run tests/conformance/fetch-corpus.sh, or set PUPPET_CORPUS";
        io::Error::new(error.kind(), format!("no corpus at {}: {error} ({hint})", root.display()))
    })?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let Ok(text) = String::from_utf8(std::fs::read(&path)?) else { continue };
        let language = match path.extension() {
            Some(extension) if extension == "epp" => Language::Epp,
            _ if path.parent().is_some_and(|it| it.ends_with("plans")) => Language::Plan,
            _ => Language::Manifest,
        };
        let relative = path.strip_prefix(&root).unwrap_or(&path);
        files.push(CorpusFile { path: relative.display().to_string(), text, language });
    }
    Ok(files)
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

/// A small random number generator (SplitMix64): the same numbers for the same seed, everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_number() % limit as u64) as usize
    }
}

/// Runs `work` on a thread with a stack that is deep enough to drop any tree.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work);
        match thread.map(|it| it.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("no thread: {error}"),
        }
    })
}
