//! `=` that miss the column of the lines around them by a few characters.

use crate::kept::columns::ColumnLine;

/// Maximum number of characters between the `=` of lines that were meant to be in one column.
const NEAR: u32 = 2;

/// Moves the padded lines of a run that are in no column into the one that they miss. Returns false if there are none.
pub(super) fn join_near_columns(run: &[ColumnLine], targets: &mut [u32]) -> bool {
    let is_stray = |it: &(&ColumnLine, &u32)| it.0.is_padded && *it.1 == it.0.minimum;
    let strays = run.iter().zip(&*targets).filter(is_stray).count();
    if strays == 0 {
        return false;
    }
    match kept_column(run, targets, strays) {
        Some(column) => {
            for (line, target) in run.iter().zip(targets) {
                if line.is_padded && line.minimum <= column {
                    *target = column;
                }
            }
        }
        None if are_near(run, targets) => {
            targets.fill(run.iter().map(|it| it.minimum).max().unwrap_or_default());
        }
        None => return false,
    }
    true
}

/// Returns the column of all lines that stay where their padding moves them, if it has at least as many lines as there
/// are `strays`.
fn kept_column(run: &[ColumnLine], targets: &[u32], strays: usize) -> Option<u32> {
    let is_kept = |it: &(&ColumnLine, &u32)| it.0.is_padded && *it.1 == it.0.column;
    let mut kept = run.iter().zip(targets).filter(is_kept).map(|it| it.0.column);
    let column = kept.next()?;
    let others = kept.try_fold(0, |count, it| (it == column).then_some(count + 1))?;
    (strays <= others + 1).then_some(column)
}

/// Returns true for lines that are all in no column, but near that of the longest one.
fn are_near(run: &[ColumnLine], targets: &[u32]) -> bool {
    let column = run.iter().map(|it| it.minimum).max().unwrap_or_default();
    run.len() > 1
        && run.iter().all(|it| it.column.abs_diff(column) <= NEAR)
        && run.iter().zip(targets).all(|(line, target)| *target == line.minimum)
}
