//! Interface through which the evaluator reads definitions, files, facts, and data.

use std::borrow::Borrow;
use std::io::Read;
use std::sync::Arc;

use hiera::config::Layer;
use hir::{Body, DefinitionKey, DefinitionKind, ExprId, LoweredFile, Name};
use plugins::built_in::is_core_resource_type;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use types::mismatch::NamedSignature;
use types::{CallableType, Origin, Type, Value};

use crate::function::{BuiltInFunction, FunctionLibrary};

/// Id of a definition that can be evaluated, assigned by the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// Definition with its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub id: UnitId,
    /// Name as written: `apache::params`.
    pub name: Name,
    pub kind: DefinitionKind,
    pub body: Arc<Body>,
    /// True for a class with precomputed variables ([`Program::precomputed_variable`]). Its body is empty.
    pub is_precomputed: bool,
    /// Expressions that the program tracks ([`Program::begin_platform_expression`]).
    pub platform_expressions: Option<Arc<FxHashSet<ExprId>>>,
}

impl Unit {
    pub fn new(id: UnitId, name: Name, kind: DefinitionKind, body: Arc<Body>) -> Unit {
        Unit { id, name, kind, body, is_precomputed: false, platform_expressions: None }
    }
}

/// Meaning of a function name that is not one of Puppet's own.
#[derive(Clone, Debug)]
pub enum FunctionSource {
    /// Function written in Puppet.
    Puppet(Arc<Unit>),
    /// Function written in Ruby by a module whose functions are known: an entry of the tables.
    Known(&'static BuiltInFunction),
    /// Function whose body is not followed; its signatures describe it.
    Declared(Arc<DeclaredFunction>),
}

/// Interface of a function whose body is not followed.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredFunction {
    /// Name as written.
    pub name: Name,
    /// Signatures, tried in order.
    pub signatures: Vec<DeclaredSignature>,
    /// True if it may accept other arguments, too.
    pub is_incomplete: bool,
    /// True if the type of a parameter cannot be resolved, so that a call with the right number of arguments may
    /// fail.
    pub has_unresolved_types: bool,
    pub additions: Additions,
    /// Reason that its values are unknown.
    pub origin: Origin,
    /// Reason that every call fails.
    pub refusal: Option<SmolStr>,
    /// Code of the function, if it is Ruby.
    pub code: Option<FunctionCode>,
}

/// Parameters of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredSignature {
    pub callable: Arc<CallableType>,
    /// Names of the parameters without the block; empty if they are unknown.
    pub names: Box<[Name]>,
}

impl DeclaredSignature {
    pub(crate) fn named(&self) -> NamedSignature<'_> {
        NamedSignature { callable: &self.callable, names: &self.names }
    }
}

impl Borrow<CallableType> for DeclaredSignature {
    fn borrow(&self) -> &CallableType {
        &self.callable
    }
}

/// Code of a function written in Ruby.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCode {
    pub program: Arc<plugins::code::RubyProgram>,
    /// API through which it was defined.
    pub api: plugins::FunctionApi,
}

/// Catalog additions that a function in Ruby may make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Additions {
    Nothing,
    /// Resources; classes only if an argument may name them.
    Resources,
    Classes,
}

/// Kind of entity that a missing name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MissingNameKind {
    Variable,
    Function,
    Type,
    Class,
    /// Module, by its name.
    Module,
    /// Data of a module, by the module's name. Keys may also begin with the name of something else.
    ModuleData,
    /// Resource of that type, declared elsewhere.
    Resource,
}

/// Location of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleFolder {
    At(Name),
    /// There is no such module.
    Missing,
    /// Depends on the machine that compiles.
    Unclear,
}

/// File of the machine on which the code is evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineFile {
    Content(Arc<[u8]>),
    /// Exists but is not read: a folder, a device, a very large file.
    Unread,
    Missing,
    /// Another machine may have it.
    Unclear,
}

impl MachineFile {
    /// Maximum size of a file that is read, in bytes.
    const MAX_SIZE: u64 = 16 << 20;

    /// Reads an absolute path of the machine that runs this process.
    pub fn at(path: &str) -> MachineFile {
        match std::fs::metadata(path) {
            // Often the last of several files, to guarantee that one is found.
            Ok(_) if path == "/dev/null" => MachineFile::Content(Arc::from([])),
            Ok(metadata) if metadata.is_file() => MachineFile::bounded(path)
                .map_or(MachineFile::Unread, |bytes| MachineFile::Content(bytes.into())),
            Ok(_) => MachineFile::Unread,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => MachineFile::Missing,
            Err(_) => MachineFile::Unclear,
        }
    }

