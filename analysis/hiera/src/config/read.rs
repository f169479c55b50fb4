//! Parser for version 5 configurations, with validation.

use rustc_hash::FxHashSet;
use scalars::uri::Uri;
use smol_str::SmolStr;
use syntax::TextRange;
use types::{CachedValue, HashValue, Value};

use super::{
    Backend, ConfigFinding, ConfigSeverity, ConfigWarning, DataFunctionKind, HieraConfig, HierarchyLevel,
    Layer, Locations, MergeBehavior, Written,
};
use crate::data::{Content, DataEntry, DataFindingKind, DataFormat, DataNode, HieraData};
use crate::interpolation;

/// Function keys of an entry, in the order in which Puppet looks for them, with the kind of the function; `None`
/// for a backend of Hiera 3.
pub(super) const FUNCTIONS: &[(&str, Option<DataFunctionKind>)] = &[
    ("data_hash", Some(DataFunctionKind::DataHash)),
    ("lookup_key", Some(DataFunctionKind::LookupKey)),
    ("data_dig", Some(DataFunctionKind::DataDig)),
    ("hiera3_backend", None),
    ("v4_data_hash", Some(DataFunctionKind::LegacyDataHash)),
];
const LOCATIONS: &[&str] = &["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];
const DATA_FUNCTIONS: &str = "`data_hash`, `lookup_key`, `data_dig` or `hiera3_backend`";

/// Parses a configuration. `strict` is Puppet's setting `strict`: report as errors what Puppet otherwise only
/// warns about.
pub fn read(data: &HieraData, layer: &Layer, strict: bool) -> HieraConfig {
    let mut reader = ConfigReader { layer, strict, findings: Vec::new(), warnings: Vec::new() };
    for finding in &data.findings {
        match finding.kind {
            DataFindingKind::Symbol | DataFindingKind::IgnoredAfterMark => {}
            DataFindingKind::DuplicateKey => {
                reader.report(ConfigSeverity::Warning, finding.range, finding.message.clone());
            }
            _ => reader.error(finding.range, finding.message.clone()),
        }
    }
    let mut config = match &data.root {
        Some(root) if matches!(root.content, Content::Mapping(_)) => reader.config(&root.without_aliases()),
        _ => {
            let range = data.root.as_ref().map_or(TextRange::default(), |root| root.range);
            let message =
                "expected a hash; Puppet reads this file as a Hiera 3 configuration\nhelp: add `version: 5`";
            reader.report(ConfigSeverity::Warning, range, message.to_owned());
            reader.warn("hiera.yaml: file does not contain a hash; using the defaults of version 3", false);
            let content = Content::Mapping(Box::default());
            reader.version_3(&DataNode { range, value: Value::Undef, content }, range)
        }
    };
    config.warnings = reader.warnings;
    config.findings = reader.findings;
    config.findings.sort_by_key(|finding| finding.range);
    config
}

pub(super) fn empty(version: i64) -> HieraConfig {
    HieraConfig {
        version,
        hierarchy: Vec::new(),
        default_hierarchy: None,
        merge_behavior: MergeBehavior::default(),
        findings: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Returns the backend of a row of `FUNCTIONS`.
fn backend(kind: Option<DataFunctionKind>, name: &str) -> Backend {
    match kind {
        Some(kind) => Backend::of_function(kind, name),
        None => Backend::Hiera3(name.into()),
    }
}

pub(super) fn function_config(function: &str) -> HieraConfig {
    let level = HierarchyLevel {
        name: without_range(&format!("Legacy function '{function}'")),
        backend: Backend::of_function(DataFunctionKind::LegacyDataHash, function),
        locations: Locations::None,
        ..common()
    };
    let file = if function.starts_with("environment::") { "environment.conf" } else { "metadata.json" };
    let message = format!("{file}: data provider `function` is deprecated; use a version 5 hiera.yaml");
    let warnings = vec![ConfigWarning { message, unless_off: true }];
    HieraConfig { hierarchy: vec![level], warnings, ..empty(5) }
}

fn without_range(text: &str) -> Written {
    Written { text: text.into(), range: TextRange::default() }
}

fn common() -> HierarchyLevel {
    HierarchyLevel {
        name: without_range("Common"),
        range: TextRange::default(),
        backend: Backend::Files(DataFormat::Yaml),
        datadir: "data".into(),
        locations: Locations::Paths(vec![without_range("common.yaml")]),
        options: CachedValue::default(),
        extension: None,
    }
}

/// Returns the configuration of a layer that has no file.
pub(super) fn default_config() -> HieraConfig {
    HieraConfig { hierarchy: vec![common()], ..empty(5) }
}

/// Contents of the `defaults` key.
#[derive(Default)]
struct Defaults {
    backend: Option<Backend>,
    datadir: Option<SmolStr>,
    options: HashValue,
}

pub(super) struct ConfigReader<'a> {
    pub(super) layer: &'a Layer,
    pub(super) strict: bool,
    pub(super) findings: Vec<ConfigFinding>,
    warnings: Vec<ConfigWarning>,
}

/// Returns the entry of a key that is a string or, as in old files, a Ruby symbol.
pub(super) fn get<'n>(node: &'n DataNode, key: &str) -> Option<&'n DataEntry> {
    node.entry(key).filter(|entry| !entry.value.value.is_undef())
}

