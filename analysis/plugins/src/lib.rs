//! What extends Puppet: functions, resource types, providers, facts and data types. As plain data: read from Ruby files,
//! which are never run ([`ruby`]), or built into Puppet ([`built_in`]). And what the Ruby code of templates says ([`erb`]).
//!
//! Types stand here as text, in Puppet's notation: whoever asks parses them in the environment they are meant for.

pub mod built_in;
pub mod code;
pub mod documentation;
pub mod erb;
pub mod ruby;

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::TextRange;

/// Everything that one Ruby file defines. A file that cannot be understood defines nothing, or open things.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RubyFile {
    pub functions: Vec<RubyFunction>,
    pub resource_types: Vec<Arc<RubyResourceType>>,
    pub providers: Vec<Provider>,
    pub facts: Vec<CustomFact>,
    pub data_types: Vec<DataType>,
    /// What the file adds to resource types that are defined elsewhere (`Puppet::Type.type(:file).newparam`): by name,
    /// with the attributes and features that are new. [`with_additions`] puts them together.
    pub type_additions: Vec<Arc<RubyResourceType>>,
    /// Files below the `lib` folder of some module (`puppet_x/shop/goods.rb`) that may say more about what is open here:
    /// [`ruby::read_with`] takes them. Empty when everything is understood.
    pub requires: Vec<SmolStr>,
    /// `newmetaparam`: what every resource takes from then on.
    pub metaparameters: Vec<ResourceAttribute>,
}

/// Through which programming interface a function was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionApi {
    /// `Puppet::Functions.create_function`
    V4,
    /// `Puppet::Parser::Functions.newfunction`, or `module Puppet::Parser::Functions` with `newfunction`.
    V3 {
        /// A statement gives no value; others do.
        is_statement: bool,
        /// As Ruby counts: `n >= 0` exactly so many arguments, `-n - 1` at least so many.
        arity: i32,
    },
}

/// A function written in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubyFunction {
    /// As it is called, `::` between its parts.
    pub name: SmolStr,
    /// Where the name stands in the file.
    pub range: TextRange,
    pub api: FunctionApi,
    /// The ways to call it, in the order in which they are tried.
    pub signatures: Vec<WrittenSignature>,
    /// Could not everything be read? Then it may take other arguments too.
    pub is_open: bool,
    /// Why Puppet refuses the file when it is called.
    pub refusal: Option<SmolStr>,
    /// `local_types`: names and what they stand for (`PartColor`, `Enum[blue, red]`).
    pub local_types: Vec<(SmolStr, SmolStr)>,
    /// The comment in front of it, or the `:doc` of version 3, without comment signs; puppet-strings markup inside.
    pub documentation: SmolStr,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenSignature {
    /// Where the `dispatch` (or the method that stands for it) stands.
    pub range: TextRange,
    pub parameters: Vec<WrittenParameter>,
    pub block: Option<WrittenBlock>,
    /// A type.
    pub return_type: Option<SmolStr>,
    /// The comment in front of the dispatch.
    pub documentation: SmolStr,
}

/// How many arguments a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ParameterKind {
    #[default]
    Required,
    Optional,
    /// Any number, none included.
    Repeated,
    /// At least one.
    RequiredRepeated,
}

impl ParameterKind {
    /// The fewest and the most arguments; `i64::MAX` where there is no limit.
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
    /// A type; `Any` where none is known.
    pub type_text: SmolStr,
    pub kind: ParameterKind,
}

/// The lambda that a call takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenBlock {
    pub name: SmolStr,
    /// A `Callable` type.
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
    /// Where the name stands in its file; empty for a built-in one.
    pub range: TextRange,
    pub api: ResourceApi,
    /// In the order in which they are defined, `ensure` included; without metaparameters.
    pub attributes: Vec<ResourceAttribute>,
    /// Could not everything be read? Then it may have other attributes too.
    pub is_open: bool,
    pub features: Vec<Feature>,
    pub documentation: SmolStr,
    /// What a title gives besides itself.
    pub title_patterns: TitlePatterns,
    /// May two resources not stand for the same thing? Then their names have to differ, too, and not only their titles.
    pub is_isomorphic: bool,
}

/// How a resource type takes titles apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TitlePatterns {
    /// It does not say: a title stands for the first name variable.
    #[default]
    Usual,
    /// By the first of these that matches; a title that none of them matches is refused.
    Listed(Vec<TitlePattern>),
    /// In a way that cannot be read.
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitlePattern {
    /// A regular expression of Ruby's, without slashes.
    pub pattern: SmolStr,
    /// What its groups give, in their order.
    pub parts: Vec<TitlePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitlePart {
    /// The attribute that is set.
    pub attribute: SmolStr,
    /// Is it set to the group's text as it is?
    pub is_verbatim: bool,
}

/// A resource type with what other files add to it.
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
        result.is_open |= addition.is_open;
        if addition.title_patterns != TitlePatterns::Usual {
            result.title_patterns = TitlePatterns::Unknown;
        }
        result.is_isomorphic &= addition.is_isomorphic;
    }
    result
}

/// What a provider of a resource type may be able to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feature {
    pub name: SmolStr,
    pub documentation: SmolStr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceAttributeKind {
    Property,
    Parameter,
    /// Resource API: told by the provider, never set.
    ReadOnly,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceAttribute {
    pub name: SmolStr,
    /// Where the name stands in its file; empty for a built-in one.
    pub range: TextRange,
    pub kind: ResourceAttributeKind,
    /// Does the title stand for it?
    pub is_name_variable: bool,
    /// Must it be given?
    pub is_required: bool,
    /// The literal values it takes, aliases left out.
    pub values: Vec<SmolStr>,
    /// Other spellings of values: the spelling, and the value meant.
    pub value_aliases: Vec<(SmolStr, SmolStr)>,
    /// Ruby's patterns that values may match, without slashes.
    pub value_patterns: Vec<SmolStr>,
    /// Are `values`, `value_aliases` and `value_patterns` all it takes? Not if something else is done with the value
    /// first, or nothing is listed.
    pub values_are_closed: bool,
    /// May it be given an array?
    pub takes_array: bool,
    /// What it is when nobody sets it, as text.
    pub default: Option<SmolStr>,
    /// Resource API: its type in Puppet's notation.
    pub type_text: Option<SmolStr>,
    /// Features of the provider without which it has no effect.
    pub required_features: Vec<SmolStr>,
    pub documentation: SmolStr,
}

impl ResourceAttribute {
    /// An attribute of which nothing but the name is known.
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

/// A fact that a module adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomFact {
    pub name: SmolStr,
    pub range: TextRange,
    pub documentation: SmolStr,
}

/// A data type made in Ruby (`Puppet::DataTypes.create_type`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    pub name: SmolStr,
    pub range: TextRange,
    /// Its `interface` as text: the inside of an `Object[{ ... }]`; empty where it could not be read.
    pub interface: SmolStr,
    pub documentation: SmolStr,
}
