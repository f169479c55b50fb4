//! Push diagnostics as JSON. Their messages are serialized once, as most diagnostics of a file only move
//! while the user types.

use std::sync::{Arc, OnceLock};

use ide::Diagnostic;
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Range, Uri,
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use syntax::TextRange;

use super::reads::{RequestFile, Snapshot};
use crate::diagnostic_payload::{DiagnosticPayload, related_information};

/// A diagnostic, with its serialized message once it has been published.
#[derive(Debug)]
pub(super) struct PublishedDiagnostic {
    pub(super) diagnostic: Diagnostic,
    message: OnceLock<Arc<RawValue>>,
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
    /// Wraps diagnostics, sorted by position. Those with the same payload as in `before` reuse its
    /// message.
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
            let message = same.and_then(|at| left[at].message.get().cloned());
            left = &left[same.map_or(0, |at| at + 1)..];
            PublishedDiagnostic { diagnostic, message: message.map(OnceLock::from).unwrap_or_default() }
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

    fn message(&self) -> serde_json::Result<&RawValue> {
        if let Some(message) = self.message.get() {
            return Ok(message);
        }
        let message = Arc::from(to_raw_value(&self.diagnostic.message)?);
        Ok(self.message.get_or_init(|| message))
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

/// A diagnostic as the client receives it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushedDiagnostic<'d> {
    range: Range,
    severity: DiagnosticSeverity,
    code: &'static str,
    source: &'static str,
    message: &'d RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_description: Option<&'static CodeDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<[DiagnosticTag; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_information: Vec<DiagnosticRelatedInformation>,
}

/// Serializes the diagnostics of a file as a JSON array, by position.
pub(super) fn to_json(
    snapshot: &Snapshot,
    file: Option<&RequestFile>,
    mut shown: Vec<ShownDiagnostic<'_>>,
) -> serde_json::Result<Box<RawValue>> {
    let Some(file) = file else { return none() };
    shown.sort_by_key(|it| (it.range.start, it.range.end, it.published.diagnostic.severity()));
    let converter = file.converter(snapshot);
    let pushed = shown.iter().map(|it| {
        let found = &it.published.diagnostic;
        let DiagnosticPayload { severity, code, source, code_description, tags } =
            DiagnosticPayload::of(found);
        let related_information =
            if it.is_moved { Vec::new() } else { related_information(snapshot, file, &converter, found) };
        let (range, message) = (converter.range(it.range), it.published.message()?);
        Ok(PushedDiagnostic {
            range,
            severity,
            code,
            source,
            message,
            code_description,
            tags,
            related_information,
        })
    });
    to_raw_value(&pushed.collect::<serde_json::Result<Vec<_>>>()?)
}

/// Returns the JSON array of a file without diagnostics.
pub(super) fn none() -> serde_json::Result<Box<RawValue>> {
    to_raw_value::<[(); 0]>(&[])
}

/// Builds a `textDocument/publishDiagnostics` notification.
pub(super) fn notification(
    uri: &Uri,
    version: Option<i32>,
    diagnostics: &RawValue,
) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct PublishNotification<'n> {
        jsonrpc: &'static str,
        method: &'static str,
        params: PublishParams<'n>,
    }
    #[derive(Serialize)]
    struct PublishParams<'n> {
        uri: &'n Uri,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<i32>,
        diagnostics: &'n RawValue,
    }
    let mut message = Vec::with_capacity(diagnostics.get().len() + USUAL_HEAD);
    let params = PublishParams { uri, version, diagnostics };
    let method = "textDocument/publishDiagnostics";
    serde_json::to_writer(&mut message, &PublishNotification { jsonrpc: "2.0", method, params })?;
    Ok(message)
}

#[cfg(test)]
#[path = "published_diagnostic_tests.rs"]
mod tests;
