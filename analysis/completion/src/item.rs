//! A completion, as it is put together.

/// What may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// Its type, or where it comes from, in a few words.
    pub detail: Option<String>,
    /// What is inserted.
    pub text: String,
    /// What is inserted by editors that fill in places, as LSP's snippets have them.
    pub snippet: Option<String>,
    /// What the typed word is compared with; begins as the replaced text does.
    pub filter: String,
    pub is_deprecated: bool,
    /// What it belongs to, so that more can be said about it: the resource type of an attribute.
    pub owner: Option<String>,
    /// Of two that fit the typed word alike, the one with the lower tier comes first.
    pub(crate) tier: u8,
    /// In a tier, what nothing reads yet comes first: who is about to write a name mostly means that.
    pub(crate) is_unread: bool,
    /// In a tier, what has more comes first.
    pub(crate) weight: u32,
    /// Does it matter how near in the text the same word stands? Not for what is written once.
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
    /// A whole construct.
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

    /// Of what is written once in a file, the place of the last one says nothing.
    pub(crate) fn once(self) -> CompletionItem {
        CompletionItem { is_repeated: false, ..self }
    }

    /// Behind all that is known to fit.
    pub(crate) fn behind_values(self) -> CompletionItem {
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

    pub(crate) fn filter(self, filter: impl Into<String>) -> CompletionItem {
        CompletionItem { filter: filter.into(), ..self }
    }

    pub(crate) fn owner(self, owner: impl Into<String>) -> CompletionItem {
        CompletionItem { owner: Some(owner.into()), ..self }
    }

    pub(crate) fn deprecated(self, is_deprecated: bool) -> CompletionItem {
        CompletionItem { is_deprecated, ..self }
    }
}

/// A text in single quotes, unless it stands in quotes already.
pub(crate) fn quoted(text: &str, in_quotes: bool) -> String {
    if in_quotes { text.to_owned() } else { format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")) }
}

/// A text that stands for itself in a snippet.
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
