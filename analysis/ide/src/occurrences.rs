//! Resolved names of a file under workspace-wide symbol names, for code indexes such as SCIP.

use hir::{Access, DefinitionKind, NameUse, NameUseKind};
use plugins::RubyResourceType;
use project::{Db, DefinitionId, File, FileKind, FileRole};
use symbols::callees::{self, Callee};
use symbols::parameters;
use symbols::references::ReferenceAccess;
use symbols::symbol::{self, Symbol};
use syntax::TextRange;

/// A name in the source and the symbol it refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Occurrence {
    /// Empty if the symbol is the file itself.
    pub range: TextRange,
    pub symbol: SymbolName,
    pub access: ReferenceAccess,
    /// Details of the symbol if it is defined here; `None` for references.
    pub definition: Option<SymbolDetails>,
}

/// Unique name of a symbol. Names that refer to the same symbol are equal, whichever files they are in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolName {
    /// A variable that is only visible in its file. The `id` consists of letters, digits, `_` and `-`.
    Local { id: String, name: String },
    Global {
        /// Module that defines it; `None` for Puppet's own symbols and those defined outside of modules.
        module: Option<String>,
        /// Owner: the class of a parameter, the resource type of an attribute.
        owner: Option<(SymbolKind, String)>,
        kind: SymbolKind,
        /// Lookup name: case-folded where case is not significant.
        name: String,
    },
}

/// Kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    Class,
    DefinedType,
    Function,
    Plan,
    Type,
    Node,
    Variable,
    Parameter,
    Fact,
    TrustedFact,
    ServerFact,
    ResourceType,
    Attribute,
    Metaparameter,
    Provider,
    Resource,
    Template,
    ServedFile,
    HieraKey,
    Task,
}

impl SymbolKind {
    /// Returns the kind of a definition; `None` for main programs and type mappings, which have no name.
    pub(crate) fn of_definition(kind: DefinitionKind) -> Option<SymbolKind> {
        Some(match kind {
            DefinitionKind::Class => SymbolKind::Class,
            DefinitionKind::DefinedType => SymbolKind::DefinedType,
            DefinitionKind::Function => SymbolKind::Function,
            DefinitionKind::Plan => SymbolKind::Plan,
            DefinitionKind::TypeAlias | DefinitionKind::TypeDefinition => SymbolKind::Type,
            DefinitionKind::Node => SymbolKind::Node,
            DefinitionKind::Main | DefinitionKind::TypeMapping => return None,
        })
    }

    /// Returns the human-readable name of the kind.
    pub fn label(self) -> &'static str {
        match self {
            SymbolKind::Class => "class",
            SymbolKind::DefinedType => "defined type",
            SymbolKind::Function => "function",
            SymbolKind::Plan => "plan",
            SymbolKind::Type => "type",
            SymbolKind::Node => "node",
            SymbolKind::Variable => "variable",
            SymbolKind::Parameter => "parameter",
            SymbolKind::Fact => "fact",
            SymbolKind::TrustedFact => "trusted fact",
            SymbolKind::ServerFact => "server fact",
            SymbolKind::ResourceType => "resource type",
            SymbolKind::Attribute => "attribute",
            SymbolKind::Metaparameter => "metaparameter",
            SymbolKind::Provider => "provider",
            SymbolKind::Resource => "resource",
            SymbolKind::Template => "template",
            SymbolKind::ServedFile => "file",
            SymbolKind::HieraKey => "key",
            SymbolKind::Task => "task",
        }
    }
}

/// Signature and documentation of a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SymbolDetails {
    /// Header of the definition, in Puppet's notation.
    pub signature: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
}

