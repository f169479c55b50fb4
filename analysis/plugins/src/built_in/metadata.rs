//! Keys and values that a module's `metadata.json` can contain.

use std::sync::LazyLock;

use super::notation::{self, NotationEntry};

/// Key of the file, or of the hashes in one of its lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataKey {
    pub name: &'static str,
    pub shape: MetadataShape,
    /// Documentation in Markdown.
    pub documentation: String,
    /// True for obsolete keys, which nothing reads anymore.
    pub is_old: bool,
    /// Keys of the hashes in the value; empty for a list of strings.
    pub keys: Vec<MetadataKey>,
}

/// Required kind of value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetadataShape {
    Text,
    List,
    Any,
}

/// Operating system, named as in the fact `os.name`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatingSystem {
    pub name: &'static str,
    /// Releases to suggest, the oldest first; empty for systems without releases.
    pub releases: Vec<String>,
}

/// Returns the keys of the file in conventional order.
pub fn keys() -> &'static [MetadataKey] {
    &METADATA.keys
}

/// Returns the identifiers of common licenses.
pub fn licenses() -> &'static [&'static str] {
    &METADATA.licenses
}

/// Returns the operating systems, by name.
pub fn operating_systems() -> &'static [OperatingSystem] {
    &METADATA.systems
}

#[derive(Default)]
struct Metadata {
    keys: Vec<MetadataKey>,
    licenses: Vec<&'static str>,
    systems: Vec<OperatingSystem>,
}

/// Empty if the data file is malformed; a test makes sure that it is not.
static METADATA: LazyLock<Metadata> = LazyLock::new(|| read_metadata(FILE).unwrap_or_default());

const FILE: &str = include_str!("../../data/metadata_json.txt");

fn read_metadata(file: &'static str) -> Result<Metadata, String> {
    let mut metadata = Metadata::default();
    for entry in notation::read(file)? {
        match entry.word {
            "key" => metadata.keys.push(key(&entry)?),
            "license" => metadata.licenses.push(entry.rest),
            "system" => {
                let (name, releases) = entry.name_and_rest();
                let releases = releases.split(' ').filter(|it| !it.is_empty());
                let releases = releases.map(|it| it.replace('|', " ")).collect();
                metadata.systems.push(OperatingSystem { name, releases });
            }
            _ => return Err(format!("line {}: {:?}", entry.line, entry.word)),
        }
    }
    Ok(metadata)
}

fn key(entry: &NotationEntry) -> Result<MetadataKey, String> {
    let (name, shape) = entry.name_and_rest();
    let shape = match shape {
        "text" => MetadataShape::Text,
        "list" => MetadataShape::List,
        "any" => MetadataShape::Any,
        _ => return Err(format!("line {}: {shape:?}", entry.line)),
    };
    Ok(MetadataKey {
        name,
        shape,
        documentation: entry.documentation.clone(),
        is_old: entry.has("old"),
        keys: entry.all("key").map(key).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
