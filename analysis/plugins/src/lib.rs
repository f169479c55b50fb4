//! Extensions of Puppet as plain data: functions, resource types, providers, facts and data types, defined by
//! Ruby files or built into Puppet ([`built_in`]). Also parses Ruby files ([`code`]) and the code of templates
//! ([`erb`]). The crate `ruby` evaluates them, and reads the definitions in plug-in files.
//!
//! Types are strings in Puppet syntax; callers parse them in the appropriate environment.
//!
//! * `code`: Ruby code of files and templates as our own tree.
//! * `drafts`: definitions under construction, with the calls that extend them. A definition that something
//!   unknown may extend is *incomplete*.
//! * `computed_names`: names of legacy facts that strings compose.
//! * `modules`: first releases of modules that support Puppet 8.
//! * `erb`: the tree of a template's Ruby code, and the variables it uses.
//! * `puppetfile`: modules and other calls of a `Puppetfile`.
//! * `removed_api`: uses of what newer versions of Ruby and its libraries no longer have.
//! * `test_facts`: facts that tests of rspec-puppet set and read.
//! * `documentation`: puppet-strings comments.
//! * `built_in`: tables of what Puppet, Facter and Bolt include, in one notation (`data/`), compared with
//!   real installations.

pub mod built_in;
pub mod code;
pub mod comments;
pub mod computed_names;
pub mod documentation;
pub mod drafts;
pub mod erb;
mod guard;
pub mod modules;
pub mod puppetfile;
pub mod removed_api;
pub mod test_facts;

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::TextRange;

/// Methods by which a type validates a resource, apart from those of its attributes.
pub const RESOURCE_METHODS: [&str; 8] = [
    "initialize",
    "validate",
    "set_given",
    "mark_unknown_attributes",
    "[]=",
    "attribute_name",
    "clear_attribute",
    "uncertain?",
];

/// Methods that process a value of an attribute.
pub const ATTRIBUTE_METHODS: [&str; 7] =
    ["initialize", "value=", "should=", "validate", "unsafe_validate", "munge", "unsafe_munge"];

/// Definitions in one Ruby file. A file that cannot be analyzed has no definitions, or incomplete ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RubyFile {
    pub functions: Vec<RubyFunction>,
    pub resource_types: Vec<Arc<RubyResourceType>>,
    pub providers: Vec<Provider>,
    pub facts: Vec<CustomFact>,
    pub data_types: Vec<DataType>,
    /// Additions to resource types defined elsewhere (`Puppet::Type.type(:file).newparam`): the name of the
    /// type with the new attributes and features. [`with_additions`] merges them.
    pub type_additions: Vec<Arc<RubyResourceType>>,
    /// Files relative to the `lib` folder of some module (`puppet_x/shop/goods.rb`) that may complete the
    /// incomplete definitions; pass them to `ruby::read_declarations_with`. Empty if all definitions are complete.
    pub requires: Vec<SmolStr>,
    /// Metaparameters added by `newmetaparam`, which every resource accepts.
    pub metaparameters: Vec<ResourceAttribute>,
}

/// API used to define a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionApi {
    /// `Puppet::Functions.create_function`
    V4,
    /// `Puppet::Parser::Functions.newfunction`, or `module Puppet::Parser::Functions` with `newfunction`.
    V3 {
        /// True for a statement function, which returns no value.
        is_statement: bool,
        /// Arity as in Ruby: exactly `n` arguments for `n >= 0`, at least `n` for `-n - 1`.
        arity: i32,
    },
}

/// Function written in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubyFunction {
    /// Name as in calls, with `::`.
    pub name: SmolStr,
    /// Range of the name in the file.
    pub range: TextRange,
    pub api: FunctionApi,
    /// Signatures, in the order in which Puppet tries them.
    pub signatures: Vec<WrittenSignature>,
    /// True if parts of the definition could not be analyzed, so that the function may take other arguments
    /// too.
    pub is_incomplete: bool,
    /// Error with which Puppet rejects the file when the function is called.
    pub refusal: Option<SmolStr>,
    /// `local_types`: alias names and their types (`PartColor`, `Enum[blue, red]`).
    pub local_types: Vec<(SmolStr, SmolStr)>,
    /// Comment before the definition, or the `:doc` of version 3, without comment markers; may contain
    /// puppet-strings tags.
    pub documentation: SmolStr,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenSignature {
    /// Range of the `dispatch`, or of the method if there is none.
    pub range: TextRange,
    pub parameters: Vec<WrittenParameter>,
    pub block: Option<WrittenBlock>,
    /// Return type.
    pub return_type: Option<SmolStr>,
    /// Comment before the dispatch.
    pub documentation: SmolStr,
}

/// Number of arguments that a parameter accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ParameterKind {
    #[default]
    Required,
    Optional,
    /// Any number of arguments, including none.
    Repeated,
    /// At least one argument.
    RequiredRepeated,
}

