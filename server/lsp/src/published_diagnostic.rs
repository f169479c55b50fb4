//! Push diagnostics as JSON. All but their locations is serialized once, as most diagnostics of a file only move
//! while the user types.

use std::sync::{Arc, OnceLock};

use ide::Diagnostic;
use lsp_types::{CodeDescription, DiagnosticSeverity, DiagnosticTag, Uri};
use serde::Serialize;
use syntax::TextRange;

use super::reads::{RequestFile, Snapshot};
use crate::diagnostic_payload::{DiagnosticPayload, related_information};

/// A diagnostic, with its serialized payload once it has been published.
#[derive(Debug)]
pub(super) struct PublishedDiagnostic {
    pub(super) diagnostic: Diagnostic,
    /// JSON object of all but the locations.
    payload: OnceLock<Arc<str>>,
}

/// Maximum number of removed diagnostics to skip when looking for a matching one.
const MAX_SKIPPED: usize = 8;

/// Length of the part of a notification around the diagnostics, with a URI of the usual length.
const USUAL_HEAD: usize = 256;

/// A diagnostic at its current location.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownDiagnostic<'t> {
    pub(super) published: &'t PublishedDiagnostic,
    pub(super) range: TextRange,
    /// True if the range has moved; the related locations may be outdated then.
    pub(super) is_moved: bool,
}

impl PublishedDiagnostic {
    /// Wraps diagnostics, sorted by position. Those with the same payload as in `before` reuse its JSON.
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

    fn payload(&self) -> serde_json::Result<&str> {
        if let Some(payload) = self.payload.get() {
            return Ok(payload);
        }
        let DiagnosticPayload { severity, code, source, code_description, tags } =
            DiagnosticPayload::of(&self.diagnostic);
        let message = &self.diagnostic.message;
        let payload = PushedPayload { severity, code, source, message, code_description, tags };
        let payload = Arc::from(serde_json::to_string(&payload)?);
        Ok(self.payload.get_or_init(|| payload))
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

/// A diagnostic as the client receives it, without its locations.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushedPayload<'d> {
    severity: DiagnosticSeverity,
    code: &'static str,
    source: &'static str,
    message: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_description: Option<&'static CodeDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<[DiagnosticTag; 1]>,
}

/// Length of a diagnostic without its payload, in a file of up to 99,999 lines. Growing the buffer would copy it.
const USUAL_RANGE: usize = 96;

/// Serializes the diagnostics of a file as a JSON array, by position.
pub(super) fn to_json(
    snapshot: &Snapshot,
    file: Option<&RequestFile>,
    mut shown: Vec<ShownDiagnostic<'_>>,
) -> serde_json::Result<Box<[u8]>> {
    let Some(file) = file else { return Ok(none()) };
    shown.sort_by_key(|it| (it.range.start, it.range.end, it.published.diagnostic.severity()));
    let converter = file.converter(snapshot);
    let mut length = 2;
    for it in &shown {
        length += it.published.payload()?.len() + USUAL_RANGE;
    }
    let mut json = Vec::with_capacity(length);
    json.push(b'[');
    for it in &shown {
        if json.len() > 1 {
            json.push(b',');
        }
        json.extend_from_slice(b"{\"range\":");
        serde_json::to_writer(&mut json, &converter.range(it.range))?;
        let found = &it.published.diagnostic;
        let related =
            if it.is_moved { Vec::new() } else { related_information(snapshot, file, &converter, found) };
        if !related.is_empty() {
            json.extend_from_slice(b",\"relatedInformation\":");
            serde_json::to_writer(&mut json, &related)?;
        }
        // The braces of the payload are those of the diagnostic.
        json.push(b',');
        json.extend_from_slice(it.published.payload()?.trim_start_matches('{').as_bytes());
    }
    json.push(b']');
    Ok(json.into_boxed_slice())
}

/// Returns the JSON array of a file without diagnostics.
pub(super) fn none() -> Box<[u8]> {
    Box::from(*b"[]")
}

/// Builds a `textDocument/publishDiagnostics` notification from a JSON array.
pub(super) fn notification(
    uri: &Uri,
    version: Option<i32>,
    diagnostics: &[u8],
) -> serde_json::Result<Vec<u8>> {
    let mut message = Vec::with_capacity(diagnostics.len() + USUAL_HEAD);
    message.extend_from_slice(
        b"{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":",
    );
    serde_json::to_writer(&mut message, uri)?;
    if let Some(version) = version {
        message.extend_from_slice(b",\"version\":");
        serde_json::to_writer(&mut message, &version)?;
    }
    message.extend_from_slice(b",\"diagnostics\":");
    message.extend_from_slice(diagnostics);
    message.extend_from_slice(b"}}");
    Ok(message)
}

#[cfg(test)]
#[path = "published_diagnostic_tests.rs"]
mod tests;
