//! Reference pages of modules: what puppet-strings writes into `REFERENCE.md` and its JSON.
//!
//! [`ModuleReference::read`] takes the files of a module and returns the documentation of its definitions;
//! [`ModuleReference::markdown`], [`ModuleReference::json`], and [`ModuleReference::html`] print it. No file is read or written here.
//!
//! * `docstring`: documentation comments with YARD's tags.
//! * `puppet_code`: classes, defined types, functions, plans, and type aliases.
//! * `ruby`: functions, resource types, and providers.
//! * `tasks`: metadata of tasks.
//! * `markdown`, `json`, `html`: the formats.
//!
//! Data types that are written in Ruby (`Puppet::DataTypes.create_type`) are not documented; they are listed
//! in [`ModuleReference::omitted`].

mod docstring;
mod html;
mod json;
mod markdown;
mod puppet_code;
mod ruby;
mod tasks;

pub use docstring::{DocTag, Docstring};
pub use html::PlatformDefaults;

/// File of a module.
#[derive(Clone, Copy, Debug)]
pub struct ModuleFile<'t> {
    /// Path relative to the folder of the module, with `/`.
    pub path: &'t str,
    pub text: &'t str,
}

/// Documentation of a module, each list sorted by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleReference {
    pub classes: Vec<DocumentedDefinition>,
    pub defined_types: Vec<DocumentedDefinition>,
    pub resource_types: Vec<DocumentedType>,
    pub functions: Vec<DocumentedFunction>,
    pub type_aliases: Vec<DocumentedAlias>,
    pub tasks: Vec<DocumentedTask>,
    pub plans: Vec<DocumentedDefinition>,
    pub providers: Vec<DocumentedProvider>,
    /// Definitions that are left out, each with its location and the reason.
    pub omitted: Vec<String>,
}

/// Place of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedPlace {
    /// Path relative to the folder of the module.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// Class, defined type, or plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedDefinition {
    pub name: String,
    pub place: DocumentedPlace,
    pub inherits: Option<String>,
    pub docstring: Docstring,
    /// Names and source texts of the parameters with default values.
    pub defaults: Vec<(String, String)>,
    /// Names of the parameters, and their offsets in the file.
    pub parameter_offsets: Vec<(String, u32)>,
    pub source: String,
}

