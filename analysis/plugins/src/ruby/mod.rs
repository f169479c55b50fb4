//! Ruby files, read and never run.

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

/// Longer files are not read.
pub(crate) const LENGTH_LIMIT: usize = 1 << 20;
/// Texts up to this length are read on the caller's thread, with a stack of [`STACK_OF_SHORT`].
const SHORT: usize = 4_000;
/// What the parser needs for a short text, three bytes of which may be a level, when nothing is optimised.
const STACK_OF_SHORT: usize = 12 << 20;
/// What the parser needs for the deepest nesting that it allows, and more.
const STACK_SIZE: usize = 32 << 20;
/// A chain (`1+1+1`, `a.b.c`) has no limit to its depth, and two bytes may be a level of it.
const STACK_OF_A_LEVEL: usize = if cfg!(debug_assertions) { 8_000 } else { 2_000 };

/// Reads a text of so many bytes with the stack that suffices whatever it says. Only what is used of it takes memory.
/// `None` where there is no such stack.
pub(crate) fn on_stack_for<T: Send>(length: usize, read: impl FnOnce() -> T + Send) -> Option<T> {
    if length <= SHORT {
        return Some(stacker::maybe_grow(STACK_OF_SHORT, STACK_OF_SHORT, read));
    }
    std::thread::scope(|scope| {
        let size = STACK_SIZE.max(length / 2 * STACK_OF_A_LEVEL);
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, read);
        thread.ok().and_then(|thread| thread.join().ok())
    })
}

/// What a Ruby plug-in file defines. `path` is its path below the module's folder, with `/`
/// (`lib/puppet/functions/a/b.rb`): names are checked against it where Puppet does that. What the path promises and the
/// text does not keep is there, open.
pub fn read(path: &str, text: &str) -> RubyFile {
    read_with(path, text, &[])
}

/// [`read`], with the files that this one requires (see [`RubyFile::requires`]), path and text of each, so that what
/// they define can be followed.
pub fn read_with(path: &str, text: &str, required: &[(&str, &str)]) -> RubyFile {
    let texts: Vec<(&str, &str)> = std::iter::once((path, text)).chain(required.iter().copied()).collect();
    let mut file = RubyFile::default();
    // Of what is too long only what the path promises is known.
    if texts.iter().all(|(_, text)| text.len() <= LENGTH_LIMIT && !guard::is_hostile(text)) {
        let longest = texts.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
        file = on_stack_for(longest, || follow(&texts)).unwrap_or_default();
    }
    path::complete(path, &mut file);
    file
}

/// What the first of these texts defines; the others are there to be followed into.
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
    path::refuse_old_functions(&sources[0], &mut file);
    if interpreter.misses_something {
        file.requires = std::mem::take(&mut interpreter.requires);
    }
    if sources.iter().any(|source| source.tree.is_failure()) {
        path::open_all(&mut file);
    }
    file
}
