//! Types of parameters, each evaluated once per run.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use types::{TupleType, Type};

use crate::error::ExprPlace;
use crate::program::UnitId;

/// Types of the parameters of a definition; `None` for a parameter without a type.
pub(crate) type ParameterTypes = Arc<[Option<Type>]>;

/// Evaluated types of parameters.
#[derive(Default)]
pub(crate) struct DeclaredTypes {
    /// Signatures of functions and lambdas, by location.
    pub(crate) signatures: FxHashMap<ExprPlace, Arc<ClosureSignature>>,
    /// Parameter types of classes and defined types.
    pub(crate) parameters: FxHashMap<UnitId, ParameterTypes>,
    /// Class or defined type whose parameter types are being evaluated: they see no variables.
    pub(crate) without_variables: Option<UnitId>,
}

/// Parameter types of a lambda or function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClosureSignature {
    /// Type of one argument, by parameter.
    pub(crate) parameters: Vec<Type>,
    pub(crate) returns: Option<Type>,
    /// `Callable` type of the closure.
    pub(crate) callable: Type,
    /// True if no parameter has a declared type.
    pub(crate) is_untyped: bool,
}

impl ClosureSignature {
    pub(crate) fn callable_parameters(&self) -> &TupleType {
        static NONE: std::sync::LazyLock<TupleType> =
            std::sync::LazyLock::new(|| TupleType { types: Box::new([]), size: None });
        match &self.callable {
            Type::Callable(callable) => callable.parameters.as_ref().unwrap_or(&NONE),
            _ => &NONE,
        }
    }
}
