//! Methods that the Ruby files of this folder, which model resource types and facts, call on the evaluator.

use super::super::host::HostFact;
use super::super::library::{ModuleRow, of};
use super::super::value::{Object, Stop, unsupported};

pub(in super::super) const TABLE: &[ModuleRow] = &[
    // Stops evaluation at a value that depends on the machine.
    of("Puppet::Evaluator", "give_up", 0, 0, |_, _| unsupported()),
    of("Puppet::Evaluator", "unknown", 0, 0, |_, _| Ok(Object::Unknown(types::Origin::Template))),
    of("Puppet::Evaluator", "windows?", 0, 0, |ruby, _| match ruby.host.is_windows() {
        Some(is_windows) => Ok(Object::Boolean(is_windows)),
        None => unsupported(),
    }),
    of("Puppet::Evaluator", "metaparameter?", 1, 1, |_, it| {
        let name = it.text_argument(0)?;
        Ok(Object::Boolean(plugins::built_in::metaparameters().iter().any(|known| known.name == name)))
    }),
    // Loads the providers of a type and returns their names.
    of("Puppet::Evaluator", "providers", 1, 1, |ruby, it| {
        let name = super::super::classes::names(&it.arguments)?.swap_remove(0);
        let providers = ruby.host.providers(&name);
        for (index, (_, program)) in providers.iter().enumerate() {
            let is_taken = providers[..index].iter().any(|(_, other)| std::sync::Arc::ptr_eq(program, other));
            match if is_taken { Ok(()) } else { ruby.run_file(program.clone()) } {
                // Definitions before an error are kept.
                Ok(()) | Err(Stop::Unknown(_) | Stop::Raise(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(Object::array(providers.into_iter().map(|(name, _)| Object::Symbol(name)).collect()))
    }),
    // Returns true if a block can be evaluated completely.
    of("Puppet::Evaluator", "evaluates?", 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        match ruby.call_block(block, Vec::new()) {
            Err(Stop::Unknown(_)) => Ok(Object::Boolean(false)),
            Err(stop) => Err(stop),
            Ok(_) => Ok(Object::Boolean(true)),
        }
    }),
    // Returns true for a class that can be inherited from because its definition is known.
    of("Puppet::Evaluator", "class?", 1, 1, |_, it| {
        Ok(Object::Boolean(
            matches!(it.argument(0), Object::Module(class) if class.is_class && !class.is_native),
        ))
    }),
    // Returns true for exceptions and exception classes.
    of("Puppet::Evaluator", "error?", 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(
            it.argument(0),
            Object::Constant(_) | Object::Module(_) | Object::Error(_) | Object::Instance(_)
        )))
    }),
    of("Puppet::Evaluator", "final?", 1, 1, |ruby, it| {
        let name = it.text_argument(0)?;
        Ok(Object::Boolean(ruby.host.is_final_fact(&name)))
    }),
    of("Puppet::Evaluator", "fact", 1, 1, |ruby, it| {
        let name = it.text_argument(0)?;
        match ruby.host.fact(&name) {
            HostFact::Known(value) => Ok(Object::from_puppet(&value)),
            HostFact::Absent => Ok(Object::Nil),
            HostFact::Unknown => unsupported(),
        }
    }),
];
