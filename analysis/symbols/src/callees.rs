//! Functions that a file can call, and their signatures.

use eval::{BuiltInFunction, RecordedValue, World};
use hir::Name;
use plugins::{FunctionApi, ParameterKind};
use project::{Db, DefinitionId, File, FunctionTarget};
use types::assign::Fit;
use types::{CallableType, Type, TypeEnvironment, Value};

use crate::{descriptions, parameters};

/// A function, by its implementation.
#[derive(Clone, Copy)]
pub enum Callee {
    /// Function of Puppet itself, or of puppetlabs-stdlib.
    BuiltIn(&'static BuiltInFunction),
    /// Function written in Puppet.
    Puppet(DefinitionId),
    /// Function written in Ruby, by its index in its file.
    Ruby { file: File, index: usize },
    /// Function of Bolt, which only plans can call.
    Bolt(&'static plugins::RubyFunction),
}

/// A signature of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct CallSignature {
    pub parameters: Vec<CallParameter>,
    pub block: Option<CallBlock>,
    /// Return type as written; empty if not declared.
    pub returns: String,
}

/// A parameter of a signature.
#[derive(Clone, PartialEq, Debug)]
pub struct CallParameter {
    pub name: String,
    /// Type as written; empty if not declared.
    pub type_text: String,
    /// `None` if the type is not evaluated.
    pub ty: Option<Type>,
    pub is_optional: bool,
    /// Default as written; empty if unknown.
    pub default: String,
    pub is_repeated: bool,
}

/// A block parameter of a signature.
#[derive(Clone, PartialEq, Debug)]
pub struct CallBlock {
    pub type_text: String,
    pub is_optional: bool,
    /// Minimum and maximum number of block parameters.
    pub sizes: Option<(i64, i64)>,
}

/// Known parts of an incomplete call: its arguments so far, and the number of its lambda's parameters.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct KnownArguments {
    /// Values of the arguments; `None` for an unknown one.
    pub values: Vec<Option<Value>>,
    pub lambda: Option<i64>,
    /// True if no more arguments will follow.
    pub is_complete: bool,
}

/// Resolves the name of a function in a file. As in Puppet, built-in functions take precedence.
pub fn find(db: &dyn Db, file: File, name: &str) -> Option<Callee> {
    let name = name.strip_prefix("::").unwrap_or(name);
    if let Some(function) = functions::built_in(name) {
        return Some(Callee::BuiltIn(function));
    }
    match project::resolve_function(db, file, name) {
        Some(FunctionTarget::Puppet(definition)) => return Some(Callee::Puppet(definition)),
        Some(FunctionTarget::Ruby { file, index }) => return Some(Callee::Ruby { file, index }),
        None => {}
    }
    if project::language(db, file) == syntax::Language::Plan
        && let Some(function) = plugins::built_in::bolt::function(name)
    {
        return Some(Callee::Bolt(function));
    }
    None
}

impl Callee {
    /// Returns the name of the function.
    pub fn name(self, db: &dyn Db) -> Name {
        match self {
            Callee::BuiltIn(function) => function.name.into(),
            Callee::Puppet(definition) => match project::signature(db, definition) {
                Some(signature) => signature.name.clone(),
                None => definition.key(db).name.clone(),
            },
            Callee::Ruby { file, index } => {
                project::ruby_function(db, file, index).map(|it| it.name.clone()).unwrap_or_default()
            }
            Callee::Bolt(function) => function.name.clone(),
        }
    }

    /// Returns the documentation as Markdown.
    pub fn documentation(self, db: &dyn Db) -> Option<String> {
        match self {
            Callee::BuiltIn(function) => project::installed_function(db, function.name)
                .and_then(|(_, installed)| of_plugin(installed))
                .or_else(|| Some(function.documentation.to_owned())),
            Callee::Puppet(definition) => documentation(db, definition),
            Callee::Ruby { file, index } => of_plugin(project::ruby_function(db, file, index)?),
            Callee::Bolt(function) => of_plugin(function),
        }
    }

    /// Returns the puppet-strings comment of the function.
    pub fn comment(self, db: &dyn Db) -> Option<String> {
        match self {
            Callee::BuiltIn(_) => None,
            Callee::Puppet(definition) => comment(db, definition),
            Callee::Ruby { file, index } => {
                let function = project::ruby_function(db, file, index)?;
                let texts = function.signatures.iter().map(|it| it.documentation.as_str());
                Some(texts.chain([function.documentation.as_str()]).collect::<Vec<_>>().join("\n"))
            }
            Callee::Bolt(function) => Some(function.documentation.to_string()),
        }
    }

