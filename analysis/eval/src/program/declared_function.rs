//! Functions whose bodies are not followed.

use std::borrow::Borrow;
use std::sync::Arc;

use hir::Name;
use smol_str::SmolStr;
use types::mismatch::NamedSignature;
use types::{CallableType, Origin};

/// Interface of a function whose body is not followed.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredFunction {
    /// Name as written.
    pub name: Name,
    /// Signatures, tried in order.
    pub signatures: Vec<DeclaredSignature>,
    /// True if it may accept other arguments, too.
    pub is_incomplete: bool,
    /// True if the type of a parameter cannot be resolved, so that a call with the right number of arguments may
    /// fail.
    pub has_unresolved_types: bool,
    pub additions: Additions,
    /// True if its code may refuse arguments of the right types.
    pub may_fail: bool,
    /// Reason that its values are unknown.
    pub origin: Origin,
    /// Reason that every call fails.
    pub refusal: Option<SmolStr>,
    /// Code of the function, if it is Ruby.
    pub code: Option<FunctionCode>,
}

/// Parameters of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct DeclaredSignature {
    pub callable: Arc<CallableType>,
    /// Names of the parameters without the block; empty if they are unknown.
    pub names: Box<[Name]>,
}

impl DeclaredSignature {
    pub(crate) fn named(&self) -> NamedSignature<'_> {
        NamedSignature { callable: &self.callable, names: &self.names }
    }
}

impl Borrow<CallableType> for DeclaredSignature {
    fn borrow(&self) -> &CallableType {
        &self.callable
    }
}

/// Code of a function written in Ruby.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCode {
    pub program: Arc<plugins::code::RubyProgram>,
    /// API through which it was defined.
    pub api: plugins::FunctionApi,
}

/// Catalog additions that a function in Ruby may make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Additions {
    Nothing,
    /// Resources; classes only if an argument may name them.
    Resources,
    Classes,
}
