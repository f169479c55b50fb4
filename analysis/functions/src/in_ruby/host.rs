//! Host of Ruby code: provides variables, functions and files of the program.

use codes::Code;
use eval::{
    BuiltInFunction, Call, Evaluator, Exit, FunctionKind, FunctionSource, LogLevel, MachineFile,
    MissingNameKind, ModuleFolder, VariableState,
};
use hiera::data::DataFormat;
use hiera::lookup::DataFile;
use plugins::FunctionApi;
use plugins::code::MethodDefinition;
use ruby::{
    ChangedCollection, HostCalls, HostExit, HostFile, HostFiles, HostSystem, HostVariables, Object,
    RequiredFile, TemplateMethod,
};
use smol_str::SmolStr;
use std::sync::Arc;
use types::{HashValue, Origin, Type, TypeEnvironment, Value};
use validation::Strict;

use crate::support::function;

/// Call during which Ruby code runs.
pub(crate) struct CallHost<'h, 'c, 'w>(pub(crate) &'h mut Call<'c, 'w>);

/// Wraps an exit of the evaluation, which ends the Ruby code.
fn host_exit(exit: Exit) -> HostExit {
    let is_error = match &exit {
        Exit::Error(error) => {
            let is_limit =
                matches!(error.code, Code::TooManySteps | Code::TooDeep | Code::TooLarge | Code::RegexpLimit);
            // Puppet leaves the default of a parameter with `throw`.
            !is_limit && !error.is_not_found() && error.code != Code::UnevaluatedParameter
        }
        _ => false,
    };
    HostExit { exit: Box::new(exit), is_error }
}

/// Unwraps the exit of an evaluation.
pub(crate) fn exit_of(exit: HostExit) -> Exit {
    *exit.exit.downcast::<Exit>().expect("what this host ended with")
}

impl HostVariables for CallHost<'_, '_, '_> {
    fn variable(&self, name: &str) -> Option<Value> {
        match self.0.evaluator.slot_to_read(self.0.site.frame, name) {
            VariableState::Set(Value::Undef) | VariableState::Unset => None,
            VariableState::Set(value) => Some(value),
            VariableState::Possible(value) => {
                Some(Value::unknown(Type::Any, value.least_trustworthy().unwrap_or(Origin::Join)))
            }
        }
    }

    fn element(&self, variable: &str, keys: &[&str]) -> Option<Value> {
        self.0.evaluator.element_by_name(self.0.site.frame, variable, keys).ok()
    }

    fn define_template_method(&mut self, definition: &Arc<MethodDefinition>) {
        self.0.evaluator.define_template_method(definition);
    }

    fn template_method(&self, name: &str) -> TemplateMethod {
        self.0.evaluator.template_method(name)
    }

    fn own_variable(&self, name: &str) -> Option<Object> {
        self.0.evaluator.templates.erb_variable(self.0.site.frame, name).cloned()
    }

    fn set_variable(&mut self, name: &str, value: Object) -> bool {
        // Variables that functions set are visible to code in Puppet's language.
        if std::ptr::eq(self.0.function, &IN_RUBY) {
            return false;
        }
        let frame = self.0.site.frame;
        if self.0.evaluator.slot_by_name(frame, name) != VariableState::Unset
            || self.0.evaluator.templates.erb_variable(frame, name).is_some()
        {
            return false;
        }
        self.0.evaluator.templates.set_erb_variable(frame, name, value);
        true
    }

    fn check_is_evaluated(&self, name: &str) -> Result<(), HostExit> {
        self.0.evaluator.check_is_evaluated(self.0.site, name).map_err(host_exit)
    }

    fn lookup(&mut self, name: &str) -> Result<Option<Value>, HostExit> {
        self.check_is_evaluated(name)?;
        let (slot, strict) =
            (self.0.evaluator.slot_to_read(self.0.site.frame, name), self.0.evaluator.world.settings.strict);
        if matches!(slot, VariableState::Possible(_)) && strict == Strict::Error {
            self.0.evaluator.world.program.note_assumed_variable(name.trim_start_matches("::"));
        }
        if slot == VariableState::Unset {
            let reason = match name.rsplit_once("::") {
                Some((class, _)) if !class.is_empty() => Some(class),
                _ => None,
            };
            match strict {
                Strict::Off => {}
                Strict::Warning => {
                    let reason =
                        reason.map_or_else(String::new, |class| format!("class {class} could not be found"));
                    self.0.warn_once(&format!("Undefined variable '{name}'; {reason}"));
                }
                Strict::Error => {
                    return Err(host_exit(self.0.refuse(format!("unknown variable `${name}`"))));
                }
            }
            return Ok(None);
        }
        Ok(self.variable(name))
    }

    fn change_collections(&mut self, changes: &[ChangedCollection]) -> bool {
        // The arguments of functions may be in no variable.
        let is_held = !std::ptr::eq(self.0.function, &IN_RUBY);
        self.0.evaluator.change_collections(self.0.site.frame, changes, is_held)
    }

    fn top_variable(&mut self, name: &str) -> Result<Option<Value>, HostExit> {
        if name.contains("::") {
            self.check_is_evaluated(name)?;
            return Ok(self.variable(name));
        }
        match self.0.evaluator.top_variable(name) {
            VariableState::Set(Value::Undef) | VariableState::Unset => Ok(None),
            VariableState::Set(value) => Ok(Some(value)),
            VariableState::Possible(_) => Ok(Some(Value::unknown(Type::Any, Origin::Join))),
        }
    }

    fn set_top_variable(&mut self, name: &str, value: Value) -> bool {
        self.0.evaluator.set_top_variable(name, value)
    }
}

