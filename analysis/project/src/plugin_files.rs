//! Ruby plug-ins of modules: which files may define a name, and what they define.

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

/// What a Ruby plug-in defines; nothing for other files. A file that Puppet would load for the name of a function or a
/// resource type defines that: where it cannot be read out of the file, as something open.
#[salsa::tracked(returns(ref))]
pub fn ruby_file(db: &dyn Db, file: File) -> RubyFile {
    let _span = tracing::info_span!("ruby_file").entered();
    if file_kind(db, file) != FileKind::RubyPlugin {
        return RubyFile::default();
    }
    let path = match file.place(db) {
        FileRole::Module { relative, .. } => relative.as_str(),
        FileRole::Loose | FileRole::MainManifest => below_lib(file.path(db).as_str()),
    };
    let mut found = match file.contents(db).text() {
        Some(text) if !file.is_large(db) => match file.place(db) {
            FileRole::Module { module, .. } => read_in_module(db, *module, path, &text),
            FileRole::Loose | FileRole::MainManifest => plugins::ruby::read(path, &text),
        },
        _ => RubyFile::default(),
    };
    add_what_the_path_promises(path, &mut found);
    found
}

/// Reads a file with what it requires from its own module, if it cannot be understood without that, and with what files in
/// the folder of a resource type add to that type.
fn read_in_module(db: &dyn Db, module: ModuleTree, path: &str, text: &str) -> RubyFile {
    /// How often what is required is asked what it requires in turn.
    const ROUNDS: usize = 4;
    let files = module.files(db);
    let mut found = plugins::ruby::read(path, text);
    let mut required: BTreeMap<String, Arc<str>> = BTreeMap::new();
    for _ in 0..ROUNDS {
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
        found = plugins::ruby::read_with(path, text, &required);
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

fn add_what_the_path_promises(path: &str, found: &mut RubyFile) {
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
            is_open: true,
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
            is_open: true,
            features: Vec::new(),
            documentation: Name::default(),
            title_patterns: TitlePatterns::Unknown,
            is_isomorphic: true,
        }));
    }
}

/// Where a module has the functions of a name.
pub(crate) struct FunctionPaths {
    /// The file of a 4.x function.
    pub(crate) current: String,
    /// The file of a 3.x function.
    pub(crate) old: String,
}

impl FunctionPaths {
    /// Those of a folded name, qualified or not.
    pub(crate) fn new(name: &str) -> FunctionPaths {
        let below = name.replace("::", "/");
        FunctionPaths { current: format!("{FUNCTIONS}{below}.rb"), old: format!("{OLD_FUNCTIONS}{below}.rb") }
    }
}

/// The function `name` that the file at `path` of a module defines.
pub(crate) fn function_at(db: &dyn Db, module: ModuleTree, path: &str, name: &str) -> Option<(File, usize)> {
    let file = *module.files(db).get(path)?;
    let index = ruby_file(db, file).functions.iter().position(|it| it.name == name)?;
    Some((file, index))
}

/// The file of the first of some modules that adds a resource type. It is not read.
pub(crate) fn resource_type_file(
    db: &dyn Db,
    mut modules: impl Iterator<Item = ModuleTree>,
    name: &str,
) -> Option<File> {
    let path = format!("{RESOURCE_TYPES}{name}.rb");
    modules.find_map(|module| module.files(db).get(path.as_str()).copied())
}

/// The resource type that a file makes by its path.
pub(crate) fn resource_type_in(db: &dyn Db, file: File, name: &str) -> Option<Arc<RubyResourceType>> {
    ruby_file(db, file).resource_types.iter().find(|it| it.name == name).cloned()
}

/// The data type of a module by its folded name.
pub(crate) fn data_type(db: &dyn Db, module: ModuleTree, name: &str) -> Option<(File, usize)> {
    let path = format!("{DATA_TYPES}{}.rb", name.replace("::", "/"));
    let file = *module.files(db).get(path.as_str())?;
    let types = &ruby_file(db, file).data_types;
    let index = types.iter().position(|it: &DataType| it.name.eq_ignore_ascii_case(name))?;
    Some((file, index))
}

/// The providers that the modules of an environment have for a resource type, with their files. Only files in the folder
/// of that type are read.
pub fn providers(db: &dyn Db, environment: Environment, resource_type: &str) -> Vec<(File, Provider)> {
    let files = with_name(provider_files(db, environment), resource_type).iter();
    files.flat_map(|(_, file)| providers_at(db, *file, resource_type)).collect()
}

/// The files in the folders of providers of all modules of an environment, by the resource type of the folder: no file is
/// read.
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

