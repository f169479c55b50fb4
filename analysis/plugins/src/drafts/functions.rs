//! Functions: version 4 (`create_function`) and version 3 (`newfunction`).

use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::{DefinitionContext, DraftArguments, DraftValue};
use crate::code::{MethodDefinition, RubyBlockParameter};
use crate::{FunctionApi, ParameterKind, RubyFunction, WrittenBlock, WrittenParameter, WrittenSignature};

/// Maximum number of parameters in a signature of version 3.
const ARITY_LIMIT: i32 = 64;

/// Version 4 function under construction.
#[derive(Debug)]
pub struct FunctionDraft {
    pub function: RubyFunction,
    /// Signatures of its methods, by name.
    methods: FxHashMap<SmolStr, WrittenSignature>,
    /// Source of a method `call`, which overrides Puppet's own.
    call: Option<String>,
}

fn parameter(name: SmolStr, type_text: SmolStr, kind: ParameterKind) -> WrittenParameter {
    WrittenParameter { name, type_text, kind }
}

impl FunctionDraft {
    pub fn new(name: SmolStr, range: TextRange, documentation: SmolStr) -> FunctionDraft {
        let function = RubyFunction {
            name,
            range,
            api: FunctionApi::V4,
            signatures: Vec::new(),
            is_incomplete: false,
            refusal: None,
            local_types: Vec::new(),
            documentation,
        };
        FunctionDraft { function, methods: FxHashMap::default(), call: None }
    }

    /// Records a method. `source` is its code, `range` the range of its name.
    pub fn add_method(
        &mut self,
        definition: &MethodDefinition,
        range: TextRange,
        documentation: SmolStr,
        source: &str,
    ) {
        if definition.name == "call" {
            self.call = Some(source.to_owned());
        }
        let signature = method_signature(definition, range, documentation);
        self.methods.insert(definition.name.clone(), signature);
    }

    /// Adds a finished `dispatch` or `local_types`.
    pub fn add_part(&mut self, part: DefinitionContext) {
        match part {
            DefinitionContext::Dispatch { signature, is_incomplete } => {
                self.function.signatures.push(signature);
                self.function.is_incomplete |= is_incomplete;
            }
            DefinitionContext::LocalTypes { types, is_incomplete } => {
                self.function.local_types.extend(types);
                self.function.is_incomplete |= is_incomplete;
            }
            _ => {}
        }
    }

    /// Adds the signatures that `Hiera::PuppetFunction` provides to functions based on it.
    pub fn add_signatures_of_hiera_functions(&mut self, range: TextRange) {
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
        self.function.signatures.extend(signatures.map(|(parameters, block)| WrittenSignature {
            range,
            parameters,
            block,
            return_type: None,
            documentation: SmolStr::default(),
        }));
    }

    /// Returns the function as far as it is known.
    pub fn finish(self) -> RubyFunction {
        let FunctionDraft { mut function, methods, call } = self;
        if function.signatures.is_empty() {
            let simple_name = function.name.rsplit("::").next().unwrap_or(&function.name);
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
}

/// Applies a call in a `dispatch`. Returns false for unknown methods.
pub(super) fn call_in_dispatch(
    signature: &mut WrittenSignature,
    name: &str,
    arguments: &DraftArguments,
) -> bool {
    let kind = match name {
        "param" | "required_param" => ParameterKind::Required,
        "optional_param" => ParameterKind::Optional,
        "repeated_param" | "optional_repeated_param" => ParameterKind::Repeated,
        "required_repeated_param" => ParameterKind::RequiredRepeated,
        "block_param" | "required_block_param" | "optional_block_param" => {
            let count = arguments.values.len();
            let type_text = if count == 2 { arguments.value(0).string() } else { None };
            signature.block = Some(WrittenBlock {
                name: count.checked_sub(1).and_then(|last| arguments.name(last)).unwrap_or("block".into()),
                type_text: type_text.cloned().unwrap_or("Callable".into()),
                is_required: name != "optional_block_param",
            });
            return true;
        }
        "return_type" => {
            signature.return_type = Some(type_text(arguments.value(0)));
            return true;
        }
        // Injected by Puppet, invisible to callers.
        "scope_param" | "cache_param" | "script_compiler_param" | "compiler_param" | "pal_compiler_param" => {
            return true;
        }
        _ => return false,
    };
    let name = arguments.name(1);
    let name = name.unwrap_or_else(|| format_smolstr!("arg{}", signature.parameters.len() + 1));
    signature.parameters.push(parameter(name, type_text(arguments.value(0)), kind));
    true
}

/// Returns a type as a string; `Any` if it is not a literal.
fn type_text(value: &DraftValue) -> SmolStr {
    value.string().map_or(SmolStr::new("Any"), |text| SmolStr::new(text.trim()))
}

/// Returns true for base classes that add no signatures.
pub fn is_plain_base(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    path.contains("Functions") && matches!(last, "Function" | "InternalFunction" | "PuppetFunction")
}

/// Returns the signature of a version 3 function.
pub fn legacy_signature(arity: i32, range: TextRange) -> WrittenSignature {
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
fn method_signature(
    definition: &MethodDefinition,
    range: TextRange,
    documentation: SmolStr,
) -> WrittenSignature {
    let mut required = Vec::new();
    let mut others = Vec::new();
    let any = || SmolStr::new("Any");
    for it in &definition.parameters {
        match it {
            // Ruby fills the parameters after the optional ones first.
            RubyBlockParameter::Required(name) => {
                required.push(parameter(name.clone(), any(), ParameterKind::Required));
            }
            RubyBlockParameter::Several(_) => {
                let name = format_smolstr!("arg{}", required.len() + 1);
                required.push(parameter(name, any(), ParameterKind::Required));
            }
            RubyBlockParameter::Optional(name, _) => {
                others.push(parameter(name.clone(), any(), ParameterKind::Optional));
            }
            RubyBlockParameter::Rest(name) => {
                let name = name.clone().unwrap_or_else(|| SmolStr::new("args"));
                others.push(parameter(name, any(), ParameterKind::Repeated));
            }
            _ => {}
        }
    }
    required.append(&mut others);
    WrittenSignature { range, documentation, parameters: required, ..WrittenSignature::default() }
}