    /// Returns the signatures, in the order in which they are tried.
    pub fn signatures(self, db: &dyn Db) -> Vec<CallSignature> {
        match self {
            Callee::BuiltIn(function) => {
                let texts = function.overloads.iter().map(|overload| overload.signature);
                texts
                    .zip(functions::signatures(function))
                    .map(|(text, signature)| built_in(text, signature))
                    .collect()
            }
            Callee::Puppet(definition) => written_in_puppet(db, definition).into_iter().collect(),
            Callee::Ruby { file, index } => match project::ruby_function(db, file, index) {
                Some(function) => written_in_ruby(db, Some(file), function),
                None => Vec::new(),
            },
            Callee::Bolt(function) => written_in_ruby(db, None, function),
        }
    }
}

/// Returns the comment above a definition, as Markdown.
pub fn documentation(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    comment(db, definition).map(|text| descriptions::as_markdown(&text))
}

fn comment(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let summary = project::item_summary(db, definition.file(db)).get(definition.key(db))?;
    summary.documentation.as_ref().map(|text| text.to_string())
}

/// Returns a short description of a definition: its `@summary`, else the first paragraph of its comment.
pub fn summary(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let parsed = plugins::documentation::parse(&comment(db, definition)?);
    let first = parsed.text.split("\n\n").next().unwrap_or_default().trim().to_owned();
    parsed.summary.or(Some(first)).filter(|it| !it.is_empty())
}

fn built_in(text: &str, signature: &eval::Signature) -> CallSignature {
    let parameters = signature.parameters.iter().map(|parameter| CallParameter {
        name: parameter.name.to_string(),
        type_text: parameter.type_text.to_string(),
        ty: Some(parameter.ty.clone()),
        is_optional: matches!(parameter.kind, ParameterKind::Optional | ParameterKind::Repeated),
        default: String::new(),
        is_repeated: matches!(parameter.kind, ParameterKind::Repeated | ParameterKind::RequiredRepeated),
    });
    let block = signature.block.as_ref().map(|block| CallBlock {
        type_text: block.type_text.to_string(),
        is_optional: matches!(block.ty, Type::Optional(_)),
        sizes: block_sizes(&block.ty),
    });
    let returns = text.rsplit_once(">>").map_or("", |(_, returns)| returns.trim()).to_owned();
    CallSignature { parameters: parameters.collect(), block, returns }
}

fn block_sizes(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Optional(Some(ty)) => block_sizes(ty),
        Type::Callable(callable) => {
            let size = callable.parameters.as_ref()?.size();
            Some((size.min, size.max))
        }
        _ => None,
    }
}

/// Returns the documentation of a Ruby function, else that of its first documented signature.
fn of_plugin(function: &plugins::RubyFunction) -> Option<String> {
    let of_signatures = function.signatures.iter().map(|it| &it.documentation);
    let mut texts = std::iter::once(&function.documentation).chain(of_signatures);
    Some(descriptions::as_markdown(texts.find(|it| !it.trim().is_empty())?))
}

