//! Request for a compile: the entry point, the node, and its known facts and data.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use eval::{EvaluationSettings, NodeClass};
use hiera::data::DataFormat;
use hiera::lookup::DataFile;
use hir::Name;
use project::vfs::FilePath;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::fleet_exports::FleetExports;
use super::fleet_queries::FleetQueries;

/// Request to compile a catalog.
#[derive(Clone, Debug)]
pub struct CompileRequest {
    pub entry: EntryPoint,
    /// Name of the node: its certname.
    pub node_name: Name,
    pub facts: Facts,
    /// Top-scope variables from an external node classifier. They take precedence over facts of the same
    /// name.
    pub node_parameters: HashValue,
    /// Classes from an external node classifier.
    pub node_classes: Vec<NodeClass>,
    /// `$trusted['extensions']`
    pub trusted_extensions: HashValue,
    /// Elements of `$trusted` that replace those derived from the name of the node.
    pub trusted: Option<Arc<HashValue>>,
    /// Server facts: `servername`, `serverip`, `serverversion`.
    pub server_facts: HashValue,
    /// Value of `$environment`.
    pub environment_name: Name,
    /// Evaluation settings; `None` for those of the environment.
    pub settings: Option<EvaluationSettings>,
    /// True if definitions may exist outside of the project. If false, a definition that is not found is an
    /// error, as in Puppet.
    pub is_incomplete: bool,
    /// True if the name of the node is a placeholder. The name and the data specific to the node are then
    /// unknown.
    pub has_invented_node: bool,
    pub global_hiera: Option<GlobalHiera>,
    /// True if the server is the machine that this runs on. Absolute paths are then read; otherwise, their
    /// contents are unknown.
    pub reads_this_machine: bool,
    /// Ruby files that differ from what a comparison compares with. The functions of their modules are evaluated
    /// from their code even if built-in implementations exist.
    pub changed_ruby: Arc<BTreeSet<FilePath>>,
    /// Resources that other nodes export; `None` if they are unknown.
    pub exports: Option<Arc<FleetExports>>,
    /// Queries of PuppetDB, if nothing is known about the resources that other nodes export, but about PuppetDB.
    pub queries: Option<Arc<FleetQueries>>,
    /// True to record the properties of the node that the compile reads.
    pub records_reads: bool,
    /// Top-scope variables of this request, if they are known already.
    pub variables: Option<Arc<FxHashMap<Name, Value>>>,
}

impl CompileRequest {
    /// Returns what is known about queries of PuppetDB; `None` if nothing is known about PuppetDB.
    pub(crate) fn known_queries(&self) -> Option<&FleetQueries> {
        self.queries.as_deref().or(self.exports.as_deref().map(|it| &it.queries))
    }

    /// Creates a request for a node and a server about which nothing is known.
    pub fn new(entry: EntryPoint) -> CompileRequest {
        let of_server = |name| (Value::string(name), Value::unknown(Type::STRING, Origin::Fact));
        CompileRequest {
            entry,
            node_name: Name::default(),
            facts: Facts::Unknown,
            node_parameters: HashValue::default(),
            node_classes: Vec::new(),
            trusted_extensions: HashValue::default(),
            trusted: None,
            server_facts: ["servername", "serverip"].into_iter().map(of_server).collect(),
            environment_name: Name::new("production"),
            settings: None,
            is_incomplete: false,
            has_invented_node: false,
            global_hiera: None,
            reads_this_machine: false,
            changed_ruby: Arc::default(),
            exports: None,
            queries: None,
            records_reads: false,
            variables: None,
        }
    }
}

/// Entry point of a compile.
#[derive(Clone, PartialEq, Debug)]
pub enum EntryPoint {
    /// Main manifest of the environment, with the matching node definition.
    MainManifest,
    /// `include` of a class, instead of the main manifest.
    Class(Name),
    /// Class whose required parameters have unknown values of their types, unless data sets them.
    ClassWithAnyParameters(Name),
    /// Source text, instead of the main manifest.
    Code(Arc<str>),
}

/// Facts of a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Facts {
    /// Only the types of facts are known.
    Unknown,
    /// Facts of a platform, without those that modules add. `of_modules` has some of the facts that modules
    /// of the environment add; the others are unknown.
    Platform { facts: Arc<HashValue>, of_modules: Arc<HashValue> },
    /// All facts are known.
    Given(Arc<HashValue>),
}

/// The global `hiera.yaml` of a machine.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalHiera {
    /// Folder of the file; with `/`.
    pub folder: SmolStr,
    pub text: Arc<str>,
}

/// Reader for files that the project does not hold: binary files, texts that are too large, files outside of
/// it.
pub trait FileReader {
    /// Reads an absolute path, with `/`.
    fn read(&self, path: &str) -> FileRead;

    /// Returns the data that was parsed so far, if the reader keeps it.
    fn parsed_data(&self) -> Option<&ParsedData> {
        None
    }
}

/// Data files that were read and parsed, for commands that look up many keys or compile many nodes.
#[derive(Default)]
pub struct ParsedData(Mutex<FxHashMap<(SmolStr, DataFormat), DataFile>>);

impl ParsedData {
    /// Minimum size in bytes of the files that are kept: others are parsed again in less than a millisecond.
    const MIN_LENGTH: usize = 32 << 10;
    /// Maximum number of files that are kept.
    const MAX_FILES: usize = 16;

    /// Returns a data file, reading and parsing it with `read` if it is not known. `read` also returns the size of the
    /// file in bytes.
    pub(crate) fn get_or(
        &self,
        path: &str,
        format: DataFormat,
        read: impl FnOnce() -> (DataFile, usize),
    ) -> DataFile {
        let files = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (SmolStr::new(path), format);
        if let Some(known) = files().get(&key) {
            return known.clone();
        }
        let (found, length) = read();
        if length >= ParsedData::MIN_LENGTH {
            let mut files = files();
            if files.len() >= ParsedData::MAX_FILES {
                files.clear();
            }
            files.insert(key, found.clone());
        }
        found
    }
}

/// Result of reading a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileRead {
    Content(Arc<[u8]>),
    Missing,
    /// The path must not be read, is not a file, or is too large.
    Unknown,
}
