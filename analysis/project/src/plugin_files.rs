//! Ruby plugins of modules: the files that may define a name, and their definitions.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::Name;
use plugins::code::RubyProgram;
use plugins::{
    CustomFact, DataType, FunctionApi, Provider, ResourceApi, RubyFile, RubyFunction, RubyResourceType,
    TitlePatterns, WrittenSignature,
};
use smol_str::SmolStr;
use syntax::TextRange;

use crate::external_facts::external_facts;
use crate::{Db, Environment, File, FileKind, FileRole, ModuleTree, file_kind, ruby_program};

const LIBRARIES: &str = "lib/";
const FUNCTIONS: &str = "lib/puppet/functions/";
const OLD_FUNCTIONS: &str = "lib/puppet/parser/functions/";
const RESOURCE_TYPES: &str = "lib/puppet/type/";
const PROVIDERS: &str = "lib/puppet/provider/";
const DATA_TYPES: &str = "lib/puppet/datatypes/";

/// Returns the definitions of a Ruby plugin; empty for other files. A file that Puppet would load for the
/// name of a function or resource type always defines it: if the definition cannot be read, it is incomplete.
#[salsa::tracked(returns(ref))]
pub fn ruby_file(db: &dyn Db, file: File) -> RubyFile {
    let _span = tracing::info_span!("ruby_file").entered();
    if file_kind(db, file) != FileKind::RubyPlugin {
        return RubyFile::default();
    }
    let path = match file.role(db) {
        FileRole::Module { relative, .. } => relative.as_str(),
        FileRole::Loose | FileRole::MainManifest => below_lib(file.path(db).as_str()),
    };
    let mut found = match file.contents(db).text() {
        Some(text) if !file.is_large(db) => match file.role(db) {
            FileRole::Module { module, .. } => read_in_module(db, *module, path, &text),
            FileRole::Loose | FileRole::MainManifest => ruby::read_declarations(path, &text),
        },
        _ => RubyFile::default(),
    };
    add_definition_of_path(path, &mut found);
    found
}

/// Reads a file, with the required files of its module if it cannot be understood without them, and with
/// the additions that files in a resource type's folder make to that type.
fn read_in_module(db: &dyn Db, module: ModuleTree, path: &str, text: &str) -> RubyFile {
    /// Maximum depth of transitive `require`s.
    const MAX_REQUIRE_DEPTH: usize = 4;
    let files = module.files(db);
    let mut found = ruby::read_declarations(path, text);
    let mut required: BTreeMap<String, Arc<str>> = BTreeMap::new();
    for _ in 0..MAX_REQUIRE_DEPTH {
        let before = required.len();
        for path in found.requires.iter().map(|it| format!("lib/{it}")) {
            let text = files.get(path.as_str()).and_then(|file| file.contents(db).text());
            required.extend(text.map(|text| (path, text)));
        }
        if required.len() == before {
            break;
        }
        let required: Vec<(&str, &str)> =
            required.iter().map(|(path, text)| (path.as_str(), &**text)).collect();
        found = ruby::read_declarations_with(path, text, &required);
    }
    if path.starts_with(RESOURCE_TYPES) && !path[RESOURCE_TYPES.len()..].contains('/') {
        for resource_type in &mut found.resource_types {
            let folder = format!("{RESOURCE_TYPES}{}/", resource_type.name);
            let others = below(db, module, &folder).flat_map(|(_, file)| &ruby_file(db, file).type_additions);
            let additions: Vec<_> = others.filter(|it| it.name == resource_type.name).collect();
            if !additions.is_empty() {
                let additions = additions.into_iter().map(AsRef::as_ref);
                *resource_type = Arc::new(plugins::with_additions(resource_type, additions));
            }
        }
    }
    found
}

fn below_lib(path: &str) -> &str {
    path.rfind("/lib/").map_or(path, |at| &path[at + 1..])
}

