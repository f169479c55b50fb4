//! Fixes that messages advise in Hiera data and configurations.

use check::Code;
use hiera::data::{Content, DataEntry, DataNode};
use project::FileKind;
use syntax::TextRange;

use super::subject::FixSubject;
use crate::lines::removed_lines;
use crate::{CodeAction, SourceEdit};

/// Maximum number of values that are offered as replacements.
const MAX_ALTERNATIVES: usize = 6;

pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let (problem, help) = codes::split_message(&subject.diagnostic.message);
    let Some(help) = help.first().copied().filter(|_| subject.diagnostic.data.is_none()) else {
        return Vec::new();
    };
    match subject.diagnostic.code {
        Code::DataInterpolation if problem.starts_with("unknown") => alternatives(subject, problem, help),
        Code::DataInterpolation => interpolation(subject, problem, help).into_iter().collect(),
        Code::DataLookupOptions => {
            DataFix::new(subject).map(|it| it.lookup_option(problem, help)).unwrap_or_default()
        }
        Code::DataSyntax => syntax_fix(subject, help).into_iter().collect(),
        Code::HieraConfiguration => {
            DataFix::new(subject).map(|it| it.configuration(problem, help)).unwrap_or_default()
        }
        Code::BoltConfiguration if help.starts_with("use `") => {
            replacement(subject, help).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Replaces the reported text by the value that the advice names.
fn replacement(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let value = help.split('`').nth(1)?;
    Some(subject.edit(format!("Replace with `{value}`"), subject.diagnostic.range, value))
}

/// Replaces the name that the problem quotes by each of the values that the advice lists.
fn alternatives(subject: &FixSubject<'_>, problem: &str, help: &str) -> Vec<CodeAction> {
    let range = subject.diagnostic.range;
    let values: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let place = || {
        let name = problem.split('`').nth(1).filter(|it| !it.is_empty())?;
        let at = range.start + subject.text.get(range.as_range())?.find(name)? as u32;
        Some(TextRange::new(at, at + name.len() as u32))
    };
    match place() {
        Some(place) if help.starts_with("use `") && values.len() <= MAX_ALTERNATIVES => {
            let fix = |value: &&str| subject.edit(format!("Replace with `{value}`"), place, *value);
            values.iter().map(fix).collect()
        }
        _ => Vec::new(),
    }
}

/// Rewrites an interpolation as the advice shows it.
fn interpolation(subject: &FixSubject<'_>, problem: &str, help: &str) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let is_configuration = project::file_kind(subject.db, subject.file) == FileKind::HieraConfiguration;
    if help == "add the closing `}`" {
        return Some(subject.edit("Add `}`", TextRange::empty(range.end), "}"));
    }
    let new = match help {
        "separate names or quoted names with dots" => {
            let key = problem.split('`').nth(1)?;
            subject.text.get(range.as_range())?.replacen(key, &dotted(key)?, 1)
        }
        // Functions are not available in configurations.
        _ if help.contains("%{") && !(is_configuration && help.contains('(')) => {
            // A name may contain the quotes of the advice.
            let mut parts = help.split('`');
            let shown = parts.nth(1).filter(|_| parts.count() == 1)?;
            shown.to_owned()
        }
        _ => return None,
    };
    let new = match quote_around(subject, range) {
        Some('\'') => new.replace('\'', "''"),
        Some(_) if new.contains('"') => return None,
        _ => new,
    };
    Some(subject.edit(format!("Replace with `{new}`"), range, new.as_str()))
}

/// Returns the path with dots for a path in the syntax of Puppet.
fn dotted(key: &str) -> Option<String> {
    let path = key.trim_start_matches('$').replace(']', "").replace('[', ".").replace(['\'', '"'], "");
    let names: Vec<&str> = path.split('.').map(str::trim).filter(|it| !it.is_empty()).collect();
    let is_plain =
        |it: &&str| it.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b':'));
    (!names.is_empty() && names.iter().all(is_plain)).then(|| names.join("."))
}

/// Returns the quote of the string that contains a range.
fn quote_around(subject: &FixSubject<'_>, range: TextRange) -> Option<char> {
    let data = project::hiera_data(subject.db, subject.file);
    let mut quote = None;
    data.root.as_ref()?.walk(&mut |node| {
        let is_around = node.range.start <= range.start && range.end <= node.range.end;
        if is_around && matches!(node.content, Content::Scalar { .. }) {
            quote = subject.text.get(node.range.as_range()).and_then(|it| it.chars().next());
        }
    });
    quote.filter(|it| matches!(it, '\'' | '"'))
}

