//! Events of an evaluation. Implementations of [`ReadObserver`] and [`Observer`] may record them, for example as
//! dependencies.

use hir::ExprId;
use smol_str::SmolStr;
use types::Value;

use super::declared_function::DeclaredFunction;
use super::unit::Unit;

/// Receiver of the platform properties and elements of collections that expressions read.
pub trait ReadObserver {
    /// Begins the evaluation of a tracked expression.
    fn begin_platform_expression(&self) {}

    /// Ends the evaluation of a tracked expression. `says_all` is true if its value covers all platform
    /// properties that it read.
    fn end_platform_expression(&self, _unit: &Unit, _expr: ExprId, _says_all: bool) {}

    /// Begins the evaluation of a collection of which only an element is needed.
    fn begin_element(&self) {}

    /// Ends the evaluation of such a collection; returns the read of a top-scope variable, or of an element of
    /// one, that was its value.
    fn collection_read(&self) -> Option<VariableRead> {
        None
    }

    /// Records that only the element at a key of a collection was needed. `None` if that is not known.
    fn note_element(&self, _element: Option<(VariableRead, &Value)>) {}
}

/// Receiver of what else an evaluation depends on besides its inputs.
pub trait Observer {
    /// Records that the node definition for the name of the node was looked up.
    fn note_node(&self) {}

    /// Records that the code of a Ruby function was not evaluated to its end.
    fn note_unexecuted(&self, _function: &DeclaredFunction) {}

    /// Records that the code of a Ruby function read a constant that may not exist.
    fn note_assumed_constant(&self, _function: &DeclaredFunction) {}

    /// Notes that a function without a result, which may refuse its known arguments, was not executed.
    fn note_unexecuted_check(&self, _function: &DeclaredFunction) {}

    /// Records that the data for a key would matter, if there is no configuration that locates it.
    fn note_external_data(&self, _key: &str) {}

    /// Records that the data for a key is undecided.
    fn note_undecided_data(&self, _key: &str, _reason: UndecidedReason) {}

    /// Records that data has a value for the first of some keys.
    fn note_data(&self, _keys: &[SmolStr], _value: &Value) {}

    /// Records that code reads a top-scope variable that is set nowhere, but that [`crate::Definitions::may_define`].
    fn note_assumed_variable(&self, _name: &str) {}

    /// Records that code tests for the existence of such a variable.
    fn note_tested_variable(&self, _name: &str) {}

    /// Records that a class of unknown name is included.
    fn note_unknown_class(&self) {}

    /// Records a reference to an unknown resource, with its type if that is known.
    fn note_unknown_reference(&self, _type_name: Option<&str>) {}

    /// Records that the resources of a type that other nodes export are collected.
    fn note_exported_resources(&self, _type_name: &str) {}
}

/// Reason why a lookup in Hiera has no known result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndecidedReason {
    /// A level depends on unknown values, or cannot be evaluated.
    UnknownInput,
    /// A level depends on the name of the node, which is a placeholder.
    NodeName,
}

/// Read of a top-scope variable, or of an element of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableRead(pub usize);
