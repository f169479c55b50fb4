//! Encoding of semantic tokens, and the cache for deltas.

use std::sync::{Mutex, PoisonError};

use ide::{SemanticTokenKind, SemanticTokenModifiers};
use lsp_types::{SemanticToken, SemanticTokens, Uri};
use rustc_hash::FxHashMap;

/// Returns the names of the token types, in the order of [`kind_number`], and of the modifiers, in the order
/// of their bits.
pub(crate) fn legend() -> (Vec<String>, Vec<String>) {
    let kinds = [
        "comment",
        "keyword",
        "string",
        "escapeSequence",
        "number",
        "regexp",
        "operator",
        "variable",
        "parameter",
        "property",
        "function",
        "class",
        "type",
        "macro",
    ];
    let modifiers = ["declaration", "readonly", "defaultLibrary"];
    (kinds.map(str::to_owned).to_vec(), modifiers.map(str::to_owned).to_vec())
}

/// Returns the index of a kind in [`legend`].
pub(crate) fn kind_number(kind: SemanticTokenKind) -> u32 {
    match kind {
        SemanticTokenKind::Comment => 0,
        SemanticTokenKind::Keyword => 1,
        SemanticTokenKind::String | SemanticTokenKind::Bareword => 2,
        SemanticTokenKind::Escape => 3,
        SemanticTokenKind::Number => 4,
        SemanticTokenKind::Regex => 5,
        SemanticTokenKind::Operator => 6,
        SemanticTokenKind::Variable => 7,
        SemanticTokenKind::Parameter => 8,
        SemanticTokenKind::Property => 9,
        SemanticTokenKind::Function | SemanticTokenKind::Statement => 10,
        SemanticTokenKind::Class => 11,
        SemanticTokenKind::Type => 12,
        SemanticTokenKind::TemplateTag => 13,
    }
}

/// Returns the bit set of modifiers, in the order of [`legend`].
pub(crate) fn modifier_bits(modifiers: SemanticTokenModifiers) -> u32 {
    u32::from(modifiers.declaration)
        | u32::from(modifiers.readonly) << 1
        | u32::from(modifiers.default_library) << 2
}

/// Tokens that the client has for each file, to answer delta requests.
#[derive(Default)]
pub(crate) struct SemanticTokenCache {
    files: Mutex<CachedTokens>,
}

#[derive(Default)]
struct CachedTokens {
    by_uri: FxHashMap<Uri, (String, Vec<SemanticToken>)>,
    last_id: u64,
}

impl SemanticTokenCache {
    pub(crate) fn remember(&self, uri: &Uri, data: Vec<SemanticToken>) -> SemanticTokens {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.last_id += 1;
        let id = files.last_id.to_string();
        files.by_uri.insert(uri.clone(), (id.clone(), data.clone()));
        SemanticTokens { result_id: Some(id), data }
    }

    pub(crate) fn recall(&self, uri: &Uri, id: &str) -> Option<Vec<SemanticToken>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let (known_id, data) = files.by_uri.remove(uri)?;
        (known_id == id).then_some(data)
    }

    pub(crate) fn remove(&self, uri: &Uri) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).by_uri.remove(uri);
    }
}