fn add_definition_of_path(path: &str, found: &mut RubyFile) {
    let stem = |folder: &str| Some(path.strip_prefix(folder)?.strip_suffix(".rb")?.replace('/', "::"));
    let function = stem(FUNCTIONS).map(|name| (name, FunctionApi::V4));
    let old = || Some((stem(OLD_FUNCTIONS)?, FunctionApi::V3 { is_statement: false, arity: -1 }));
    if let Some((name, api)) = function.or_else(old)
        && !found.functions.iter().any(|it| it.name == name)
    {
        found.functions.push(RubyFunction {
            name: name.into(),
            range: TextRange::empty(0),
            api,
            signatures: vec![WrittenSignature::default()],
            is_incomplete: true,
            refusal: None,
            local_types: Vec::new(),
            documentation: Name::default(),
        });
    }
    if let Some(name) = stem(RESOURCE_TYPES).filter(|name| !name.contains(':'))
        && !found.resource_types.iter().any(|it| it.name == name)
    {
        found.resource_types.push(Arc::new(RubyResourceType {
            name: name.into(),
            range: TextRange::empty(0),
            api: ResourceApi::Classic,
            attributes: Vec::new(),
            is_incomplete: true,
            features: Vec::new(),
            documentation: Name::default(),
            title_patterns: TitlePatterns::Unknown,
            is_isomorphic: true,
        }));
    }
}

/// Paths in a module that may define a function.
pub(crate) struct FunctionPaths {
    /// File of a 4.x function.
    pub(crate) current: String,
    /// File of a 3.x function.
    pub(crate) old: String,
}

impl FunctionPaths {
    /// Returns the paths for a folded name, qualified or not.
    pub(crate) fn new(name: &str) -> FunctionPaths {
        let below = name.replace("::", "/");
        FunctionPaths { current: format!("{FUNCTIONS}{below}.rb"), old: format!("{OLD_FUNCTIONS}{below}.rb") }
    }
}

/// Returns the function `name` that the file at `path` of a module defines.
pub(crate) fn function_at(db: &dyn Db, module: ModuleTree, path: &str, name: &str) -> Option<(File, usize)> {
    let file = *module.files(db).get(path)?;
    let index = ruby_file(db, file).functions.iter().position(|it| it.name == name)?;
    Some((file, index))
}

/// Returns the file in the first of the modules that adds a resource type. The file is not read.
pub(crate) fn resource_type_file(
    db: &dyn Db,
    mut modules: impl Iterator<Item = ModuleTree>,
    name: &str,
) -> Option<File> {
    let path = format!("{RESOURCE_TYPES}{name}.rb");
    modules.find_map(|module| module.files(db).get(path.as_str()).copied())
}

/// Returns the resource type `name` that a file defines.
pub(crate) fn resource_type_in(db: &dyn Db, file: File, name: &str) -> Option<Arc<RubyResourceType>> {
    ruby_file(db, file).resource_types.iter().find(|it| it.name == name).cloned()
}

/// Returns the data type of a module by its folded name.
pub(crate) fn data_type(db: &dyn Db, module: ModuleTree, name: &str) -> Option<(File, usize)> {
    let path = format!("{DATA_TYPES}{}.rb", name.replace("::", "/"));
    let file = *module.files(db).get(path.as_str())?;
    let types = &ruby_file(db, file).data_types;
    let index = types.iter().position(|it: &DataType| it.name.eq_ignore_ascii_case(name))?;
    Some((file, index))
}

/// Returns the providers that the modules of an environment have for a resource type, with their files. Only
/// files in the folder of that type are read.
pub fn providers(db: &dyn Db, environment: Environment, resource_type: &str) -> Vec<(File, Provider)> {
    let files = with_name(provider_files(db, environment), resource_type).iter();
    files.flat_map(|(_, file)| providers_at(db, *file, resource_type)).collect()
}

/// Returns the provider files of all modules of an environment, sorted by the resource type that their folder
/// names. Reads no files.
#[salsa::tracked(returns(ref))]
fn provider_files(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let modules = environment.modules(db).values().chain(environment.shadowed(db).iter());
    let all = modules.flat_map(|module| below(db, *module, PROVIDERS));
    let mut found: Vec<(Name, File)> = all
        .filter_map(|(path, file)| Some((path[PROVIDERS.len()..].split_once('/')?.0.into(), file)))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into()
}

