//! Built-in functions: each table row declares one.
//!
//! A row has the name, overloads with Puppet's signatures as text, documentation and an implementation, which
//! accesses the evaluator through `eval::Call`. Arguments are checked by the signature where Puppet does so;
//! functions of the 3.x API convert theirs. [`LIBRARY`] is what programs provide.
//!
//! * Rows of stdlib and openstacklib only apply if the environment itself has the function.
//! * `in_ruby` calls functions written in Ruby and renders ERB templates in the scope of the call.
//! * Results for unknown arguments are never too narrow; tables in `tests/` compare known and unknown
//!   arguments, and recordings compare with Puppet.

mod catalog;
mod collections;
mod conversion;
mod flow;
mod in_ruby;
mod iteration;
mod legacy;
mod logging;
mod lookup_and_files;
mod named_files;
mod navigation;
mod numbers;
mod openstacklib;
mod patterns;
mod scanf;
mod stdlib;
mod strings;
mod support;
mod tree;

use std::sync::LazyLock;

use eval::{
    BuiltInFunction, DeclaredFunction, EvaluationSettings, Evaluator, FunctionLibrary, Outcome, PassedLambda,
    Session, Signature, Site, SourceProgram,
};
use rustc_hash::FxHashMap;
use types::Value;

pub use legacy::CALLS_ITSELF;
pub use lookup_and_files::MISSING_DATA;

/// Functions that come neither with Puppet nor with a module, but with additional software.
const EXTERNAL_FUNCTIONS: &[&str] = &["puppetdb_query"];

/// Returns true for a function of PuppetDB, or of Puppet Enterprise, whose functions begin with `pe_`.
pub fn is_external_function(name: &str) -> bool {
    EXTERNAL_FUNCTIONS.contains(&name) || name.starts_with("pe_")
}

/// Tables, one per subject. A static, so that each function has exactly one address.
static TABLES: &[&[BuiltInFunction]] = &[
    catalog::TABLE,
    collections::TABLE,
    conversion::TABLE,
    flow::TABLE,
    iteration::TABLE,
    legacy::TABLE,
    logging::TABLE,
    lookup_and_files::TABLE,
    navigation::TABLE,
    numbers::TABLE,
    patterns::TABLE,
    strings::TABLE,
    tree::TABLE,
];
/// Tables of puppetlabs-stdlib, whose functions exist only if the environment has the module.
static STDLIB_TABLES: &[&[BuiltInFunction]] = stdlib::TABLES;
/// Tables of openstacklib.
static OPENSTACKLIB_TABLES: &[&[BuiltInFunction]] = &[openstacklib::TABLE];

/// Library with all tables, for callers that run programs.
pub static LIBRARY: &dyn FunctionLibrary = &Tables;

/// Returns a session whose programs know all functions of the tables.
pub fn session(settings: EvaluationSettings) -> Session {
    Session::new(settings, LIBRARY)
}

/// Returns an empty program that knows all functions of the tables.
pub fn source_program() -> SourceProgram {
    SourceProgram::new(LIBRARY)
}

#[derive(Debug)]
struct Tables;

impl FunctionLibrary for Tables {
    fn built_in(&self, name: &str) -> Option<&'static BuiltInFunction> {
        built_in(name)
    }

    fn of_stdlib(&self, name: &str) -> Option<&'static BuiltInFunction> {
        of_stdlib(name)
    }

    fn built_in_names(&self) -> Vec<&'static str> {
        all_built_in().map(|function| function.name).collect()
    }

    fn signatures(&self, function: &'static BuiltInFunction) -> &'static [Signature] {
        signatures(function)
    }

    fn call_ruby(
        &self,
        evaluator: &mut Evaluator<'_>,
        at: Site,
        function: &DeclaredFunction,
        signature: usize,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Outcome<Option<Value>> {
        in_ruby::functions::call(evaluator, at, function, signature, arguments, block)
    }
}

/// Returns the signatures of the overloads of a function in the tables, in order.
pub fn signatures(function: &'static BuiltInFunction) -> &'static [Signature] {
    static PARSED: LazyLock<FxHashMap<usize, Vec<Signature>>> = LazyLock::new(|| {
        all()
            .map(|function| (std::ptr::from_ref(function).addr(), eval::parse_signatures(function)))
            .collect()
    });
    PARSED.get(&std::ptr::from_ref(function).addr()).map_or(&[], Vec::as_slice)
}

/// Returns Puppet's own function of that name.
pub fn built_in(name: &str) -> Option<&'static BuiltInFunction> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static BuiltInFunction>> =
        LazyLock::new(|| by_name(TABLES));
    BY_NAME.get(name).copied()
}

/// Returns the function of puppetlabs-stdlib of that name.
pub fn of_stdlib(name: &str) -> Option<&'static BuiltInFunction> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static BuiltInFunction>> =
        LazyLock::new(|| by_name(STDLIB_TABLES));
    BY_NAME.get(name).copied()
}

/// Functions of versions of puppetlabs-stdlib that are not implemented here.
const OTHER_OF_STDLIB: [&str; 8] = [
    "glob",
    "pry",
    "shell_split",
    "str2saltedpbkdf2",
    "try_get_value",
    "validate_augeas",
    "validate_cmd",
    "validate_x509_rsa_key_pair",
];

/// Returns true if some version of puppetlabs-stdlib has a function of that name.
pub fn is_of_stdlib(name: &str) -> bool {
    of_stdlib(name).is_some() || OTHER_OF_STDLIB.contains(&name)
}

/// Returns the function of that name that a module implements with this Ruby code, if its behavior is known. Code that
/// is not read is that of a current version.
pub fn of_module(module: &str, name: &str, code: Option<&str>) -> Option<&'static BuiltInFunction> {
    match module {
        "stdlib" => of_stdlib(name).filter(|_| code.is_none_or(|code| stdlib::is_current(name, code))),
        "openstacklib" => {
            OPENSTACKLIB_TABLES.iter().copied().flatten().find(|function| function.name == name)
        }
        _ => None,
    }
}

/// Returns Puppet's own functions.
pub fn all_built_in() -> impl Iterator<Item = &'static BuiltInFunction> {
    TABLES.iter().copied().flatten()
}

/// Returns the functions of puppetlabs-stdlib.
pub fn all_of_stdlib() -> impl Iterator<Item = &'static BuiltInFunction> {
    STDLIB_TABLES.iter().copied().flatten()
}

fn all() -> impl Iterator<Item = &'static BuiltInFunction> {
    let of_modules = STDLIB_TABLES.iter().chain(OPENSTACKLIB_TABLES);
    TABLES.iter().chain(of_modules).copied().flatten().chain([&CALLS_ITSELF])
}

fn by_name(tables: &[&'static [BuiltInFunction]]) -> FxHashMap<&'static str, &'static BuiltInFunction> {
    tables.iter().copied().flatten().map(|function| (function.name, function)).collect()
}
