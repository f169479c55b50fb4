//! Queries about the resources and resource defaults of the program.

use smol_str::SmolStr;

use super::super::interpreter::Interpreter;
use super::super::library::{ModuleRow, of};
use super::super::methods::{COMPILER, MethodInvocation, MethodRow, SCOPE, row};
use super::super::value::{CompilerPart, Object, Ruby, raise_as, unsupported};

pub(in super::super) const MODULE_TABLE: &[ModuleRow] =
    &[of("Puppet::Resource", "type_and_title", 2, 2, |_, it| {
        let (type_name, title) = type_and_title(it.argument(0), it.argument(1))?;
        Ok(Object::pair(Object::text(type_name), Object::text(title)))
    })];

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("findresource", SCOPE, 1, 2, found),
    row("findresource", COMPILER, 1, 2, |ruby, it| match it.receiver {
        Object::Compiler(CompilerPart::TopScope) => found(ruby, it),
        _ => unsupported(),
    }),
    // Returns the attributes with defaults; their values are not known.
    row("lookupdefaults", SCOPE, 1, 1, |ruby, it| {
        let type_name = ruby.text_of(it.argument(0))?;
        let names = if capitalized(&type_name) == type_name {
            ruby.host.resource_defaults(&type_name)
        } else {
            Some(Vec::new())
        };
        let Some(names) = names else { return unsupported() };
        let unknown = Object::Unknown(types::Origin::Ruby);
        let entries = names.iter().map(|name| (Object::Symbol(name.clone()), unknown.clone()));
        Ok(super::super::methods::constants::hash_of(entries))
    }),
];

/// Evaluates a resource lookup. The result is only known for a missing resource.
fn found(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let (type_name, title) = type_and_title(it.argument(0), it.argument(1))?;
    match ruby.host.is_declared(&type_name, &title) {
        Some(false) => Ok(Object::Nil),
        Some(true) | None => unsupported(),
    }
}

/// Parses a type and a title, or a reference and nil.
fn type_and_title(type_name: &Object, title: &Object) -> Ruby<(SmolStr, SmolStr)> {
    let Object::Text(text) = type_name else { return unsupported() };
    let text = text.content.borrow();
    let (type_name, title) = match title {
        Object::Text(title) => (text.as_str(), title.content.borrow().clone()),
        // Ruby's pattern matches each line.
        Object::Nil if text.contains('\n') => return unsupported(),
        Object::Nil => {
            let parts = text.split_once('[').and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?)));
            match parts.filter(|(name, title)| !name.is_empty() && !name.contains(']') && !title.is_empty()) {
                Some((name, title)) => (name, title.to_owned()),
                None => {
                    return raise_as(
                        "ArgumentError",
                        format!("no title provided and {text:?} is not a valid resource reference"),
                    );
                }
            }
        }
        _ => return unsupported(),
    };
    let type_name = capitalized(type_name);
    let title = match (type_name.as_str(), title.as_str()) {
        ("Class", "" | "main") => return unsupported(),
        ("Class", title) => capitalized(title),
        (_, title) => title.into(),
    };
    Ok((type_name, title))
}

/// Capitalizes the name of a type as Puppet does, unless it begins with a capital letter.
fn capitalized(name: &str) -> SmolStr {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters.map(|c| c.to_ascii_lowercase())).collect::<String>()
    });
    parts.collect::<Vec<_>>().join("::").into()
}
