//! What a module's `metadata.json` may say.

use std::sync::LazyLock;

use super::notation::{self, NotationEntry};

/// A key of the file, or of the hashes in one of its lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataKey {
    pub name: &'static str,
    pub shape: MetadataShape,
    /// Markdown.
    pub documentation: String,
    /// Does nothing read it any more?
    pub is_old: bool,
    /// The keys of the hashes in it; none for a list of texts.
    pub keys: Vec<MetadataKey>,
}

/// What the value of a key has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetadataShape {
    Text,
    List,
    Any,
}

/// An operating system, as the fact `os.name` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatingSystem {
    pub name: &'static str,
    /// The releases that are worth naming, the oldest first; none where there are no releases.
    pub releases: Vec<String>,
}

/// The keys of the file, in the order in which people write them.
pub fn keys() -> &'static [MetadataKey] {
    &METADATA.keys
}

/// The identifiers of licenses that modules often have.
pub fn licenses() -> &'static [&'static str] {
    &METADATA.licenses
}

/// The operating systems, by name.
pub fn operating_systems() -> &'static [OperatingSystem] {
    &METADATA.systems
}

#[derive(Default)]
struct Metadata {
    keys: Vec<MetadataKey>,
    licenses: Vec<&'static str>,
    systems: Vec<OperatingSystem>,
}

/// What cannot be read is left out here; a test sees to it that everything can.
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
