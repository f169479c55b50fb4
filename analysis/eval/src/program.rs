//! What the evaluator asks about the world around a piece of code.

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

/// A definition that can be evaluated. The program gives the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// A definition with its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub id: UnitId,
    /// The name as people write it: `apache::params`.
    pub name: Name,
    pub kind: DefinitionKind,
    pub body: Arc<Body>,
    /// Is it a class whose variables the program knows already ([`Program::settled_variable`])? Then the body is empty.
    pub is_settled: bool,
    /// Expressions that the program wants to know of ([`Program::begin_platform_expression`]).
    pub platform_expressions: Option<Arc<FxHashSet<ExprId>>>,
}

impl Unit {
    pub fn new(id: UnitId, name: Name, kind: DefinitionKind, body: Arc<Body>) -> Unit {
        Unit { id, name, kind, body, is_settled: false, platform_expressions: None }
    }
}

/// What a function name means, when it is none of Puppet's own.
#[derive(Clone, Debug)]
pub enum FunctionSource {
    /// Written in Puppet.
    Puppet(Arc<Unit>),
    /// Written in Ruby, by a module whose functions are known: a row of our tables.
    Known(&'static BuiltInFunction),
    /// Its body is not followed: its signatures stand for it.
    Declared(Arc<DeclaredFunction>),
}

/// What calls go by of a function whose body is not followed.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredFunction {
    /// The name as people write it.
    pub name: Name,
    /// Tried in order.
    pub signatures: Vec<DeclaredSignature>,
    /// May it take other arguments, too?
    pub is_open: bool,
    pub additions: Additions,
    /// Why its values are not known.
    pub origin: Origin,
    /// Why every call fails.
    pub refusal: Option<SmolStr>,
    /// Its code, if it is Ruby.
    pub code: Option<FunctionCode>,
}

/// What a function takes.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredSignature {
    pub callable: Arc<CallableType>,
    /// Of the parameters, the block's not included; none where they are not known.
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

/// The code of a function that is written in Ruby.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCode {
    pub program: Arc<plugins::code::RubyProgram>,
    /// Through which interface it was made.
    pub api: plugins::FunctionApi,
}

/// What a function in Ruby may add to the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Additions {
    Nothing,
    /// Resources; classes only where an argument may say so.
    Resources,
    Classes,
}

/// What a name that was not found is the name of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MissingNameKind {
    Variable,
    Function,
    Type,
    Class,
    /// A module, by its name.
    Module,
    /// A resource of that type, which was declared elsewhere.
    Resource,
}

/// Where a module lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleFolder {
    At(Name),
    /// There is no such module.
    Missing,
    /// That depends on the machine that compiles.
    Unclear,
}

/// A file of the machine that the code is evaluated on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineFile {
    Content(Arc<[u8]>),
    /// It is there, but is not read: a folder, a device, something very large.
    Unread,
    Missing,
    /// Another machine may have it.
    Unclear,
}

impl MachineFile {
    /// So many bytes are read.
    const MAX_SIZE: u64 = 16 << 20;

    /// What is at a full path of the machine that runs this program.
    pub fn at(path: &str) -> MachineFile {
        match std::fs::metadata(path) {
            // Often the last of several files, so that one is always found.
            Ok(_) if path == "/dev/null" => MachineFile::Content(Arc::from([])),
            Ok(metadata) if metadata.is_file() => MachineFile::bounded(path)
                .map_or(MachineFile::Unread, |bytes| MachineFile::Content(bytes.into())),
            Ok(_) => MachineFile::Unread,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => MachineFile::Missing,
            Err(_) => MachineFile::Unclear,
        }
    }

    /// The bytes of a file, if they are not too many; some files say that they have none.
    fn bounded(path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(path).ok()?.take(MachineFile::MAX_SIZE + 1);
        file.read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= MachineFile::MAX_SIZE).then_some(bytes)
    }
}

/// Names, facts and files. Names are without `::` in front, and in lower case but for those of functions.
pub trait Program {
    /// The functions that are known.
    fn functions(&self) -> &'static dyn FunctionLibrary;

