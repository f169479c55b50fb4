//! Functions: version 4 (`create_function`) and version 3 (`newfunction`).

use ruby_prism::DefNode;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::calls::RubyCall;
use super::context::DefinitionContext;
use super::interpreter::{RubyInterpreter, constant_name};
use super::text::dedent;
use super::value::RubyValue;
use crate::{FunctionApi, ParameterKind, RubyFunction, WrittenBlock, WrittenParameter, WrittenSignature};

/// Maximum number of parameters in a signature of version 3.
const ARITY_LIMIT: i32 = 64;

/// Version 4 function under construction.
pub(super) struct FunctionDraft<'pr> {
    pub function: RubyFunction,
    /// Signatures of its methods, by name.
    methods: FxHashMap<SmolStr, WrittenSignature>,
    /// Source of a method `call`, which overrides Puppet's own.
    call: Option<&'pr str>,
}

fn parameter(name: SmolStr, type_text: SmolStr, kind: ParameterKind) -> WrittenParameter {
    WrittenParameter { name, type_text, kind }
}

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates `create_function(:name, Base) do ... end`. The function's arguments begin at index
    /// `loader_arguments`, after the loader of `create_loaded_function`.
    pub(super) fn create_function(
        &mut self,
        call: &RubyCall<'pr>,
        loader_arguments: usize,
    ) -> RubyValue<'pr> {
        let Some(name) = call.arguments.value(0).name() else { return RubyValue::Unknown };
        let function = RubyFunction {
            name: name.clone(),
            range: call.arguments.range(0),
            api: FunctionApi::V4,
            signatures: Vec::new(),
            is_incomplete: false,
            refusal: None,
            local_types: Vec::new(),
            documentation: self.comment(&call.comment_at),
        };
        let draft = FunctionDraft { function, methods: FxHashMap::default(), call: None };
        self.contexts.push(DefinitionContext::Function(draft));
        match call.arguments.positional.get(1 + loader_arguments) {
            Some((RubyValue::Constant(base), _)) if base.ends_with("Hiera::PuppetFunction") => {
                self.add_signatures_of_hiera_functions(call.arguments.range(0));
            }
            Some((RubyValue::Constant(base), _)) if is_plain_base(base) => {}
            None => {}
            Some(_) => self.give_up(),
        }
        match &call.arguments.block {
            Some(block @ RubyValue::Block(_)) => {
                self.run_block(&block.clone(), vec![RubyValue::This]);
            }
            _ => self.give_up(),
        }
        if let Some(DefinitionContext::Function(draft)) = self.contexts.pop() {
            self.output.functions.push(finish(draft, &name));
        }
        RubyValue::Unknown
    }

    pub(super) fn call_in_function(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        match &*call.name {
            "dispatch" => {
                let signature = WrittenSignature {
                    range: call.range,
                    documentation: self.comment(&call.comment_at),
                    ..WrittenSignature::default()
                };
                self.contexts
                    .push(DefinitionContext::Dispatch { signature, is_incomplete: self.conditions > 0 });
                match &call.arguments.block {
                    Some(block @ RubyValue::Block(_)) => {
                        // The contents of the dispatch are no more conditional than the dispatch itself.
                        let conditions = std::mem::take(&mut self.conditions);
                        self.run_block(&block.clone(), vec![RubyValue::This]);
                        self.conditions = conditions;
                    }
                    _ => self.give_up(),
                }
                let Some(DefinitionContext::Dispatch { signature, is_incomplete }) = self.contexts.pop()
                else {
                    return None;
                };
                if let Some(DefinitionContext::Function(draft)) = self.contexts.last_mut() {
                    draft.function.signatures.push(signature);
                    draft.function.is_incomplete |= is_incomplete;
                }
            }
            // Only provides error messages for mismatched arguments.
            "argument_mismatch" => {}
            "local_types" => {
                self.contexts.push(DefinitionContext::LocalTypes { types: Vec::new(), is_incomplete: false });
                match &call.arguments.block {
                    Some(block) => {
                        self.run_block(&block.clone(), vec![RubyValue::This]);
                    }
                    None => self.give_up(),
                }
                let Some(DefinitionContext::LocalTypes { types, is_incomplete }) = self.contexts.pop() else {
                    return None;
                };
                if let Some(DefinitionContext::Function(draft)) = self.contexts.last_mut() {
                    draft.function.local_types.extend(types);
                    draft.function.is_incomplete |= is_incomplete;
                }
            }
            "init_dispatch" => {}
            _ => return None,
        }
        Some(RubyValue::Unknown)
    }

    pub(super) fn call_in_dispatch(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        let is_conditional = self.conditions > 0;
        let Some(DefinitionContext::Dispatch { signature, is_incomplete }) = self.contexts.last_mut() else {
            return None;
        };
        let kind = match &*call.name {
            "param" | "required_param" => Some(ParameterKind::Required),
            "optional_param" => Some(ParameterKind::Optional),
            "repeated_param" | "optional_repeated_param" => Some(ParameterKind::Repeated),
            "required_repeated_param" => Some(ParameterKind::RequiredRepeated),
            _ => None,
        };
        *is_incomplete |= is_conditional || call.arguments.has_unknown;
        if let Some(kind) = kind {
            let name = call.arguments.value(1).name();
            let name = name.unwrap_or_else(|| format_smolstr!("arg{}", signature.parameters.len() + 1));
            signature.parameters.push(parameter(name, type_text(&call.arguments.value(0)), kind));
            return Some(RubyValue::Unknown);
        }
        match &*call.name {
            "block_param" | "required_block_param" | "optional_block_param" => {
                let mut block = WrittenBlock {
                    name: SmolStr::new("block"),
                    type_text: SmolStr::new("Callable"),
                    is_required: call.name != "optional_block_param",
                };
                let given = &call.arguments.positional;
                if let Some(name) = given.last().and_then(|(value, _)| value.name()) {
                    block.name = name;
                }
                if given.len() == 2 {
                    block.type_text = match call.arguments.value(0) {
                        RubyValue::String(text) => text,
                        _ => SmolStr::new("Callable"),
                    };
                }
                signature.block = Some(block);
            }
            "return_type" => signature.return_type = Some(type_text(&call.arguments.value(0))),
            // Injected by Puppet, invisible to callers.
            "scope_param"
            | "cache_param"
            | "script_compiler_param"
            | "compiler_param"
            | "pal_compiler_param" => {}
            _ => return None,
        }
        Some(RubyValue::Unknown)
    }

    pub(super) fn call_in_local_types(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        if call.name != "type" {
            return None;
        }
        let Some(DefinitionContext::LocalTypes { types, is_incomplete }) = self.contexts.last_mut() else {
            return None;
        };
        match call.arguments.value(0) {
            RubyValue::String(text) if text.contains('=') => {
                let (name, definition) = text.split_once('=').unwrap_or((&text, ""));
                types.push((SmolStr::new(name.trim()), SmolStr::new(definition.trim())));
            }
            _ => *is_incomplete = true,
        }
        Some(RubyValue::Unknown)
    }

    /// Records a method of the function under construction.
    pub(super) fn define_function_method(&mut self, definition: &DefNode<'pr>) {
        if definition.receiver().is_some() {
            return;
        }
        let range = self.range(&definition.name_loc());
        let documentation = self.comment(&definition.location());
        let location = definition.location();
        let text = self.sources[self.source].text;
        let Some(DefinitionContext::Function(draft)) = self.contexts.last_mut() else { return };
        let name = constant_name(&definition.name());
        if name == "call" {
            draft.call = text.get(location.start() as usize..location.end() as usize);
        }
        draft.methods.insert(name, method_signature(definition, range, documentation));
    }

    /// Adds the signatures that `Hiera::PuppetFunction` provides to functions based on it.
    fn add_signatures_of_hiera_functions(&mut self, range: TextRange) {
        let Some(DefinitionContext::Function(draft)) = self.contexts.last_mut() else { return };
        let required = |type_text: &str, name: &str| {
            parameter(SmolStr::new(name), SmolStr::new(type_text), ParameterKind::Required)
        };
        let optional = |type_text: &str, name: &str| WrittenParameter {
            kind: ParameterKind::Optional,
            ..required(type_text, name)
        };
        let block = || {
            Some(WrittenBlock {
                name: SmolStr::new("default_block"),
                type_text: SmolStr::new("Callable[1,1]"),
                is_required: true,
            })
        };
        let signatures = [
            (vec![required("Tuple[String, Any, Any, 1, 3]", "args")], None),
            (vec![required("String", "key")], None),
            (vec![required("String", "key"), required("Any", "default"), optional("Any", "override")], None),
            (vec![required("String", "key")], block()),
            (vec![required("String", "key"), required("Any", "override")], block()),
        ];
        draft.function.signatures.extend(signatures.map(|(parameters, block)| WrittenSignature {
            range,
            parameters,
            block,
            return_type: None,
            documentation: SmolStr::default(),
        }));
    }

    /// Evaluates `newfunction(:name, :type => :rvalue, :arity => -2, :doc => "...") do |arguments| ... end`.
    pub(super) fn new_legacy_function(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        let Some(name) = call.arguments.value(0).name() else { return RubyValue::Unknown };
        let arguments = &call.arguments;
        let mut is_incomplete = arguments.has_unknown_options();
        let arity = match arguments.option("arity") {
            None | Some(RubyValue::Nil) => -1,
            Some(RubyValue::Integer(arity)) => i32::try_from(arity).unwrap_or(-1),
            Some(_) => {
                is_incomplete = true;
                -1
            }
        };
        let is_statement = match arguments.option("type") {
            None => true,
            Some(RubyValue::Symbol(kind)) => kind == "statement",
            Some(_) => {
                is_incomplete = true;
                false
            }
        };
        let documentation = match arguments.option("doc").and_then(|value| value.prose()) {
            Some(text) => dedent(&text),
            None => self.comment(&call.comment_at),
        };
        let range = arguments.range(0);
        let signature = legacy_signature(arity, range);
        self.output.functions.push(RubyFunction {
            name,
            range,
            api: FunctionApi::V3 { is_statement, arity },
            signatures: vec![signature],
            is_incomplete,
            refusal: None,
            local_types: Vec::new(),
            documentation,
        });
        RubyValue::Unknown
    }
}

