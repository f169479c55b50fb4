//! Variables that the code of a template can read, with the names and shapes that they have in EPP.

use std::collections::{BTreeMap, BTreeSet};

use super::inputs::{InputRead, InputType, TemplateInput};
use super::shapes::ValueShape;

/// Variables of EPP that exist in every template.
const GLOBALS: [&str; 2] = ["facts", "trusted"];

/// A variable of EPP.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) shape: ValueShape,
}

/// Variables at a point of a template.
#[derive(Clone, Debug)]
pub(super) struct ErbScope<'t> {
    inputs: &'t [(TemplateInput, InputType)],
    globals: Vec<Known>,
    /// Variables of the blocks around the point, outermost first.
    blocks: Vec<BTreeMap<String, Known>>,
    /// Variables that have been assigned.
    assigned: BTreeSet<String>,
}

impl<'t> ErbScope<'t> {
    pub(super) fn new(inputs: &'t [(TemplateInput, InputType)]) -> ErbScope<'t> {
        let global = |it: &&str| Known { name: (*it).to_owned(), shape: ValueShape::other() };
        ErbScope {
            inputs,
            globals: GLOBALS.iter().map(global).collect(),
            blocks: vec![BTreeMap::new()],
            assigned: BTreeSet::new(),
        }
    }

    /// Enters a block with parameters.
    pub(super) fn open(&mut self, parameters: &[(&str, ValueShape)]) -> Result<(), String> {
        let mut block = BTreeMap::new();
        for (name, shape) in parameters {
            self.check_new(name)?;
            block.insert((*name).to_owned(), Known { name: (*name).to_owned(), shape: shape.clone() });
        }
        if block.len() < parameters.len() {
            return Err("parameters of a block have the same name".to_owned());
        }
        self.blocks.push(block);
        Ok(())
    }

    /// Leaves the innermost block.
    pub(super) fn close(&mut self) {
        self.blocks.pop();
    }

    /// Adds a variable that is assigned here. It is known until the end of the block.
    pub(super) fn assign(&mut self, name: &str, shape: ValueShape) -> Result<(), String> {
        self.check_new(name)?;
        if !self.assigned.insert(name.to_owned()) {
            return Err(format!("`{name}` is assigned several times"));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.to_owned(), Known { name: name.to_owned(), shape });
        }
        Ok(())
    }

    fn check_new(&self, name: &str) -> Result<(), String> {
        let is_local = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
        if !name.chars().all(is_local) || name.starts_with(|it: char| it.is_ascii_digit()) {
            return Err(format!("Puppet has no variable `{name}`"));
        }
        let is_input = self.inputs.iter().any(|(it, _)| it.name == name);
        if is_input || GLOBALS.contains(&name) || self.find(name).is_some() {
            return Err(format!("`{name}` has the name of another variable"));
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Known> {
        self.blocks.iter().rev().find_map(|it| it.get(name))
    }

    /// Returns a local variable.
    pub(super) fn local(&self, name: &str) -> Result<&Known, String> {
        self.find(name).ok_or_else(|| format!("`{name}` is not understood"))
    }

    /// Returns the instance variable `@name`.
    pub(super) fn variable(&self, name: &str) -> Result<&Known, String> {
        self.input(name, &InputRead::Variable(name.to_owned()))
    }

    /// Returns the variable that `scope[name]` reads.
    pub(super) fn variable_of_scope(&self, name: &str) -> Result<&Known, String> {
        self.input(name, &InputRead::of_scope(name))
    }

    fn input(&self, name: &str, read: &InputRead) -> Result<&Known, String> {
        if let Some(global) = self.globals.iter().find(|it| it.name == name.trim_start_matches(':')) {
            return Ok(global);
        }
        let found = self.inputs.iter().find(|(it, _)| it.read == *read);
        found.map(|(_, ty)| &ty.known).ok_or_else(|| format!("the variable `{name}` is not understood"))
    }
}