/// Returns the signatures of a Ruby function; for a 3.x function, and for one that could not be read, as far
/// as they are known.
fn written_in_ruby(db: &dyn Db, file: Option<File>, function: &plugins::RubyFunction) -> Vec<CallSignature> {
    let any = |name: String, is_repeated: bool| CallParameter {
        name,
        type_text: "Any".to_owned(),
        ty: Some(Type::Any),
        is_optional: is_repeated,
        default: String::new(),
        is_repeated,
    };
    if let FunctionApi::V3 { arity, .. } = function.api {
        let required = if arity < 0 { -(arity + 1) } else { arity };
        let mut parameters: Vec<CallParameter> =
            (1..=required.clamp(0, 20)).map(|number| any(format!("argument{number}"), false)).collect();
        if arity < 0 {
            parameters.push(any("arguments".to_owned(), true));
        }
        return vec![CallSignature { parameters, block: None, returns: String::new() }];
    }
    let with_types = |world: Option<&World<'_>>| {
        let parse = |text: &str| {
            let local = function.local_types.iter().find(|(name, _)| name == text);
            let text = local.map_or(text, |(_, meant)| meant);
            (text.to_owned(), world.and_then(|world| types::parse::parse_type(text, world).ok()))
        };
        let signature = |signature: &plugins::WrittenSignature| {
            let parameters = signature.parameters.iter().map(|parameter| {
                let (type_text, ty) = parse(&parameter.type_text);
                CallParameter {
                    name: parameter.name.to_string(),
                    type_text,
                    ty,
                    is_optional: matches!(parameter.kind, ParameterKind::Optional | ParameterKind::Repeated),
                    default: String::new(),
                    is_repeated: matches!(
                        parameter.kind,
                        ParameterKind::Repeated | ParameterKind::RequiredRepeated
                    ),
                }
            });
            let block = signature.block.as_ref().map(|block| CallBlock {
                type_text: block.type_text.to_string(),
                is_optional: !block.is_required,
                sizes: parse(&block.type_text).1.as_ref().and_then(block_sizes),
            });
            let returns = signature.return_type.as_deref().unwrap_or_default().to_owned();
            CallSignature { parameters: parameters.collect(), block, returns }
        };
        function.signatures.iter().map(signature).collect::<Vec<_>>()
    };
    // Types are resolved in the environment of the function's module.
    let main = file.map(|file| DefinitionId::new(db, file, hir::DefinitionKey::main()));
    let typed = main.and_then(|main| compile::with_world(db, main, |world| with_types(Some(world))));
    let mut signatures = typed.unwrap_or_else(|| with_types(None));
    if function.is_incomplete && signatures.iter().all(|it| it.parameters.is_empty()) {
        let parameters = vec![any("arguments".to_owned(), true)];
        signatures = vec![CallSignature { parameters, block: None, returns: String::new() }];
    }
    signatures
}

fn written_in_puppet(db: &dyn Db, definition: DefinitionId) -> Option<CallSignature> {
    let signature = project::signature(db, definition).as_ref()?;
    let parameters = crate::parameters::parameters(db, definition);
    let parsed = compile::with_world(db, definition, |world| {
        let ty = |it: &crate::parameters::ParameterText| types::parse::parse_type(&it.type_text, world).ok();
        parameters.iter().map(ty).collect::<Vec<_>>()
    });
    let parsed = parsed.unwrap_or_default().into_iter().chain(std::iter::repeat(None));
    let parameters = parameters.iter().zip(parsed).map(|(parameter, ty)| CallParameter {
        name: parameter.name.to_string(),
        type_text: parameter.type_text.clone(),
        // A repeated parameter may be declared with the type of one value or of an array of them.
        ty: ty.filter(|_| !parameter.is_repeated),
        is_optional: !parameter.is_required(),
        default: parameter.default.clone().map(short).unwrap_or_default(),
        is_repeated: parameter.is_repeated,
    });
    let parameters = parameters.collect();
    let returns = signature.return_type.map(|_| crate::parameters::return_type(db, definition));
    Some(CallSignature { parameters, block: None, returns: returns.flatten().unwrap_or_default() })
}

fn short(text: String) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the signatures of a constructor. Some also accept a hash, whose keys are the parameter names.
pub fn constructor(callables: &[CallableType], env: &dyn TypeEnvironment) -> Vec<CallSignature> {
    let names = |count: usize| {
        let keys = callables.iter().filter_map(|callable| match &*callable.parameters.as_ref()?.types {
            [Type::Struct(members)] if members.len() == count => Some(members),
            _ => None,
        });
        keys.into_iter().next()
    };
    let signature = |callable: &CallableType| {
        let mut parameters = Vec::new();
        if let Some(tuple) = &callable.parameters {
            let size = tuple.size();
            let count = tuple.types.len();
            for (index, ty) in tuple.types.iter().enumerate() {
                let key = names(count).and_then(|members| members.get(index)).map(|it| it.name.to_string());
                parameters.push(CallParameter {
                    name: key.unwrap_or_else(|| {
                        if index == 0 { "from".to_owned() } else { format!("argument{}", index + 1) }
                    }),
                    type_text: types::display::type_text(ty, env),
                    ty: Some(ty.clone()),
                    is_optional: index as i64 >= size.min,
                    default: String::new(),
                    is_repeated: index + 1 == count && size.max > count as i64,
                });
            }
        }
        let returns =
            callable.returns.as_ref().map(|ty| types::display::type_text(ty, env)).unwrap_or_default();
        CallSignature { parameters, block: None, returns }
    };
    callables.iter().map(signature).collect()
}

