//! Lowers definitions to [`Body`]: their contents, independent of source locations.
//!
//! A body has no offsets, whitespace or comments: **two texts that differ only in those yield equal bodies**.
//! Source locations are in the accompanying [`BodySourceMap`]. The crate consists of pure functions over
//! trees and is independent of files and queries.
//!
//! * `body`, `lower`: expressions, statements, slots and scopes.
//! * `summary`: names, kinds and signatures of the definitions of a file.
//! * `name_uses`: every name that a file uses, with what it refers to and how (read, declared, tested for
//!   existence). **The table of function arguments that name something is `name_uses/naming`**, not part of
//!   the rows in `functions`, because the index of names is computed below that crate; a test of `functions`
//!   finds rows without a function.
//! * `type_sets`: the names that a set of types declares.
//! * `reference`: kinds of resource references and declarations.

mod body;
mod definition;
mod dump;
mod lower;
mod name_uses;
mod operands;
mod reference;
mod slots;
mod source_map;
mod summary;
mod type_sets;
mod written_types;

pub use body::{
    AttributeOperation, Body, CaseOption, Expr, ExprArena, ExprId, FloatLiteral, HostMatch, Parameter, Query,
    ResourceBody, Scope, ScopeId, Slot, SlotId, StringPart, VariableRef,
};
pub use definition::{
    DefinitionKey, DefinitionKind, DefinitionRanges, KeyOrder, Name, capitalized, definition_ranges,
    fold_name, top_definitions,
};
pub use lower::{LoweredDefinition, LoweredFile, lower_file, lower_main};
pub use name_uses::{
    Access, AttributeOwner, NameUse, NameUseKind, VariableBinding, erb_name_uses, insert_module_name,
    kind_of_argument, main_name_uses, name_uses, naming_functions, takes_class_names,
};
pub use reference::ReferenceKind;
pub use source_map::BodySourceMap;
pub use summary::{DefinitionSummary, ItemSummary, ParameterSummary, summarize};
pub use type_sets::type_set_members;
pub use written_types::{
    contains_init_of_any_array, has_array_parameter, is_allowed_in_alias, is_object_type,
};
