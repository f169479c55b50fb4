//! Hovers for the keys and modules in `metadata.json`.

use hiera::data::DataNode;
use plugins::built_in::metadata::{self as known, MetadataKey};
use project::{
    Db, File, MetadataText, ModuleMetadata, ModuleTree, metadata_file, module_metadata, short_module_name,
};
use scalars::semver::{Version, VersionRange};
use syntax::TextRange;

use crate::descriptions::Hover;
use crate::target::{Navigation, NavigationTarget};

/// Returns the hover text for the key, module or version at an offset of a `metadata.json`.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let metadata = module_metadata(db, file);
    let root = metadata.data.root.as_ref()?;
    for entry in root.entries() {
        let Some(key) = key_named(known::keys(), &entry.key) else { continue };
        if entry.key.range.contains_inclusive(offset) {
            return Some(about_key(key, entry.key.range));
        }
        if !entry.value.range.contains_inclusive(offset) {
            continue;
        }
        let element = entry.value.elements().iter().find(|it| it.range.contains_inclusive(offset))?;
        let inner = element.entries().iter().find(|it| {
            it.key.range.contains_inclusive(offset) || it.value.range.contains_inclusive(offset)
        })?;
        if inner.key.range.contains_inclusive(offset) {
            return Some(about_key(key_named(&key.keys, &inner.key)?, inner.key.range));
        }
        let text = |name: &str| element.entry(name).and_then(|it| it.value.value.as_str());
        let is_dependency = key.name == "dependencies";
        return match inner.key.value.as_str()? {
            "name" if is_dependency => {
                about_module(db, file, text("name")?, text("version_requirement"), inner.value.range)
            }
            "version_requirement" => {
                let module = text("name").filter(|_| is_dependency);
                about_range(db, file, module, text("version_requirement")?, inner.value.range)
            }
            _ => None,
        };
    }
    None
}

/// Returns the location of the dependency that is named at an offset.
pub fn definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let root = module_metadata(db, file).data.root.as_ref()?;
    let dependencies = root.entry("dependencies")?.value.elements();
    let mut names = dependencies.iter().filter_map(|it| Some(&it.entry("name")?.value));
    let name = names.find(|it| it.range.contains_inclusive(offset))?;
    module_definition(db, file, name.value.as_str()?, name.range)
}

/// Returns the location of a module: its main class, or its metadata.
pub(crate) fn module_definition(
    db: &dyn Db,
    file: File,
    full_name: &str,
    origin: TextRange,
) -> Option<Navigation> {
    let module = module_of(db, file, full_name)?;
    let main_class = module.files(db).get("manifests/init.pp").copied();
    let target = main_class.or_else(|| metadata_file(db, module))?;
    Some(Navigation { origin, targets: vec![NavigationTarget::start_of(target)] })
}

fn key_named<'k>(keys: &'k [MetadataKey], node: &DataNode) -> Option<&'k MetadataKey> {
    let name = node.value.as_str()?;
    keys.iter().find(|it| it.name == name)
}

fn about_key(key: &MetadataKey, range: TextRange) -> Hover {
    Hover { range, markdown: format!("`{}`\n\n{}", key.name, key.documentation) }
}

/// Returns the module with a full name in the environment of a file.
pub fn module_of(db: &dyn Db, file: File, full_name: &str) -> Option<ModuleTree> {
    project::module_named(db, file, &short_module_name(full_name))
}

/// Returns the metadata of a module.
pub fn metadata_of(db: &dyn Db, module: ModuleTree) -> Option<&ModuleMetadata> {
    Some(module_metadata(db, metadata_file(db, module)?))
}

/// Describes a module by its full name, and whether its version is the wanted one.
pub(crate) fn about_module(
    db: &dyn Db,
    file: File,
    full_name: &str,
    wanted: Option<&str>,
    range: TextRange,
) -> Option<Hover> {
    let mut lines = vec![format!("`{full_name}`")];
    match module_of(db, file, full_name) {
        None => lines.push(format!("Module `{}` not found.", short_module_name(full_name))),
        Some(module) => {
            let metadata = metadata_of(db, module);
            if let Some(summary) = metadata.and_then(ModuleMetadata::summary).filter(|it| !it.text.is_empty())
            {
                lines.push(summary.text.to_string());
            }
            let version = metadata.and_then(ModuleMetadata::version);
            lines.push(format!(
                "{}In `{}`.",
                version_text(version.as_ref(), wanted),
                module.root(db).as_str()
            ));
        }
    }
    Some(Hover { range, markdown: lines.join("\n\n") })
}

/// Describes the installed version, and whether it satisfies the requirement.
fn version_text(version: Option<&MetadataText>, wanted: Option<&str>) -> String {
    let Some(version) = version else { return String::new() };
    let is_wanted = match (Version::parse(&version.text), wanted.map(VersionRange::parse)) {
        (Ok(version), Some(Ok(range))) => Some(range.includes(&version)),
        _ => None,
    };
    match is_wanted {
        Some(false) => format!("Version {} is installed, **outside the required range**. ", version.text),
        Some(true) => format!("Version {} is installed, within the required range. ", version.text),
        None => format!("Version {} is installed. ", version.text),
    }
}

fn about_range(db: &dyn Db, file: File, module: Option<&str>, text: &str, range: TextRange) -> Option<Hover> {
    let versions = VersionRange::parse(text).ok()?;
    let mut markdown = format!("`{}`", versions.to_canonical_text());
    let metadata = module.and_then(|it| module_of(db, file, it)).and_then(|it| metadata_of(db, it));
    let words = version_text(metadata.and_then(ModuleMetadata::version).as_ref(), Some(text));
    if !words.is_empty() {
        markdown.push_str("\n\n");
        markdown.push_str(words.trim_end());
    }
    Some(Hover { range, markdown })
}
