//! Findings on their way to a client that is told them: what they say is made into JSON once, as most of a file's findings
//! only move while one types.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use ide::Diagnostic;
use lsp_types::Uri;
use serde::Serialize;
use syntax::TextRange;

use super::reads::{RequestFile, Snapshot};
use crate::diagnostic_payload::{DiagnosticPayload, related_information};

/// A finding, and its words as JSON once it was told.
#[derive(Debug)]
pub(super) struct PublishedDiagnostic {
    pub(super) diagnostic: Diagnostic,
    /// The members of an object, from the `,` behind the range to the last one before `relatedInformation`.
    words: OnceLock<Arc<[u8]>>,
}

/// So many findings at most that are no longer there are passed over at once.
const MAX_PASSED: usize = 8;

/// Where a finding is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownDiagnostic<'t> {
    pub(super) told: &'t PublishedDiagnostic,
    pub(super) range: TextRange,
    /// Its related places may be elsewhere now.
    pub(super) is_moved: bool,
}

impl PublishedDiagnostic {
    /// Findings in the order of their places. Those that say the same as before take their words from `before`.
    pub(super) fn all(
        diagnostics: Vec<Diagnostic>,
        before: &[PublishedDiagnostic],
    ) -> Arc<[PublishedDiagnostic]> {
        let mut left = before;
        let told = diagnostics.into_iter().map(|diagnostic| {
            let same = left.iter().take(MAX_PASSED).position(|told| told.says_the_same_as(&diagnostic));
            let words = same.and_then(|at| left[at].words.get().cloned());
            left = &left[same.map_or(0, |at| at + 1)..];
            PublishedDiagnostic { diagnostic, words: words.map(OnceLock::from).unwrap_or_default() }
        });
        told.collect()
    }

    fn says_the_same_as(&self, other: &Diagnostic) -> bool {
        let own = &self.diagnostic;
        (own.code, own.severity(), own.tag, &own.message)
            == (other.code, other.severity(), other.tag, &other.message)
    }

    /// Where it was found.
    pub(super) fn in_place(&self) -> ShownDiagnostic<'_> {
        ShownDiagnostic { told: self, range: self.diagnostic.range, is_moved: false }
    }

    fn words(&self) -> &[u8] {
        self.words.get_or_init(|| {
            let mut words = serde_json::to_vec(&DiagnosticPayload::of(&self.diagnostic)).unwrap_or_default();
            words.pop();
            if let Some(first) = words.first_mut() {
                *first = b',';
            }
            words.into()
        })
    }
}

impl ShownDiagnostic<'_> {
    /// The finding as it is shown.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = self.told.diagnostic.clone();
        diagnostic.range = self.range;
        if self.is_moved {
            diagnostic.related.clear();
        }
        diagnostic
    }
}

/// The diagnostics of a file as a JSON array, by position.
pub(super) fn to_json(
    snapshot: &Snapshot,
    file: Option<&RequestFile>,
    mut shown: Vec<ShownDiagnostic<'_>>,
    capacity: usize,
) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::with_capacity(capacity);
    json.push(b'[');
    let Some(file) = file else {
        json.push(b']');
        return Ok(json);
    };
    shown.sort_by_key(|it| (it.range.start, it.range.end, it.told.diagnostic.severity()));
    let converter = file.converter(snapshot);
    for (index, it) in shown.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        let range = converter.range(it.range);
        let (start, end) = (range.start, range.end);
        write!(
            json,
            r#"{{"range":{{"start":{{"line":{},"character":{}}},"end":{{"line":{},"character":{}}}}}"#,
            start.line, start.character, end.line, end.character
        )
        .map_err(serde_json::Error::io)?;
        json.extend_from_slice(it.told.words());
        let related = match it.is_moved {
            true => Vec::new(),
            false => related_information(snapshot, file, &converter, &it.told.diagnostic),
        };
        if !related.is_empty() {
            json.extend_from_slice(br#","relatedInformation":"#);
            serde_json::to_writer(&mut json, &related)?;
        }
        json.push(b'}');
    }
    json.push(b']');
    Ok(json)
}

/// The notification that tells diagnostics.
pub(super) fn notification(
    uri: &Uri,
    version: Option<i32>,
    diagnostics: &[u8],
) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct About<'u> {
        uri: &'u Uri,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<i32>,
    }
    let about = serde_json::to_vec(&About { uri, version })?;
    let head = br#"{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":"#;
    let mut message = Vec::with_capacity(head.len() + about.len() + diagnostics.len() + 20);
    message.extend_from_slice(head);
    message.extend_from_slice(&about[..about.len() - 1]);
    message.extend_from_slice(br#","diagnostics":"#);
    message.extend_from_slice(diagnostics);
    message.extend_from_slice(b"}}");
    Ok(message)
}
