//! Preservation of columns that the author has aligned across adjacent lines.

use syntax::TextRange;

use crate::builder::DocumentBuilder;
use crate::document::width;

/// Line with an element that may be in a column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnEntry {
    /// Range from the first token of the line to its last one.
    pub(crate) line: TextRange,
    /// Width in characters of the formatted text before the column.
    pub(crate) head_width: u32,
    /// Offset of the element in the column.
    pub(crate) start: u32,
}

impl DocumentBuilder<'_> {
    /// Returns the padding that keeps each line in the column of its neighbors. `None` entries are in no
    /// column.
    pub(crate) fn kept_padding(&self, entries: &[Option<ColumnEntry>]) -> Vec<u32> {
        let columns: Vec<Option<u32>> = entries.iter().map(|it| self.column_of(&(*it)?)).collect();
        let mut padding = vec![0; entries.len()];
        let mut first = 0;
        while first < entries.len() {
            let mut end = first + 1;
            while end < entries.len() && columns[first].is_some() && columns[end] == columns[first] {
                let (Some(before), Some(next)) = (entries[end - 1], entries[end]) else { break };
                let between = &self.text[before.line.end as usize..next.line.start as usize];
                if between.matches('\n').count() != 1 {
                    break;
                }
                end += 1;
            }
            let widest = entries[first..end].iter().flatten().map(|it| it.head_width).max().unwrap_or(0);
            for at in first..end {
                padding[at] = entries[at].map_or(0, |it| widest - it.head_width);
            }
            first = end;
        }
        padding
    }

    /// Returns the column of the element if the line begins with `entry.line` and everything before the
    /// element is on that line.
    fn column_of(&self, entry: &ColumnEntry) -> Option<u32> {
        let start = entry.line.start as usize;
        let line_start = self.text[..start].rfind('\n').map_or(0, |it| it + 1);
        let begins_line = self.text[line_start..start].trim().is_empty();
        let before = &self.text[line_start..entry.start as usize];
        (begins_line && !before.contains(['\n', '#', '\t'])).then(|| width(before))
    }
}