/// The entries that have a name, of a table that is sorted by names.
fn with_name<'table>(table: &'table [(Name, File)], name: &str) -> &'table [(Name, File)] {
    let begin = table.partition_point(|(it, _)| it.as_str() < name);
    let length = table[begin..].partition_point(|(it, _)| it == name);
    &table[begin..begin + length]
}

/// The providers that the modules of an environment have for a resource type, with the code of their files.
pub fn provider_programs(
    db: &dyn Db,
    environment: Environment,
    resource_type: &str,
) -> Vec<(SmolStr, Arc<RubyProgram>)> {
    let of_type = providers(db, environment, resource_type).into_iter();
    of_type.filter_map(|(file, provider)| Some((provider.name, ruby_program(db, file)?))).collect()
}

/// The providers that a module has for a resource type.
pub(crate) fn providers_in(db: &dyn Db, module: ModuleTree, resource_type: &str) -> Vec<(File, Provider)> {
    let folder = format!("{PROVIDERS}{resource_type}/");
    below(db, module, &folder).flat_map(|(_, file)| providers_at(db, file, resource_type)).collect()
}

fn providers_at(db: &dyn Db, file: File, resource_type: &str) -> impl Iterator<Item = (File, Provider)> {
    let providers = ruby_file(db, file).providers.iter();
    providers.filter(move |it| it.resource_type == resource_type).map(move |it| (file, it.clone()))
}

/// Where an attribute of a resource type is made: in the type's own file `home`, or in one of the files beside it that add to
/// the type.
pub fn place_of_attribute(
    db: &dyn Db,
    home: File,
    resource_type: &RubyResourceType,
    name: &str,
) -> Option<(File, TextRange)> {
    if let FileRole::Module { module, .. } = home.place(db) {
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

/// The facts that modules of an environment add, and those of the fact files that the user names, with their files, by
/// name.
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

/// Those of the facts of [`custom_facts`] that have a name.
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

/// The files of external facts in modules of an environment.
pub fn external_fact_files(db: &dyn Db, environment: Environment) -> Vec<File> {
    files_in(db, environment, "facts.d/").collect()
}

/// The Ruby file below the `lib` folder of a module, by its path there, without `.rb`; `None` where several modules have one.
pub fn ruby_library_file(db: &dyn Db, environment: Environment, path: &str) -> Option<File> {
    match with_name(ruby_libraries(db, environment), &format!("{LIBRARIES}{path}.rb")) {
        [(_, file)] => Some(*file),
        _ => None,
    }
}

/// The Ruby files in the `lib` folders of an environment's modules, by their path in the module: no file is read.
#[salsa::tracked(returns(ref))]
fn ruby_libraries(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let modules = environment.modules(db).values();
    let all = modules.flat_map(|module| below(db, *module, LIBRARIES));
    let mut found: Vec<(Name, File)> =
        all.filter(|(path, _)| path.ends_with(".rb")).map(|(path, file)| (path.clone(), file)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into()
}

/// The file that adds a resource type to an environment, in the first of its modules that has one. It is not read.
pub(crate) fn resource_type_of(db: &dyn Db, environment: Environment, name: &str) -> Option<File> {
    with_name(ruby_resource_types(db, environment), name).first().map(|(_, file)| *file)
}

/// The Ruby functions that code of an environment can call, by name: no file is read.
#[salsa::tracked(returns(ref))]
pub fn ruby_functions(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let mut found = named_by_path(db, environment, FUNCTIONS);
    found.extend(named_by_path(db, environment, OLD_FUNCTIONS));
    first_of_each_name(found)
}

/// The resource types that modules of an environment add, by name: no file is read.
#[salsa::tracked(returns(ref))]
pub fn ruby_resource_types(db: &dyn Db, environment: Environment) -> Box<[(Name, File)]> {
    let mut found = named_by_path(db, environment, RESOURCE_TYPES);
    found.retain(|(name, _)| !name.contains(':'));
    first_of_each_name(found)
}

/// The data types in Ruby that modules of an environment add, by folded name: no file is read.
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
    // What Puppet's autoloader looks for is in all folders; the rest is found by the name of the module.
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

/// The files of a module below a folder (with `/` at its end).
fn below<'db>(db: &'db dyn Db, module: ModuleTree, folder: &str) -> impl Iterator<Item = (&'db Name, File)> {
    let files = module.files(db).range(Name::new(folder)..);
    files.take_while(move |(path, _)| path.starts_with(folder)).map(|(path, file)| (path, *file))
}
