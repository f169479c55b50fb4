//! Completion in a `Puppetfile`: keywords, modules, versions that are deployed, and options.
//!
//! A `Puppetfile` is a Ruby program; only the statement before the cursor is read, and only in its usual form.

use project::{Db, File, ModuleMetadata, short_module_name};
use symbols::metadata_json::{metadata_of, module_of};
use symbols::puppetfile::{self, KEYWORDS, OPTIONS, OptionGroup, PuppetfileOption};
use syntax::TextRange;

use crate::item::{CompletionDetails, CompletionItem, CompletionKind};
use crate::{Completions, rank};

/// Owner of the items for keywords and options.
pub(crate) const OWNER: &str = "Puppetfile";

/// Statement before the cursor.
struct Statement<'t> {
    /// Complete arguments after the keyword, as written.
    arguments: Vec<&'t str>,
    /// Unfinished argument, or the unfinished keyword.
    last: &'t str,
    keyword: Option<&'t str>,
}

/// Returns the completions at an offset of a `Puppetfile`.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    let text = project::text(db, file)?;
    let at = offset as usize;
    let statement = statement(text.get(..at)?)?;
    let word = Word::of(&statement, at);
    let items = match (statement.keyword, statement.arguments.len()) {
        (None, _) if word.quote.is_none() => keywords(db, file, &text[at..]),
        (Some("mod"), 0) => modules(db, file, offset, &word),
        (Some("mod"), _) => arguments(db, file, &text, &statement, &word),
        (Some("forge"), 0) => vec![word.string("https://forgeapi.puppet.com")],
        (Some("moduledir"), 0) => vec![word.string("modules")],
        _ => Vec::new(),
    };
    let (mut items, is_incomplete) = rank::ranked(items, word.typed, &text, offset);
    if rank::is_complete(&items, word.typed) {
        items.clear();
    }
    let range = TextRange::new(word.start as u32, offset + word.rest(&text[at..]));
    (!items.is_empty()).then_some(Completions { range, items, is_incomplete })
}

/// Returns the details of a keyword or option.
pub(crate) fn details(label: &str) -> Option<CompletionDetails> {
    let documentation = puppetfile::documentation(label)?;
    Some(CompletionDetails { detail: label.to_owned(), documentation: Some(documentation.to_owned()) })
}

/// The replaced text before the cursor.
struct Word<'t> {
    typed: &'t str,
    start: usize,
    quote: Option<char>,
}

impl<'t> Word<'t> {
    fn of(statement: &Statement<'t>, at: usize) -> Word<'t> {
        // The value of `key => value` or `key: value`.
        let value = value_of(statement.last).map_or(statement.last, |(_, value)| value);
        let quote = value.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let typed = quote.map_or(value, |_| &value[1..]);
        Word { typed, start: at - typed.len(), quote }
    }

    /// Returns the length of the rest of the word after the cursor, which is replaced too.
    fn rest(&self, after: &str) -> u32 {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
        let line = after.lines().next().unwrap_or_default();
        let end = match self.quote {
            Some(quote) => line.find([quote, ',']).filter(|end| line[*end..].starts_with(quote)).unwrap_or(0),
            None => line.find(|c| !is_word(c)).unwrap_or(line.len()),
        };
        end as u32
    }

    /// Creates an item for a string, in quotes unless the cursor is inside of them.
    fn string(&self, value: &str) -> CompletionItem {
        let text = if self.quote.is_some() { value.to_owned() } else { format!("'{value}'") };
        CompletionItem::new(CompletionKind::Value, value).text(text)
    }

    /// Creates an item for Ruby code, which is only valid outside of quotes.
    fn code(&self, value: &str) -> Option<CompletionItem> {
        match (self.quote, value.strip_prefix('\'').and_then(|it| it.strip_suffix('\''))) {
            (_, Some(string)) => Some(self.string(string)),
            (None, None) => Some(CompletionItem::new(CompletionKind::Value, value)),
            (Some(_), None) => None,
        }
    }
}

/// Splits `:key => value` and `key: value`.
fn value_of(argument: &str) -> Option<(&str, &str)> {
    let (key, value) = match argument.split_once("=>") {
        Some(parts) => parts,
        None => {
            let end = argument.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            (&argument[..end], argument[end..].strip_prefix(':').filter(|_| end > 0)?)
        }
    };
    Some((key.trim().trim_matches(':'), value.trim_start()))
}

/// Returns the statement at the end of a text; `None` in a comment.
fn statement(before: &str) -> Option<Statement<'_>> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    let mut continues = false;
    for line in before.split_inclusive('\n') {
        let code = without_comment(line);
        let content = code.trim();
        let is_last = start + line.len() == before.len() && !line.ends_with('\n');
        if is_last && code.len() < line.len() {
            return None;
        }
        if !content.is_empty() || is_last {
            if !continues {
                lines.clear();
            }
            lines.push((start, code));
        }
        if !content.is_empty() {
            continues = content.ends_with([',', '\\', '(']);
        }
        start += line.len();
    }
    if before.is_empty() || before.ends_with('\n') {
        if !continues {
            lines.clear();
        }
        lines.push((before.len(), ""));
    }
    let (first_start, first) = lines.first().copied()?;
    let content = first.trim_start();
    let length = content.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(content.len());
    let (keyword, rest) = content.split_at(length);
    let keyword_start = first_start + first.len() - content.len();
    if rest.is_empty() && lines.len() == 1 {
        let last = &before[keyword_start..];
        return Some(Statement { arguments: Vec::new(), last, keyword: None });
    }
    let mut arguments = Vec::new();
    lines[0] = (keyword_start + length, rest);
    for (index, (_, line)) in lines.iter().enumerate() {
        let mut parts = split_arguments(line);
        let last = parts.pop().unwrap_or_default();
        let is_last = index + 1 == lines.len();
        arguments.extend(parts.iter().map(|part| part.trim_end()));
        if is_last {
            return Some(Statement { arguments, last, keyword: Some(keyword) });
        }
        let last = last.trim_end_matches([' ', '\t', '\r', '\n', '\\']);
        arguments.extend((!last.is_empty()).then_some(last));
    }
    None
}

