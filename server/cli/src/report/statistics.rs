//! Number of findings per rule.

use std::collections::BTreeMap;

use super::FileDiagnostics;
use crate::printed_diagnostic::severity_name;

/// Renders one line per rule, most frequent first: count, severity, rule, and number of files.
pub(crate) fn render(files: &[FileDiagnostics]) -> String {
    let mut counts = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        for diagnostic in &file.diagnostics {
            let (count, of, last) = counts.entry((diagnostic.code, diagnostic.severity)).or_insert((
                0_usize,
                0_usize,
                usize::MAX,
            ));
            *count += 1;
            *of += usize::from(*last != number);
            *last = number;
        }
    }
    let mut lines: Vec<_> = counts.into_iter().collect();
    lines.sort_by_key(|((code, severity), (count, ..))| (std::cmp::Reverse(*count), *severity, *code));
    let width = lines.iter().map(|(_, (count, ..))| count.to_string().len()).max().unwrap_or_default();
    let line =
        |((code, severity), (count, of, _)): &((codes::Code, syntax::Severity), (usize, usize, usize))| {
            let files = if *of == 1 { "file" } else { "files" };
            format!("{count:>width$}  {}[{code}] in {of} {files}\n", severity_name(*severity))
        };
    lines.iter().map(line).collect()
}
