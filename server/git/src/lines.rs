//! Line diff of two texts.

/// Maximum number of changed lines; beyond that the whole text counts as changed.
const MAX_CHANGES: usize = 2_000;

/// Replaced ranges of lines, in order: the old lines and the new lines, counted from 0.
pub type ChangedRuns = Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>;

/// Computes a minimal diff of two lists of lines (Myers).
pub fn changed_runs(old: &[&str], new: &[&str]) -> ChangedRuns {
    let (front, back) = syntax::common_ends(old, new);
    let (old_middle, new_middle) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let mut runs: ChangedRuns = Vec::new();
    for (is_old, at_old, at_new) in steps(old_middle, new_middle) {
        let (at_old, at_new) = (at_old + front, at_new + front);
        match runs.last_mut() {
            Some((removed, inserted)) if removed.end == at_old && inserted.end == at_new => {
                if is_old {
                    removed.end += 1
                } else {
                    inserted.end += 1
                }
            }
            _ => {
                runs.push((at_old..at_old + usize::from(is_old), at_new..at_new + usize::from(!is_old)));
            }
        }
    }
    runs
}

/// Returns the removed (`true`) and inserted lines, each with the number of old and new lines before it.
fn steps(old: &[&str], new: &[&str]) -> Vec<(bool, usize, usize)> {
    let whole = || {
        let go = (0..old.len()).map(|at| (true, at, 0));
        go.chain((0..new.len()).map(|at| (false, old.len(), at))).collect()
    };
    let (length, width) = (old.len() as isize, new.len() as isize);
    let offset = MAX_CHANGES as isize + 1;
    let mut furthest = vec![0_isize; 2 * MAX_CHANGES + 3];
    let mut traces: Vec<Vec<isize>> = Vec::new();
    for changes in 0..=MAX_CHANGES as isize {
        traces.push(furthest[(offset - changes - 1) as usize..=(offset + changes + 1) as usize].to_vec());
        for diagonal in (-changes..=changes).step_by(2) {
            let (left, right) =
                (furthest[(offset + diagonal - 1) as usize], furthest[(offset + diagonal + 1) as usize]);
            let is_down = diagonal == -changes || diagonal != changes && left < right;
            let mut x = if is_down { right } else { left + 1 };
            let mut y = x - diagonal;
            while x < length && y < width && old[x as usize] == new[y as usize] {
                x += 1;
                y += 1;
            }
            furthest[(offset + diagonal) as usize] = x;
            if x >= length && y >= width {
                return backwards(&traces, length, width);
            }
        }
    }
    whole()
}

/// Follows the recorded traces from the end to the beginning.
fn backwards(traces: &[Vec<isize>], length: isize, width: isize) -> Vec<(bool, usize, usize)> {
    let mut found = Vec::new();
    let (mut x, mut y) = (length, width);
    for (changes, trace) in traces.iter().enumerate().skip(1).rev() {
        let changes = changes as isize;
        let diagonal = x - y;
        let at = |diagonal: isize| trace[(diagonal + changes + 1) as usize];
        let is_down = diagonal == -changes || diagonal != changes && at(diagonal - 1) < at(diagonal + 1);
        let before = if is_down { diagonal + 1 } else { diagonal - 1 };
        let (before_x, before_y) = (at(before), at(before) - before);
        found.push((!is_down, before_x as usize, before_y as usize));
        (x, y) = (before_x, before_y);
    }
    found.reverse();
    found
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
