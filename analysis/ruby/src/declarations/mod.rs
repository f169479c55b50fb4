//! Definitions in plug-in files: functions, resource types, providers, facts and data types.

mod attributes;
mod calls;
mod evaluation;
mod functions;
mod others;
mod resource_types;
pub(super) mod state;
mod title_patterns;
mod values;

use std::rc::Rc;

use plugins::RubyFile;
use plugins::code::{ParsedFile, with_parsed_files};
use plugins::drafts::{self, DefinitionContext};
use types::{NoTypes, TypeEnvironment};

use super::classes::{Method, RubyModule};
use super::host::{HostCalls, HostFiles, HostSystem, HostVariables};
use super::interpreter::Interpreter;
use super::methods::{CallArguments, MethodInvocation};
use super::tables::METHODS;
use super::value::{HostExit, Object};
use calls::RubyCall;
use state::OpenDefinition;

/// Reads the definitions in a plug-in file. `path` is relative to the module's folder and uses `/`
/// (`lib/puppet/functions/a/b.rb`); names are checked against it where Puppet does so. A definition implied by
/// the path that is missing in the file is added as an incomplete one.
pub fn read_declarations(path: &str, text: &str) -> RubyFile {
    read_declarations_with(path, text, &[])
}

/// Reads a file like [`read_declarations`], with the paths and contents of the files that it requires (see
/// [`RubyFile::requires`]), whose definitions are followed.
pub fn read_declarations_with(path: &str, text: &str, required: &[(&str, &str)]) -> RubyFile {
    let files: Vec<(&str, &str)> = std::iter::once((path, text)).chain(required.iter().copied()).collect();
    // For a file that is too long, only the definition implied by its path is known.
    let mut file = with_parsed_files(&files, |parsed| follow(&files, parsed)).unwrap_or_default();
    drafts::complete(path, text, &mut file);
    file
}

/// Evaluates the first of the files, with the others available for resolution.
fn follow(files: &[(&str, &str)], parsed: &[ParsedFile]) -> RubyFile {
    let mut host = DeclaringHost;
    let mut ruby = Interpreter::new(&mut host, &METHODS, Object::Main);
    ruby.abstract_evaluation = Some(evaluation::evaluate);
    ruby.declared.main = u32::MAX;
    // Required files come first.
    for (index, ((_, text), parsed)) in files.iter().zip(parsed).enumerate().rev() {
        let file = ruby.files.len() as u32;
        ruby.declared.texts.insert(file, text);
        if index == 0 {
            ruby.declared.main = file;
        }
        let _stop = ruby.run_file(parsed.program.clone());
    }
    if drafts::is_fact(files[0].0) {
        ruby.follow_all_methods();
    }
    ruby.finish_additions();
    let mut file = std::mem::take(&mut ruby.declared.output);
    drafts::reject_old_functions(&parsed[0], &mut file);
    if ruby.declared.has_missing_definition {
        file.requires = std::mem::take(&mut ruby.declared.requires);
    }
    if parsed.iter().any(|parsed| parsed.is_malformed) {
        drafts::mark_all_incomplete(&mut file);
    }
    file
}

impl Interpreter<'_> {
    /// Evaluates the bodies of all methods. Facts are often added in methods, whether or not these are called
    /// on loading.
    fn follow_all_methods(&mut self) {
        let mut methods = std::mem::take(&mut self.declared.methods);
        methods.sort_by_key(|method| std::cmp::Reverse(method.file));
        for method in methods {
            let body = Method::Defined {
                definition: method.definition.clone(),
                nesting: method.nesting,
                file: method.file,
            };
            let invocation = MethodInvocation {
                receiver: method.this,
                name: &method.definition.name,
                arguments: CallArguments::unknown(),
                block: None,
            };
            let root = self.root.clone();
            let _value = self.invoke(&body, &root, invocation);
        }
    }

    /// Begins a definition with `module` as its `self`.
    fn open_definition(&mut self, context: DefinitionContext, module: &Rc<RubyModule>) {
        self.declared.contexts.push(OpenDefinition { context, this: Some(module.clone()) });
    }

    fn close_definition(&mut self) -> Option<DefinitionContext> {
        self.declared.contexts.pop().map(|open| open.context)
    }

    /// Evaluates the block of the innermost definition.
    fn run_definition(&mut self, call: &RubyCall<'_>, requires_block: bool) {
        let module = self.declared.contexts.last().and_then(|open| open.this.clone());
        match (call.arguments.code(), module) {
            (Some(block), Some(module)) => drop(self.run_block_in(&block, &module)),
            _ if requires_block => self.declared.give_up(),
            _ => {}
        }
    }

    /// Evaluates the block of the innermost definition, and ends it.
    fn finish_definition(&mut self, call: &RubyCall<'_>, requires_block: bool) -> Option<DefinitionContext> {
        self.run_definition(call, requires_block);
        self.close_definition()
    }
}

/// Host of files whose definitions are read. Nothing in their environment is known.
struct DeclaringHost;

impl HostVariables for DeclaringHost {}

impl HostCalls for DeclaringHost {
    fn step(&mut self, _: usize) -> Result<(), HostExit> {
        Ok(())
    }

    fn env(&self) -> &dyn TypeEnvironment {
        &NoTypes
    }
}

impl HostFiles for DeclaringHost {}

impl HostSystem for DeclaringHost {}
