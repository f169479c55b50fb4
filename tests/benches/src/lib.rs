//! Benchmarks, measured as ratios against something else on the same machine.

use std::io;
use std::path::{Path, PathBuf};

pub use layouts::corpus::CorpusFile;

/// Reads the `.pp` and `.epp` files below the folder that `PUPPET_CORPUS` names, or below
/// `target/corpus`, sorted by path. Skips files that are not UTF-8.
pub fn read_corpus() -> io::Result<Vec<CorpusFile>> {
    let root = match std::env::var_os("PUPPET_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus"),
    };
    layouts::corpus::read_corpus(&root).map_err(|error| {
        let hint = "run tests/conformance/fetch-corpus.sh, or set PUPPET_CORPUS";
        io::Error::new(error.kind(), format!("no corpus at {}: {error} ({hint})", root.display()))
    })
}

/// Runs `work` on a thread with a stack that is deep enough to drop any tree.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work);
        match thread.map(|it| it.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("cannot start thread: {error}"),
        }
    })
}
