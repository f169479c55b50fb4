//! Makes fixes until nothing is left to fix.

use std::collections::HashSet;

use lint::StyleFinding;

/// Fixes that touch each other are made one after the other, in so many rounds at most.
const MAX_ROUNDS: usize = 10;

/// A text after mending.
pub(super) struct Mended {
    pub(super) text: String,
    /// What was found in the text as it was and has been mended.
    pub(super) fixed: Vec<StyleFinding>,
    /// What is found in the text as it is now.
    pub(super) left: Vec<StyleFinding>,
}

/// Makes the fixes that `may` be made of what was `found` in a text. `again` looks into a text anew; `None` where Puppet would
/// not read that text: then the round that led to it is taken back.
pub(super) fn mend(
    text: &str,
    found: &[StyleFinding],
    may: impl Fn(&StyleFinding) -> bool,
    again: impl Fn(&str) -> Option<Vec<StyleFinding>>,
) -> Mended {
    let can = |it: &&StyleFinding| it.ignored.is_none() && !it.fix.is_empty() && may(it);
    let mut text = text.to_owned();
    let mut left = found.to_vec();
    for _ in 0..MAX_ROUNDS {
        let next = lint::apply(&text, left.iter().filter(can));
        if next == text {
            break;
        }
        let Some(found) = again(&next) else { break };
        text = next;
        left = found;
    }
    let unfixed: HashSet<&str> = left.iter().map(|it| it.check).collect();
    let is_gone = |it: &&StyleFinding| it.ignored.is_none() && !unfixed.contains(it.check);
    let fixed = found.iter().filter(is_gone).cloned().collect();
    Mended { text, fixed, left }
}