    /// Reads a file up to the size limit; some files report a size of zero.
    fn bounded(path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(path).ok()?.take(MachineFile::MAX_SIZE + 1);
        file.read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= MachineFile::MAX_SIZE).then_some(bytes)
    }
}

/// Source of names, facts and files. Names have no leading `::`, and are in lower case except for those of
/// functions.
pub trait Program {
    /// Returns the library of functions.
    fn functions(&self) -> &'static dyn FunctionLibrary;

    /// Resolves the name of a function, as written.
    fn function(&self, name: &str) -> Option<FunctionSource>;

    /// Returns a function of the main program that replaces one of Puppet's own.
    fn replacement(&self, name: &str) -> Option<FunctionSource>;

    /// Returns a type alias.
    fn type_alias(&self, name: &str) -> Option<Arc<Unit>>;

    /// Returns true if a chain of type aliases is too deep to be followed.
    fn nests_too_deep(&self, _alias: UnitId) -> bool {
        false
    }

    /// Returns true if the type alias belongs to a module. Only there do the types of a type set have names.
    fn is_alias_of_module(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if there is a resource type or defined type of that name.
    fn resource_type_exists(&self, name: &str) -> bool;

    /// Returns true if there is a class or defined type of that name.
    fn class_exists(&self, name: &str) -> bool;

    /// Returns the class or defined type of that name, to be evaluated at its declaration; `None` if
    /// declarations are not followed.
    fn class(&self, name: &str) -> Option<Arc<Unit>>;

    /// Returns the class of that name if it only sets variables and those have been precomputed.
    fn precomputed_class(&self, _name: &str) -> Option<Arc<Unit>> {
        None
    }

    /// Returns a variable of a class returned by [`Program::precomputed_class`].
    fn precomputed_variable(&self, _unit: &Unit, _name: &Name) -> Option<Value> {
        None
    }

    /// Returns the parameters of a class returned by [`Program::precomputed_class`].
    fn precomputed_parameters(&self, _unit: &Unit) -> Vec<Name> {
        Vec::new()
    }

    /// Returns true if Puppet would fail to load one of the files, which ends a compile.
    fn has_load_finding(&self) -> bool {
        false
    }

    /// Takes the warnings that Puppet logs about the files loaded since the last call.
    fn take_load_warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Records that the code of a Ruby function was not evaluated to its end.
    fn note_unexecuted(&self, _function: &DeclaredFunction) {}

    /// Returns true if something unknown may define this name, so that using it is not an error.
    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool;

    /// Returns names of definitions of a kind that are similar to a name that resolves to nothing.
    fn similar_names(&self, _kind: DefinitionKind, _name: &str) -> Vec<Name> {
        Vec::new()
    }

    /// Returns a top-scope variable that is set before the first expression: a fact, `$trusted`, ….
    fn global(&self, name: &str) -> Option<Value>;

    /// Returns true if a machine may have this fact although it is not among the known ones.
    fn may_have_fact(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if the certificate of the node may have unknown extensions.
    fn may_have_extensions(&self) -> bool {
        false
    }

    /// Begins the evaluation of a tracked expression.
    fn begin_platform_expression(&self) {}

    /// Ends the evaluation of a tracked expression. `says_all` is true if its value covers all platform
    /// properties that it read.
    fn end_platform_expression(&self, _unit: &Unit, _expr: ExprId, _says_all: bool) {}

    /// Returns the type of `$variable[key]...` for a top-scope variable that the program does not set, such
    /// as a fact.
    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type>;

    fn module_folder(&self, module: &str) -> ModuleFolder;

    /// Returns the bytes of `relative` below a module's folder (`templates/x.epp` of `apache`); `None` if
    /// there is no such file.
    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>>;

    /// Returns the content of a module's metadata.json; `None` if it is missing or unreadable.
    fn module_metadata(&self, module: &str) -> Option<Arc<Value>> {
        let bytes = self.module_file(module, "metadata.json")?;
        hiera::json::parse(std::str::from_utf8(&bytes).ok()?).ok().map(Arc::new)
    }

    /// Returns true if a module has such a file, whether or not its bytes are known.
    fn has_module_file(&self, module: &str, relative: &str) -> bool {
        self.module_file(module, relative).is_some()
    }

    /// Returns true if there may be such a file because its path leads into something unknown.
    fn may_have_module_file(&self, _module: &str, _relative: &str) -> bool {
        false
    }

    /// Returns true if the installed version of stdlib logs a deprecation warning for the function; old
    /// versions do not.
    fn logs_deprecation(&self, _function: &str) -> bool {
        true
    }

    /// Reads a file by its absolute path. Code is seldom analyzed on the machine that compiles it.
    fn machine_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// Returns the precomputed parameter types of a class or defined type, in order, if they do not depend on
    /// the context.
    fn parameter_types(&self, _unit: &Unit) -> Option<Arc<[Option<Type>]>> {
        None
    }

    /// Returns the precomputed type of a type alias, if it does not depend on the context.
    fn precomputed_alias(&self, _unit: &Unit) -> Option<Arc<Type>> {
        None
    }

    /// Returns the Ruby file below the `lib` folder of some module.
    fn ruby_file(&self, _path: &str) -> Option<Arc<plugins::code::RubyProgram>> {
        None
    }

    /// Returns the providers that modules have for a resource type, with their files.
    fn ruby_providers(&self, _resource_type: &str) -> Vec<(SmolStr, Arc<plugins::code::RubyProgram>)> {
        Vec::new()
    }

    /// Reads a file of the project by its absolute path, for functions in Ruby.
    fn project_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// Returns the parsed ERB template for a source text, if it has been precomputed.
    fn erb_template(&self, _text: &str) -> Option<Arc<plugins::erb::ErbTemplate>> {
        None
    }

    /// Returns a resource type that is not a defined type, from a plug-in or Puppet itself; `None` if it is
    /// missing or unknown.
    fn resource_type(&self, _name: &str) -> Option<Arc<plugins::RubyResourceType>> {
        None
    }

    /// Returns the name of the module that contains a definition; empty outside of modules.
    fn module_name(&self, _unit: &Unit) -> Name {
        Name::default()
    }

    /// Returns true if any Hiera data has the key, whatever node it is for.
    fn has_data_key(&self, _key: &str) -> bool {
        false
    }

    /// Returns true if the machine may have Hiera data outside of the project.
    ///
    /// If an environment has no configuration, that of the whole machine applies, and a server always has
    /// one.
    fn has_external_data(&self) -> bool {
        false
    }

    /// Returns true if the name of the node is invented, so that node-specific data is unknown.
    fn has_invented_node(&self) -> bool {
        false
    }

    /// Removes the name of the node from a top-scope variable.
    fn without_node_name(&self, _variable: &str, value: Value) -> Value {
        value
    }

    /// Records that the data for a key would matter, if there is no configuration that locates it.
    fn note_external_data(&self, _key: &str) {}

    /// Records that the data for a key is undecided.
    fn note_undecided_data(&self, _key: &str, _reason: UndecidedReason) {}

    /// Records that code reads a top-scope variable that is set nowhere, but that [`Program::may_define`].
    fn note_assumed_variable(&self, _name: &str) {}

    /// Records that code tests for the existence of such a variable.
    fn note_tested_variable(&self, _name: &str) {}

    /// Records that a class of unknown name is included.
    fn note_unknown_class(&self) {}

    /// Records that the resources of a type that other nodes export are collected.
    fn note_exported_resources(&self, _type_name: &str) {}

    /// Returns the files of Hiera; `None` if data is ignored: then every key may have any value.
    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        None
    }
}

/// Reason why a lookup in Hiera has no known result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndecidedReason {
    /// A level depends on unknown values, or cannot be evaluated.
    UnknownInput,
    /// A level depends on the name of the node, which is a placeholder.
    NodeName,
}

