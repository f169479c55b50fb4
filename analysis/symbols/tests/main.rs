//! Meaning of names, tested with cursor fixtures.

mod navigation;

use fixture::{Cursor, Fixture};
use project::testing::TestWorkspace;
use project::{Db, File};

/// Stack size of a thread that evaluates code.
const STACK_SIZE: usize = 64 << 20;

/// Runs a query at the cursor of a fixture.
fn at_cursor<T: Send>(text: &str, ask: impl FnOnce(&dyn Db, File, u32) -> T + Send) -> T {
    let fixture = Fixture::parse(text);
    let Cursor { file, offset } = *fixture.cursors().first().expect("a cursor");
    let ask = || {
        let workspace = TestWorkspace::new(text);
        ask(&workspace.db, workspace.file(&fixture.files[file].path), offset)
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        let thread = builder.spawn_scoped(scope, ask).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
