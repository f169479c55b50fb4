//! Publication of diagnostics: which open files are checked again, and in which order.

use std::sync::Arc;

use ide::FilePath;

use super::client::ClientHandle;
use super::documents::{Documents, NamedDocument};
use super::events::{LoopEvent, PendingDiagnostics, Work};
use super::jobs::{Jobs, Threads};
use crate::documents::Document;
use crate::publish::{self, Round};
use crate::reads::{Attempt, Snapshot};

/// Diagnostics that may change in the next revision.
#[derive(Default)]
pub(super) struct Publishing {
    due: PendingDiagnostics,
}

impl Publishing {
    pub(super) fn add(&mut self, due: PendingDiagnostics) {
        self.due.paths.extend(due.paths);
        self.due.everything |= due.everything;
        self.due.others |= due.others;
    }

    /// Marks all open files.
    pub(super) fn add_everything(&mut self) {
        self.due.everything = true;
    }

    /// Marks a file, and the others on which it may have an effect.
    pub(super) fn add_with_others(&mut self, path: FilePath) {
        self.due.others = true;
        self.due.paths.push(path);
    }

    /// Marks the files that a change may affect, once another file needs all diagnostics.
    pub(super) fn add_others(&mut self) {
        self.due.others = true;
    }

    /// Returns the files to check now, if any.
    pub(super) fn take(&mut self) -> Option<PendingDiagnostics> {
        (self.due.everything || !self.due.paths.is_empty()).then(|| std::mem::take(&mut self.due))
    }
}

/// Diagnostics to compute in a job, in order.
pub(super) struct PublishPlan {
    rounds: Vec<(NamedDocument, Round)>,
    /// Open files, in the order in which they are checked for an upgrade.
    documents: Vec<NamedDocument>,
    /// Diagnostics that are due again if a write cancels the job.
    retry: PendingDiagnostics,
}

impl PublishPlan {
    /// Plans pending diagnostics tier by tier: first the syntax of all edited files, then their other tiers,
    /// then those of the other files. Returns `None` if no edited file is open.
    pub(super) fn new(due: PendingDiagnostics, documents: &Documents) -> Option<PublishPlan> {
        let mut documents: Vec<(&FilePath, &Arc<Document>)> = documents.iter().collect();
        documents.retain(|(path, _)| due.others || due.includes(path));
        documents.sort_by_key(|(path, _)| (!due.includes(path), *path));
        let edited = documents.iter().take_while(|(path, _)| due.includes(path)).count();
        if edited == 0 {
            return None;
        }
        let mut rounds = Vec::new();
        let mut add = |(path, document): (&FilePath, &Arc<Document>), round: Round| {
            rounds.push(((path.clone(), document.clone()), round));
        };
        for round in [Round::Errors, Round::Syntax] {
            documents[..edited].iter().for_each(|it| add(*it, round));
        }
        for document in &documents {
            add(*document, Round::Names);
            add(*document, Round::Evaluation);
        }
        let others = documents.len() > edited;
        let documents = documents.into_iter().map(|(path, it)| (path.clone(), it.clone())).collect();
        Some(PublishPlan { rounds, documents, retry: PendingDiagnostics { others, ..due } })
    }

    /// Starts a job that publishes the diagnostics.
    pub(super) fn start(mut self, snapshot: Snapshot, client: &ClientHandle, jobs: &mut Jobs) {
        if snapshot.later.is_some() {
            self.rounds.extend(self.documents.drain(..).map(|it| (it, Round::Upgrade)));
        }
        let outbox = client.outbox.clone();
        jobs.run(Threads::Diagnostics, Work::Other, move |events| {
            for ((path, document), round) in &self.rounds {
                if publish::publish(path, document, &snapshot, *round, &outbox) == Attempt::WritePending {
                    events.send(LoopEvent::RetryPublish(self.retry));
                    return;
                }
            }
            // Comparisons with the previous texts follow only from the next edits.
            self.rounds.iter().for_each(|((_, document), _)| document.drop_edit());
        });
    }
}

#[cfg(test)]
#[path = "publishing_tests.rs"]
mod tests;
