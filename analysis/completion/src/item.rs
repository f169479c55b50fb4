//! Completion items.

/// Completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// Short description: its type or origin.
    pub detail: Option<String>,
    /// Inserted text.
    pub text: String,
    /// Text inserted by editors that support LSP snippets.
    pub snippet: Option<String>,
    /// Text compared with the typed word; it begins like the replaced text.
    pub filter: String,
    pub is_deprecated: bool,
    /// Owner, which is needed to resolve the details: the resource type of an attribute.
    pub owner: Option<String>,
    /// Module of the named thing that the `metadata.json` of the file's module does not list.
    pub missing_dependency: Option<String>,
    /// True if the inserted text ends where one of a few values follows, which an editor can list at once.
    pub lists_values: bool,
    /// Rank among items that match the typed word equally well; lower ones come first.
    pub(crate) tier: u8,
    /// True if the variable is not read yet, which ranks it first within a tier.
    pub(crate) is_unread: bool,
    /// Rank within a tier; higher ones come first.
    pub(crate) weight: u32,
    /// True if the distance to the nearest occurrence of the word affects the rank. False for names that are
    /// used once.
    pub(crate) is_repeated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    Function,
    Type,
    Variable,
    Fact,
    Class,
    ResourceType,
    Attribute,
    Metaparameter,
    Value,
    /// A resource that the file declares.
    Resource,
    Template,
    ServedFile,
    Keyword,
    /// A snippet for a construct.
    Construct,
    LintCheck,
    DocumentationTag,
    /// The name that a definition must have in its file.
    DefinitionName,
    /// A key of a hash with known keys.
    Key,
    /// A module, by its full name.
    Module,
}

impl CompletionItem {
    pub(crate) fn new(kind: CompletionKind, label: impl Into<String>) -> CompletionItem {
        let label = label.into();
        CompletionItem {
            text: label.clone(),
            filter: label.clone(),
            label,
            kind,
            detail: None,
            snippet: None,
            is_deprecated: false,
            owner: None,
            missing_dependency: None,
            lists_values: false,
            tier: 1,
            is_unread: false,
            weight: 0,
            is_repeated: true,
        }
    }

    pub(crate) fn tier(self, tier: u8) -> CompletionItem {
        CompletionItem { tier, ..self }
    }

    pub(crate) fn unread(self, is_unread: bool) -> CompletionItem {
        CompletionItem { is_unread, ..self }
    }

    pub(crate) fn weight(self, weight: u32) -> CompletionItem {
        CompletionItem { weight, ..self }
    }

    /// Ignores the distance to other occurrences, for names that are used only once in a file.
    pub(crate) fn once(self) -> CompletionItem {
        CompletionItem { is_repeated: false, ..self }
    }

    /// Ranks the item after all those that are known to match.
    pub(crate) fn after_values(self) -> CompletionItem {
        CompletionItem { tier: self.tier.saturating_add(10), ..self }
    }

    pub(crate) fn detail(self, detail: impl Into<String>) -> CompletionItem {
        CompletionItem { detail: Some(detail.into()).filter(|it: &String| !it.is_empty()), ..self }
    }

    pub(crate) fn text(self, text: impl Into<String>) -> CompletionItem {
        CompletionItem { text: text.into(), ..self }
    }

    pub(crate) fn snippet(self, snippet: Option<String>) -> CompletionItem {
        CompletionItem { snippet, ..self }
    }

    pub(crate) fn lists_values(self, lists_values: bool) -> CompletionItem {
        CompletionItem { lists_values, ..self }
    }

    pub(crate) fn filter(self, filter: impl Into<String>) -> CompletionItem {
        CompletionItem { filter: filter.into(), ..self }
    }

    pub(crate) fn owner(self, owner: impl Into<String>) -> CompletionItem {
        CompletionItem { owner: Some(owner.into()), ..self }
    }

    /// Returns the snippet without the commas after the values of attributes and keys, for editors that would keep
    /// them next to a typed comma.
    pub fn snippet_without_commas(&self) -> Option<String> {
        let line = |line: &str| {
            let (entry, end) = line.strip_suffix("$0").map_or((line, ""), |entry| (entry, "$0"));
            let bare = entry.strip_suffix(',').filter(|it| ends_with_tab_stop(it));
            format!("{}{end}", bare.unwrap_or(entry))
        };
        let lines = self.snippet.as_ref()?.split('\n').map(line);
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    pub(crate) fn deprecated(self, is_deprecated: bool) -> CompletionItem {
        CompletionItem { is_deprecated, ..self }
    }
}

/// Returns true if a part of a snippet ends with a tab stop, such as `$1`.
fn ends_with_tab_stop(part: &str) -> bool {
    let name = part.trim_end_matches(|it: char| it.is_ascii_digit());
    name.len() < part.len() && name.ends_with('$') && !name.ends_with("\\$")
}

/// Returns a string in single quotes, or unchanged if it is inserted inside of quotes.
pub(crate) fn quoted(text: &str, in_quotes: bool) -> String {
    if in_quotes { text.to_owned() } else { format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")) }
}

/// Escapes text for a snippet.
pub(crate) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '$' | '}') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Details of a completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionDetails {
    /// One or more lines of code.
    pub detail: String,
    /// Documentation in Markdown.
    pub documentation: Option<String>,
}