/// Returns a type as a string; `Any` if it is not a literal.
fn type_text(value: &RubyValue) -> SmolStr {
    match value {
        RubyValue::String(text) => SmolStr::new(text.trim()),
        _ => SmolStr::new("Any"),
    }
}

/// Returns true for base classes that add no signatures.
fn is_plain_base(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    path.contains("Functions") && matches!(last, "Function" | "InternalFunction" | "PuppetFunction")
}

fn legacy_signature(arity: i32, range: TextRange) -> WrittenSignature {
    let any = || SmolStr::new("Any");
    let required = if arity < 0 { arity.saturating_neg() - 1 } else { arity };
    let mut parameters: Vec<WrittenParameter> = (0..required.min(ARITY_LIMIT))
        .map(|index| parameter(format_smolstr!("arg{}", index + 1), any(), ParameterKind::Required))
        .collect();
    if arity < 0 {
        parameters.push(parameter(SmolStr::new("args"), any(), ParameterKind::Repeated));
    }
    WrittenSignature { range, parameters, ..WrittenSignature::default() }
}

/// Returns the signature of a method in a function without `dispatch`, with `Any` for all types.
fn method_signature(definition: &DefNode<'_>, range: TextRange, documentation: SmolStr) -> WrittenSignature {
    let mut signature = WrittenSignature { range, documentation, ..WrittenSignature::default() };
    let Some(parameters) = definition.parameters() else { return signature };
    let any = || SmolStr::new("Any");
    let mut add =
        |name: SmolStr, kind: ParameterKind| signature.parameters.push(parameter(name, any(), kind));
    for (index, node) in parameters.requireds().iter().enumerate() {
        let name = match node.as_required_parameter_node() {
            Some(node) => constant_name(&node.name()),
            None => format_smolstr!("arg{}", index + 1),
        };
        add(name, ParameterKind::Required);
    }
    // Ruby fills the parameters after the optional ones first.
    for node in parameters.posts().iter() {
        if let Some(node) = node.as_required_parameter_node() {
            add(constant_name(&node.name()), ParameterKind::Required);
        }
    }
    for node in parameters.optionals().iter() {
        if let Some(node) = node.as_optional_parameter_node() {
            add(constant_name(&node.name()), ParameterKind::Optional);
        }
    }
    if let Some(rest) = parameters.rest().and_then(|rest| rest.as_rest_parameter_node()) {
        let name = rest.name().map_or_else(|| SmolStr::new("args"), |name| constant_name(&name));
        add(name, ParameterKind::Repeated);
    }
    signature
}

fn finish(draft: FunctionDraft<'_>, name: &str) -> RubyFunction {
    let FunctionDraft { mut function, methods, call } = draft;
    if function.signatures.is_empty() {
        let simple_name = name.rsplit("::").next().unwrap_or(name);
        match methods.get(simple_name) {
            Some(signature) => function.signatures.push(signature.clone()),
            None => function.is_incomplete = true,
        }
    }
    if let Some(call) = call {
        // An old workaround for a Puppet bug passes the scope as the first argument.
        let puts_scope_first = call.contains("[scope] + args") || call.contains("[scope, *args]");
        let expects_scope = |signature: &WrittenSignature| {
            signature.parameters.first().is_some_and(|parameter| parameter.name == "scope")
        };
        if puts_scope_first && function.signatures.iter().all(expects_scope) {
            for signature in &mut function.signatures {
                signature.parameters.remove(0);
            }
        } else {
            function.is_incomplete = true;
        }
    }
    function
}
