//! Unknown inputs and platform properties that a compile depends on.

use eval::{Additions, DeclaredFunction, Observer, ReadObserver, UndecidedReason, Unit, VariableRead};
use hir::{ExprId, Name};
use project::FunctionTarget;
use smol_str::SmolStr;
use types::Value;

use super::CompileProgram;
use super::node_reads::NodeRead;
use crate::compile_request::{EntryPoint, UnknownInput};
use crate::project_program::units::UnitSource;

impl ReadObserver for CompileProgram<'_> {
    fn begin_platform_expression(&self) {
        if let Some(reads) = &self.reads {
            reads.begin_expression();
        }
    }

    fn end_platform_expression(&self, unit: &Unit, expr: ExprId, says_all: bool) {
        if let (Some(reads), Some(UnitSource::Definition(definition))) =
            (&self.reads, self.units.source(unit.id))
        {
            reads.end_expression(definition, expr, says_all);
        }
    }

    fn begin_element(&self) {
        self.reads.iter().for_each(|it| it.log.begin_element());
        self.node_reads.iter().for_each(|it| it.begin_element());
    }

    // A compile is compared with other platforms or with other nodes.
    fn collection_read(&self) -> Option<VariableRead> {
        match (&self.reads, &self.node_reads) {
            (Some(reads), None) => reads.log.collection_read(),
            (None, Some(reads)) => reads.collection_read(),
            _ => None,
        }
    }

    fn note_element(&self, element: Option<(VariableRead, &Value)>) {
        self.reads.iter().for_each(|it| it.log.note_element(element));
        self.node_reads.iter().for_each(|it| it.note_element(element));
    }
}

impl Observer for CompileProgram<'_> {
    fn note_node(&self) {
        if let Some(reads) = &self.node_reads {
            reads.record(NodeRead::Definition);
        }
    }

    fn note_unexecuted(&self, function: &DeclaredFunction) {
        let name = &function.name;
        if function.additions != Additions::Nothing {
            self.record_unknown_input(UnknownInput::RubyFunction(name.clone()));
        }
        self.note_assumed_constant(function);
    }

    fn note_assumed_constant(&self, function: &DeclaredFunction) {
        if self.request.changed_ruby.is_empty() {
            return;
        }
        let name = &function.name;
        if let Some(FunctionTarget::Ruby { file, .. }) =
            project::resolve_function_in_modules(self.db, self.environment, name)
            && self.is_executed(file)
        {
            self.record_unknown_input(UnknownInput::ChangedFunction(name.clone()));
        }
    }

    fn note_unexecuted_check(&self, function: &DeclaredFunction) {
        if function.additions == Additions::Nothing {
            self.record_unknown_input(UnknownInput::RubyCheck(function.name.clone()));
        }
    }

    fn note_external_data(&self, key: &str) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.record_unknown_input(UnknownInput::Data(key.into()));
        }
    }

    fn note_undecided_data(&self, key: &str, reason: UndecidedReason) {
        match reason {
            UndecidedReason::UnknownInput => {
                self.record_unknown_input(UnknownInput::UndecidedData(key.into()));
            }
            // A key that only one file sets has no other value for any node.
            UndecidedReason::NodeName => {
                let root = key.split('.').next().unwrap_or(key);
                let files = project::data_key_index(self.db, self.environment).get(root);
                if files.is_some_and(|files| files.len() > 1) {
                    self.record_unknown_input(UnknownInput::NodeData(key.into()));
                }
            }
        }
    }

    fn note_data(&self, keys: &[SmolStr], value: &Value) {
        self.inputs.note_data(keys, value);
    }

    fn note_assumed_variable(&self, name: &str) {
        if self.class_needs_variable(name) {
            self.record_unknown_input(UnknownInput::Variable(name.into()));
        }
    }

    fn note_tested_variable(&self, name: &str) {
        self.tested_variables.borrow_mut().insert(name.into());
    }

    fn note_unknown_class(&self) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.record_unknown_input(UnknownInput::UnknownClass);
        }
    }

    fn note_unknown_reference(&self, type_name: Option<&str>) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.record_unknown_input(UnknownInput::Reference(type_name.map(Name::new)));
        }
    }

    fn note_exported_resources(&self, type_name: &str) {
        let name = type_name.into();
        let nodes = self.request.exports.as_ref().map(|it| it.unknown_nodes(&self.request.node_name));
        self.record_unknown_input(match nodes.filter(|it| !it.is_empty()) {
            Some(nodes) => UnknownInput::ExportsOfNodes(name, nodes),
            None => UnknownInput::Exports(name),
        });
    }
}
