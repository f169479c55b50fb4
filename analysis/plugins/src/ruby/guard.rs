//! Detection of files on which the parser would spend minutes.

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
