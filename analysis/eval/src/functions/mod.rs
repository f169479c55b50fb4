//! The built-in functions: one table row declares one.

mod catalog;
mod collections;
mod conversion;
mod elements;
mod flow;
mod iteration;
mod legacy;
mod logging;
mod lookup_and_files;
mod named_files;
mod navigation;
mod numbers;
mod openstacklib;
mod patterns;
pub(crate) mod ruby;
mod scanf;
mod signature;
mod sizes;
mod stdlib;
mod strings;
mod support;
mod tree;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::call::Call;
use crate::error::Outcome;

pub(crate) use legacy::legacy_argument;
pub use signature::{Parameter, ParameterKind, Signature};

pub(crate) use lookup_and_files::MISSING_DATA;
pub(crate) use stdlib::data::parse_json;

/// The code of errors that a program raises on purpose.
pub const DELIBERATE_FAILURE: &str = "deliberate-failure";

/// Functions that come with neither Puppet nor a module, but with software beside it.
pub const COMES_FROM_ELSEWHERE: &[&str] = &["puppetdb_query"];

/// A function that comes with Puppet or with puppetlabs-stdlib.
pub struct Function {
    pub name: &'static str,
    /// One line, Markdown.
    pub documentation: &'static str,
    pub kind: FunctionKind,
    /// Tried in order.
    pub overloads: &'static [Overload],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// Of the 4.x API.
    Modern,
    /// Of the 3.x API: arguments are converted first (`undef` becomes `''`), types are not checked.
    Legacy,
    /// Of the 3.x API, for what it does and not for its value, which is `undef`.
    LegacyStatement,
}

/// A way to call a function.
pub struct Overload {
    /// `(Integer $from, Optional[Integer] $to, String *$rest, Callable[1, 1] &$block) >> Array[Any]`.
    ///
    /// A parameter with `= ...` behind its name is optional (`Integer $count = 1`), one with `*` before the name takes any
    /// number, with `+` one or more, with `&` it is the block (`Optional[Callable] &$block` when it may be missing).
    pub signature: &'static str,
    pub when_unknown: WhenUnknown,
    /// The arguments fit the signature. With unknown ones only when [`WhenUnknown::Call`].
    pub call: fn(&mut Call) -> Outcome,
}

/// What a call with an argument that is not wholly known gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenUnknown {
    /// Some instance of the return type.
    ReturnType,
    /// The function itself knows what to do.
    Call,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Function").field(&self.name).finish()
    }
}

impl Function {
    /// The signatures of its overloads, in order.
    pub fn signatures(&'static self) -> &'static [Signature] {
        static PARSED: LazyLock<FxHashMap<usize, Vec<Signature>>> = LazyLock::new(|| {
            all()
                .map(|function| (std::ptr::from_ref(function).addr(), signature::parse_all(function)))
                .collect()
        });
        PARSED.get(&std::ptr::from_ref(self).addr()).map_or(&[], Vec::as_slice)
    }
}

/// The tables, one for each subject. A static, so that each function has one address.
static TABLES: &[&[Function]] = &[
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
/// Those of puppetlabs-stdlib, which exist only where the environment has it.
static STDLIB_TABLES: &[&[Function]] = stdlib::TABLES;
/// The same of other modules.
static OPENSTACKLIB_TABLES: &[&[Function]] = &[openstacklib::TABLE];

/// Puppet's own function of that name.
pub fn built_in(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Function>> = LazyLock::new(|| by_name(TABLES));
    BY_NAME.get(name).copied()
}

/// The function of puppetlabs-stdlib of that name.
pub fn of_stdlib(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Function>> =
        LazyLock::new(|| by_name(STDLIB_TABLES));
    BY_NAME.get(name).copied()
}

/// The function of that name that a module defines in Ruby, where we know what it does.
pub fn of_module(module: &str, name: &str) -> Option<&'static Function> {
    match module {
        "stdlib" => of_stdlib(name),
        "openstacklib" => {
            OPENSTACKLIB_TABLES.iter().copied().flatten().find(|function| function.name == name)
        }
        _ => None,
    }
}

/// Puppet's own functions.
pub fn all_built_in() -> impl Iterator<Item = &'static Function> {
    TABLES.iter().copied().flatten()
}

/// Those of puppetlabs-stdlib.
pub fn all_of_stdlib() -> impl Iterator<Item = &'static Function> {
    STDLIB_TABLES.iter().copied().flatten()
}

fn all() -> impl Iterator<Item = &'static Function> {
    TABLES.iter().chain(STDLIB_TABLES).chain(OPENSTACKLIB_TABLES).copied().flatten()
}

fn by_name(tables: &[&'static [Function]]) -> FxHashMap<&'static str, &'static Function> {
    tables.iter().copied().flatten().map(|function| (function.name, function)).collect()
}
