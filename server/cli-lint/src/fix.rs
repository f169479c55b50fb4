//! Applies fixes until no more are available.

use std::collections::HashSet;

use lint::StyleFinding;

use cli_common::files::largest_accepted;

/// Maximum number of rounds. Fixes that touch others are applied in a later round.
const MAX_ROUNDS: usize = 100;

/// Result of fixing a text.
pub(super) struct LintFixResult {
    pub(super) text: String,
    /// Findings in the original text that were fixed.
    pub(super) fixed: Vec<StyleFinding>,
    /// Findings in the new text.
    pub(super) left: Vec<StyleFinding>,
}

/// Applies the fixes of `found` that `may` allows. `again` checks a new text and returns `None` if Puppet could
/// not parse it; then only some of the fixes are applied.
pub(super) fn fix(
    text: &str,
    found: &[StyleFinding],
    may: impl Fn(&StyleFinding) -> bool,
    again: impl Fn(&str) -> Option<Vec<StyleFinding>>,
) -> LintFixResult {
    let can = |it: &&StyleFinding| it.ignored.is_none() && !it.fix.is_empty() && may(it);
    let mut text = text.to_owned();
    let mut left = found.to_vec();
    // Two checks may undo each other's fixes.
    let mut seen = HashSet::from([text.clone()]);
    for _ in 0..MAX_ROUNDS {
        let fixable: Vec<&StyleFinding> = left.iter().filter(can).collect();
        let next = largest_accepted(&fixable, &mut |fixes: &[&StyleFinding]| {
            let next = lint::apply(&text, fixes.iter().copied());
            if seen.contains(&next) {
                return None;
            }
            let found = again(&next)?;
            Some((next, found))
        });
        let Some((next, found)) = next else { break };
        seen.insert(next.clone());
        text = next;
        left = found;
    }
    let unfixed: HashSet<&str> = left.iter().map(|it| it.check).collect();
    let is_gone = |it: &&StyleFinding| it.ignored.is_none() && !unfixed.contains(it.check);
    let fixed = found.iter().filter(is_gone).cloned().collect();
    LintFixResult { text, fixed, left }
}
