//! Contents of a module's `metadata.json`.

use hiera::data::{DataFormat, DataNode, HieraData};
use hir::Name;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::{Db, File, ModuleTree};

/// A `metadata.json`, as far as it can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleMetadata {
    /// The whole file as a tree, with its JSON errors.
    pub data: HieraData,
}

/// String and its range, which includes the quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataText {
    pub text: SmolStr,
    pub range: TextRange,
}

/// Module or Puppet version that the module requires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataRequirement {
    /// `puppetlabs/stdlib`, `puppetlabs-stdlib`, `puppet`
    pub name: MetadataText,
    /// `>= 4.0.0 < 9.0.0`; `None` for any version.
    pub version_requirement: Option<MetadataText>,
}

impl MetadataRequirement {
    /// Returns the name of the module's folder, such as `stdlib`.
    pub fn module(&self) -> Name {
        short_module_name(&self.name.text)
    }
}

/// Operating system that the module supports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SupportedSystem {
    pub name: MetadataText,
    /// Empty for all releases.
    pub releases: Vec<MetadataText>,
    /// Range of the whole entry.
    pub range: TextRange,
}

impl ModuleMetadata {
    /// Parses the text of a file.
    pub fn read(text: &str) -> ModuleMetadata {
        ModuleMetadata { data: hiera::data::read(DataFormat::Json, text) }
    }

    /// Returns the full name, such as `puppetlabs-apache`.
    pub fn name(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("name")?.value)
    }

    pub fn version(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("version")?.value)
    }

    pub fn summary(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("summary")?.value)
    }

    /// Returns the modules that the module depends on.
    pub fn dependencies(&self) -> Vec<MetadataRequirement> {
        self.requirements_of("dependencies")
    }

    /// Returns the other requirements: versions of Puppet.
    pub fn requirements(&self) -> Vec<MetadataRequirement> {
        self.requirements_of("requirements")
    }

    fn requirements_of(&self, key: &str) -> Vec<MetadataRequirement> {
        let requirement = |node: &DataNode| {
            let text = |key: &str| node.entry(key).and_then(|entry| text_of(&entry.value));
            Some(MetadataRequirement {
                name: text("name")?,
                version_requirement: text("version_requirement"),
            })
        };
        self.elements(key).iter().filter_map(requirement).collect()
    }

    /// Returns the operating systems that the module declares support for.
    pub fn supported_systems(&self) -> Vec<SupportedSystem> {
        let system = |node: &DataNode| {
            let releases = node.entry("operatingsystemrelease").map(|entry| entry.value.elements());
            Some(SupportedSystem {
                name: text_of(&node.entry("operatingsystem")?.value)?,
                releases: releases.unwrap_or_default().iter().filter_map(text_of).collect(),
                range: node.range,
            })
        };
        self.elements("operatingsystem_support").iter().filter_map(system).collect()
    }

    fn elements(&self, key: &str) -> &[DataNode] {
        self.data.entry(key).map(|entry| entry.value.elements()).unwrap_or_default()
    }
}

fn text_of(node: &DataNode) -> Option<MetadataText> {
    Some(MetadataText { text: node.value.as_str()?.into(), range: node.range })
}

/// Returns the contents of a `metadata.json`; empty for a file without text, and for one above the size
/// limit.
#[salsa::tracked(returns(ref))]
pub fn module_metadata(db: &dyn Db, file: File) -> ModuleMetadata {
    let text = file.contents(db).text().filter(|_| !file.is_large(db));
    ModuleMetadata::read(text.as_deref().unwrap_or_default())
}

/// Returns the `metadata.json` of a module, if it has one.
pub fn metadata_file(db: &dyn Db, module: ModuleTree) -> Option<File> {
    module.files(db).get("metadata.json").copied()
}

/// Returns the module part of a full name: `stdlib` for `puppetlabs-stdlib` and `puppetlabs/stdlib`.
pub fn short_module_name(full: &str) -> Name {
    full.rsplit(['-', '/']).next().unwrap_or(full).into()
}
