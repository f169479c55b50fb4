//! Sharing of results: nodes and platforms that agree in all properties that the compiles of one have read have its
//! result.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use compile::{CompileRequest, Facts};
use ide::{Analysis, EnvironmentId, NodeProperties, NodeProperty};
use sha2::{Digest, Sha256};

/// Maximum number of different lists of reads that are kept.
const MAX_LISTS: usize = 2_000;

type ValueHash = [u8; 16];

/// Results by the properties that were read.
pub struct SharedResults<T> {
    known: RwLock<KnownResults<T>>,
}

struct KnownResults<T> {
    /// Numbers of reads; those of a later compile follow those of an earlier one in each list.
    numbers: HashMap<ReadOfCompile, usize>,
    reads: Vec<ReadOfCompile>,
    lists: Vec<ReadList<T>>,
    positions: HashMap<Arc<[usize]>, usize>,
}

impl<T> Default for SharedResults<T> {
    fn default() -> SharedResults<T> {
        let (numbers, positions) = (HashMap::new(), HashMap::new());
        let known = KnownResults { numbers, reads: Vec::new(), lists: Vec::new(), positions };
        SharedResults { known: RwLock::new(known) }
    }
}

/// Results of the nodes whose compiles read the same properties in the same order.
struct ReadList<T> {
    reads: Arc<[usize]>,
    results: HashMap<ValueHash, Arc<T>>,
}

/// Read of one of the compiles that a result needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReadOfCompile {
    /// Number of the compile.
    pub compile: usize,
    pub read: NodeProperty,
}

/// A compile that a result needs.
pub type NeededCompile<'c> = (&'c Analysis, EnvironmentId, &'c CompileRequest);

/// Hashes of the properties of a node, computed on first use.
pub struct NodeHashes {
    /// Properties in each of the compiles.
    values: Vec<NodeProperties>,
    /// Hash of what every compile depends on.
    common: ValueHash,
    hashes: Vec<Option<ValueHash>>,
}

impl NodeHashes {
    pub fn new(compiles: &[NeededCompile<'_>]) -> anyhow::Result<NodeHashes> {
        let parts = |(_, _, request): &NeededCompile<'_>| {
            let CompileRequest { entry, node_classes, environment_name, has_invented_node, .. } = request;
            let parameters: Vec<_> = request.node_parameters.keys().collect();
            let facts = match request.facts {
                Facts::Unknown => "unknown",
                Facts::Platform { .. } => "platform",
                Facts::Given(_) => "given",
            };
            let has_extensions = !request.trusted_extensions.is_empty();
            format!(
                "{entry:?} {node_classes:?} {parameters:?} {environment_name} {has_invented_node} {facts} {has_extensions}\n"
            )
        };
        let values = |(analysis, environment, request): &NeededCompile<'_>| {
            analysis.node_properties(*environment, request)
        };
        Ok(NodeHashes {
            common: hash(&compiles.iter().map(parts).collect::<String>()),
            values: compiles.iter().map(values).collect::<Result<_, _>>()?,
            hashes: Vec::new(),
        })
    }

    /// Returns the request of a compile for which the node is compiled if no result can be shared.
    pub fn recorded(&self, compile: usize, request: &CompileRequest) -> CompileRequest {
        match self.values.get(compile) {
            Some(properties) => properties.recorded(request),
            None => CompileRequest { records_reads: true, variables: None, ..request.clone() },
        }
    }

    fn of_read(&mut self, number: usize, ReadOfCompile { compile, read }: &ReadOfCompile) -> ValueHash {
        if self.hashes.len() <= number {
            self.hashes.resize(number + 1, None);
        }
        let values = self.values.get(*compile);
        *self.hashes[number].get_or_insert_with(|| {
            let mut text = String::new();
            if let Some(values) = values {
                values.write(read, &mut text);
            }
            hash(&text)
        })
    }

    /// Returns the hash of the values of a list of reads.
    fn of_list(&mut self, list: &[usize], reads: &[ReadOfCompile]) -> ValueHash {
        let mut all = Sha256::new();
        all.update(self.common);
        for number in list {
            all.update(self.of_read(*number, &reads[*number]));
        }
        shortened(&all.finalize())
    }
}

impl<T> SharedResults<T> {
    /// Returns the result of a node that no compile can distinguish from this one.
    pub fn find(&self, node: &mut NodeHashes) -> Option<Arc<T>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.lists.iter().find_map(|list| {
            let hash = node.of_list(&list.reads, &known.reads);
            list.results.get(&hash).cloned()
        })
    }

    /// Adds the result of a node, with what its compiles have read.
    pub fn add(&self, node: &mut NodeHashes, reads: impl Iterator<Item = ReadOfCompile>, result: &Arc<T>) {
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
                known.lists.push(ReadList { reads: list, results: HashMap::new() });
                known.lists.len() - 1
            }
        };
        known.lists[position].results.insert(hash, result.clone());
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
