//! The functions that a file defines.

use std::rc::Rc;

use smol_str::SmolStr;

use super::blocks::Closure;
use super::classes::RubyModule;

/// A function that a file defines.
pub(super) struct DefinedFunction {
    pub(super) name: SmolStr,
    pub(super) body: FunctionBody,
}

pub(super) enum FunctionBody {
    /// `create_function`: its class, and what its objects do with a call.
    Modern(Rc<RubyModule>, Vec<Dispatch>),
    /// `newfunction`: runs with the scope as `self`.
    Legacy(Rc<Closure>),
}

/// One way to call a function, as far as it is no matter of types.
#[derive(Default)]
pub(super) struct Dispatch {
    pub(super) method: SmolStr,
    /// What Puppet puts in front of the arguments.
    pub(super) gets_scope: bool,
    /// It says only why arguments are wrong.
    pub(super) is_mismatch: bool,
    pub(super) is_unclear: bool,
}