impl HostCalls for CallHost<'_, '_, '_> {
    fn step(&mut self, steps: usize) -> Result<(), HostExit> {
        self.0.step(steps).map_err(host_exit)
    }

    fn env(&self) -> &dyn TypeEnvironment {
        self.0.env()
    }

    fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit> {
        self.0.evaluator.call_function(self.0.site, name, arguments, None).map_err(host_exit)
    }

    fn call_function_at_top(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit> {
        let at = self.0.site;
        self.0.evaluator.call_function_at_top(at, name, arguments).map_err(host_exit)
    }

    fn call_legacy_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        // Arguments are not converted here, and the conversion of `nil` differs from function to function.
        if !arguments.iter().all(|argument| is_plain(argument, 0)) {
            return Ok(None);
        }
        if let Some(function) = crate::built_in(name) {
            let is_logging =
                matches!(function.kind, FunctionKind::Modern) && LOGGING_FUNCTIONS.contains(&name);
            return match function.kind {
                FunctionKind::Modern if is_logging || name == "versioncmp" => {
                    self.call_function(name, arguments).map(Some)
                }
                FunctionKind::Modern if matches!(name, "contain" | "include" | "require") => {
                    self.call_function(name, arguments).map(Some)
                }
                FunctionKind::Modern if name == "scanf" => Ok(None),
                // A module may have a function of that name without hiding the built-in one.
                FunctionKind::Modern if self.0.evaluator.world.program.function(name).is_some() => Ok(None),
                FunctionKind::Modern => {
                    Err(host_exit(self.0.refuse(format!("`{name}` is not a function of the 3.x API"))))
                }
                FunctionKind::Legacy | FunctionKind::LegacyStatement => {
                    self.call_function(name, arguments).map(Some)
                }
            };
        }
        match self.0.evaluator.world.program.function(name) {
            Some(FunctionSource::Known(_)) => self.call_function(name, arguments).map(Some),
            Some(FunctionSource::Declared(function))
                if function.code.as_ref().is_some_and(|it| matches!(it.api, FunctionApi::V3 { .. })) =>
            {
                self.call_function(name, arguments).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn call_lambda(&mut self, arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        match self.0.block {
            Some(_) => self.0.call_block(&arguments).map(Some).map_err(host_exit),
            None => Ok(None),
        }
    }

    fn has_lambda(&self) -> bool {
        self.0.block.is_some()
    }

    fn call_member(
        &mut self,
        object: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Result<Option<Value>, HostExit> {
        let at = self.0.site;
        let outcome = self.0.evaluator.call_context(at, object, name, arguments);
        outcome.transpose().map_err(host_exit)
    }

    fn is_legacy_function(&self, name: &str) -> Option<bool> {
        is_legacy_function(self.0.evaluator, name)
    }

    fn log(&mut self, level: &str, message: &str) {
        if level == "warning" {
            self.0.log(LogLevel::Warning, message);
        }
    }
}

impl HostFiles for CallHost<'_, '_, '_> {
    fn required(&mut self, path: &str) -> Option<RequiredFile> {
        self.0.evaluator.world.program.ruby_file(path).map(RequiredFile::Program)
    }

    fn file(&mut self, path: &str) -> HostFile {
        let program = self.0.evaluator.world.program;
        let path = path.replace("/./", "/");
        let file = match program.project_file(&path) {
            MachineFile::Unclear => program.machine_file(&path),
            file => file,
        };
        match file {
            MachineFile::Content(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => HostFile::Text(text.into()),
                Err(_) => HostFile::Unknown,
            },
            MachineFile::Missing => HostFile::Missing,
            MachineFile::Unread | MachineFile::Unclear => HostFile::Unknown,
        }
    }

    fn data_file(&mut self, path: &str) -> Option<Value> {
        let sources = self.0.evaluator.world.program.data_sources()?;
        match sources.data(path, DataFormat::Yaml) {
            DataFile::Read(data) if data.findings.is_empty() => data.root.as_ref().map(|it| it.value.clone()),
            _ => None,
        }
    }

    fn module_file(&mut self, folder: &str, name: &str) -> Option<Option<String>> {
        let Some((module, below)) = name.split_once('/') else { return Some(None) };
        let program = self.0.evaluator.world.program;
        let relative = format!("{folder}/{below}");
        match program.module_folder(module) {
            ModuleFolder::At(_) if program.may_have_module_file(module, &relative) => None,
            ModuleFolder::At(root) if !below.contains("..") => {
                Some(program.has_module_file(module, &relative).then(|| format!("{root}/{relative}")))
            }
            ModuleFolder::Missing => Some(None),
            _ => None,
        }
    }
}

impl HostSystem for CallHost<'_, '_, '_> {
    fn setting(&mut self, name: &str) -> Option<Value> {
        match (name, self.0.evaluator.world.settings.strict) {
            ("strict", Strict::Off) => Some(Value::string("off")),
            ("strict", Strict::Warning) => Some(Value::string("warning")),
            ("strict", Strict::Error) => Some(Value::string("error")),
            _ => None,
        }
    }

    fn puppet_version(&self) -> Option<u32> {
        Some(self.0.evaluator.world.settings.version.major().into())
    }

    fn is_declared(&mut self, type_name: &str, title: &str) -> Option<bool> {
        self.0.evaluator.is_declared_with(type_name, title, &HashValue::default())
    }

    fn resource_defaults(&mut self, type_name: &str) -> Option<Vec<SmolStr>> {
        self.0.evaluator.attributes_with_defaults(self.0.site.frame, type_name)
    }
}

/// Returns true for values that need no conversion for any function: strings, integers, Booleans, and
/// collections of these.
fn is_plain(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(_) | Value::Integer(_) | Value::Boolean(_) => true,
        Value::Array(elements) => depth < 16 && elements.iter().all(|it| is_plain(it, depth + 1)),
        Value::Hash(entries) => {
            depth < 16
                && entries.iter().all(|(key, value)| is_plain(key, depth + 1) && is_plain(value, depth + 1))
        }
        _ => false,
    }
}