/// Program of one source text (or a few), for the command line and tests.
#[derive(Clone, Debug)]
pub struct SourceProgram {
    library: &'static dyn FunctionLibrary,
    /// True if the functions of puppetlabs-stdlib are available.
    pub has_stdlib: bool,
    /// True if the code is meant for this machine, so that files with absolute paths are read.
    pub reads_this_machine: bool,
    unit_count: u32,
    functions: FxHashMap<Name, Arc<Unit>>,
    aliases: FxHashMap<Name, Arc<Unit>>,
    classes: FxHashMap<Name, Arc<Unit>>,
    nodes: Vec<Arc<Unit>>,
    globals: FxHashMap<Name, Value>,
    files: FxHashMap<(Name, Name), Arc<[u8]>>,
    modules_folder: Option<Name>,
    data: hiera::sources::TextSources,
}

impl SourceProgram {
    /// Returns an empty program with a library of functions.
    pub fn new(library: &'static dyn FunctionLibrary) -> SourceProgram {
        SourceProgram {
            library,
            has_stdlib: false,
            reads_this_machine: false,
            unit_count: 0,
            functions: FxHashMap::default(),
            aliases: FxHashMap::default(),
            classes: FxHashMap::default(),
            nodes: Vec::new(),
            globals: FxHashMap::default(),
            files: FxHashMap::default(),
            modules_folder: None,
            data: hiera::sources::TextSources::default(),
        }
    }

