//! Diagnostics for clients that do not ask for them.

use std::sync::PoisonError;

use ide::{Cancelled, FilePath};
use lsp_types::{MessageType, Uri};

use super::documents::Document;
use super::outbox::Outbox;
use super::panics;
use super::reads::{Attempt, Snapshot};
use crate::handlers::diagnostics::{file_diagnostics, fingerprint};

/// Sends the diagnostics of an open file, with the version of the text they are about.
pub(super) fn publish(path: &FilePath, document: &Document, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
    let _span = tracing::info_span!("publish diagnostics").entered();
    let found = panics::catch(|| match snapshot.file(path, &document.uri)? {
        Some(file) => file_diagnostics(&snapshot, &file),
        None => Ok(Vec::new()),
    });
    let diagnostics = match found {
        Ok(Ok(diagnostics)) => diagnostics,
        Ok(Err(Cancelled::PendingWrite)) => return Attempt::WriteWaits,
        Ok(Err(Cancelled::Local)) => return Attempt::Done,
        Err(report) => {
            let message = format!("the diagnostics of {} have failed, a bug: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            return Attempt::Done;
        }
    };
    let state = Some((document.generation, fingerprint(&diagnostics)));
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    if *published == state {
        return Attempt::Done;
    }
    *published = state;
    let (uri, version) = (document.uri.clone(), document.version);
    outbox.notify(move |client| async move {
        client.publish_diagnostics(uri, diagnostics, Some(version)).await;
    });
    // Only now may the next revision begin: what is put into the outbox is in the order of the revisions.
    drop(snapshot);
    Attempt::Done
}

/// Takes back the diagnostics of a file that was closed.
pub(super) fn clear(uri: Uri, outbox: &Outbox) {
    outbox.notify(move |client| async move { client.publish_diagnostics(uri, Vec::new(), None).await });
}