impl ConfigReader<'_> {
    pub(super) fn report(&mut self, severity: ConfigSeverity, range: TextRange, message: String) {
        self.findings.push(ConfigFinding { severity, range, message, is_about_version: false });
    }

    /// Reports that the version of the file is old.
    pub(super) fn report_version(&mut self, severity: ConfigSeverity, range: TextRange, message: &str) {
        let message = message.to_owned();
        self.findings.push(ConfigFinding { severity, range, message, is_about_version: true });
    }

    /// Records a warning that Puppet logs.
    pub(super) fn warn(&mut self, message: &str, unless_off: bool) {
        self.warnings.push(ConfigWarning { message: message.to_owned(), unless_off });
    }

    pub(super) fn error(&mut self, range: TextRange, message: String) {
        self.report(ConfigSeverity::Error, range, message);
    }

    /// Reports version 3 outside of the global layer. Puppet ignores such a file; in strict mode, it fails.
    pub(super) fn report_version_3(&mut self, range: TextRange) {
        if *self.layer == Layer::Global {
            return;
        }
        let severity = if self.strict { ConfigSeverity::Error } else { ConfigSeverity::Warning };
        if !self.strict {
            self.warn("hiera.yaml: version 3 is only supported in the global layer; ignored", false);
        }
        let message = "version 3 is only supported in the global layer\nhelp: convert the file to version 5 and add `version: 5`";
        self.report_version(severity, range, message);
    }

    fn config(&mut self, root: &DataNode) -> HieraConfig {
        let version = root.entry("version");
        let range = version.map_or(TextRange::new(root.range.start, root.range.start), |it| it.value.range);
        let number = match version.map(|entry| &entry.value.value) {
            None | Some(Value::Undef) => 3,
            Some(Value::Integer(number)) => *number,
            Some(Value::Float(number)) => number.0 as i64,
            Some(Value::String(text)) => leading_number(text),
            Some(_) => 0,
        };
        match number {
            5 => {
                if version.is_some_and(|entry| entry.value.value != Value::Integer(5)) {
                    self.error(range, "`version` must be the number 5".to_owned());
                }
                self.version_5(root)
            }
            4 => self.version_4(root, range),
            3 => self.version_3(root, range),
            number => {
                self.error(range, format!("unsupported version {number}\nhelp: use version 5"));
                empty(number)
            }
        }
    }

    /// Reports keys that Puppet does not know.
    pub(super) fn check_keys(&mut self, node: &DataNode, known: &[&str], context: &str) {
        for entry in node.entries() {
            let name = match &entry.key.content {
                Content::Scalar { text, .. } => text.trim_start_matches(':'),
                _ => "?",
            };
            if entry.key.value.as_str().is_none_or(|key| !known.contains(&key)) {
                let similar = scalars::similar::similar(name, known.iter());
                let help = match similar.first() {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => format!("use one of `{}`", known.join("`, `")),
                };
                self.error(entry.key.range, format!("unknown key `{name}` in {context}\nhelp: {help}"));
            }
        }
    }

    fn version_5(&mut self, root: &DataNode) -> HieraConfig {
        let known = ["version", "defaults", "hierarchy", "plan_hierarchy", "default_hierarchy"];
        self.check_keys(root, &known, "`hiera.yaml`");
        let defaults = match get(root, "defaults") {
            Some(entry) => self.defaults(&entry.value),
            None => Defaults {
                backend: Some(Backend::Files(DataFormat::Yaml)),
                datadir: Some("data".into()),
                options: HashValue::default(),
            },
        };
        let hierarchy = match get(root, "hierarchy") {
            Some(entry) => self.hierarchy(&entry.value, &defaults),
            None => vec![common()],
        };
        if let Some(entry) = root.entry("plan_hierarchy") {
            self.hierarchy(&entry.value, &defaults);
        }
        let default_hierarchy = root.entry("default_hierarchy").map(|entry| {
            if !matches!(self.layer, Layer::Module(_)) {
                let message = "`default_hierarchy` is only supported in modules";
                self.error(entry.key.range, message.to_owned());
            }
            self.hierarchy(&entry.value, &defaults)
        });
        HieraConfig { hierarchy, default_hierarchy, ..empty(5) }
    }

    fn defaults(&mut self, node: &DataNode) -> Defaults {
        let mut defaults = Defaults::default();
        if !matches!(node.content, Content::Mapping(_)) {
            self.error(node.range, "`defaults` must be a hash".to_owned());
            return defaults;
        }
        self.check_keys(node, &["data_hash", "lookup_key", "data_dig", "datadir", "options"], "`defaults`");
        let mut count = 0;
        for (key, kind) in &FUNCTIONS[..3] {
            let Some(entry) = node.entry(key) else { continue };
            let Some(function) = self.text(entry) else { continue };
            count += 1;
            if count > 1 {
                self.error(
                    entry.key.range,
                    format!("multiple data functions in `defaults`\nhelp: keep only one of {DATA_FUNCTIONS}"),
                );
            } else {
                defaults.backend = Some(backend(*kind, &function.text));
            }
        }
        defaults.datadir = node.entry("datadir").and_then(|entry| self.text(entry)).map(|it| it.text);
        if let Some(entry) = node.entry("options") {
            defaults.options = self.options(entry, "`defaults`");
        }
        defaults
    }

    /// Returns the string that an entry has as its value; reports other values.
    pub(super) fn text(&mut self, entry: &DataEntry) -> Option<Written> {
        let key = entry.key.value.as_str().unwrap_or("?");
        self.string_value(&entry.value, key)
    }

    fn string_value(&mut self, node: &DataNode, key: &str) -> Option<Written> {
        match node.value.as_str() {
            Some("") => self.error(node.range, format!("`{key}` must not be empty")),
            Some(text) => return Some(Written { text: text.into(), range: node.range }),
            None => self.error(node.range, format!("`{key}` must be a string")),
        }
        None
    }

    fn string_list(&mut self, entry: &DataEntry, count: Option<usize>) -> Vec<Written> {
        let key = entry.key.value.as_str().unwrap_or("?").to_owned();
        let elements = entry.value.elements();
        match count {
            Some(count) if elements.len() != count => {
                let message = format!(
                    "`{key}` must be a list of {count} strings: a variable, a name for its elements and a path"
                );
                self.error(entry.value.range, message);
            }
            _ if elements.is_empty() => {
                self.error(entry.value.range, format!("`{key}` must be a list of at least one string"));
            }
            _ => {}
        }
        elements.iter().filter_map(|element| self.string_value(element, &key)).collect()
    }

    /// Returns a data directory relative to the environment if it is written with the absolute path that
    /// environments have on a server.
    fn relative_to_environment(&self, datadir: SmolStr) -> SmolStr {
        let below = datadir.strip_prefix(super::ENVIRONMENTS).filter(|_| *self.layer == Layer::Environment);
        let below = below.and_then(|it| it.strip_prefix("%{")?.split_once('}'));
        match below {
            Some(("environment" | "::environment", "")) => SmolStr::default(),
            Some(("environment" | "::environment", rest)) if rest.starts_with('/') => rest[1..].into(),
            _ => datadir,
        }
    }

    fn options(&mut self, entry: &DataEntry, context: &str) -> HashValue {
        let Value::Hash(options) = &entry.value.value else {
            self.error(entry.value.range, "`options` must be a hash".to_owned());
            return HashValue::default();
        };
        for option in entry.value.entries() {
            let name = option.key.value.as_str().unwrap_or_default();
            let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic())
                && name.ends_with(|it: char| it.is_ascii_alphanumeric())
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b':'));
            if !is_name {
                let message = format!(
                    "invalid option name `{name}`\nhelp: begin with a letter and use only letters, digits, `_` and `-`"
                );
                self.error(option.key.range, message);
            } else if matches!(name, "path" | "uri") {
                self.error(option.key.range, format!("option `{name}` in {context} is reserved for Hiera"));
            }
        }
        self.check_interpolations(&entry.value);
        (**options).clone()
    }

    fn hierarchy(&mut self, node: &DataNode, defaults: &Defaults) -> Vec<HierarchyLevel> {
        let Content::Sequence(elements) = &node.content else {
            self.error(node.range, "the hierarchy must be a list of hashes with a `name`".to_owned());
            return Vec::new();
        };
        let mut names = FxHashSet::default();
        let mut levels = Vec::new();
        for element in elements {
            if !matches!(element.content, Content::Mapping(_)) {
                self.error(element.range, "hierarchy entry must be a hash with a `name`".to_owned());
                continue;
            }
            let Some(level) = self.level(element, defaults) else { continue };
            if !names.insert(level.name.text.clone()) {
                let message = format!("duplicate hierarchy entry `{}`", level.name.text);
                self.error(level.name.range, message);
            }
            levels.push(level);
        }
        levels
    }

    fn level(&mut self, node: &DataNode, defaults: &Defaults) -> Option<HierarchyLevel> {
        let mut known = vec!["name", "options", "datadir"];
        known.extend(FUNCTIONS.iter().map(|(key, _)| *key));
        known.extend(LOCATIONS);
        self.check_keys(node, &known, "a hierarchy entry");
        let name = match node.entry("name") {
            Some(entry) => self.text(entry)?,
            None => {
                self.error(
                    TextRange::new(node.range.start, node.range.start),
                    "missing key `name`".to_owned(),
                );
                without_range("")
            }
        };
        let backend = self.backend(node, defaults, &name)?;
        let datadir = match node.entry("datadir") {
            Some(entry) => {
                self.check_interpolations(&entry.value);
                self.text(entry).map(|it| it.text)
            }
            None => defaults.datadir.clone(),
        };
        let options = match node.entry("options") {
            Some(entry) => self.options(entry, &format!("`{}`", name.text)),
            None => defaults.options.clone(),
        };
        let locations = self.locations(node);
        if locations == Locations::None && backend.file_format().is_some() {
            let message = format!(
                "`{}` needs a location\nhelp: add `path`, `paths`, `glob`, `globs` or `mapped_paths`",
                backend.name()
            );
            self.report(ConfigSeverity::Warning, name.range, message);
        }
        Some(HierarchyLevel {
            name,
            range: node.range,
            backend,
            datadir: self.relative_to_environment(datadir.unwrap_or_else(|| "data".into())),
            locations,
            options: CachedValue(options),
            extension: None,
        })
    }

    fn backend(&mut self, node: &DataNode, defaults: &Defaults, name: &Written) -> Option<Backend> {
        let mut found = None;
        for (key, kind) in FUNCTIONS {
            let Some(entry) = node.entry(key) else { continue };
            let Some(function) = self.text(entry) else { continue };
            if found.is_some() {
                self.error(entry.key.range, format!("multiple data functions in a hierarchy entry\nhelp: keep only one of {DATA_FUNCTIONS}"));
                continue;
            }
            if kind.is_none() {
                if *self.layer != Layer::Global {
                    let message = "`hiera3_backend` is only supported in the global layer";
                    self.error(entry.key.range, message.to_owned());
                } else if let "json" | "yaml" | "hocon" = function.text.as_str() {
                    let backend = &function.text;
                    let message = format!(
                        "backend `{backend}` is not supported by `hiera3_backend`\nhelp: use `data_hash: {backend}_data`"
                    );
                    self.error(entry.key.range, message);
                }
            }
            found = Some(backend(*kind, &function.text));
        }
        if found.is_none() && defaults.backend.is_none() {
            let message =
                format!("missing data function\nhelp: add {DATA_FUNCTIONS} to the entry or to `defaults`");
            self.error(name.range, message);
        }
        found.or_else(|| defaults.backend.clone())
    }

    fn locations(&mut self, node: &DataNode) -> Locations {
        let mut locations = Locations::None;
        for key in LOCATIONS {
            let Some(entry) = node.entry(key) else { continue };
            if locations != Locations::None {
                let message = format!(
                    "multiple locations in a hierarchy entry\nhelp: keep only one of `{}`",
                    LOCATIONS.join("`, `")
                );
                self.error(entry.key.range, message);
                continue;
            }
            self.check_interpolations(&entry.value);
            let one = |written: Option<Written>| written.into_iter().collect();
            locations = match *key {
                "path" => Locations::Paths(one(self.text(entry))),
                "paths" => Locations::Paths(self.string_list(entry, None)),
                "glob" => Locations::Globs(one(self.text(entry))),
                "globs" => Locations::Globs(self.string_list(entry, None)),
                "uri" => {
                    let uri = one(self.text(entry));
                    self.uris(uri)
                }
                "uris" => {
                    let uris = self.string_list(entry, None);
                    self.uris(uris)
                }
                _ => match <[Written; 3]>::try_from(self.string_list(entry, Some(3))) {
                    Ok(written) => Locations::Mapped(written),
                    Err(_) => Locations::Paths(Vec::new()),
                },
            };
        }
        locations
    }

    /// Reports invalid URIs. Those with interpolations are checked by each lookup.
    fn uris(&mut self, uris: Vec<Written>) -> Locations {
        for uri in uris.iter().filter(|uri| !uri.text.contains("%{")) {
            if let Err(error) = Uri::parse(&uri.text) {
                self.error(uri.range, error.to_string());
            }
        }
        Locations::Uris(uris)
    }

    /// Reports function calls in interpolations, which a configuration does not allow.
    fn check_interpolations(&mut self, node: &DataNode) {
        let mut found = Vec::new();
        node.walk(&mut |node| {
            let Some(text) = node.value.as_str() else { return };
            for interpolation in interpolation::interpolations(text) {
                if let Some(message) = interpolation::failure(&interpolation, text, false) {
                    found.push((node.range, message));
                }
            }
        });
        for (range, message) in found {
            self.error(range, message);
        }
    }
}

/// Returns the number at the start of a string, following Ruby's `to_i`.
fn leading_number(text: &str) -> i64 {
    let text = text.trim_start();
    let len = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text[..len].parse().unwrap_or(0)
}