    /// Adds the definitions of a file, and returns its main program.
    pub fn add(&mut self, file: &LoweredFile) -> Option<Arc<Unit>> {
        let mut main = None;
        for definition in &file.definitions {
            let DefinitionKey { kind, name, .. } = &definition.key;
            let id = UnitId(self.unit_count);
            let unit = Arc::new(Unit::new(id, definition.name.clone(), *kind, definition.body.clone()));
            self.unit_count += 1;
            let table = match kind {
                DefinitionKind::Main => {
                    main = Some(unit);
                    continue;
                }
                DefinitionKind::Function => &mut self.functions,
                DefinitionKind::TypeAlias => &mut self.aliases,
                DefinitionKind::Class | DefinitionKind::DefinedType => &mut self.classes,
                DefinitionKind::Node => {
                    self.nodes.push(unit);
                    continue;
                }
                _ => continue,
            };
            table.entry(name.clone()).or_insert(unit);
        }
        main
    }

    /// Returns the node definitions, in order.
    pub fn nodes(&self) -> &[Arc<Unit>] {
        &self.nodes
    }

    pub fn set_global(&mut self, name: impl Into<Name>, value: Value) {
        self.globals.insert(name.into(), value);
    }

    /// Sets the folder that contains all modules.
    pub fn set_modules_folder(&mut self, folder: impl Into<Name>) {
        self.modules_folder = Some(folder.into());
    }

    /// Adds a file of a module, including Hiera data of the module.
    pub fn add_module_file(&mut self, module: &str, relative: &str, bytes: Arc<[u8]>) {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            self.data.add(&Layer::Module(module.into()), relative, text);
        }
        self.files.insert((module.into(), relative.into()), bytes);
    }
}

impl SourceProgram {
    /// Adds a Hiera file to a layer: `hiera.yaml`, or data by its path below the data folder.
    pub fn add_data_file(&mut self, layer: &Layer, relative: &str, text: &str) {
        self.data.add(layer, relative, text);
    }

    /// Sets whether Hiera reports warnings as errors.
    pub(crate) fn set_strict_data(&mut self, is_strict: bool) {
        self.data.is_strict = is_strict;
    }
}

impl Program for SourceProgram {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        self.library
    }

    fn function(&self, name: &str) -> Option<FunctionSource> {
        let defined = self.functions.get(&hir::fold_name(name)).cloned().map(FunctionSource::Puppet);
        let of_stdlib = || self.library.of_stdlib(name).filter(|_| self.has_stdlib);
        defined.or_else(|| of_stdlib().map(FunctionSource::Known))
    }

    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        if self.functions.is_empty() {
            return None;
        }
        self.functions.get(&hir::fold_name(name)).cloned().map(FunctionSource::Puppet)
    }

    fn type_alias(&self, name: &str) -> Option<Arc<Unit>> {
        self.aliases.get(name).cloned()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        is_core_resource_type(name)
            || self.classes.get(name).is_some_and(|unit| unit.kind == DefinitionKind::DefinedType)
    }

    fn class_exists(&self, name: &str) -> bool {
        self.classes.get(name).is_some_and(|unit| unit.kind == DefinitionKind::Class)
    }

    fn class(&self, name: &str) -> Option<Arc<Unit>> {
        self.classes.get(name).cloned()
    }

    // A variable of a class that is not followed.
    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool {
        kind == MissingNameKind::Variable && name.contains("::") && self.globals.contains_key(name)
    }

    fn global(&self, name: &str) -> Option<Value> {
        self.globals.get(name).cloned()
    }

    fn type_of_element(&self, _: &str, _: &[Value]) -> Option<Type> {
        None
    }

    fn module_folder(&self, module: &str) -> ModuleFolder {
        match &self.modules_folder {
            None => ModuleFolder::Unclear,
            Some(folder) if self.files.keys().any(|(known, _)| known == module) => {
                ModuleFolder::At(format!("{folder}/{module}").into())
            }
            Some(_) => ModuleFolder::Missing,
        }
    }

    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>> {
        self.files.get(&(module.into(), relative.into())).cloned()
    }

    fn machine_file(&self, path: &str) -> MachineFile {
        match self.reads_this_machine {
            true => MachineFile::at(path),
            false => MachineFile::Unclear,
        }
    }

    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        Some(&self.data)
    }
}