/// Returns the resolved names of a file, by position; unknown names are left out.
pub(crate) fn occurrences(db: &dyn Db, file: File) -> Vec<Occurrence> {
    let mut found = match project::file_kind(db, file) {
        FileKind::RubyPlugin => in_plugin(db, file),
        _ => {
            let whole = file_itself(db, file).and_then(|it| occurrence(db, file, TextRange::empty(0), &it));
            let uses = project::name_uses(db, file);
            whole.into_iter().chain(uses.iter().filter_map(|it| named(db, file, it))).collect()
        }
    };
    found.sort_by(|a, b| {
        (a.range.start, a.range.end, &a.symbol).cmp(&(b.range.start, b.range.end, &b.symbol))
    });
    found.dedup();
    found
}

/// Returns the symbol for the file as a whole: a template or a file served by a module.
fn file_itself(db: &dyn Db, file: File) -> Option<Symbol> {
    let FileRole::Module { relative, .. } = file.role(db) else { return None };
    match relative.split_once('/')?.0 {
        "templates" => Some(Symbol::Template(file)),
        "files" => Some(Symbol::ServedFile(file)),
        _ => None,
    }
}

fn named(db: &dyn Db, file: File, name_use: &NameUse) -> Option<Occurrence> {
    let symbol = symbol::resolve(db, file, name_use)?;
    let symbol_name = symbol_name(db, file, &symbol)?;
    let is_made = match name_use.access {
        Access::Declaration => true,
        // An assignment defines a variable, and setting a Hiera key that is not a parameter defines the key.
        Access::Write => match symbol_name {
            SymbolName::Local { .. } => true,
            SymbolName::Global { kind, .. } => match kind {
                SymbolKind::Variable => matches!(name_use.kind, NameUseKind::Variable(_)),
                SymbolKind::HieraKey => true,
                _ => false,
            },
        },
        Access::Read | Access::Call | Access::Documentation => false,
    };
    Some(Occurrence {
        range: name_use.range,
        definition: is_made.then(|| details(db, &symbol)),
        symbol: symbol_name,
        access: name_use.access.into(),
    })
}

/// Returns the definitions in a Ruby plugin file.
fn in_plugin(db: &dyn Db, file: File) -> Vec<Occurrence> {
    let ruby = project::ruby_file(db, file);
    let mut made: Vec<(TextRange, Symbol)> = Vec::new();
    for (index, function) in ruby.functions.iter().enumerate() {
        made.push((function.range, Symbol::RubyFunction { file, index }));
    }
    for resource_type in &ruby.resource_types {
        let name = resource_type.name.clone();
        made.push((resource_type.range, Symbol::ResourceType { name, file: Some(file) }));
        for attribute in &resource_type.attributes {
            let (resource_type, name) = (resource_type.name.clone(), attribute.name.clone());
            made.push((attribute.range, Symbol::Attribute { resource_type, file: Some(file), name }));
        }
    }
    for it in &ruby.data_types {
        made.push((it.range, Symbol::RubyType { file, name: it.name.clone() }));
    }
    for it in &ruby.providers {
        let (resource_type, name) = (it.resource_type.clone(), it.name.clone());
        made.push((it.range, Symbol::Provider { resource_type, name }));
    }
    for it in &ruby.facts {
        made.push((it.range, Symbol::Fact(it.name.clone())));
    }
    made.retain(|(range, _)| range.start < range.end);
    made.iter().filter_map(|(range, symbol)| occurrence(db, file, *range, symbol)).collect()
}

fn occurrence(db: &dyn Db, file: File, range: TextRange, symbol: &Symbol) -> Option<Occurrence> {
    Some(Occurrence {
        range,
        symbol: symbol_name(db, file, symbol)?,
        access: ReferenceAccess::Declaration,
        definition: Some(details(db, symbol)),
    })
}

