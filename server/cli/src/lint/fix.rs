//! Applies fixes until no more are available.

use std::collections::HashSet;

use lint::StyleFinding;

/// Maximum number of rounds. Overlapping fixes are applied one after the other.
const MAX_ROUNDS: usize = 10;

/// Result of fixing a text.
pub(super) struct LintFixResult {
    pub(super) text: String,
    /// Findings in the original text that were fixed.
    pub(super) fixed: Vec<StyleFinding>,
    /// Findings in the new text.
    pub(super) left: Vec<StyleFinding>,
}

/// Applies the fixes of `found` that `may` allows. `again` checks a new text; if it returns `None` because
/// Puppet could not parse that text, the last round is discarded.
pub(super) fn fix(
    text: &str,
    found: &[StyleFinding],
    may: impl Fn(&StyleFinding) -> bool,
    again: impl Fn(&str) -> Option<Vec<StyleFinding>>,
) -> LintFixResult {
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
    LintFixResult { text, fixed, left }
}
