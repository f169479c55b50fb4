//! Contents of the files that resources take from the `files` folders of modules.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use compile::{FileRead, FileReader};
use eval::CatalogResource;
use ide::FilePath;
use sha2::{Digest, Sha256};
use types::{Origin, Type, Value};

/// Maximum length in bytes of contents that are shown; of others, the checksum is shown.
const MAX_SHOWN: usize = 16 << 10;

/// Maximum number of files of a recursive resource that are compared.
const MAX_FILES: usize = 10_000;

const SCHEME: &str = "puppet://";

/// Files that the modules of one side serve.
pub struct ServedFiles<'r> {
    /// Root folders of the modules by name.
    modules: BTreeMap<String, FilePath>,
    /// Existing files below the `files` folders.
    files: BTreeSet<FilePath>,
    reader: &'r (dyn FileReader + Sync),
    contents: Mutex<HashMap<FilePath, Value>>,
    /// Tags of resources whose contents are not compared.
    ignored_tags: &'r [String],
}

impl<'r> ServedFiles<'r> {
    /// `paths_below` returns the existing files below a folder.
    pub fn new(
        modules: Vec<(String, FilePath)>,
        paths_below: impl Fn(&FilePath) -> Vec<FilePath>,
        reader: &'r (dyn FileReader + Sync),
    ) -> ServedFiles<'r> {
        let files = modules.iter().flat_map(|(_, root)| paths_below(&root.join("files"))).collect();
        let modules = modules.into_iter().collect();
        ServedFiles { modules, files, reader, contents: Mutex::default(), ignored_tags: &[] }
    }

    /// Leaves out the contents of resources with one of these tags.
    pub fn ignoring(self, ignored_tags: &'r [String]) -> ServedFiles<'r> {
        ServedFiles { ignored_tags, ..self }
    }

    /// Returns true if the contents of a resource are not compared.
    pub fn ignores(&self, resource: &CatalogResource) -> bool {
        let is_ignored = |tag: &str| self.ignored_tags.iter().any(|it| it == tag);
        !self.ignored_tags.is_empty() && resource.tags.sorted().iter().any(|tag| is_ignored(tag.as_str()))
    }

    /// Returns the contents of the files that a resource takes from modules, each with a description.
    pub fn of_resource(&self, resource: &CatalogResource) -> Vec<(String, Value)> {
        let parameter = |name: &str| resource.parameters.iter().find(|(it, _)| it == name).map(|(_, it)| it);
        let Some(source) = parameter("source").filter(|_| !self.ignores(resource)) else { return Vec::new() };
        let sources = match source {
            Value::Array(elements) => elements.to_vec(),
            source => vec![source.clone()],
        };
        let text = |name: &str| parameter(name).and_then(Value::as_str);
        let recursion = RecursiveSource::of(parameter);
        let takes_all = recursion.is_some() && text("sourceselect") == Some("all");
        let mut found: BTreeMap<String, Value> = BTreeMap::new();
        for source in &sources {
            if !source.is_known() {
                let content = Value::unknown(Type::STRING, Origin::MissingDefinition);
                found.entry("content".to_owned()).or_insert(content);
                break;
            }
            let Some(source) = source.as_str() else { continue };
            // A file of the node, or of a mount outside of the modules, may exist and take precedence.
            let Some(path) = self.path(source) else { continue };
            let of_source = self.of_source(&path, recursion.as_ref());
            let exists = !of_source.is_empty();
            for (name, content) in of_source {
                found.entry(name).or_insert(content);
            }
            if exists && !takes_all {
                break;
            }
        }
        found.into_iter().collect()
    }

    /// Returns the file that the first existing source in a module names.
    pub fn text_of(&self, sources: &[&str]) -> ServedText {
        let of_modules = || {
            let rest = sources.iter().filter_map(|source| source.strip_prefix("puppet:///modules/"));
            rest.filter_map(|rest| rest.split_once('/'))
                .filter(|(name, path)| !name.is_empty() && !path.is_empty())
        };
        for (module, below) in of_modules() {
            let Some(root) = self.modules.get(module) else { continue };
            let path = root.join("files").join(below.trim_end_matches('/'));
            if self.files.contains(&path) {
                return match self.reader.read(path.as_str()) {
                    FileRead::Content(bytes) => ServedText::File(bytes.to_vec()),
                    FileRead::Missing | FileRead::Unknown => ServedText::Missing,
                };
            }
            if self.files.iter().any(|file| file.strip_prefix(&path).is_some()) {
                return ServedText::Folder;
            }
        }
        if of_modules().next().is_some() { ServedText::Missing } else { ServedText::Elsewhere }
    }

    /// Returns the path of a file in a module: `puppet:///modules/NAME/PATH`.
    fn path(&self, source: &str) -> Option<FilePath> {
        let (_server, path) = source.strip_prefix(SCHEME)?.split_once('/')?;
        let (module, below) = path.strip_prefix("modules/")?.split_once('/')?;
        let root = self.modules.get(module)?;
        Some(root.join("files").join(below.trim_end_matches('/')))
    }

    fn of_source(&self, path: &FilePath, recursion: Option<&RecursiveSource>) -> Vec<(String, Value)> {
        if self.files.contains(path) {
            return vec![("content".to_owned(), self.content(path))];
        }
        let Some(recursion) = recursion else { return Vec::new() };
        self.files
            .iter()
            .filter_map(|file| Some((file, file.strip_prefix(path)?)))
            .filter(|(_, relative)| recursion.includes(relative))
            .take(MAX_FILES)
            .map(|(file, relative)| (format!("content of {relative}"), self.content(file)))
            .collect()
    }

    fn content(&self, path: &FilePath) -> Value {
        let lock = || self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return known.clone();
        }
        let value = match self.reader.read(path.as_str()) {
            FileRead::Content(bytes) => shown(&bytes),
            FileRead::Missing | FileRead::Unknown => Value::unknown(Type::STRING, Origin::MissingDefinition),
        };
        lock().insert(path.clone(), value.clone());
        value
    }
}