/// Splits a line at its commas. The last part is unfinished.
fn split_arguments(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut quote = None;
    let mut start = 0;
    let part = |start: usize, end: usize| line[start..end].trim_start_matches([' ', '\t', '(']);
    for (index, character) in line.char_indices() {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character == ',' => {
                parts.push(part(start, index));
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(part(start, line.len()));
    parts
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (index, character) in line.char_indices() {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character == '#' => return &line[..index],
            _ => {}
        }
    }
    line
}

/// Returns the keywords; those that a file has once are only offered once.
fn keywords(db: &dyn Db, file: File, after: &str) -> Vec<CompletionItem> {
    let given = &project::puppetfile_of(db, file).words;
    let is_followed = after.lines().next().is_some_and(|line| !line.trim().is_empty());
    let left = KEYWORDS.iter().filter(|it| !given.iter().any(|word| word.text == it.name));
    let item = |keyword: &puppetfile::PuppetfileKeyword| {
        let snippet = (!is_followed).then(|| keyword.snippet.to_owned());
        CompletionItem::new(CompletionKind::Keyword, keyword.name).snippet(snippet).owner(OWNER)
    };
    left.map(item).collect()
}

/// Returns the modules that are deployed or required by a deployed one, except for those of the file.
fn modules(db: &dyn Db, file: File, offset: u32, word: &Word<'_>) -> Vec<CompletionItem> {
    let Some(environment) = file.environments(db).first() else { return Vec::new() };
    let declared = &project::puppetfile_of(db, file).modules;
    let others = declared.iter().filter(|it| !it.name_range.contains_inclusive(offset));
    let others: Vec<_> = others.map(|it| (project::installed_name(it), it.name.contains('/'))).collect();
    let has_slashes = others.iter().filter(|(_, has_slash)| *has_slash).count() * 2 > others.len();
    // The typed separator decides, then the other modules of the file.
    let has_slashes = word.typed.contains('/') || (has_slashes && !word.typed.contains('-'));
    let full_name = |name: &str| if has_slashes { name.replace('-', "/") } else { name.replace('/', "-") };
    let mut found: Vec<(String, String, u8)> = Vec::new();
    let trees: Vec<_> = environment.modules(db).values().copied().collect();
    for tree in &trees {
        let Some(metadata) = metadata_of(db, *tree) else { continue };
        let Some(name) = metadata.name() else { continue };
        for required in metadata.dependencies() {
            let detail = format!("required by {}", tree.name(db));
            found.push((full_name(&required.name.text), detail, 0));
        }
        let version = metadata.version().map(|it| it.text.to_string()).unwrap_or_default();
        found.push((full_name(&name.text), version, 1));
    }
    // The version says more than the requirement.
    found.sort_by(|a, b| (&a.0, b.2).cmp(&(&b.0, a.2)));
    found.dedup_by(|a, b| a.0 == b.0);
    let is_new = |name: &str| !others.iter().any(|(other, _)| *other == short_module_name(name));
    let item = |(name, detail, tier): (String, String, u8)| {
        let item = word.string(&name).detail(detail).once().tier(tier);
        CompletionItem { kind: CompletionKind::Module, ..item }
    };
    found.into_iter().filter(|(name, ..)| name.contains(['-', '/']) && is_new(name)).map(item).collect()
}

/// Returns the versions and options after the name of a module, or the values of an option.
fn arguments(
    db: &dyn Db,
    file: File,
    text: &str,
    statement: &Statement<'_>,
    word: &Word<'_>,
) -> Vec<CompletionItem> {
    let module = statement.arguments.first().copied().unwrap_or_default().trim_matches(['\'', '"']);
    let metadata = module_of(db, file, module).and_then(|it| metadata_of(db, it));
    if let Some((key, _)) = value_of(statement.last) {
        return values(db, file, key, word, metadata);
    }
    let given: Vec<&str> =
        statement.arguments.iter().filter_map(|it| value_of(it)).map(|(key, _)| key).collect();
    let mut items = Vec::new();
    if statement.arguments.len() == 1 {
        let version = metadata.and_then(ModuleMetadata::version);
        items.extend(version.map(|it| word.string(&it.text).detail("deployed").once().tier(0)));
        items.extend(word.code(":latest").map(|it| it.detail("newest version").tier(1)));
    }
    if word.quote.is_none() {
        let has_version = statement.arguments.len() > 1 && given.is_empty();
        items.extend(options(text, &given, has_version, word));
    }
    items
}

/// Returns the options that fit those that are given already.
fn options(text: &str, given: &[&str], has_version: bool, word: &Word<'_>) -> Vec<CompletionItem> {
    let given = |name: &str| given.contains(&name);
    let has_git = given("git") || given("source");
    let has_svn = given("svn") || given("source");
    let has_source = given("git") || given("svn") || given("local") || has_version;
    let revisions = OPTIONS.iter().filter(|it| it.group == OptionGroup::Git).map(|it| it.name);
    let has_revision = revisions.filter(|it| !it.starts_with("default")).any(given);
    let fits = |option: &&PuppetfileOption| match option.group {
        _ if given(option.name) => false,
        OptionGroup::Source if matches!(option.name, "source" | "version") => given("type"),
        OptionGroup::Source => !has_source && !given("type"),
        OptionGroup::Git if option.name.starts_with("default") => given("branch") || given("ref"),
        OptionGroup::Git => has_git && !has_revision,
        OptionGroup::Svn => has_svn,
        OptionGroup::Any => true,
    };
    // Follow the notation of the file, and of the word that is being typed.
    let has_arrows = text.contains("=>");
    let has_keys = OPTIONS.iter().any(|it| text.contains(&format!(" {}: ", it.name)));
    let with_arrow = word.typed.starts_with(':') || has_arrows || !has_keys;
    let item = |(index, option): (usize, &PuppetfileOption)| {
        let name = option.name;
        let label = if with_arrow { format!(":{name}") } else { format!("{name}:") };
        let head = if with_arrow { format!(":{name} => ") } else { format!("{name}: ") };
        let value = if option.values.is_empty() { "'$1'" } else { "$1" };
        let filter = if word.typed.starts_with(':') { format!(":{name}") } else { name.to_owned() };
        CompletionItem::new(CompletionKind::Key, label)
            .filter(filter)
            .text(head.clone())
            .snippet(Some(format!("{head}{value}")))
            .owner(OWNER)
            .tier(2)
            .weight(u32::try_from(OPTIONS.len() - index).unwrap_or_default())
            .once()
    };
    OPTIONS.iter().filter(fits).enumerate().map(item).collect()
}

/// Returns the values of an option: its literals, the source of the deployed module, and the values that
/// other modules of the file have.
fn values(
    db: &dyn Db,
    file: File,
    key: &str,
    word: &Word<'_>,
    metadata: Option<&ModuleMetadata>,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    let known = OPTIONS.iter().find(|it| it.name == key);
    items.extend(known.iter().flat_map(|it| it.values).filter_map(|it| word.code(it)));
    if matches!(key, "git" | "source") {
        let source = metadata.and_then(|it| it.data.entry("source")?.value.value.as_str().map(str::to_owned));
        items.extend(source.map(|it| word.string(&it).detail("deployed").tier(0)));
    }
    if matches!(key, "ref" | "tag") {
        let version = metadata.and_then(ModuleMetadata::version);
        items.extend(version.map(|it| word.string(&format!("v{}", it.text)).detail("deployed").tier(0)));
    }
    if matches!(key, "ref" | "branch" | "default_branch") {
        let modules = &project::puppetfile_of(db, file).modules;
        let others = modules.iter().flat_map(|it| &it.options);
        let others = others.filter(|it| it.name == key && it.value.written.len() > 2);
        items.extend(others.filter_map(|it| word.code(&it.value.written)));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[test]
    fn statements_end_at_the_cursor() {
        let cases = [
            ("", "None | []"),
            ("mo", "None | [] mo"),
            ("mod 'a-b'\nfo", "None | [] fo"),
            ("mod 'a-", "Some(\"mod\") | [] 'a-"),
            ("mod('a-b', ", "Some(\"mod\") | [\"'a-b'\"]"),
            ("mod 'a-b',\n  # note\n\n  :g", "Some(\"mod\") | [\"'a-b'\"] :g"),
            ("mod 'a-b',\n", "Some(\"mod\") | [\"'a-b'\"]"),
            (
                "mod 'a', :git => 'https://x/#y', :r",
                "Some(\"mod\") | [\"'a'\", \":git => 'https://x/#y'\"] :r",
            ),
            ("mod 'a', git: '", "Some(\"mod\") | [\"'a'\"] git: '"),
            ("mod 'a-b' # no", "comment"),
        ];
        for (text, expected) in cases {
            let shown = match statement(text) {
                Some(it) => {
                    format!("{:?} | {:?} {}", it.keyword, it.arguments, it.last).trim_end().to_owned()
                }
                None => "comment".to_owned(),
            };
            assert_eq!(shown, expected, "{text:?}");
        }
    }
}