    /// The function that a name, as it is written, means.
    fn function(&self, name: &str) -> Option<FunctionSource>;

    /// A function of the main program that takes the place of one of Puppet's own.
    fn replacement(&self, name: &str) -> Option<FunctionSource>;

    /// A type alias.
    fn type_alias(&self, name: &str) -> Option<Arc<Unit>>;

    /// Does a type alias lead through so many others that nobody follows them?
    fn lies_too_deep(&self, _alias: UnitId) -> bool {
        false
    }

    /// Is the type alias of that name one of a module? Only there the types of a set have names of their own.
    fn is_alias_of_module(&self, _name: &str) -> bool {
        false
    }

    /// Is there a resource type, or a defined type, of that name?
    fn resource_type_exists(&self, name: &str) -> bool;

    /// A class or defined type.
    fn class_exists(&self, name: &str) -> bool;

    /// The class or defined type of that name, to be evaluated where it is declared; `None` where declarations are not
    /// followed.
    fn class(&self, name: &str) -> Option<Arc<Unit>>;

    /// The class of that name, if it only sets variables and those are known already.
    fn settled_class(&self, _name: &str) -> Option<Arc<Unit>> {
        None
    }

    /// A variable of a class that [`Program::settled_class`] gave.
    fn settled_variable(&self, _unit: &Unit, _name: &Name) -> Option<Value> {
        None
    }

    /// The parameters of such a class.
    fn settled_parameters(&self, _unit: &Unit) -> Vec<Name> {
        Vec::new()
    }

    /// Was there a file that Puppet would not load? Then a compile ends.
    fn has_load_finding(&self) -> bool {
        false
    }

    /// What Puppet logs about the files that it has read since this was asked last.
    fn take_load_warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Could something of this name exist that is not known? Then using it is no error.
    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool;

    /// The names of definitions of a kind that somebody may have meant by a name that means nothing.
    fn names_like(&self, _kind: DefinitionKind, _name: &str) -> Vec<Name> {
        Vec::new()
    }

    /// A variable of the top scope that is there before the first expression: a fact, `$trusted`, ...
    fn global(&self, name: &str) -> Option<Value>;

    /// May a machine have a fact of this name, though it is not among those that are known?
    fn may_have_fact(&self, _name: &str) -> bool {
        false
    }

    /// May the certificate of the node have extensions that are not known?
    fn may_have_extensions(&self) -> bool {
        false
    }

    /// One of the expressions of a unit is evaluated that the program wants to know of.
    fn begin_platform_expression(&self) {}

    /// It has been. Does its value say all that was learnt of the platform meanwhile?
    fn end_platform_expression(&self, _unit: &Unit, _expr: ExprId, _says_all: bool) {}

    /// What is known of `$variable[key]...`, a variable of the top scope that the program does not set: the type of a fact.
    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type>;

    fn module_folder(&self, module: &str) -> ModuleFolder;

    /// The bytes of `relative` below a module's folder (`templates/x.epp` of `apache`); `None` where there is no such file.
    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>>;

    /// What a module's metadata.json says; `None` where there is none that can be read.
    fn module_metadata(&self, module: &str) -> Option<Arc<Value>> {
        let bytes = self.module_file(module, "metadata.json")?;
        hiera::json::parse(std::str::from_utf8(&bytes).ok()?).ok().map(Arc::new)
    }

    /// Is there such a file of a module, whether its bytes are known or not?
    fn has_module_file(&self, module: &str, relative: &str) -> bool {
        self.module_file(module, relative).is_some()
    }

    /// May there be such a file, as its path leads to what is not known?
    fn may_have_module_file(&self, _module: &str, _relative: &str) -> bool {
        false
    }

    /// Does a function of stdlib say that it is deprecated, in the version that is there? Old ones do not yet.
    fn says_deprecation(&self, _function: &str) -> bool {
        true
    }

