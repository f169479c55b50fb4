//! `140chars` and `80chars`: long lines. Lines with a URL or a call of `template` are exempt.

use crate::manifest::Manifest;
use crate::report::CheckReport;

/// `140chars`
pub(crate) fn of_140(manifest: &Manifest, report: &mut CheckReport) {
    longer_than(manifest, 140, report);
}

/// `80chars`
pub(crate) fn of_80(manifest: &Manifest, report: &mut CheckReport) {
    longer_than(manifest, 80, report);
}

fn longer_than(manifest: &Manifest, limit: usize, report: &mut CheckReport) {
    let mut start = 0;
    for (index, line) in manifest.text.split('\n').enumerate() {
        let end = start + line.len();
        let is_long = line.len() > limit && line.chars().count() > limit;
        if is_long && !line.contains("://") && !line.contains("template(") {
            let message = format!("line is longer than {limit} characters");
            report.at_range(index as u32 + 1, limit as u32, start as u32..end as u32, message);
        }
        start = end + 1;
    }
}