/// Returns the name of a symbol as seen from the file `from`; `None` if it is local to another file.
fn symbol_name(db: &dyn Db, from: File, symbol: &Symbol) -> Option<SymbolName> {
    use SymbolKind as Kind;
    let global = |module: Option<File>, owner: Option<(Kind, String)>, kind: Kind, name: &str| {
        global_name(db, module, owner, kind, name)
    };
    match symbol {
        Symbol::Definition(definition) => {
            let (kind, name) = definition_name(db, *definition)?;
            global(Some(definition.file(db)), None, kind, &name)
        }
        Symbol::Variable { definition, name } => variable_name(db, from, *definition, name),
        Symbol::LambdaVariable { file, variable, name } => (*file == from)
            .then(|| SymbolName::Local { id: local_id(name, Some(*variable)), name: name.to_string() }),
        Symbol::BuiltInVariable(name) => global(None, None, Kind::Variable, name),
        Symbol::Fact(name) => global(None, None, Kind::Fact, name),
        Symbol::TrustedFact(name) => global(None, None, Kind::TrustedFact, name),
        Symbol::ServerFact(name) => global(None, None, Kind::ServerFact, name),
        Symbol::BuiltInFunction(name) => global(None, None, Kind::Function, name),
        Symbol::RubyFunction { file, index } => {
            let function = project::ruby_function(db, *file, *index)?;
            global(Some(*file), None, Kind::Function, &function.name)
        }
        Symbol::BuiltInType(name) => global(None, None, Kind::Type, &hir::fold_name(name)),
        Symbol::SetType { set, name } => {
            let name = format!("{}::{}", set.key(db).name, hir::fold_name(name));
            global(Some(set.file(db)), None, Kind::Type, &name)
        }
        Symbol::RubyType { file, name } => global(Some(*file), None, Kind::Type, &hir::fold_name(name)),
        Symbol::ResourceType { name, file } => global(*file, None, Kind::ResourceType, name),
        Symbol::Attribute { resource_type, file, name } => {
            let owner = (Kind::ResourceType, resource_type.to_string());
            global(*file, Some(owner), Kind::Attribute, name)
        }
        Symbol::Metaparameter(name) => global(None, None, Kind::Metaparameter, name),
        Symbol::Provider { resource_type, name } => {
            global(None, Some((Kind::Provider, resource_type.to_string())), Kind::Provider, name)
        }
        Symbol::Resource { resource_type, title } => {
            global(None, Some((Kind::Resource, resource_type.to_string())), Kind::Resource, title)
        }
        Symbol::Template(file) => global(Some(*file), None, Kind::Template, &path_in_module(db, *file)),
        Symbol::ServedFile(file) => global(Some(*file), None, Kind::ServedFile, &path_in_module(db, *file)),
        Symbol::ServedFolder(path) => global(None, None, Kind::ServedFile, path),
        Symbol::HieraKey(name) => global(None, None, Kind::HieraKey, name),
        Symbol::Task(file) => global(Some(*file), None, Kind::Task, &path_in_module(db, *file)),
        Symbol::TaskParameter { task, name } => {
            global(Some(*task), Some((Kind::Task, path_in_module(db, *task))), Kind::Attribute, name)
        }
    }
}

/// Builds a global name; `None` if the name or the owner's name is empty.
fn global_name(
    db: &dyn Db,
    module: Option<File>,
    owner: Option<(SymbolKind, String)>,
    kind: SymbolKind,
    name: &str,
) -> Option<SymbolName> {
    if name.is_empty() || owner.as_ref().is_some_and(|(_, name)| name.is_empty()) {
        return None;
    }
    let module = module.and_then(|file| module_of(db, file));
    Some(SymbolName::Global { module, owner, kind, name: name.to_owned() })
}

fn variable_name(db: &dyn Db, from: File, definition: DefinitionId, name: &str) -> Option<SymbolName> {
    let file = definition.file(db);
    let signature = project::signature(db, definition).as_ref();
    let is_parameter = signature.is_some_and(|it| it.parameters.iter().any(|it| it.name == *name));
    let kind = if is_parameter { SymbolKind::Parameter } else { SymbolKind::Variable };
    if let Some(owner) = definition_name(db, definition) {
        return global_name(db, Some(file), Some(owner), kind, name);
    }
    match file.role(db) {
        FileRole::MainManifest => global_name(db, None, None, kind, name),
        FileRole::Module { relative, .. } if relative.starts_with("templates/") => {
            global_name(db, Some(file), Some((SymbolKind::Template, path_in_module(db, file))), kind, name)
        }
        // Variables of another file's main program are not visible here.
        _ => (file == from).then(|| SymbolName::Local { id: local_id(name, None), name: name.to_string() }),
    }
}

