//! What the Ruby files of this folder, which say what types and facts are made of, ask of the evaluator.

use super::super::host::HostFact;
use super::super::library::{ModuleRow, of};
use super::super::value::{Object, Stop, unsupported};

pub(in super::super) const TABLE: &[ModuleRow] = &[
    // What only the machine knows.
    of("Puppet::Nobody", "knows", 0, 0, |_, _| unsupported()),
    of("Puppet::Asked", "unknown", 0, 0, |_, _| Ok(Object::Unknown(types::Origin::Template))),
    of("Puppet::Asked", "windows?", 0, 0, |ruby, _| match ruby.host.is_windows() {
        Some(is_windows) => Ok(Object::Boolean(is_windows)),
        None => unsupported(),
    }),
    of("Puppet::Asked", "metaparameter?", 1, 1, |_, it| {
        let name = it.text_argument(0)?;
        Ok(Object::Boolean(plugins::built_in::metaparameters().iter().any(|known| known.name == name)))
    }),
    // Takes in the files of the providers of a type; gives the names of the providers.
    of("Puppet::Asked", "providers", 1, 1, |ruby, it| {
        let name = super::super::classes::names(&it.arguments)?.swap_remove(0);
        let providers = ruby.host.providers(&name);
        for (index, (_, program)) in providers.iter().enumerate() {
            let is_taken = providers[..index].iter().any(|(_, other)| std::sync::Arc::ptr_eq(program, other));
            match if is_taken { Ok(()) } else { ruby.run_file(program.clone()) } {
                // What stands above the place where it ends is there.
                Ok(()) | Err(Stop::Unknown(_) | Stop::Raise(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(Object::array(providers.into_iter().map(|(name, _)| Object::Symbol(name)).collect()))
    }),
    // Can a block be followed to its end?
    of("Puppet::Asked", "followed?", 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        match ruby.call_block(block, Vec::new()) {
            Err(Stop::Unknown(_)) => Ok(Object::Boolean(false)),
            Err(stop) => Err(stop),
            Ok(_) => Ok(Object::Boolean(true)),
        }
    }),
    // A class that can be inherited from because all of it is known.
    of("Puppet::Asked", "class?", 1, 1, |_, it| {
        Ok(Object::Boolean(
            matches!(it.argument(0), Object::Module(class) if class.is_class && !class.is_native),
        ))
    }),
    // Is it a class of errors, or an error?
    of("Puppet::Asked", "error?", 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(
            it.argument(0),
            Object::Constant(_) | Object::Module(_) | Object::Error(_) | Object::Instance(_)
        )))
    }),
    of("Puppet::Asked", "settled?", 1, 1, |ruby, it| {
        let name = it.text_argument(0)?;
        Ok(Object::Boolean(ruby.host.is_settled_fact(&name)))
    }),
    of("Puppet::Asked", "fact", 1, 1, |ruby, it| {
        let name = it.text_argument(0)?;
        match ruby.host.fact(&name) {
            HostFact::Known(value) => Ok(Object::from_puppet(&value)),
            HostFact::Absent => Ok(Object::Nil),
            HostFact::Unknown => unsupported(),
        }
    }),
];