/// Returns the entries with a name in a table that is sorted by name.
fn with_name<'table>(table: &'table [(Name, File)], name: &str) -> &'table [(Name, File)] {
    let begin = table.partition_point(|(it, _)| it.as_str() < name);
    let length = table[begin..].partition_point(|(it, _)| it == name);
    &table[begin..begin + length]
}

/// Returns the providers that the modules of an environment have for a resource type, with the code of their
/// files.
pub fn provider_programs(
    db: &dyn Db,
    environment: Environment,
    resource_type: &str,
) -> Vec<(SmolStr, Arc<RubyProgram>)> {
    let of_type = providers(db, environment, resource_type).into_iter();
    of_type.filter_map(|(file, provider)| Some((provider.name, ruby_program(db, file)?))).collect()
}

/// Returns the providers that a module has for a resource type.
pub(crate) fn providers_in(db: &dyn Db, module: ModuleTree, resource_type: &str) -> Vec<(File, Provider)> {
    let folder = format!("{PROVIDERS}{resource_type}/");
    below(db, module, &folder).flat_map(|(_, file)| providers_at(db, file, resource_type)).collect()
}

fn providers_at(db: &dyn Db, file: File, resource_type: &str) -> impl Iterator<Item = (File, Provider)> {
    let providers = ruby_file(db, file).providers.iter();
    providers.filter(move |it| it.resource_type == resource_type).map(move |it| (file, it.clone()))
}

/// Returns the location that defines an attribute of a resource type: in the type's own file `home`, or in a
/// file of its folder that adds to the type.
pub fn attribute_location(
    db: &dyn Db,
    home: File,
    resource_type: &RubyResourceType,
    name: &str,
) -> Option<(File, TextRange)> {
    if let FileRole::Module { module, .. } = home.role(db) {
        let folder = format!("{RESOURCE_TYPES}{}/", resource_type.name);
        for (_, file) in below(db, *module, &folder) {
            let additions = ruby_file(db, file).type_additions.iter();
            let mut attributes =
                additions.filter(|it| it.name == resource_type.name).flat_map(|it| &it.attributes);
            if let Some(attribute) = attributes.find(|it| it.name == name) {
                return Some((file, attribute.range));
            }
        }
    }
    let attribute = resource_type.attributes.iter().find(|it| it.name == name)?;
    Some((home, attribute.range))
}

/// Returns the facts that modules of an environment add, and those of the user's fact files, with their
/// files, sorted by name.
#[salsa::tracked(returns(ref))]
pub fn custom_facts(db: &dyn Db, environment: Environment) -> Box<[(File, CustomFact)]> {
    let files = files_in(db, environment, "lib/facter/");
    let facts = files.flat_map(|file| ruby_file(db, file).facts.iter().map(move |it| (file, it.clone())));
    let mut facts: Vec<_> = facts.collect();
    let given = environment.fact_files(db).iter().copied();
    for file in external_fact_files(db, environment).into_iter().chain(given) {
        facts.extend(external_facts(db, file).iter().map(|fact| (file, fact.clone())));
    }
    facts.sort_by(|a, b| a.1.name.cmp(&b.1.name));
    facts.into()
}

/// Returns the [`custom_facts`] of a name.
pub fn custom_facts_named<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &str,
) -> &'db [(File, CustomFact)] {
    let all = custom_facts(db, environment);
    let begin = all.partition_point(|(_, fact)| fact.name.as_str() < name);
    let length = all[begin..].partition_point(|(_, fact)| fact.name == name);
    &all[begin..begin + length]
}

/// Returns the external fact files of an environment's modules.
pub fn external_fact_files(db: &dyn Db, environment: Environment) -> Vec<File> {
    files_in(db, environment, "facts.d/").collect()
}

/// Returns a Ruby file by its path below a module's `lib` folder, without `.rb`; `None` if several modules
/// have one.
pub fn ruby_library_file(db: &dyn Db, environment: Environment, path: &str) -> Option<File> {
    match with_name(ruby_libraries(db, environment), &format!("{LIBRARIES}{path}.rb")) {
        [(_, file)] => Some(*file),
        _ => None,
    }
}

