//! Fixes in the files beside the code of a module: `metadata.json`, `Puppetfile`, and the metadata of tasks.

use check::Code;
use hiera::DataFormat;
use hiera::data::DataNode;
use project::FileRole;
use syntax::TextRange;

use super::subject::FixSubject;
use crate::CodeAction;
use crate::lines::{indentation, removed_lines};

pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let (_, help) = codes::split_message(&subject.diagnostic.message);
    match (subject.diagnostic.code, *help.first()?) {
        (Code::PuppetfileOption, "add the option `tag`, `commit`, or `branch`") => branch(subject),
        (Code::TaskMetadata, "list them in `implementations`") => implementations(subject),
        _ => None,
    }
}

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

/// Replaces the wildcards of versions after `>=` and `<` by zeros. What other operators mean for a version with
/// a wildcard is not clear.
pub(super) fn range_without_wildcards(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let written = subject.text.get(range.as_range())?.strip_prefix('"')?.strip_suffix('"')?;
    let mut comparators = written.split_inclusive(' ').peekable();
    let mut numbers = String::new();
    while let Some(part) = comparators.next() {
        let operator: String =
            part.chars().take_while(|it| matches!(it, '<' | '>' | '=' | '^' | '~')).collect();
        numbers.push_str(&operator);
        let mut version = &part[operator.len()..];
        if version.trim().is_empty() && !operator.is_empty() {
            numbers.push_str(version);
            version = comparators.next()?;
        }
        let is_wildcard = |it: &&str| matches!(*it, "x" | "X" | "*");
        let plain = version.trim_end();
        let segments: Vec<&str> = plain.split('.').collect();
        if !operator.is_empty() && segments.iter().any(is_wildcard) {
            if !matches!(operator.as_str(), ">=" | "<") || segments.len() > 3 {
                return None;
            }
            let given = segments.into_iter().take_while(|it| !is_wildcard(it)).chain(["0"; 3]);
            numbers.push_str(&given.take(3).collect::<Vec<_>>().join("."));
            numbers.push_str(&version[plain.len()..]);
        } else {
            numbers.push_str(version);
        }
    }
    let is_other = numbers != written;
    is_other.then(|| subject.edit(format!("Replace with `{numbers}`"), range, format!("\"{numbers}\"")))
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

/// Adds the branch that r10k 3 uses by default.
fn branch(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let puppetfile = project::puppetfile_of(subject.db, subject.file);
    let module = puppetfile.modules.iter().find(|it| it.name_range == subject.diagnostic.range)?;
    let last = module.options.last()?;
    let key = last.name_range.start;
    let before = &subject.text[..key as usize];
    let (option, before) = match before.strip_suffix(':') {
        Some(before) => (":branch => 'master'", before),
        None => ("branch: 'master'", before),
    };
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let separator = if before[line..].trim().is_empty() {
        format!(",\n{}", indentation(subject.text, key))
    } else {
        ", ".to_owned()
    };
    let at = TextRange::empty(last.value.range.end);
    Some(subject.edit(format!("Add `{option}`"), at, format!("{separator}{option}")))
}

/// Lists the files of a task with what they require of a target.
fn implementations(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let FileRole::Module { module, relative } = subject.file.role(subject.db) else { return None };
    let task = relative.strip_prefix("tasks/")?.strip_suffix(".json")?;
    let files = module.files(subject.db).keys().filter_map(|it| it.strip_prefix("tasks/"));
    let requirement = |file: &str| match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("ps1") => Some("powershell"),
        Some("sh") => Some("shell"),
        Some("rb") => Some("puppet-agent"),
        _ => None,
    };
    let is_own = |it: &&str| {
        it.rsplit_once('.').map_or(*it, |(stem, _)| stem) == task
            && !matches!(it.rsplit_once('.'), Some((_, "json" | "conf" | "md")))
    };
    let mut own: Vec<&str> = files.filter(is_own).collect();
    // A file without requirements is always executable, so that none after it is used.
    own.sort_by_key(|it| (requirement(it).is_none(), *it));
    let listed: Vec<String> = own
        .iter()
        .map(|it| match requirement(it) {
            Some(feature) => format!("{{\"name\": \"{it}\", \"requirements\": [\"{feature}\"]}}"),
            None => format!("{{\"name\": \"{it}\"}}"),
        })
        .collect();
    let data = hiera::data::read(DataFormat::Json, subject.text);
    let root = data.root.as_ref()?;
    let (at, after) = match root.entries().first() {
        Some(first) => {
            let key = first.key.range.start;
            let open = subject.text.get(root.range.start as usize..key as usize)?;
            let after = if open.contains('\n') {
                format!(",\n{}", indentation(subject.text, key))
            } else {
                ", ".to_owned()
            };
            (key, after)
        }
        None => (root.range.start + 1, String::new()),
    };
    let added = format!("\"implementations\": [{}]{after}", listed.join(", "));
    Some(subject.edit("List the files in `implementations`", TextRange::empty(at), added))
}
