//! Cache of the facts that each thread has evaluated most recently. The files of an environment are evaluated once for
//! all nodes whose facts agree in those that the files read.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use plugins::code::RubyProgram;
use ruby::{FactFile, FactOutcome, HostFact};
use smol_str::SmolStr;
use types::{CachedValue, HashValue};

use super::known_types::{provides_alike, requires_alike};
use super::{LibraryFiles, PluginHost, Providers, ReadOfFact};

/// Maximum number of evaluations that each thread keeps.
const MAX_KNOWN_FACTS: usize = 32;

/// Facts that files add, and what their values depend on.
struct EvaluatedFacts {
    files: Vec<FactFile>,
    is_windows: bool,
    puppet_version: Option<u32>,
    /// Files that were required, each with the result.
    required: Vec<(String, Option<Arc<RubyProgram>>)>,
    /// Types whose providers were requested, each with the result.
    providers: Vec<(String, Providers)>,
    reads: Vec<ReadOfFact>,
    facts: Vec<(SmolStr, FactOutcome)>,
}

thread_local! {
    /// Known facts, the most recently evaluated ones last.
    static KNOWN: RefCell<VecDeque<EvaluatedFacts>> = const { RefCell::new(VecDeque::new()) };
}

/// Evaluates the facts that files add, unless that is known.
pub(super) fn facts_of_files(
    library: &dyn LibraryFiles,
    files: &[FactFile],
    facts: &HashValue,
    settled: &HashValue,
) -> Vec<(SmolStr, FactOutcome)> {
    let mut host = PluginHost::of_agent(library, facts, settled);
    let known = KNOWN.with_borrow(|all| {
        let known = all.iter().rev().find(|it| it.is_of(files) && it.is_valid_for(&host));
        known.map(|it| it.facts.clone())
    });
    if let Some(facts) = known {
        return facts;
    }
    let facts = ruby::facts_of_files(&mut host, files);
    let known = EvaluatedFacts {
        files: files.to_vec(),
        is_windows: host.is_windows,
        puppet_version: host.puppet_version,
        required: host.required,
        providers: host.requested_providers,
        reads: host.read_facts.into_inner(),
        facts: facts.clone(),
    };
    KNOWN.with_borrow_mut(|all| {
        all.push_back(known);
        if all.len() > MAX_KNOWN_FACTS {
            all.pop_front();
        }
    });
    facts
}

impl EvaluatedFacts {
    fn is_of(&self, files: &[FactFile]) -> bool {
        let is_same = |(one, other): (&FactFile, &FactFile)| {
            Arc::ptr_eq(&one.program, &other.program) && one.names == other.names
        };
        self.files.len() == files.len() && self.files.iter().zip(files).all(is_same)
    }

    /// Returns true if evaluation with a host would read the same.
    fn is_valid_for(&self, host: &PluginHost<'_>) -> bool {
        let reads_alike = |read: &ReadOfFact| match read {
            ReadOfFact::Value(name, value) => is_same_fact(value, &host.value_of_fact(name)),
            ReadOfFact::IsFinal(name, is_final) => host.is_settled(name) == *is_final,
        };
        (self.is_windows, self.puppet_version) == (host.is_windows, host.puppet_version)
            && self.reads.iter().all(reads_alike)
            && requires_alike(&self.required, host.files)
            && provides_alike(&self.providers, host.files)
    }
}

/// Returns true if no code can distinguish two facts.
fn is_same_fact(one: &HostFact, other: &HostFact) -> bool {
    match (one, other) {
        (HostFact::Known(one), HostFact::Known(other)) => {
            CachedValue(one.clone()) == CachedValue(other.clone())
        }
        _ => one == other,
    }
}