impl ParameterKind {
    /// Returns the minimum and maximum number of arguments; `i64::MAX` if there is no limit.
    pub fn counts(self) -> (i64, i64) {
        match self {
            ParameterKind::Required => (1, 1),
            ParameterKind::Optional => (0, 1),
            ParameterKind::Repeated => (0, i64::MAX),
            ParameterKind::RequiredRepeated => (1, i64::MAX),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenParameter {
    pub name: SmolStr,
    /// Type; `Any` if it is not known.
    pub type_text: SmolStr,
    pub kind: ParameterKind,
}

/// Lambda parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenBlock {
    pub name: SmolStr,
    /// `Callable` type.
    pub type_text: SmolStr,
    pub is_required: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceApi {
    /// `Puppet::Type.newtype`
    Classic,
    /// `Puppet::ResourceApi.register_type`
    ResourceApi,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubyResourceType {
    pub name: SmolStr,
    /// Range of the name in its file; empty for a built-in type.
    pub range: TextRange,
    pub api: ResourceApi,
    /// Attributes in definition order, with `ensure` and without metaparameters.
    pub attributes: Vec<ResourceAttribute>,
    /// True if parts of the definition could not be analyzed, so that the type may have other attributes too.
    pub is_incomplete: bool,
    pub features: Vec<Feature>,
    pub documentation: SmolStr,
    /// Attributes that a title sets in addition to the name.
    pub title_patterns: TitlePatterns,
    /// True if resources of this type must also have distinct names, not only distinct titles.
    pub is_isomorphic: bool,
}

/// Title patterns of a resource type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TitlePatterns {
    /// Default: the title sets the first name variable.
    #[default]
    Usual,
    /// The first pattern that matches is used; a title that matches none is rejected.
    Listed(Vec<TitlePattern>),
    /// The patterns could not be analyzed.
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitlePattern {
    /// Ruby regular expression, without slashes.
    pub pattern: SmolStr,
    /// Attributes set by the groups, in order.
    pub parts: Vec<TitlePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitlePart {
    /// Attribute to set.
    pub attribute: SmolStr,
    /// True if the group is assigned without conversion.
    pub is_verbatim: bool,
}

/// Returns a resource type with the additions of other files.
pub fn with_additions<'a>(
    resource_type: &RubyResourceType,
    additions: impl IntoIterator<Item = &'a RubyResourceType>,
) -> RubyResourceType {
    let mut result = resource_type.clone();
    for addition in additions {
        for attribute in &addition.attributes {
            match result.attributes.iter_mut().find(|other| other.name == attribute.name) {
                Some(other) => *other = attribute.clone(),
                None => result.attributes.push(attribute.clone()),
            }
        }
        result.features.extend(addition.features.iter().cloned());
        result.is_incomplete |= addition.is_incomplete;
        if addition.title_patterns != TitlePatterns::Usual {
            result.title_patterns = TitlePatterns::Unknown;
        }
        result.is_isomorphic &= addition.is_isomorphic;
    }
    result
}

/// Optional capability of a provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    pub name: SmolStr,
    pub documentation: SmolStr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceAttributeKind {
    Property,
    Parameter,
    /// Resource API: set only by the provider.
    ReadOnly,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceAttribute {
    pub name: SmolStr,
    /// Range of the name in its file; empty for a built-in attribute.
    pub range: TextRange,
    pub kind: ResourceAttributeKind,
    /// True if the title sets this attribute.
    pub is_name_variable: bool,
    /// True if the attribute is mandatory.
    pub is_required: bool,
    /// Allowed literal values, without aliases.
    pub values: Vec<SmolStr>,
    /// Aliases of values, with the value that each refers to.
    pub value_aliases: Vec<(SmolStr, SmolStr)>,
    /// Ruby regular expressions that values may match, without slashes.
    pub value_patterns: Vec<SmolStr>,
    /// True if `values`, `value_aliases` and `value_patterns` are exhaustive. False if values are processed
    /// first, or if nothing is listed.
    pub values_are_closed: bool,
    /// True if the attribute accepts an array.
    pub takes_array: bool,
    /// Default value as a string.
    pub default: Option<SmolStr>,
    /// Resource API: type in Puppet syntax.
    pub type_text: Option<SmolStr>,
    /// Provider features that the attribute requires.
    pub required_features: Vec<SmolStr>,
    pub documentation: SmolStr,
}

impl ResourceAttribute {
    /// Returns the values to offer: without `notlink`, which accepts any file except a link, and without `yes` and `no`
    /// beside Booleans.
    pub fn written_values(&self) -> impl Iterator<Item = &SmolStr> {
        let has_boolean = self.values.iter().any(|it| it == "true");
        self.values.iter().filter(move |it| {
            it.as_str() != "notlink" && !(has_boolean && matches!(it.as_str(), "yes" | "no"))
        })
    }

    /// Returns an attribute with only a name.
    pub(crate) fn new(name: SmolStr, range: TextRange, kind: ResourceAttributeKind) -> ResourceAttribute {
        ResourceAttribute {
            name,
            range,
            kind,
            is_name_variable: false,
            is_required: false,
            values: Vec::new(),
            value_aliases: Vec::new(),
            value_patterns: Vec::new(),
            values_are_closed: false,
            takes_array: false,
            default: None,
            type_text: None,
            required_features: Vec::new(),
            documentation: SmolStr::default(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provider {
    pub resource_type: SmolStr,
    pub name: SmolStr,
    pub range: TextRange,
    pub documentation: SmolStr,
}

/// Fact defined by a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomFact {
    pub name: SmolStr,
    pub range: TextRange,
    pub documentation: SmolStr,
}

/// Data type defined in Ruby (`Puppet::DataTypes.create_type`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    pub name: SmolStr,
    pub range: TextRange,
    /// Contents of its `interface`: the inside of an `Object[{ ... }]`; empty if it could not be read.
    pub interface: SmolStr,
    pub documentation: SmolStr,
}
