//! A definition lowered to a [`Body`]: what it says, without where it stands.
//!
//! No offsets, blanks or comments: two texts that differ only in those give equal bodies. Where things stand is in the
//! [`BodySourceMap`] beside it. Pure functions over trees; knows nothing of files or queries.

mod body;
mod definition;
mod dump;
mod lower;
mod name_uses;
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
    Access, AttributeOwner, NameUse, NameUseKind, VariableBinding, erb_name_uses, kind_of_argument,
    main_name_uses, name_uses, naming_functions, takes_class_names,
};
pub use reference::ReferenceKind;
pub use source_map::BodySourceMap;
pub use summary::{DefinitionSummary, ItemSummary, ParameterSummary, summarise};
pub use type_sets::type_set_members;
pub use written_types::{
    is_object_itself, may_stand_in_alias, writes_array_as_parameter, writes_init_of_any_array,
};
