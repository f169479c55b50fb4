//! Objects reachable from the scope.

use super::super::interpreter::Interpreter;
use super::super::methods::{COMPILER, FOREIGN, MethodInvocation, MethodRow, SCOPE, row};
use super::super::value::{CompilerPart, Object, Ruby, Stop, unsupported};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("compiler", SCOPE, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::Compiler))),
    row("environment", SCOPE, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::Environment))),
    row("catalog", SCOPE, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::Catalog))),
    row("environment", COMPILER, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::Environment))),
    row("catalog", COMPILER, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::Catalog))),
    // Functions are loaded on demand.
    row("loadall", COMPILER, 0, 0, |_, _| Ok(Object::Nil)),
    row("name", COMPILER, 0, 0, |ruby, it| match it.receiver {
        Object::Compiler(CompilerPart::Environment) => match ruby.host.lookup("environment")? {
            Some(name) => Ok(match Object::from_puppet(&name) {
                Object::Text(text) => Object::symbol(&text.content.borrow()),
                other => other,
            }),
            None => unsupported(),
        },
        _ => unsupported(),
    }),
    row("to_s", COMPILER, 0, 0, |ruby, it| match it.receiver {
        Object::Compiler(CompilerPart::Environment) => match ruby.host.lookup("environment")? {
            Some(name) => Ok(Object::from_puppet(&name)),
            None => unsupported(),
        },
        _ => unsupported(),
    }),
    row("topscope", COMPILER, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::TopScope))),
    row("[]", COMPILER, 1, 1, top_variable),
    row("[]=", COMPILER, 2, 2, |ruby, it| {
        let (name, value) = (it.text_argument(0)?, it.argument(1).to_puppet()?);
        let is_set = matches!(it.receiver, Object::Compiler(CompilerPart::TopScope))
            && ruby.host.set_top_variable(name.trim_start_matches("::"), value);
        if is_set { Ok(it.argument(1).clone()) } else { unsupported() }
    }),
    row("lookupvar", COMPILER, 1, 1, top_variable),
    row("include?", COMPILER, 1, 1, |ruby, it| {
        Ok(Object::Boolean(!matches!(top_variable(ruby, it)?, Object::Nil)))
    }),
    row("call_function", COMPILER, 2, 2, |ruby, it| match it.receiver {
        Object::Compiler(CompilerPart::TopScope) => {
            let receiver = Object::Scope;
            let arguments = it.arguments.clone();
            ruby.send_native(MethodInvocation { receiver, name: it.name, arguments, block: it.block.clone() })
        }
        _ => unsupported(),
    }),
    row("unwrap", FOREIGN, 0, 0, |_, it| match &it.receiver {
        Object::Foreign(types::Value::Sensitive(inner)) => Ok(Object::from_puppet(inner)),
        _ => unsupported(),
    }),
];

/// Evaluates a read of a top-scope variable.
fn top_variable(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if !matches!(it.receiver, Object::Compiler(CompilerPart::TopScope)) {
        return unsupported();
    }
    let name = it.text_argument(0)?;
    let value = ruby.host.top_variable(name.trim_start_matches("::"))?;
    match value.map_or(Object::Nil, |value| Object::from_puppet(&value)) {
        Object::Unknown(origin) if it.name == "include?" => Err(Stop::Unknown(origin)),
        value => Ok(value),
    }
}
