//! Facts, other top-scope variables, and Hiera data.

use std::sync::Arc;

use eval::{ExportsOfOthers, FactsAndData, OtherNodes};
use hir::Name;
use project::NameKind;
use types::{Origin, Type, Value};
use validation::Strict;

use super::CompileProgram;
use super::node_reads::NodeRead;
use crate::compile_request::{EntryPoint, Facts, UnknownInput};
use crate::platform_reads::PlatformRead;
use crate::project_program::{type_of_fact, unknown_global};

use crate::puppet_settings::settings_of;
use crate::top_variables::setters::{is_unsent_fact, may_be_set_at_top};
use crate::top_variables::without_node_name;

impl CompileProgram<'_> {
    /// Returns true if code outside of the project may set a variable.
    pub(super) fn may_be_set(&self, name: &str) -> bool {
        if self.request.facts == Facts::Unknown {
            return true;
        }
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        let is_class = matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_));
        match name.rsplit_once("::") {
            Some((class, _)) if !class.is_empty() => {
                if is_class || is_part {
                    self.request.is_incomplete
                } else {
                    self.may_be_absent(NameKind::Class, class)
                }
            }
            _ => self.may_be_set_at_top(name.trim_start_matches("::"), is_class),
        }
    }

    /// Returns true if a node classifier, a fact, or code that the compile does not include may set a top-scope
    /// variable that is not set so far.
    fn may_be_set_at_top(&self, name: &str, is_class: bool) -> bool {
        // A class is compiled without the main manifest.
        let is_set_in_project = || may_be_set_at_top(self.db, self.environment, name);
        if is_class && self.request.is_incomplete && is_set_in_project() {
            return true;
        }
        if is_unsent_fact(self.db, self.environment, name) && !is_set_in_project() {
            return false;
        }
        let is_platform = matches!(self.request.facts, Facts::Platform { .. });
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        // Reads of a class are recorded by `note_assumed_variable`.
        if is_platform && !is_class && !is_part {
            self.record_unknown_input(UnknownInput::Variable(name.into()));
        }
        (is_platform || is_part && !is_class) && self.request.is_incomplete
    }

    /// Returns true if the compile of a class fails without a top-scope variable.
    pub(super) fn class_needs_variable(&self, name: &str) -> bool {
        let settings = self.request.settings.unwrap_or_else(|| settings_of(self.db, self.environment));
        !name.contains("::")
            && matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_))
            && matches!(self.request.facts, Facts::Platform { .. })
            && (settings.strict_variables || settings.strict == Strict::Error)
            && !self.tested_variables.borrow().contains(name)
            && !may_be_set_at_top(self.db, self.environment, name)
    }
}

impl FactsAndData for CompileProgram<'_> {
    fn global(&self, name: &str) -> Option<Value> {
        if let Some(reads) = &self.node_reads {
            reads.record(NodeRead::Variable { name: name.into(), path: Vec::new() });
        }
        self.record_read(|| PlatformRead::Variable { name: name.into(), path: Vec::new() });
        self.unnoted_global(name)
    }

    fn unnoted_global(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.globals.get(name) {
            return Some(value.clone());
        }
        // Exported resources and queries need PuppetDB.
        if name == "settings::storeconfigs" && self.request.known_queries().is_some() {
            return Some(Value::Boolean(true));
        }
        if name.starts_with("settings::") {
            return Some(Value::unknown(Type::Any, Origin::Fact));
        }
        if self.request.facts == Facts::Unknown { unknown_global(name) } else { None }
    }

    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type> {
        match self.request.facts {
            Facts::Unknown => type_of_fact(self.db, self.environment, variable, keys),
            Facts::Platform { .. } | Facts::Given(_) => None,
        }
    }

    fn may_have_fact(&self, name: &str) -> bool {
        matches!(self.request.facts, Facts::Platform { .. }) && plugins::built_in::fact(name).is_none()
    }

    fn may_have_extensions(&self) -> bool {
        !matches!(self.request.facts, Facts::Given(_)) && self.request.trusted_extensions.is_empty()
    }

    fn has_invented_node(&self) -> bool {
        self.request.has_invented_node
    }

    fn without_node_name(&self, variable: &str, value: Value) -> Value {
        let name = variable.trim_start_matches("::");
        match (self.globals.get(name), &value) {
            // Each level of Hiera may read the facts, and there are many of them.
            (Some(Value::Hash(known)), Value::Hash(given)) if Arc::ptr_eq(known, given) => {
                self.nodeless.get_or(name, |it| Name::new(it), || without_node_name(name, value.clone()))
            }
            _ => without_node_name(name, value),
        }
    }

    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        Some(&self.data)
    }

    fn has_data_key(&self, key: &str) -> bool {
        project::data_key_index(self.db, self.environment).contains_key(key)
    }

    fn has_external_data(&self) -> bool {
        self.data.lacks_configuration()
    }
}

impl OtherNodes for CompileProgram<'_> {
    fn exports_of_others(&self, type_name: &str) -> Option<ExportsOfOthers> {
        let exports = self.request.exports.as_ref()?;
        if let Some(reads) = &self.node_reads {
            reads.record(NodeRead::Exports(type_name.into()));
        }
        Some(exports.of_others(type_name, &self.request.node_name))
    }

    fn puppetdb_rows(&self, query: &Value) -> Option<Value> {
        let rows = self.request.known_queries()?.rows(query);
        Some(rows.unwrap_or_else(|input| {
            self.record_unknown_input(input);
            Value::unknown(Type::Any, Origin::MissingDefinition)
        }))
    }

    fn is_queried(&self, type_name: &str) -> bool {
        self.request.known_queries().is_some_and(|it| it.types.contains(type_name))
    }
}