/// API with which a function is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocumentedFunctionApi {
    Ruby3,
    Ruby4,
    Puppet,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedFunction {
    pub name: String,
    pub place: DocumentedPlace,
    pub api: DocumentedFunctionApi,
    pub docstring: Docstring,
    /// At least one.
    pub signatures: Vec<DocumentedSignature>,
    pub defaults: Vec<(String, String)>,
    pub source: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedSignature {
    /// Name and parameters with types, as in Puppet.
    pub text: String,
    pub docstring: Docstring,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedAlias {
    pub name: String,
    pub place: DocumentedPlace,
    pub docstring: Docstring,
    pub alias_of: String,
}

/// Resource type written in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedType {
    pub name: String,
    pub place: DocumentedPlace,
    pub docstring: Docstring,
    pub properties: Vec<DocumentedAttribute>,
    pub parameters: Vec<DocumentedAttribute>,
    pub checks: Vec<DocumentedAttribute>,
    /// Names and descriptions.
    pub features: Vec<(String, String)>,
}

/// Property, parameter, or check of a resource type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DocumentedAttribute {
    pub name: String,
    pub description: String,
    pub values: Vec<String>,
    pub data_type: Option<String>,
    /// New and old names of values.
    pub aliases: Vec<(String, String)>,
    pub is_namevar: bool,
    pub required_features: Option<String>,
    pub default: Option<String>,
    /// The default value, if it is not a text.
    pub default_value: Option<serde_json::Value>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedProvider {
    pub name: String,
    pub type_name: String,
    pub place: DocumentedPlace,
    pub docstring: Docstring,
    pub confines: Vec<(String, String)>,
    pub features: Vec<String>,
    /// Each with the constraints that must all hold.
    pub defaults: Vec<Vec<(String, String)>>,
    pub commands: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedTask {
    pub name: String,
    pub file: String,
    pub docstring: Docstring,
    pub source: String,
    pub supports_noop: serde_json::Value,
    pub input_method: serde_json::Value,
}

impl ModuleReference {
    /// Returns the documentation of a module's files. Files that are not documented are ignored, as are
    /// definitions in files with syntax errors, which are listed in [`ModuleReference::omitted`].
    pub fn read<'t>(files: impl IntoIterator<Item = ModuleFile<'t>>) -> ModuleReference {
        let mut reference = ModuleReference::default();
        let mut files: Vec<ModuleFile<'t>> = files.into_iter().collect();
        // The order in which YARD reads them. It decides which file of a type counts as its definition.
        files.sort_by_key(|it| (it.path.len(), it.path));
        for file in files {
            match DocumentedFileKind::of(file.path) {
                Some(DocumentedFileKind::PuppetCode) => puppet_code::read(file, &mut reference),
                Some(DocumentedFileKind::Ruby) => ruby::read(file, &mut reference),
                Some(DocumentedFileKind::Task) => tasks::read(file, &mut reference),
                None => {}
            }
        }
        reference.finish();
        reference
    }

    /// Returns true for files whose definitions are documented, by their path relative to the module.
    pub fn reads(path: &str) -> bool {
        DocumentedFileKind::of(path).is_some()
    }

    /// Returns true if there is nothing to document.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
            && self.defined_types.is_empty()
            && self.resource_types.is_empty()
            && self.functions.is_empty()
            && self.type_aliases.is_empty()
            && self.tasks.is_empty()
            && self.plans.is_empty()
    }

    fn finish(&mut self) {
        for documented in &mut self.resource_types {
            documented.complete(&self.providers);
        }
        self.classes.sort_by(|a, b| a.name.cmp(&b.name));
        self.defined_types.sort_by(|a, b| a.name.cmp(&b.name));
        self.resource_types.sort_by(|a, b| a.name.cmp(&b.name));
        self.functions.sort_by(|a, b| a.name.cmp(&b.name));
        self.type_aliases.sort_by(|a, b| a.name.cmp(&b.name));
        self.tasks.sort_by(|a, b| a.name.cmp(&b.name));
        self.plans.sort_by(|a, b| a.name.cmp(&b.name));
        self.providers.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

impl DocumentedType {
    /// Adds the parameter `provider`, and sorts the attributes.
    fn complete(&mut self, providers: &[DocumentedProvider]) {
        let has_providers = providers.iter().any(|it| it.type_name == self.name);
        if has_providers && !self.parameters.iter().any(|it| it.name == "provider") {
            let description = format!(
                "The specific backend to use for this `{}` resource. You will seldom need to specify this --- \
                 Puppet will usually discover the appropriate provider for your platform.",
                self.name
            );
            self.parameters.push(DocumentedAttribute {
                name: "provider".to_owned(),
                description,
                ..DocumentedAttribute::default()
            });
        }
        self.properties.sort_by(|a, b| a.name.cmp(&b.name));
        self.parameters.sort_by(|a, b| a.name.cmp(&b.name));
        self.checks.sort_by(|a, b| a.name.cmp(&b.name));
        self.features.sort();
    }
}

enum DocumentedFileKind {
    PuppetCode,
    Ruby,
    Task,
}

impl DocumentedFileKind {
    fn of(path: &str) -> Option<DocumentedFileKind> {
        let (folder, rest) = path.split_once('/')?;
        let extension = rest.rsplit_once('.')?.1;
        match (folder, extension) {
            ("manifests" | "functions" | "types" | "plans", "pp") => Some(DocumentedFileKind::PuppetCode),
            ("lib", "rb") => Some(DocumentedFileKind::Ruby),
            ("tasks", "json") if !rest.contains('/') => Some(DocumentedFileKind::Task),
            _ => None,
        }
    }
}

/// Returns the signature of a function with these parameters (names with default values).
fn signature(name: &str, parameters: &[(String, Option<String>)], docstring: &Docstring) -> String {
    let parameter = |(name, default): &(String, Option<String>)| {
        let tag = docstring.tags("param").find(|it| it.name.as_deref() == Some(name));
        let type_text = tag.and_then(|it| it.types.as_ref()?.first()).map_or("Any", String::as_str);
        let (prefix, name) = match name.strip_prefix(['*', '&']) {
            Some(rest) => (&name[..1], rest),
            None => ("", name.as_str()),
        };
        let default = default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
        format!("{type_text} {prefix}${name}{default}")
    };
    let parameters: Vec<String> = parameters.iter().map(parameter).collect();
    format!("{name}({})", parameters.join(", "))
}

/// Returns the source of a function without the indentation of its last line.
fn dedented(source: &str) -> String {
    let last = source.lines().next_back().unwrap_or_default();
    let indent = last.len() - last.trim_start_matches([' ', '\t']).len();
    source.lines().map(|it| docstring::without_indent(it, indent)).collect::<Vec<_>>().join("\n")
}

/// Returns the parameters that have default values.
fn defaults(parameters: &[(String, Option<String>)]) -> Vec<(String, String)> {
    parameters.iter().filter_map(|(name, default)| Some((name.clone(), default.clone()?))).collect()
}