/// Returns the Ruby files in the `lib` folders of an environment's modules, by their path in the module.
/// Reads no files.
#[salsa::tracked(returns(ref))]
fn ruby_libraries(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let modules = environment.modules(db).values();
    let all = modules.flat_map(|module| below(db, *module, LIBRARIES));
    let mut found: Vec<(Name, File)> =
        all.filter(|(path, _)| path.ends_with(".rb")).map(|(path, file)| (path.clone(), file)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into()
}

/// Returns the file that adds a resource type to an environment, from the first module that has one. The file
/// is not read.
pub(crate) fn resource_type_of(db: &dyn Db, environment: Environment, name: &str) -> Option<File> {
    with_name(ruby_resource_types(db, environment), name).first().map(|(_, file)| *file)
}

/// Returns the Ruby functions that code of an environment can call, by name. Reads no files.
#[salsa::tracked(returns(ref))]
pub fn ruby_functions(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let mut found = named_by_path(db, environment, FUNCTIONS);
    found.extend(named_by_path(db, environment, OLD_FUNCTIONS));
    first_of_each_name(found)
}

/// Returns the names of 3.x functions that several modules in one folder define, with different code: Puppet loads
/// the file that the file system lists first.
#[salsa::tracked(returns(ref))]
pub fn ambiguous_functions(db: &dyn Db, environment: Environment) -> Box<[Name]> {
    let mut all = named_by_path(db, environment, OLD_FUNCTIONS);
    all.sort_by(|a, b| a.0.cmp(&b.0));
    let folder = |file: File| match file.role(db) {
        FileRole::Module { module, .. } => module.root(db).parent(),
        _ => None,
    };
    let differ = |a: File, b: File| folder(a) == folder(b) && crate::text(db, a) != crate::text(db, b);
    let same_name = all.chunk_by(|a, b| a.0 == b.0);
    let ambiguous = same_name.filter(|same| same.iter().any(|a| same.iter().any(|b| differ(a.1, b.1))));
    ambiguous.map(|same| same[0].0.clone()).collect()
}

/// Returns the resource types that modules of an environment add, by name. Reads no files.
#[salsa::tracked(returns(ref))]
pub fn ruby_resource_types(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let mut found = named_by_path(db, environment, RESOURCE_TYPES);
    found.retain(|(name, _)| !name.contains(':'));
    first_of_each_name(found)
}

/// Returns the Ruby data types that modules of an environment add, by folded name. Reads no files.
#[salsa::tracked(returns(ref))]
pub fn ruby_data_types(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    first_of_each_name(named_by_path(db, environment, DATA_TYPES))
}

fn first_of_each_name(mut found: Vec<(Name, File)>) -> Box<[(Name, File)]> {
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    found.into()
}

fn named_by_path(db: &dyn Db, environment: Environment, folder: &str) -> Vec<(Name, File)> {
    let mut found = Vec::new();
    // Puppet's autoloader searches all folders for these; others are found by the name of their module.
    let is_autoloaded = matches!(folder, OLD_FUNCTIONS | RESOURCE_TYPES);
    let shadowed = environment.shadowed(db).iter().filter(|_| is_autoloaded);
    for module in environment.modules(db).values().chain(shadowed) {
        for (path, file) in below(db, *module, folder) {
            let Some(name) = path[folder.len()..].strip_suffix(".rb") else { continue };
            found.push((name.replace('/', "::").into(), file));
        }
    }
    found
}

fn files_in(db: &dyn Db, environment: Environment, folder: &str) -> impl Iterator<Item = File> {
    let modules = environment.modules(db).values();
    modules.flat_map(move |module| below(db, *module, folder).map(|(_, file)| file))
}

/// Returns the files of a module below a folder (with a trailing `/`).
fn below<'db>(db: &'db dyn Db, module: ModuleTree, folder: &str) -> impl Iterator<Item = (&'db Name, File)> {
    let files = module.files(db).range(Name::new(folder)..);
    files.take_while(move |(path, _)| path.starts_with(folder)).map(|(path, file)| (path, *file))
}
