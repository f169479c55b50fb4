//! Editor features at a position, tested with cursor fixtures.

mod anywhere;
mod code_actions;
mod compile;
mod completion;
mod data_files;
mod evaluation;
mod hiera;
mod hints;
mod hover;
mod installed;
mod metadata_json;
mod rename;
mod signatures;
mod type_sets;

use fixture::{Cursor, Fixture};
use ide::{Analysis, AnalysisHost, FileId, FilePath};

/// Runs a query at the cursor of a fixture, on a thread with enough stack for evaluation.
pub(crate) fn at_cursor<T: Send>(
    text: &str,
    ask: impl FnOnce(&Analysis, FileId, u32, &str) -> T + Send,
) -> T {
    let fixture = Fixture::parse(text);
    let Cursor { file, offset } = fixture.cursors().first().copied().unwrap_or(Cursor { file: 0, offset: 0 });
    let ask = || {
        let mut host = AnalysisHost::new();
        host.apply(project::testing::fixture_batch(&fixture, true));
        let analysis = host.analysis();
        let file = &fixture.files[file];
        let path = FilePath::from_native(&file.path).expect("absolute");
        let id = analysis.file_id(&path).expect("the file is there");
        ask(&analysis, id, offset, &file.text)
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(ide::STACK_SIZE);
        let thread = builder.spawn_scoped(scope, ask).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
