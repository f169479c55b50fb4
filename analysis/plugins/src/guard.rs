//! Limits of the parser: files on which it would spend minutes, and the stack that it needs.

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

/// Maximum number of consecutive operators or opening brackets.
const MAX_RUN_LENGTH: usize = 200;

/// Returns true for files with long runs of characters like `!!!!!`, on which the parser takes quadratic
/// time. No real program contains them.
pub(crate) fn is_hostile(text: &str) -> bool {
    let mut run_length = 0;
    for word in text.split_ascii_whitespace() {
        let signs = word.bytes().take_while(|byte| b"!-~+([{".contains(byte)).count();
        run_length += signs;
        if run_length > MAX_RUN_LENGTH {
            return true;
        }
        if signs < word.len() {
            run_length = if word == "not" { run_length + 1 } else { 0 };
            // Another run may begin after the last operator.
            if word.len() > MAX_RUN_LENGTH && longest_run(word) > MAX_RUN_LENGTH {
                return true;
            }
        }
    }
    run_length > MAX_RUN_LENGTH
}

fn longest_run(word: &str) -> usize {
    let rows = word.split(|character: char| !"!-~+([{".contains(character));
    rows.map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
