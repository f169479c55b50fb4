//! Push diagnostics as JSON. Their payloads are serialized once, as most diagnostics of a file only move
//! while the user types.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use ide::Diagnostic;
use lsp_types::Uri;
use serde::Serialize;
use syntax::TextRange;

use super::reads::{RequestFile, Snapshot};
use crate::diagnostic_payload::{DiagnosticPayload, related_information};

/// A diagnostic, with its serialized payload once it has been published.
#[derive(Debug)]
pub(super) struct PublishedDiagnostic {
    pub(super) diagnostic: Diagnostic,
    /// Members of the JSON object, from the `,` after the range to the last one before `relatedInformation`.
    payload: OnceLock<Arc<[u8]>>,
}

/// Maximum number of removed diagnostics to skip when looking for a matching one.
const MAX_SKIPPED: usize = 8;

/// A diagnostic at its current location.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownDiagnostic<'t> {
    pub(super) published: &'t PublishedDiagnostic,
    pub(super) range: TextRange,
    /// True if the range has moved; the related locations may be outdated then.
    pub(super) is_moved: bool,
}

impl PublishedDiagnostic {
    /// Wraps diagnostics, sorted by position. Those with the same payload as in `before` reuse its
    /// serialization.
    pub(super) fn all(
        diagnostics: Vec<Diagnostic>,
        before: &[PublishedDiagnostic],
    ) -> Arc<[PublishedDiagnostic]> {
        let mut left = before;
        let published = diagnostics.into_iter().map(|diagnostic| {
            let same = left
                .iter()
                .take(MAX_SKIPPED)
                .position(|published| published.has_same_payload_as(&diagnostic));
            let payload = same.and_then(|at| left[at].payload.get().cloned());
            left = &left[same.map_or(0, |at| at + 1)..];
            PublishedDiagnostic { diagnostic, payload: payload.map(OnceLock::from).unwrap_or_default() }
        });
        published.collect()
    }

    fn has_same_payload_as(&self, other: &Diagnostic) -> bool {
        let own = &self.diagnostic;
        (own.code, own.severity(), own.tag, &own.message)
            == (other.code, other.severity(), other.tag, &other.message)
    }

    /// Returns whether another diagnostic reports the same at a different location.
    pub(super) fn reports(&self, other: &Diagnostic) -> bool {
        self.diagnostic.code == other.code && self.diagnostic.message == other.message
    }

    /// Returns the diagnostic at its original location.
    pub(super) fn in_place(&self) -> ShownDiagnostic<'_> {
        ShownDiagnostic { published: self, range: self.diagnostic.range, is_moved: false }
    }

    fn payload(&self) -> &[u8] {
        self.payload.get_or_init(|| {
            let mut payload =
                serde_json::to_vec(&DiagnosticPayload::of(&self.diagnostic)).unwrap_or_default();
            payload.pop();
            if let Some(first) = payload.first_mut() {
                *first = b',';
            }
            payload.into()
        })
    }
}

impl ShownDiagnostic<'_> {
    /// Returns whether the client sees exactly this diagnostic.
    pub(super) fn shows(&self, other: &Diagnostic) -> bool {
        let related = &self.published.diagnostic.related;
        self.range == other.range
            && self.published.has_same_payload_as(other)
            && (!self.is_moved || related.is_empty())
            && *related == other.related
    }

    /// Returns whether a found diagnostic is about the same problem.
    pub(super) fn is_similar_to(&self, found: &Diagnostic) -> bool {
        self.published.diagnostic.code == found.code && self.range.intersects_or_touches(found.range)
    }

    /// Returns the diagnostic with its current range.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = self.published.diagnostic.clone();
        diagnostic.range = self.range;
        if self.is_moved {
            diagnostic.related.clear();
        }
        diagnostic
    }
}

/// Serializes the diagnostics of a file as a JSON array, by position.
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
    shown.sort_by_key(|it| (it.range.start, it.range.end, it.published.diagnostic.severity()));
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
        json.extend_from_slice(it.published.payload());
        let related = match it.is_moved {
            true => Vec::new(),
            false => related_information(snapshot, file, &converter, &it.published.diagnostic),
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

/// Builds a `textDocument/publishDiagnostics` notification.
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
