//! Templates of a run.

use std::sync::Arc;

use plugins::code::MethodDefinition;
use plugins::erb::ErbTemplate;
use ruby::TemplateMethod;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::Value;

use super::Evaluator;
use crate::frame::FrameId;
use crate::program::{Unit, UnitId};

/// Parsed templates, and the output of those being rendered.
#[derive(Default)]
pub struct TemplateState {
    /// EPP templates, by source text.
    units: FxHashMap<SmolStr, Arc<Unit>>,
    /// Warnings that Puppet logs each time it parses one of these templates.
    warnings: FxHashMap<UnitId, Vec<String>>,
    /// ERB templates, by source text.
    erb_templates: FxHashMap<SmolStr, Arc<ErbTemplate>>,
    /// Variables that ERB templates set in the scopes that render them.
    erb_variables: FxHashMap<(FrameId, SmolStr), ruby::Object>,
    /// Methods that ERB templates define.
    erb_methods: FxHashMap<SmolStr, TemplateMethod>,
    /// Output of the templates being rendered, innermost last.
    rendered: Vec<Vec<Value>>,
}

impl TemplateState {
    /// Returns the EPP templates with their source texts.
    pub fn units(&self) -> impl Iterator<Item = (&SmolStr, &Arc<Unit>)> {
        self.units.iter()
    }

    pub fn unit(&self, text: &str) -> Option<&Arc<Unit>> {
        self.units.get(text)
    }

    /// Returns the id of the next template. Ids of the program's own definitions are assigned from the other
    /// end.
    pub fn next_id(&self) -> UnitId {
        UnitId(u32::MAX - self.units.len() as u32)
    }

    /// Adds an EPP template with the warnings that Puppet logs each time it parses it.
    pub fn add_unit(&mut self, text: &str, unit: Arc<Unit>, warnings: Vec<String>) {
        if !warnings.is_empty() {
            self.warnings.insert(unit.id, warnings);
        }
        self.units.insert(text.into(), unit);
    }

    pub(super) fn warnings(&self, template: UnitId) -> Vec<String> {
        self.warnings.get(&template).cloned().unwrap_or_default()
    }

    pub fn erb_template(&self, text: &str) -> Option<&Arc<ErbTemplate>> {
        self.erb_templates.get(text)
    }

    pub fn add_erb_template(&mut self, text: &str, template: Arc<ErbTemplate>) {
        self.erb_templates.insert(text.into(), template);
    }

    /// Returns a variable that an ERB template set in a frame.
    pub fn erb_variable(&self, frame: FrameId, name: &str) -> Option<&ruby::Object> {
        self.erb_variables.get(&(frame, name.into()))
    }

    pub fn set_erb_variable(&mut self, frame: FrameId, name: &str, value: ruby::Object) {
        self.erb_variables.insert((frame, name.into()), value);
    }

    pub(super) fn close_frame(&mut self, id: FrameId) {
        if !self.erb_variables.is_empty() {
            self.erb_variables.retain(|(frame, _), _| *frame != id);
        }
    }

    /// Begins the output of a template.
    pub(crate) fn begin(&mut self) {
        self.rendered.push(Vec::new());
    }

    /// Writes to the innermost template.
    pub(crate) fn write(&mut self, value: Value) {
        if let Some(written) = self.rendered.last_mut() {
            written.push(value);
        }
    }

    /// Returns the length of the innermost template's output.
    pub(crate) fn position(&self) -> usize {
        self.rendered.last().map_or(0, Vec::len)
    }

    /// Removes and returns the output since a position.
    pub(crate) fn take_since(&mut self, position: usize) -> Vec<Value> {
        match self.rendered.last_mut() {
            Some(written) if position < written.len() => written.split_off(position),
            _ => Vec::new(),
        }
    }

    /// Ends the innermost template and returns its output.
    pub(crate) fn end(&mut self) -> Vec<Value> {
        self.rendered.pop().unwrap_or_default()
    }
}

impl Evaluator<'_> {
    /// Adds a method that an ERB template defines. Puppet adds it to the class of all templates.
    pub fn define_template_method(&mut self, definition: &Arc<MethodDefinition>) {
        self.dependencies.note_external_state();
        let method = if self.is_forked() {
            TemplateMethod::Possible
        } else {
            TemplateMethod::Defined(definition.clone())
        };
        self.templates.erb_methods.insert(definition.name.clone(), method);
    }

    /// Returns a method that an ERB template has defined.
    pub fn template_method(&self, name: &str) -> TemplateMethod {
        self.dependencies.note_external_state();
        self.templates.erb_methods.get(name).cloned().unwrap_or_default()
    }
}
