//! What the Ruby files of this folder, which say what types and facts are made of, ask of the evaluator.

use super::super::host::HostFact;
use super::super::library::{ModuleRow, of};
use super::super::value::{Object, unsupported};

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
    // A class that can be inherited from because all of it is known.
    of("Puppet::Asked", "class?", 1, 1, |_, it| {
        Ok(Object::Boolean(
            matches!(it.argument(0), Object::Module(class) if class.is_class && !class.is_native),
        ))
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