/// Logging functions, which the 3.x API has as well.
const LOGGING_FUNCTIONS: &[&str] = &["alert", "crit", "debug", "emerg", "err", "info", "notice", "warning"];

/// Returns true if the 3.x API has a function of that name; `None` if that is unknown.
pub(crate) fn is_legacy_function(evaluator: &Evaluator<'_>, name: &str) -> Option<bool> {
    if let Some(function) = crate::built_in(name) {
        let is_old = !matches!(function.kind, FunctionKind::Modern);
        return Some(
            is_old
                || name == "versioncmp"
                || LOGGING_FUNCTIONS.contains(&name)
                || OTHER_LEGACY_FUNCTIONS.contains(&name),
        );
    }
    let program = evaluator.world.program;
    match program.function(name) {
        Some(FunctionSource::Declared(function)) => {
            function.code.as_ref().map(|code| matches!(code.api, FunctionApi::V3 { .. }))
        }
        Some(FunctionSource::Puppet(_)) => Some(false),
        // It is unknown which of its two files exists, or whether both do.
        Some(FunctionSource::Known(_)) => None,
        None => (!program.may_define(MissingNameKind::Function, name)).then_some(false),
    }
}

/// Further functions that the 3.x API has by name. All except four of them refuse to be called this way.
const OTHER_LEGACY_FUNCTIONS: &[&str] = &[
    "assert_type",
    "binary_file",
    "break",
    "contain",
    "defined",
    "dig",
    "each",
    "epp",
    "filter",
    "find_file",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "inline_epp",
    "lest",
    "lookup",
    "map",
    "match",
    "new",
    "next",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "scanf",
    "slice",
    "split",
    "step",
    "strftime",
    "then",
    "type",
    "with",
];

/// Placeholder for the called function if it is not in the tables.
pub(crate) static IN_RUBY: BuiltInFunction = function("function in Ruby", "", &[]);
