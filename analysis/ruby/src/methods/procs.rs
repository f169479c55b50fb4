//! Methods of procs and lambdas.

use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, unsupported};
use super::{MANY, MethodInvocation, MethodRow, PROC, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("call", PROC, 0, MANY, call),
    row("()", PROC, 0, MANY, call),
    row("yield", PROC, 0, MANY, call),
    row("[]", PROC, 0, MANY, call),
    row("===", PROC, 0, MANY, call),
    row("to_proc", PROC, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("lambda?", PROC, 0, 0, |_, it| match &it.receiver {
        Object::Proc(called) => Ok(Object::Boolean(called.is_lambda)),
        _ => unsupported(),
    }),
];

fn call(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match &it.receiver {
        Object::Proc(called) => ruby.call_proc(&called.clone(), it.arguments.clone()),
        _ => unsupported(),
    }
}