/// Returns an identifier that is unique within the file.
fn local_id(name: &str, number: Option<u32>) -> String {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    number.map_or(name.clone(), |number| format!("{name}-{number}"))
}

/// Returns the kind and name of a definition; `None` for main programs, which have no name.
fn definition_name(db: &dyn Db, definition: DefinitionId) -> Option<(SymbolKind, String)> {
    let key = definition.key(db);
    let kind = SymbolKind::of_definition(key.kind)?;
    Some((kind, key.name.to_string()))
}

fn module_of(db: &dyn Db, file: File) -> Option<String> {
    match file.role(db) {
        FileRole::Module { module, .. } => Some(module.name(db).to_string()),
        FileRole::Loose | FileRole::MainManifest => None,
    }
}

/// Returns the path below the module's `templates`, `files` or `tasks` folder; outside of modules, the file
/// name.
fn path_in_module(db: &dyn Db, file: File) -> String {
    match file.role(db) {
        FileRole::Module { relative, .. } => {
            relative.split_once('/').map_or(relative.as_str(), |(_, path)| path).to_owned()
        }
        FileRole::Loose | FileRole::MainManifest => file.path(db).file_name().to_owned(),
    }
}

fn details(db: &dyn Db, symbol: &Symbol) -> SymbolDetails {
    let documented = |text: &str| SymbolDetails {
        signature: None,
        documentation: (!text.trim().is_empty()).then(|| text.to_owned()),
    };
    match symbol {
        Symbol::Definition(definition) => SymbolDetails {
            signature: head(db, *definition),
            documentation: callees::documentation(db, *definition),
        },
        Symbol::Variable { definition, name } => {
            let parameters = parameters::parameters(db, *definition);
            let Some(parameter) = parameters.iter().find(|it| it.name == *name) else {
                return SymbolDetails::default();
            };
            let signature = parameter.text();
            SymbolDetails { signature: Some(signature), documentation: parameter.documentation.clone() }
        }
        Symbol::RubyFunction { file, index } => {
            let callee = Callee::Ruby { file: *file, index: *index };
            let name = callee.name(db);
            let labels: Vec<String> = callee.signatures(db).iter().map(|it| it.label(&name).0).collect();
            SymbolDetails {
                signature: (!labels.is_empty()).then(|| labels.join("\n")),
                documentation: callee.documentation(db),
            }
        }
        Symbol::RubyType { file, name } => {
            let types = &project::ruby_file(db, *file).data_types;
            types
                .iter()
                .find(|it| it.name == *name)
                .map(|it| documented(&it.documentation))
                .unwrap_or_default()
        }
        Symbol::ResourceType { name, file: Some(file) } => {
            let found = resource_type(db, *file, name);
            found.map(|it| documented(&it.documentation)).unwrap_or_default()
        }
        Symbol::Attribute { resource_type: owner, file: Some(file), name } => {
            let attributes = resource_type(db, *file, owner).map(|it| it.attributes.as_slice());
            let found = attributes.unwrap_or_default().iter().find(|it| it.name == *name);
            found.map(|it| documented(&it.documentation)).unwrap_or_default()
        }
        _ => SymbolDetails::default(),
    }
}

fn resource_type<'db>(db: &'db dyn Db, file: File, name: &str) -> Option<&'db RubyResourceType> {
    project::ruby_file(db, file).resource_types.iter().find(|it| it.name == name).map(|it| &**it)
}

/// Returns the header of a definition on one line.
fn head(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let word = definition.key(db).kind.keyword()?;
    let callee = Callee::Puppet(definition);
    let signature = callee.signatures(db).pop()?;
    Some(format!("{word} {}", signature.label(&callee.name(db)).0))
}
