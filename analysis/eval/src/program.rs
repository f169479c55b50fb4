//! Interface through which the evaluator reads definitions, files, facts, and data.

mod definitions;
mod facts_and_data;
mod files;
mod observer;
mod source_program;

use std::borrow::Borrow;
use std::sync::Arc;

use hir::{Body, DefinitionKind, ExprId, Name};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::mismatch::NamedSignature;
use types::{CallableType, Origin};

pub use self::definitions::{Definitions, Loading, MissingNameKind, Precomputed};
pub use self::facts_and_data::FactsAndData;
pub use self::files::{Files, MachineFile, ModuleFolder};
pub use self::observer::{Observer, UndecidedReason};
pub use self::source_program::SourceProgram;
use crate::function::BuiltInFunction;

/// Id of a definition that can be evaluated, assigned by the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// Definition with its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub id: UnitId,
    /// Name as written: `apache::params`.
    pub name: Name,
    pub kind: DefinitionKind,
    pub body: Arc<Body>,
    /// True for a class with precomputed variables ([`Precomputed::precomputed_variable`]). Its body is empty.
    pub is_precomputed: bool,
    /// Expressions that the program tracks ([`Observer::begin_platform_expression`]).
    pub platform_expressions: Option<Arc<FxHashSet<ExprId>>>,
}

impl Unit {
    pub fn new(id: UnitId, name: Name, kind: DefinitionKind, body: Arc<Body>) -> Unit {
        Unit { id, name, kind, body, is_precomputed: false, platform_expressions: None }
    }
}

/// Meaning of a function name that is not one of Puppet's own.
#[derive(Clone, Debug)]
pub enum FunctionSource {
    /// Function written in Puppet.
    Puppet(Arc<Unit>),
    /// Function written in Ruby by a module whose functions are known: an entry of the tables.
    Known(&'static BuiltInFunction),
    /// Function whose body is not followed; its signatures describe it.
    Declared(Arc<DeclaredFunction>),
}

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

/// Environment of an evaluation.
pub trait Program: Definitions + Precomputed + Files + FactsAndData + Loading + Observer {}

impl<P: Definitions + Precomputed + Files + FactsAndData + Loading + Observer> Program for P {}
