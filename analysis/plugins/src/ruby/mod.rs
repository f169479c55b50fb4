//! Analysis of Ruby files, which are never executed.

mod attributes;
mod calls;
mod context;
mod definitions;
mod functions;
mod guard;
mod interpreter;
mod invocation;
mod literals;
mod methods;
mod others;
mod path;
mod requires;
mod resource_api;
mod resource_types;
mod text;
mod title_patterns;
mod value;

pub(crate) use guard::is_hostile;
pub(crate) use interpreter::constant_path;

use crate::RubyFile;
use interpreter::{RubyInterpreter, RubySource};

/// Maximum length of a file, in bytes.
pub(crate) const LENGTH_LIMIT: usize = 1 << 20;
/// Maximum length of files parsed on the caller's thread with a stack of [`SHORT_FILE_STACK_SIZE`], in bytes.
const MAX_SHORT_FILE_LENGTH: usize = 4_000;
/// Stack size for parsing a short file in an unoptimized build, at one nesting level per three bytes.
const SHORT_FILE_STACK_SIZE: usize = 12 << 20;
/// Minimum stack size, enough for the deepest nesting that the parser allows.
const MIN_STACK_SIZE: usize = 32 << 20;
/// Stack size per level of a chain (`1+1+1`, `a.b.c`), whose depth is unlimited; a level may be as short
/// as two bytes of source.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) { 8_000 } else { 2_000 };

/// Calls `read` with a stack that suffices for any file of `length` bytes. Only the used part of the stack
/// takes memory. Returns `None` if the stack cannot be allocated.
pub(crate) fn on_stack_for<T: Send>(length: usize, read: impl FnOnce() -> T + Send) -> Option<T> {
    if length <= MAX_SHORT_FILE_LENGTH {
        return Some(stacker::maybe_grow(SHORT_FILE_STACK_SIZE, SHORT_FILE_STACK_SIZE, read));
    }
    std::thread::scope(|scope| {
        let size = MIN_STACK_SIZE.max(length / 2 * STACK_PER_LEVEL);
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, read);
        thread.ok().and_then(|thread| thread.join().ok())
    })
}

/// Analyzes a Ruby plugin file. `path` is relative to the module's folder and uses `/`
/// (`lib/puppet/functions/a/b.rb`); names are checked against it where Puppet does so. A definition implied
/// by the path that is missing in the file is added as an incomplete one.
pub fn read(path: &str, text: &str) -> RubyFile {
    read_with(path, text, &[])
}

/// Analyzes a file like [`read`], with the paths and contents of the files that it requires (see
/// [`RubyFile::requires`]), whose definitions are followed.
pub fn read_with(path: &str, text: &str, required: &[(&str, &str)]) -> RubyFile {
    let texts: Vec<(&str, &str)> = std::iter::once((path, text)).chain(required.iter().copied()).collect();
    let mut file = RubyFile::default();
    // For a file that is too long, only the definition implied by its path is known.
    if texts.iter().all(|(_, text)| text.len() <= LENGTH_LIMIT && !guard::is_hostile(text)) {
        let longest = texts.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
        file = on_stack_for(longest, || follow(&texts)).unwrap_or_default();
    }
    path::complete(path, text, &mut file);
    file
}

/// Analyzes the first of the files, with the others available for resolution.
fn follow(texts: &[(&str, &str)]) -> RubyFile {
    let parse = |&(path, text)| RubySource { path, text, tree: ruby_prism::parse(text.as_bytes()) };
    let sources: Vec<RubySource> = texts.iter().map(parse).collect();
    let mut interpreter = RubyInterpreter::new(&sources);
    interpreter.run();
    if path::is_fact(sources[0].path) {
        interpreter.follow_all_methods();
    }
    interpreter.finish_additions();
    let mut file = std::mem::take(&mut interpreter.output);
    path::reject_old_functions(&sources[0], &mut file);
    if interpreter.has_missing_definition {
        file.requires = std::mem::take(&mut interpreter.requires);
    }
    if sources.iter().any(|source| source.tree.is_failure()) {
        path::mark_all_incomplete(&mut file);
    }
    file
}