/// Returns the fix of a syntax error in data.
fn syntax_fix(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let start = subject.diagnostic.range.start;
    let rest = subject.text.get(start as usize..)?;
    let line = rest.split(['\n', '\r']).next()?;
    match help {
        "remove it" => {
            let mark = '\u{feff}';
            let range = TextRange::new(start, start + mark.len_utf8() as u32);
            rest.starts_with(mark).then(|| subject.edit("Remove the byte-order mark", range, ""))
        }
        "add the closing `\"\"\"`" => {
            let at = subject.text.trim_end().len() as u32;
            Some(subject.edit("Add `\"\"\"`", TextRange::empty(at), "\"\"\""))
        }
        "add the closing `\"`" => {
            let length = line.trim_end_matches([',', '}', ']', ' ', '\t']).len() as u32;
            Some(subject.edit("Add `\"`", TextRange::empty(start + length), "\""))
        }
        "enclose it in quotes" => {
            let line_start = subject.text[..start as usize].rfind('\n').map_or(0, |at| at + 1);
            let before = &subject.text[line_start..start as usize];
            let from = before.rfind([':', '=', ',', '[', '{']).map_or(0, |at| at + 1);
            let value_start = start as usize - before[from..].trim_start().len();
            let end = line.find([',', ']', '}', '#']).unwrap_or(line.len());
            let value_end = start as usize + line[..end].trim_end().len();
            let value = subject.text.get(value_start..value_end)?;
            let is_plain = !value.is_empty() && !value.contains(['"', '\\', '$']);
            let range = TextRange::new(value_start as u32, value_end as u32);
            is_plain.then(|| subject.edit(format!("Quote `{value}`"), range, format!("\"{value}\"")))
        }
        _ => None,
    }
}

/// Diagnostic in a data file, with the tree of the file.
struct DataFix<'a> {
    subject: &'a FixSubject<'a>,
    root: DataNode,
}

