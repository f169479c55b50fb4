//! Versions 3 and 4, which Puppet still supports: version 3 in the global layer, version 4 elsewhere.

use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;
use types::{CachedValue, HashValue, Value};

use super::read::{ConfigReader, empty, get};
use super::{Backend, ConfigSeverity, HieraConfig, HierarchyLevel, Layer, Locations, MergeBehavior, Written};
use crate::data::{Content, DataFormat, DataNode};

/// Default data directory of version 3. It depends on Puppet's installation, which is not known here.
const UNKNOWN_DATADIR: &str = "/etc/puppetlabs/code/environments/%{::environment}/hieradata";

/// Returns a backend of Puppet by its name in versions 3 and 4, with the extension of its files.
fn known_backend(name: &str) -> Option<(Backend, &'static str)> {
    let backend = Backend::of_older_name(name)?;
    let extension = match backend.file_format()? {
        DataFormat::Yaml => ".yaml",
        DataFormat::Json => ".json",
        DataFormat::Hocon => ".conf",
    };
    Some((backend, extension))
}

impl ConfigReader<'_> {
    pub(super) fn version_4(&mut self, root: &DataNode, version: TextRange) -> HieraConfig {
        let message = "version 4 is deprecated\nhelp: convert the file to version 5";
        self.report_version(ConfigSeverity::Advice, version, message);
        self.warn("hiera.yaml: version 4 is deprecated; convert the file to version 5", true);
        if *self.layer == Layer::Global {
            let message =
                "version 4 is not supported in the global layer\nhelp: convert the file to version 5";
            self.report_version(ConfigSeverity::Error, version, message);
        }
        self.check_keys(root, &["version", "datadir", "hierarchy"], "a version 4 configuration");
        let datadir = get(root, "datadir").and_then(|entry| self.text(entry)).map(|it| it.text);
        let datadir = datadir.unwrap_or_else(|| "data".into());
        let mut hierarchy = Vec::new();
        let mut names = FxHashSet::default();
        let Some(entry) = get(root, "hierarchy") else {
            let name = Written { text: "common".into(), range: version };
            hierarchy.extend(self.level_of_version_4(None, name, "yaml", &datadir, version));
            return HieraConfig { hierarchy, ..empty(4) };
        };
        if !matches!(entry.value.content, Content::Sequence(_)) {
            self.error(entry.value.range, "the hierarchy must be a list of hashes".to_owned());
        }
        for node in entry.value.elements() {
            self.check_keys(
                node,
                &["backend", "name", "datadir", "path", "paths"],
                "a version 4 hierarchy entry",
            );
            let name = node.entry("name").and_then(|entry| self.text(entry));
            let backend = node.entry("backend").and_then(|entry| self.text(entry));
            let (Some(name), Some(backend)) = (name, backend) else {
                self.error(node.range, "missing key `name` or `backend`".to_owned());
                continue;
            };
            if !names.insert(name.text.clone()) {
                self.error(name.range, format!("duplicate hierarchy entry `{}`", name.text));
            }
            hierarchy.extend(self.level_of_version_4(
                Some(node),
                name,
                &backend.text,
                &datadir,
                backend.range,
            ));
        }
        HieraConfig { hierarchy, ..empty(4) }
    }

    fn level_of_version_4(
        &mut self,
        node: Option<&DataNode>,
        name: Written,
        backend: &str,
        datadir: &SmolStr,
        backend_range: TextRange,
    ) -> Option<HierarchyLevel> {
        let Some((known, extension)) = known_backend(backend) else {
            self.error(
                backend_range,
                format!("unknown backend `{backend}`\nhelp: use `yaml`, `json` or `hocon`"),
            );
            return None;
        };
        let paths = node.and_then(|node| node.entry("paths")).map(|entry| {
            let string_list = entry
                .value
                .elements()
                .iter()
                .filter_map(|it| Some(Written { text: it.value.as_str()?.into(), range: it.range }));
            string_list.collect::<Vec<_>>()
        });
        let path = node.and_then(|node| node.entry("path")).and_then(|entry| self.text(entry));
        let own_datadir = node.and_then(|node| node.entry("datadir")).and_then(|entry| self.text(entry));
        Some(HierarchyLevel {
            locations: Locations::Paths(paths.unwrap_or_else(|| vec![path.unwrap_or_else(|| name.clone())])),
            range: node.map_or(name.range, |node| node.range),
            name,
            backend: known,
            datadir: own_datadir.map_or_else(|| datadir.clone(), |it| it.text),
            options: CachedValue::default(),
            extension: Some(extension.into()),
        })
    }

    pub(super) fn version_3(&mut self, root: &DataNode, version: TextRange) -> HieraConfig {
        self.warn("hiera.yaml: version 3 is deprecated; convert the file to version 5", true);
        self.report_version_3(version);
        if *self.layer != Layer::Global {
            return empty(3);
        }
        let message = "version 3 is deprecated\nhelp: convert the file to version 5";
        self.report_version(ConfigSeverity::Advice, version, message);
        let string_list = |key: &str, default: &[&str]| match get(root, key).map(|entry| &entry.value) {
            Some(node) if node.value.as_str().is_some() => vec![written(node)],
            Some(node) => node.elements().iter().map(written).collect(),
            None => default.iter().map(|it| Written { text: (*it).into(), range: version }).collect(),
        };
        let paths = string_list("hierarchy", &["nodes/%{::trusted.certname}", "common"]);
        let mut hierarchy: Vec<HierarchyLevel> = Vec::new();
        for backend in string_list("backends", &["yaml"]) {
            if hierarchy.iter().any(|level| level.name.text == backend.text) {
                self.error(backend.range, format!("duplicate backend `{}`", backend.text));
                continue;
            }
            let settings = get(root, &backend.text).map(|entry| &entry.value);
            let setting = |key: &str| {
                settings.and_then(|node| get(node, key)).and_then(|entry| entry.value.value.as_str())
            };
            let known = known_backend(&backend.text);
            let extension = match (setting("extension"), &known) {
                (Some(extension), _) => format_smolstr!(".{extension}"),
                (None, Some((_, extension))) => SmolStr::new_static(extension),
                (None, None) => format_smolstr!(".{}", backend.text),
            };
            let known = known.map_or_else(|| Backend::Hiera3(backend.text.clone()), |(known, _)| known);
            hierarchy.push(HierarchyLevel {
                range: backend.range,
                name: backend,
                backend: known,
                datadir: setting("datadir").unwrap_or(UNKNOWN_DATADIR).into(),
                locations: Locations::Paths(paths.clone()),
                options: CachedValue::default(),
                extension: Some(extension),
            });
        }
        let options = match get(root, "deep_merge_options").map(|entry| &entry.value.value) {
            Some(Value::Hash(options)) => (**options).clone(),
            _ => HashValue::default(),
        };
        let merge_behavior = match get(root, "merge_behavior").and_then(|entry| entry.value.value.as_str()) {
            None | Some("native") => MergeBehavior::Native,
            Some("deep") => MergeBehavior::Deep(CachedValue(options)),
            Some("deeper") => MergeBehavior::Deeper(CachedValue(options)),
            Some(other) => {
                let range = get(root, "merge_behavior").map_or(version, |entry| entry.value.range);
                self.error(
                    range,
                    format!("unknown merge behavior `{other}`\nhelp: use `native`, `deep` or `deeper`"),
                );
                MergeBehavior::Native
            }
        };
        HieraConfig { hierarchy, merge_behavior, ..empty(3) }
    }
}

fn written(node: &DataNode) -> Written {
    Written { text: node.value.as_str().unwrap_or_default().into(), range: node.range }
}
