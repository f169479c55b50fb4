//! Sharing of results: nodes that agree in all properties that the compiles of a node have read have its result.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use compile::{CompileRequest, NodeRead, NodeValues};
use fleet::results::NodeFailure;
use ide::{Analysis, EnvironmentId};
use sha2::{Digest, Sha256};

/// Maximum number of different lists of reads that are kept.
const MAX_LISTS: usize = 2_000;

/// Result of comparing a node, without its name.
#[derive(Debug, Default)]
pub(super) struct FleetOutcome {
    /// Id of the changes.
    pub(super) changes: Option<String>,
    pub(super) failures: Vec<NodeFailure>,
}

type ValueHash = [u8; 16];

/// Results by the properties that were read.
#[derive(Default)]
pub(super) struct SharedOutcomes {
    known: RwLock<KnownOutcomes>,
}

#[derive(Default)]
struct KnownOutcomes {
    /// Numbers of reads; those of the head follow those of the base in each list.
    numbers: HashMap<SideRead, usize>,
    reads: Vec<SideRead>,
    lists: Vec<ReadList>,
    positions: HashMap<Arc<[usize]>, usize>,
}

/// Results of the nodes whose compiles read the same properties in the same order.
struct ReadList {
    reads: Arc<[usize]>,
    outcomes: HashMap<ValueHash, Arc<FleetOutcome>>,
}

/// Read of the compile of a side.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SideRead {
    pub(super) is_head: bool,
    pub(super) read: NodeRead,
}

/// A node to compile: its requests and properties on both sides.
pub(super) struct NodeRequests {
    pub(super) base: CompileRequest,
    pub(super) head: CompileRequest,
}

/// Hashes of the properties of a node, computed on first use.
pub(super) struct NodeHashes {
    base: NodeValues,
    head: NodeValues,
    /// Hash of what every compile depends on.
    common: ValueHash,
    hashes: Vec<Option<ValueHash>>,
}

impl NodeHashes {
    pub(super) fn new(
        (old, old_environment): (&Analysis, EnvironmentId),
        (new, environment): (&Analysis, EnvironmentId),
        NodeRequests { base, head }: &NodeRequests,
    ) -> anyhow::Result<NodeHashes> {
        let parts = |request: &CompileRequest| {
            let parameters: Vec<_> = request.node_parameters.keys().collect();
            format!("{:?} {parameters:?} {}", request.node_classes, request.environment_name)
        };
        Ok(NodeHashes {
            base: old.node_values(old_environment, base)?,
            head: new.node_values(environment, head)?,
            common: hash(&(parts(base) + "\n" + &parts(head))),
            hashes: Vec::new(),
        })
    }

    fn of_read(&mut self, number: usize, SideRead { is_head, read }: &SideRead) -> ValueHash {
        if self.hashes.len() <= number {
            self.hashes.resize(number + 1, None);
        }
        let values = if *is_head { &self.head } else { &self.base };
        *self.hashes[number].get_or_insert_with(|| {
            let mut text = String::new();
            values.write(read, &mut text);
            hash(&text)
        })
    }

    /// Returns the hash of the values of a list of reads.
    fn of_list(&mut self, list: &[usize], reads: &[SideRead]) -> ValueHash {
        let mut all = Sha256::new();
        all.update(self.common);
        for number in list {
            all.update(self.of_read(*number, &reads[*number]));
        }
        shortened(&all.finalize())
    }
}

impl SharedOutcomes {
    /// Returns the result of a node that no compile can distinguish from this one.
    pub(super) fn find(&self, node: &mut NodeHashes) -> Option<Arc<FleetOutcome>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.lists.iter().find_map(|list| {
            let hash = node.of_list(&list.reads, &known.reads);
            list.outcomes.get(&hash).cloned()
        })
    }

    /// Adds the result of a node, with what its compiles have read.
    pub(super) fn add(
        &self,
        node: &mut NodeHashes,
        reads: impl Iterator<Item = SideRead>,
        outcome: &Arc<FleetOutcome>,
    ) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let known = &mut *known;
        let mut list = Vec::new();
        for read in reads {
            let next = known.reads.len();
            let number = *known.numbers.entry(read.clone()).or_insert(next);
            if number == next {
                known.reads.push(read);
            }
            list.push(number);
        }
        let hash = node.of_list(&list, &known.reads);
        let list: Arc<[usize]> = list.into();
        let position = match known.positions.get(&list) {
            Some(position) => *position,
            None if known.lists.len() >= MAX_LISTS => return,
            None => {
                known.positions.insert(list.clone(), known.lists.len());
                known.lists.push(ReadList { reads: list, outcomes: HashMap::new() });
                known.lists.len() - 1
            }
        };
        known.lists[position].outcomes.insert(hash, outcome.clone());
    }
}

fn hash(text: &str) -> ValueHash {
    shortened(&Sha256::digest(text))
}

fn shortened(digest: &[u8]) -> ValueHash {
    let mut short = ValueHash::default();
    short.copy_from_slice(&digest[..16]);
    short
}