    /// A file by its full path. Code is seldom looked at on the machine that compiles it.
    fn machine_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// The declared types of the parameters of a class or defined type, in their order, those that are the same everywhere
    /// and known already.
    fn parameter_types(&self, _unit: &Unit) -> Option<Arc<[Option<Type>]>> {
        None
    }

    /// What a type alias stands for, where that is the same everywhere and known already.
    fn closed_alias(&self, _unit: &Unit) -> Option<Arc<Type>> {
        None
    }

    /// The Ruby file below the `lib` folder of some module.
    fn ruby_file(&self, _path: &str) -> Option<Arc<plugins::code::RubyProgram>> {
        None
    }

    /// The providers that modules have for a resource type, with their files.
    fn ruby_providers(&self, _resource_type: &str) -> Vec<(SmolStr, Arc<plugins::code::RubyProgram>)> {
        Vec::new()
    }

    /// A file of the project by its full path, as functions in Ruby read it.
    fn project_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// What the text of an ERB template says, where that is known already.
    fn erb_template(&self, _text: &str) -> Option<Arc<plugins::erb::ErbTemplate>> {
        None
    }

    /// The resource type that is no defined type: what a plug-in or Puppet itself says of it. `None` where there is no such
    /// type, or nothing is known of it.
    fn resource_type(&self, _name: &str) -> Option<Arc<plugins::RubyResourceType>> {
        None
    }

    /// The module that a definition belongs to; empty outside of modules.
    fn module_name(&self, _unit: &Unit) -> Name {
        Name::default()
    }

    /// Does any data of Hiera have a key, whichever node it is for?
    fn has_data_key(&self, _key: &str) -> bool {
        false
    }

    /// May the machine have data of Hiera that nobody sees here? Where an environment has no configuration, that of the whole
    /// machine counts, and a server always has one.
    fn has_open_data(&self) -> bool {
        false
    }

    /// Is the name of the node invented, so that nobody knows which data are for it alone?
    fn has_invented_node(&self) -> bool {
        false
    }

    /// A variable of the top scope without what it says of the name of the node.
    fn without_node_name(&self, _variable: &str, value: Value) -> Value {
        value
    }

    /// Notes that the data for a key would count, where there is no configuration that says where they are.
    fn note_open_data(&self, _key: &str) {}

    /// Notes that a class is included of which nobody knows the name.
    fn note_unknown_class(&self) {}

    /// The files of Hiera; `None` when data is not looked at: then every key may have any value.
    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        None
    }
}

/// A program that is one text (or a few): what the command line and the tests evaluate.
#[derive(Clone, Debug)]
pub struct SourceProgram {
    library: &'static dyn FunctionLibrary,
    /// Are the functions of puppetlabs-stdlib there?
    pub has_stdlib: bool,
    /// Is this the machine that the code is meant for? Then files that it names by a full path are looked at.
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
    /// One without a text, which knows the functions of a library.
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

    /// Adds the definitions of a file, and gives its main program.
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

    /// The node definitions, in order.
    pub fn nodes(&self) -> &[Arc<Unit>] {
        &self.nodes
    }

    pub fn set_global(&mut self, name: impl Into<Name>, value: Value) {
        self.globals.insert(name.into(), value);
    }

    /// Says where the folders of all modules lie.
    pub fn set_modules_folder(&mut self, folder: impl Into<Name>) {
        self.modules_folder = Some(folder.into());
    }

    /// Adds a file of a module. Its Hiera data belongs to the module.
    pub fn add_module_file(&mut self, module: &str, relative: &str, bytes: Arc<[u8]>) {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            self.data.add(&Layer::Module(module.into()), relative, text);
        }
        self.files.insert((module.into(), relative.into()), bytes);
    }
}

impl SourceProgram {
    /// Adds a file of Hiera to the environment's layer, or to another one: `hiera.yaml`, and data by the path below its
    /// folder.
    pub fn add_data_file(&mut self, layer: &Layer, relative: &str, text: &str) {
        self.data.add(layer, relative, text);
    }

    /// Does Hiera refuse what it would only warn about?
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
