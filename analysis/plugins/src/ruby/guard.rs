//! Texts on which the parser would spend minutes.

/// How many signs may stand in a row that each negate or enclose the next.
const LIMIT: usize = 200;

/// The parser takes quadratic time for signs like `!!!!!`, which no program has many of.
pub(crate) fn is_hostile(text: &str) -> bool {
    let mut row = 0;
    for word in text.split_ascii_whitespace() {
        let signs = word.bytes().take_while(|byte| b"!-~+([{".contains(byte)).count();
        row += signs;
        if row > LIMIT {
            return true;
        }
        if signs < word.len() {
            row = if word == "not" { row + 1 } else { 0 };
            // Behind the last sign another row may start.
            if word.len() > LIMIT && longest_row(word) > LIMIT {
                return true;
            }
        }
    }
    row > LIMIT
}

fn longest_row(word: &str) -> usize {
    let rows = word.split(|character: char| !"!-~+([{".contains(character));
    rows.map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
