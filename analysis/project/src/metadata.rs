//! What a module's `metadata.json` says.

use hiera::data::{DataFormat, DataNode, HieraData};
use hir::Name;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::{Db, File, ModuleTree};

/// A `metadata.json`, as far as it can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleMetadata {
    /// The whole file as a tree, with what is wrong about the JSON.
    pub data: HieraData,
}

/// A text with its place, quotes included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataText {
    pub text: SmolStr,
    pub range: TextRange,
}

/// A module, or a version of Puppet, that the module needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataRequirement {
    /// `puppetlabs/stdlib`, `puppetlabs-stdlib`, `puppet`
    pub name: MetadataText,
    /// `>= 4.0.0 < 9.0.0`; `None` for any version.
    pub version_requirement: Option<MetadataText>,
}

impl MetadataRequirement {
    /// The name of the module's folder: `stdlib`.
    pub fn module(&self) -> Name {
        short_module_name(&self.name.text)
    }
}

/// An operating system that the module supports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SupportedSystem {
    pub name: MetadataText,
    /// None means all.
    pub releases: Vec<MetadataText>,
    /// All that is said of it.
    pub range: TextRange,
}

impl ModuleMetadata {
    /// Reads the text of a file.
    pub fn read(text: &str) -> ModuleMetadata {
        ModuleMetadata { data: hiera::data::read(DataFormat::Json, text) }
    }

    /// `puppetlabs-apache`
    pub fn name(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("name")?.value)
    }

    pub fn version(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("version")?.value)
    }

    pub fn summary(&self) -> Option<MetadataText> {
        text_of(&self.data.entry("summary")?.value)
    }

    /// The modules that it needs.
    pub fn dependencies(&self) -> Vec<MetadataRequirement> {
        self.requirements_of("dependencies")
    }

    /// What else it needs: the versions of Puppet.
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

    /// The systems that it says it works on.
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

/// What the `metadata.json` says; an empty one for a file without text, and for one above the size limit.
#[salsa::tracked(returns(ref))]
pub fn module_metadata(db: &dyn Db, file: File) -> ModuleMetadata {
    let text = file.contents(db).text().filter(|_| !file.is_large(db));
    ModuleMetadata::read(text.as_deref().unwrap_or_default())
}

/// The `metadata.json` of a module, if it has one.
pub fn metadata_file(db: &dyn Db, module: ModuleTree) -> Option<File> {
    module.files(db).get("metadata.json").copied()
}

/// `stdlib` of `puppetlabs-stdlib` and `puppetlabs/stdlib`.
pub fn short_module_name(full: &str) -> Name {
    full.rsplit(['-', '/']).next().unwrap_or(full).into()
}