impl<'a> DataFix<'a> {
    fn new(subject: &'a FixSubject<'a>) -> Option<DataFix<'a>> {
        let data = project::hiera_data(subject.db, subject.file);
        Some(DataFix { subject, root: data.root.clone()? })
    }

    fn text(&self, range: TextRange) -> &str {
        self.subject.text.get(range.as_range()).unwrap_or_default()
    }

    /// Returns the innermost hash that has an entry with a property, and the entry.
    fn entry(&self, is_it: impl Fn(&DataEntry) -> bool) -> Option<(&DataNode, &DataEntry)> {
        let mut found = None;
        self.root.walk(&mut |node| {
            if let Some(entry) = node.entries().iter().find(|it| is_it(it)) {
                found = Some((node, entry));
            }
        });
        found
    }

    /// Returns the hash with the reported key, and its entry.
    fn reported_entry(&self) -> Option<(&DataNode, &DataEntry)> {
        let range = self.subject.diagnostic.range;
        self.entry(|it| it.key.range == range)
    }

    /// Returns the range of an entry without the whitespace after it. A missing value has no range in the text.
    fn range_of(&self, entry: &DataEntry) -> TextRange {
        let key = entry.key.range;
        let end = entry.value.range.end.max(key.end);
        let length = self.text(TextRange::new(key.start, end)).trim_end().len() as u32;
        TextRange::new(key.start, (key.start + length).max(key.end))
    }

    /// Returns true for a hash in braces.
    fn is_in_braces(&self, hash: &DataNode) -> bool {
        self.text(hash.range).starts_with('{')
    }

    /// Returns the code that separates a new entry from one of the hash.
    fn separator(&self, hash: &DataNode, entry: &DataEntry) -> String {
        if self.is_in_braces(hash) {
            return ", ".to_owned();
        }
        let before = self.subject.text.get(..entry.key.range.start as usize).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[line..].chars().count();
        format!("\n{}", " ".repeat(column))
    }

    fn edits(&self, title: String, mut edits: Vec<SourceEdit>) -> CodeAction {
        edits.sort();
        let file = symbols::FileId(self.subject.file);
        let change = crate::SourceChange { edits: vec![(file, edits)], ..Default::default() };
        self.subject.fix(title, change)
    }

    /// Removes an entry of a hash without braces that is not its first one.
    fn removal(&self) -> Option<CodeAction> {
        let (hash, entry) = self.reported_entry()?;
        let is_first = hash.entries().first().is_some_and(|it| it.key.range == entry.key.range);
        if is_first || self.is_in_braces(hash) {
            return None;
        }
        let range = self.range_of(entry);
        let key = self.text(entry.key.range);
        Some(self.subject.edit(format!("Remove `{key}`"), removed_lines(self.subject.text, range), ""))
    }

    fn configuration(&self, problem: &str, help: &str) -> Vec<CodeAction> {
        let subject = self.subject;
        let range = subject.diagnostic.range;
        let fix = match help {
            "add `version: 5`" => self.version(),
            "use version 5" => Some(subject.edit("Replace with `5`", range, "5")),
            _ if help.starts_with("keep only one of") => self.removal(),
            _ if help.starts_with("use `data_hash: ") => self.reported_entry().and_then(|(_, entry)| {
                let new = help.split('`').nth(1)?;
                Some(subject.edit(format!("Replace with `{new}`"), self.range_of(entry), new))
            }),
            _ if help.starts_with("begin with a letter") => option_name(subject, problem),
            _ if problem == "missing data function" => self.data_function(),
            _ if problem.starts_with("unknown backend") || problem.starts_with("unknown merge") => {
                return alternatives(subject, problem, help);
            }
            _ => None,
        };
        fix.into_iter().collect()
    }

    /// Adds the version to a hierarchy without one.
    fn version(&self) -> Option<CodeAction> {
        let is_empty = self.root.value == types::Value::Undef;
        let elements = self.root.elements();
        let is_hierarchy = !elements.is_empty() && elements.iter().all(|it| it.entry("name").is_some());
        let at = if self.subject.text.starts_with("---\n") { 4 } else { 0 };
        let text = match () {
            () if is_empty || !self.root.entries().is_empty() => "version: 5\n",
            () if is_hierarchy => "version: 5\nhierarchy:\n",
            () => return None,
        };
        Some(self.subject.edit("Add `version: 5`", TextRange::empty(at), text))
    }

    /// Adds the data function for the extension of the files.
    fn data_function(&self) -> Option<CodeAction> {
        let range = self.subject.diagnostic.range;
        let (hash, name) = self.entry(|it| it.value.range == range)?;
        let mut paths = hash.entries().iter().filter_map(|it| it.value.value.as_str());
        let function = match () {
            () if paths.clone().any(|it| it.ends_with(".json")) => "json_data",
            () if paths.any(|it| it.ends_with(".conf")) => "hocon_data",
            () => "yaml_data",
        };
        let added = format!("{}data_hash: {function}", self.separator(hash, name));
        let title = format!("Add `data_hash: {function}`");
        Some(self.subject.edit(title, TextRange::empty(name.value.range.end), added))
    }

    fn lookup_option(&self, problem: &str, help: &str) -> Vec<CodeAction> {
        let fix = match problem {
            "`merge` must have a `strategy`" => self.strategy(),
            _ if help.starts_with("write `merge:") => self.merge_option(),
            _ if help.starts_with("write `^") => self.pattern(),
            _ if problem.contains("strategy") => return alternatives(self.subject, problem, help),
            _ => None,
        };
        fix.into_iter().collect()
    }

    /// Adds the only strategy that has options.
    fn strategy(&self) -> Option<CodeAction> {
        let range = self.subject.diagnostic.range;
        let (_, merge) = self.entry(|it| it.value.range == range)?;
        let first = merge.value.entries().first()?;
        let added = match self.separator(&merge.value, first) {
            separator if separator.starts_with(',') => "strategy: deep, ".to_owned(),
            separator => format!("strategy: deep{separator}"),
        };
        let at = TextRange::empty(first.key.range.start);
        Some(self.subject.edit("Add `strategy: deep`", at, added))
    }

    /// Turns a key into a regular expression.
    fn pattern(&self) -> Option<CodeAction> {
        let range = self.subject.diagnostic.range;
        let written = self.text(range);
        let quote = u32::from(written.starts_with(['\'', '"']));
        let pattern = format!("^{}", written.trim_matches(['\'', '"']));
        let at = TextRange::empty(range.start + quote);
        Some(self.subject.edit(format!("Replace with `{pattern}`"), at, "^"))
    }

    /// Moves an option into `merge`.
    fn merge_option(&self) -> Option<CodeAction> {
        let (hash, entry) = self.reported_entry()?;
        let name = self.text(entry.key.range).trim_matches(['\'', '"']);
        let value = self.text(entry.value.range);
        let whole = self.range_of(entry);
        let is_short = !value.contains('\n');
        let Some(merge) = hash.entry("merge") else {
            let new = match name {
                "strategy" => format!("merge: {value}"),
                _ => format!("merge: {{strategy: deep, {name}: {value}}}"),
            };
            return is_short.then(|| self.subject.edit(format!("Replace with `{new}`"), whole, new.as_str()));
        };
        let is_deep = merge.value.value.as_str() == Some("deep");
        if name == "strategy" || !is_deep || !is_short || self.is_in_braces(hash) {
            return None;
        }
        let new = format!("{{strategy: deep, {name}: {value}}}");
        let edits = vec![
            SourceEdit { range: merge.value.range, text: new },
            SourceEdit { range: removed_lines(self.subject.text, whole), text: String::new() },
        ];
        Some(self.edits(format!("Move `{name}` into `merge`"), edits))
    }
}

/// Replaces the characters that the name of an option must not contain.
fn option_name(subject: &FixSubject<'_>, problem: &str) -> Option<CodeAction> {
    let name = problem.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let at = range.start + subject.text.get(range.as_range())?.find(name)? as u32;
    let is_valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | ':');
    let valid: String = name.chars().map(|it| if is_valid(it) { it } else { '_' }).collect();
    let valid = valid.trim_start_matches(|it: char| !it.is_ascii_alphabetic());
    let valid = valid.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
    let place = TextRange::new(at, at + name.len() as u32);
    (!valid.is_empty()).then(|| subject.edit(format!("Replace with `{valid}`"), place, valid))
}
