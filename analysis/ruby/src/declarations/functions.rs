//! Functions: version 4 (`create_function`) and version 3 (`newfunction`).

use std::sync::Arc;

use plugins::code::MethodDefinition;
use plugins::drafts::{DefinitionContext, FunctionDraft, dedent, is_plain_base, legacy_signature};
use plugins::{FunctionApi, RubyFunction, WrittenSignature};
use syntax::TextRange;

use super::calls::RubyCall;
use super::values::{UNKNOWN, prose_of};
use crate::interpreter::Interpreter;
use crate::value::Object;

impl Interpreter<'_> {
    /// Evaluates `create_function(:name, Base) do ... end`. The function's arguments begin at index
    /// `loader_arguments`, after the loader of `create_loaded_function`.
    pub(super) fn declare_function(&mut self, call: &RubyCall<'_>, loader_arguments: usize) -> Object {
        let arguments = &call.arguments;
        let Some(name) = arguments.name(0) else { return UNKNOWN };
        let range = arguments.range(0);
        let mut draft = FunctionDraft::new(name.clone(), range, self.comment(call));
        let base = arguments.positional.get(1 + loader_arguments);
        let is_plain = match base {
            Some((Object::Constant(base), _)) if base.ends_with("Hiera::PuppetFunction") => {
                draft.add_signatures_of_hiera_functions(range);
                true
            }
            Some((Object::Constant(base), _)) => is_plain_base(base),
            other => other.is_none(),
        };
        self.define(DefinitionContext::Function(draft), name);
        if !is_plain {
            self.declared.give_up();
        }
        if let Some(DefinitionContext::Function(draft)) = self.finish_definition(call, true) {
            self.declared.output.functions.push(draft.finish());
        }
        UNKNOWN
    }

    pub(super) fn call_in_function(&mut self, call: &RubyCall<'_>) -> Option<Object> {
        let context = match &*call.name {
            "dispatch" => {
                let signature = WrittenSignature {
                    range: self.message_range(call),
                    documentation: self.comment(call),
                    ..WrittenSignature::default()
                };
                let is_incomplete = self.declared.conditions > 0;
                DefinitionContext::Dispatch { signature, is_incomplete }
            }
            "local_types" => DefinitionContext::LocalTypes { types: Vec::new(), is_incomplete: false },
            // The former only provides error messages for mismatched arguments.
            "argument_mismatch" | "init_dispatch" => return Some(UNKNOWN),
            _ => return None,
        };
        self.define(context, call.name.clone());
        // The contents are no more conditional than the call itself.
        let conditions = std::mem::take(&mut self.declared.conditions);
        let part = self.finish_definition(call, true);
        self.declared.conditions = conditions;
        if let (Some(part), Some(DefinitionContext::Function(draft))) = (part, self.declared.context()) {
            draft.add_part(part);
        }
        Some(UNKNOWN)
    }

    /// Records a method of the function under construction.
    pub(super) fn add_function_method(&mut self, definition: &Arc<MethodDefinition>, range: TextRange) {
        if !matches!(self.declared.context(), Some(DefinitionContext::Function(_))) {
            return;
        }
        let text = self.declared.text(self.file);
        let source = text.get(range.as_range()).unwrap_or_default().to_owned();
        let documentation = plugins::drafts::comment_before(text, range.start);
        let at = range.start + source.find(definition.name.as_str()).unwrap_or_default() as u32;
        let name = TextRange::new(at, at + definition.name.len() as u32);
        let name = self.declared.range(self.file, name);
        if let Some(DefinitionContext::Function(draft)) = self.declared.context() {
            draft.add_method(definition, name, documentation, &source);
        }
    }

    /// Evaluates `newfunction(:name, :type => :rvalue, :arity => -2, :doc => "...") do |arguments| ... end`.
    pub(super) fn declare_legacy_function(&mut self, call: &RubyCall<'_>) -> Object {
        let arguments = &call.arguments;
        let Some(name) = arguments.name(0) else { return UNKNOWN };
        let mut is_incomplete = arguments.has_unknown_options();
        let arity = match arguments.option("arity") {
            None | Some(Object::Nil) => -1,
            Some(Object::Integer(arity)) => i32::try_from(arity).unwrap_or(-1),
            Some(_) => {
                is_incomplete = true;
                -1
            }
        };
        let is_statement = match arguments.option("type") {
            None => true,
            Some(Object::Symbol(kind)) => kind == "statement",
            Some(_) => {
                is_incomplete = true;
                false
            }
        };
        let documentation = match arguments.option("doc").and_then(|value| prose_of(&value)) {
            Some(text) => dedent(&text),
            None => self.comment(call),
        };
        let range = arguments.range(0);
        self.declared.output.functions.push(RubyFunction {
            name,
            range,
            api: FunctionApi::V3 { is_statement, arity },
            signatures: vec![legacy_signature(arity, range)],
            is_incomplete,
            refusal: None,
            local_types: Vec::new(),
            documentation,
        });
        UNKNOWN
    }
}
