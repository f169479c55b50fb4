//! `140chars` and `80chars`: long lines. One with a URL or a call of `template` may be as long as it is.

use crate::manifest::Manifest;
use crate::report::Report;

/// `140chars`
pub(crate) fn of_140(manifest: &Manifest, report: &mut Report) {
    longer_than(manifest, 140, report);
}

/// `80chars`
pub(crate) fn of_80(manifest: &Manifest, report: &mut Report) {
    longer_than(manifest, 80, report);
}

fn longer_than(manifest: &Manifest, most: usize, report: &mut Report) {
    let mut start = 0;
    for (index, line) in manifest.text.split('\n').enumerate() {
        let end = start + line.len();
        let is_long = line.len() > most && line.chars().count() > most;
        if is_long && !line.contains("://") && !line.contains("template(") {
            let message = format!("the line has more than {most} characters");
            report.place(index as u32 + 1, most as u32, start as u32..end as u32, message);
        }
        start = end + 1;
    }
}
