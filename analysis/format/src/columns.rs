//! Columns that the author has made of neighbouring lines.

use syntax::TextRange;

use crate::builder::DocumentBuilder;
use crate::document::width;

/// A line with something in a column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnPlace {
    /// From its first token to its last.
    pub(crate) line: TextRange,
    /// What stands before the column takes so many characters when it is laid out.
    pub(crate) head_width: u32,
    /// Where what stands in the column begins.
    pub(crate) start: u32,
}

impl DocumentBuilder<'_> {
    /// For each line the blanks that keep it in the column of its neighbours. `None` is in no column.
    pub(crate) fn kept_blanks(&self, places: &[Option<ColumnPlace>]) -> Vec<u32> {
        let columns: Vec<Option<u32>> = places.iter().map(|it| self.column_of(&(*it)?)).collect();
        let mut blanks = vec![0; places.len()];
        let mut first = 0;
        while first < places.len() {
            let mut end = first + 1;
            while end < places.len() && columns[first].is_some() && columns[end] == columns[first] {
                let (Some(before), Some(next)) = (places[end - 1], places[end]) else { break };
                let between = &self.text[before.line.end as usize..next.line.start as usize];
                if between.matches('\n').count() != 1 {
                    break;
                }
                end += 1;
            }
            let widest = places[first..end].iter().flatten().map(|it| it.head_width).max().unwrap_or(0);
            for at in first..end {
                blanks[at] = places[at].map_or(0, |it| widest - it.head_width);
            }
            first = end;
        }
        blanks
    }

    /// The column, where the line begins with the place and all before the column is on it.
    fn column_of(&self, place: &ColumnPlace) -> Option<u32> {
        let start = place.line.start as usize;
        let line_start = self.text[..start].rfind('\n').map_or(0, |it| it + 1);
        let begins_line = self.text[line_start..start].trim().is_empty();
        let before = &self.text[line_start..place.start as usize];
        (begins_line && !before.contains(['\n', '#', '\t'])).then(|| width(before))
    }
}
