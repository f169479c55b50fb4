//! Table of functions whose arguments are names.
//!
//! This is not a column of the function tables because names are needed before functions are known: the name
//! index of a project is built from its trees alone. A test in `functions` checks that each function in the
//! table exists.

use super::{Access, NameUseKind, VariableBinding};

/// Kinds of names among the arguments of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ArgumentNaming {
    /// Every argument.
    Each(NameUseKind),
    /// The first argument, which may be a list.
    First(NameUseKind, Access),
    /// A plan and its parameters.
    Plan,
    /// A task and its parameters.
    Task,
    /// A template and its parameters.
    EppTemplate,
    /// A Hiera key, or options with one.
    HieraKey,
    /// A file of a module.
    ServedFile,
    ServedFiles,
    /// Classes, resource types, and variables with a leading `$`.
    Defined,
    /// A resource type, titles, and attributes of each resource.
    ResourceTitles,
    /// A resource type, and a hash from titles to attributes.
    ResourceHash,
    /// Variables within template text.
    InlineErb,
    InlineEpp,
    /// A fact with a path of keys in one string, or with one argument per key; the first argument is
    /// `$facts`.
    FactPath,
    FactKeys,
}

/// Functions whose arguments are names, sorted by name. The receiver of a method call counts as the first
/// argument.
static NAMING_FUNCTIONS: &[(&str, ArgumentNaming)] = &[
    ("binary_file", ArgumentNaming::ServedFiles),
    ("call", ArgumentNaming::First(NameUseKind::Function, Access::Call)),
    ("contain", ArgumentNaming::Each(NameUseKind::Class)),
    ("create_resources", ArgumentNaming::ResourceHash),
    ("defined", ArgumentNaming::Defined),
    ("dig", ArgumentNaming::FactKeys),
    ("dig44", ArgumentNaming::FactKeys),
    ("ensure_resource", ArgumentNaming::ResourceTitles),
    ("ensure_resources", ArgumentNaming::ResourceHash),
    ("epp", ArgumentNaming::EppTemplate),
    ("fact", ArgumentNaming::First(NameUseKind::Fact, Access::Read)),
    ("file", ArgumentNaming::ServedFiles),
    ("find_file", ArgumentNaming::ServedFiles),
    ("get", ArgumentNaming::FactPath),
    ("getvar", ArgumentNaming::First(NameUseKind::Variable(VariableBinding::Free), Access::Read)),
    ("hiera", ArgumentNaming::HieraKey),
    ("hiera_array", ArgumentNaming::HieraKey),
    ("hiera_hash", ArgumentNaming::HieraKey),
    ("hiera_include", ArgumentNaming::HieraKey),
    ("include", ArgumentNaming::Each(NameUseKind::Class)),
    ("inline_epp", ArgumentNaming::InlineEpp),
    ("inline_template", ArgumentNaming::InlineErb),
    ("lookup", ArgumentNaming::HieraKey),
    ("require", ArgumentNaming::Each(NameUseKind::Class)),
    ("run_plan", ArgumentNaming::Plan),
    ("run_script", ArgumentNaming::ServedFile),
    ("run_task", ArgumentNaming::Task),
    ("run_task_with", ArgumentNaming::Task),
    ("stdlib::deferrable_epp", ArgumentNaming::EppTemplate),
    ("template", ArgumentNaming::Each(NameUseKind::ErbTemplate)),
    ("upload_file", ArgumentNaming::ServedFile),
];

/// Returns the functions whose arguments are names, in alphabetical order.
pub fn naming_functions() -> impl Iterator<Item = &'static str> {
    NAMING_FUNCTIONS.iter().map(|(name, _)| *name)
}

/// Returns the kinds of names among the arguments of a function.
pub(super) fn argument_naming(function: &str) -> Option<&'static ArgumentNaming> {
    let index = NAMING_FUNCTIONS.binary_search_by_key(&function, |(name, _)| name).ok()?;
    Some(&NAMING_FUNCTIONS[index].1)
}

/// Returns true if the arguments of a function are class names, as for `include`.
pub fn takes_class_names(function: &str) -> bool {
    kind_of_argument(function, 0) == Some(NameUseKind::Class)
}

/// Returns the kind of name expected for the argument at `index`, if it is unambiguous.
pub fn kind_of_argument(function: &str, index: usize) -> Option<NameUseKind> {
    let (kind, is_each) = match argument_naming(function)? {
        ArgumentNaming::Each(kind) => (kind.clone(), true),
        ArgumentNaming::First(kind, _) => (kind.clone(), false),
        ArgumentNaming::Plan => (NameUseKind::Plan, false),
        ArgumentNaming::Task => (NameUseKind::Task, false),
        ArgumentNaming::EppTemplate => (NameUseKind::EppTemplate, false),
        ArgumentNaming::HieraKey => (NameUseKind::HieraKey, false),
        ArgumentNaming::ServedFile => (NameUseKind::ServedFile, false),
        ArgumentNaming::ServedFiles => (NameUseKind::ServedFile, true),
        ArgumentNaming::Defined => (NameUseKind::ClassOrResourceType, true),
        ArgumentNaming::ResourceTitles | ArgumentNaming::ResourceHash => (NameUseKind::ResourceType, false),
        ArgumentNaming::InlineErb
        | ArgumentNaming::InlineEpp
        | ArgumentNaming::FactPath
        | ArgumentNaming::FactKeys => return None,
    };
    (is_each || index == 0).then_some(kind)
}