/// Source of a file.
pub enum ServedText {
    /// Contents of a file in a module.
    File(Vec<u8>),
    /// Folder in a module.
    Folder,
    /// Source in a module that does not exist.
    Missing,
    /// Sources outside of modules.
    Elsewhere,
}

/// Files that a recursive resource manages.
struct RecursiveSource {
    /// Maximum depth below the folder.
    limit: Option<usize>,
    /// Patterns of names that are ignored.
    ignored: Vec<String>,
}

impl RecursiveSource {
    /// Returns `None` for a resource that is not recursive.
    fn of<'v>(parameter: impl Fn(&str) -> Option<&'v Value>) -> Option<RecursiveSource> {
        match parameter("recurse")? {
            Value::Boolean(false) => return None,
            recurse if recurse.as_str() == Some("false") => return None,
            _ => {}
        }
        let limit = match parameter("recurselimit") {
            Some(Value::Integer(limit)) => usize::try_from(*limit).ok(),
            limit => limit.and_then(Value::as_str).and_then(|it| it.parse().ok()),
        };
        let ignored = match parameter("ignore") {
            Some(Value::Array(patterns)) => {
                patterns.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            pattern => pattern.and_then(Value::as_str).map(str::to_owned).into_iter().collect(),
        };
        Some(RecursiveSource { limit, ignored })
    }

    fn includes(&self, relative: &str) -> bool {
        let is_ignored = |name: &str| {
            let mut patterns = self.ignored.iter();
            patterns.any(|pattern| !hiera::glob::matching(pattern, [name].into_iter()).is_empty())
        };
        let depth = relative.split('/').count();
        self.limit.is_none_or(|limit| depth <= limit) && !relative.split('/').any(is_ignored)
    }
}

/// Returns the contents of a file as text, or its checksum if it is binary or long.
fn shown(bytes: &[u8]) -> Value {
    let text =
        std::str::from_utf8(bytes).ok().filter(|text| bytes.len() <= MAX_SHOWN && !text.contains('\0'));
    Value::string(match text {
        Some(text) => text.to_owned(),
        None => {
            let mut checksum = String::from("sha256:");
            for byte in Sha256::digest(bytes) {
                let _ = write!(checksum, "{byte:02x}");
            }
            checksum
        }
    })
}
