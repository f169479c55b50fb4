//! Fixes in `metadata.json`.

use hiera::data::DataNode;
use syntax::TextRange;

use super::{CodeAction, FixSubject};
use crate::lines::removed_lines;

/// Limits a version range to the major version that is installed, or to the configured one of Puppet.
pub(super) fn bounded_range(subject: &FixSubject<'_>, problem: &str) -> Option<CodeAction> {
    let name = problem.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let written = subject.text.get(range.as_range())?.strip_prefix('"')?.strip_suffix('"')?.trim();
    let (major, version) = installed(subject, name)?;
    let lower = match written {
        "" | "*" => format!(">= {version}"),
        _ => {
            let number = written.strip_prefix(">=").or_else(|| written.strip_prefix('>'))?.trim();
            let is_number = number.bytes().all(|it| it.is_ascii_digit() || it == b'.');
            let first: u64 = number.split('.').next()?.parse().ok()?;
            (is_number && first <= major).then(|| written.to_owned())?
        }
    };
    let limited = format!("{lower} < {}.0.0", major + 1);
    Some(subject.edit(format!("Replace with `{limited}`"), range, format!("\"{limited}\"")))
}

/// Returns the major version and the version of a module or of Puppet.
fn installed(subject: &FixSubject<'_>, name: &str) -> Option<(u64, String)> {
    let (db, file) = (subject.db, subject.file);
    if matches!(name, "puppet" | "openvox") {
        let major = u64::from(file.environments(db).first()?.puppet_version(db).major());
        return Some((major, format!("{major}.0.0")));
    }
    let module = project::module_named(db, file, project::short_module_name(name).as_str())?;
    let version = project::module_metadata(db, project::metadata_file(db, module)?).version()?.text;
    Some((version.split('.').next()?.parse().ok()?, version.to_string()))
}

/// Removes the requirement `pe` if there is one of Puppet.
pub(super) fn removed_requirement(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let metadata = project::module_metadata(subject.db, subject.file);
    let list = &metadata.data.entry("requirements")?.value;
    let name = |it: &DataNode| it.entry("name").and_then(|it| it.value.value.as_str().map(str::to_owned));
    if !list.elements().iter().any(|it| matches!(name(it).as_deref(), Some("puppet" | "openvox"))) {
        return None;
    }
    let removed = list.elements().iter().find(|it| it.range.contains(subject.diagnostic.range.start))?.range;
    let after = subject.text.get(removed.end as usize..)?;
    let before = subject.text.get(..removed.start as usize)?;
    let with_comma = match (after.trim_start().starts_with(','), before.trim_end().strip_suffix(',')) {
        (true, _) => TextRange::new(removed.start, removed.end + after.find(',')? as u32 + 1),
        (false, Some(rest)) => TextRange::new(rest.len() as u32, removed.end),
        (false, None) => removed,
    };
    Some(subject.edit("Remove the requirement", removed_lines(subject.text, with_comma), ""))
}
