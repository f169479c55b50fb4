//! Functions defined by a file.

use std::rc::Rc;

use smol_str::SmolStr;

use super::blocks::Closure;
use super::classes::RubyModule;

/// Function defined by a file.
#[derive(Clone)]
pub(super) struct DefinedFunction {
    pub(super) name: SmolStr,
    pub(super) body: FunctionBody,
}

#[derive(Clone)]
pub(super) enum FunctionBody {
    /// `create_function`: the class and its dispatches.
    Modern(Rc<RubyModule>, Vec<Dispatch>),
    /// `newfunction`: called with the scope as `self`.
    Legacy(Rc<Closure>),
}

/// Dispatch of a function, without the parameter types.
#[derive(Clone, Default)]
pub(super) struct Dispatch {
    pub(super) method: SmolStr,
    /// True if Puppet passes the scope before the arguments.
    pub(super) gets_scope: bool,
    /// True if the method only returns an error message for mismatched arguments.
    pub(super) is_mismatch: bool,
    pub(super) is_unclear: bool,
}