impl CallSignature {
    /// Returns the label `name(Type $a, Type $b) >> Type`, and the byte range of each parameter in it.
    pub fn label(&self, name: &str) -> (String, Vec<std::ops::Range<usize>>) {
        let mut label = format!("{name}(");
        let mut ranges = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            if index > 0 {
                label.push_str(", ");
            }
            let start = label.len();
            label.push_str(&parameter.text());
            ranges.push(start..label.len());
        }
        if let Some(block) = &self.block {
            if !self.parameters.is_empty() {
                label.push_str(", ");
            }
            label.push_str(&block.type_text);
            label.push_str(" &$block");
        }
        label.push(')');
        if !self.returns.is_empty() {
            label.push_str(" >> ");
            label.push_str(&self.returns);
        }
        (label, ranges)
    }

    /// Returns the index of the parameter that takes the argument with a given index.
    pub fn parameter_at(&self, index: usize) -> Option<usize> {
        match self.parameters.last() {
            Some(last) if last.is_repeated => Some(index.min(self.parameters.len() - 1)),
            _ => (index < self.parameters.len()).then_some(index),
        }
    }

    fn required(&self) -> usize {
        self.parameters.iter().filter(|it| !it.is_optional).count()
    }

    /// Returns the number of leading arguments that this signature accepts.
    pub fn fitting_arguments(&self, arguments: &KnownArguments, world: &World<'_>) -> usize {
        let fits = |(index, value): (usize, &Option<Value>)| {
            let Some(parameter) = self.parameter_at(index) else { return false };
            match (&self.parameters[parameter].ty, value) {
                (Some(ty), Some(value)) => types::assign::fits(ty, value, world) != Fit::Never,
                _ => true,
            }
        };
        arguments.values.iter().enumerate().take_while(|it| fits(*it)).count()
    }

    /// Checks whether these arguments could be (the beginning of) a call with this signature.
    pub fn fits(&self, arguments: &KnownArguments, world: &World<'_>) -> Fit {
        if arguments.is_complete && arguments.values.len() < self.required() {
            return Fit::Never;
        }
        match (&self.block, arguments.lambda) {
            (None, Some(_)) => return Fit::Never,
            (Some(block), None) if arguments.is_complete && !block.is_optional => return Fit::Never,
            (Some(CallBlock { sizes: Some((min, max)), .. }), Some(lambda))
                if lambda < *min || lambda > *max =>
            {
                return Fit::Never;
            }
            _ => {}
        }
        let mut fit = Fit::Always;
        for (index, value) in arguments.values.iter().enumerate() {
            let Some(parameter) = self.parameter_at(index) else { return Fit::Never };
            let (Some(ty), Some(value)) = (&self.parameters[parameter].ty, value) else {
                fit = Fit::Maybe;
                continue;
            };
            match types::assign::fits(ty, value, world) {
                Fit::Never => return Fit::Never,
                Fit::Maybe => fit = Fit::Maybe,
                Fit::Always => {}
            }
        }
        fit
    }
}

impl CallParameter {
    /// Returns the parameter as written in a signature.
    pub fn text(&self) -> String {
        let default = if self.default.is_empty() { "…" } else { &self.default };
        let default = (self.is_optional && !self.is_repeated).then_some(default);
        parameters::format_parameter(&self.type_text, self.is_repeated, &self.name, default)
    }
}

/// Returns the index of the signature that a call uses: the first that certainly fits, else the first that
/// may.
pub fn applicable_signature(
    signatures: &[CallSignature],
    arguments: &KnownArguments,
    world: &World<'_>,
) -> Option<usize> {
    let fits: Vec<Fit> = signatures.iter().map(|it| it.fits(arguments, world)).collect();
    let first = |wanted: Fit| fits.iter().position(|fit| *fit == wanted);
    first(Fit::Always).or_else(|| first(Fit::Maybe))
}

/// Returns the values of a call's arguments, given the recorded values of their expressions.
pub fn argument_values<'f>(
    recorded_values: impl Iterator<Item = Option<RecordedValue>> + 'f,
    world: &World<'_>,
) -> Vec<Option<Value>> {
    recorded_values
        .map(|recorded| recorded.map(|recorded| crate::recorded_value::value_of(&recorded, world)))
        .collect()
}
