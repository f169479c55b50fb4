//! Functions by their declarations: their bodies are not followed, because they are evaluated separately or
//! written in Ruby.

use std::cell::Cell;
use std::sync::Arc;

use eval::{Additions, DeclaredFunction, DeclaredSignature, Evaluator, FunctionCode, World};
use hir::DefinitionKind;
use plugins::built_in::bolt;
use plugins::{FunctionApi, RubyFunction, WrittenSignature};
use project::{Db, DefinitionId, File};
use types::{CallableType, IntegerRange, NamedType, Origin, TupleType, Type, TypeEnvironment};

use crate::project_program::ProjectProgram;
use crate::summaries;

/// Minimum remaining stack in bytes before evaluating another definition; below it, the stack grows by
/// [`STACK_INCREMENT`].
const MIN_STACK_LEFT: usize = 16 << 20;
const STACK_INCREMENT: usize = 64 << 20;

/// Returns the declaration that calls of a Puppet function are checked against. It stays the same as long as
/// its signature and return type do, so that its callers are not evaluated again.
#[salsa::tracked(returns(clone), cycle_initial = declared_in_cycle, cycle_fn = declared_of_cycle)]
pub(crate) fn declared_function(db: &dyn Db, definition: DefinitionId) -> Arc<DeclaredFunction> {
    let _span = tracing::info_span!("declared_function").entered();
    let summary = project::signature(db, definition);
    let name =
        summary.as_ref().map_or_else(|| definition.key(db).name.clone(), |summary| summary.name.clone());
    let names = summary.iter().flat_map(|it| it.parameters.iter()).map(|it| it.name.clone());
    let file = definition.file(db);
    let callable = file.environments(db).first().and_then(|environment| {
        let program = ProjectProgram::new(db, file, *environment, definition.key(db).kind);
        let world = World::new(&program, summaries::settings(db, *environment));
        Evaluator::new(&world).callable_of(&program.unit(definition)).ok()
    });
    // Errors in the signature are reported at the definition.
    let is_incomplete = callable.is_none();
    let callable = callable.map(|callable| match callable.returns {
        Some(_) => callable,
        // Functions that call functions are evaluated recursively, and such a chain may have any length.
        None => {
            let summary =
                stacker::maybe_grow(MIN_STACK_LEFT, STACK_INCREMENT, || summaries::summary(db, definition));
            with_returns(&callable, summary.returns.clone())
        }
    });
    let signature = |callable| DeclaredSignature { callable, names: names.collect() };
    let signatures = callable.map(signature).into_iter().collect();
    Arc::new(DeclaredFunction {
        name,
        signatures,
        is_incomplete,
        has_unresolved_types: false,
        additions: Additions::Nothing,
        may_fail: false,
        origin: Origin::Join,
        refusal: None,
        code: None,
    })
}

fn declared_in_cycle(db: &dyn Db, _: salsa::Id, definition: DefinitionId) -> Arc<DeclaredFunction> {
    let name = definition.key(db).name.clone();
    Arc::new(DeclaredFunction {
        name,
        signatures: Vec::new(),
        is_incomplete: true,
        has_unresolved_types: false,
        additions: Additions::Nothing,
        may_fail: false,
        origin: Origin::Join,
        refusal: None,
        code: None,
    })
}

/// Widens the return type of a recursive function to `Any`.
fn declared_of_cycle(
    _: &dyn Db,
    _: &salsa::Cycle,
    last: &Arc<DeclaredFunction>,
    value: Arc<DeclaredFunction>,
    _: DefinitionId,
) -> Arc<DeclaredFunction> {
    if *last == value {
        return value;
    }
    let widened = |signature: &DeclaredSignature| DeclaredSignature {
        callable: with_returns(&signature.callable, Type::Any),
        ..signature.clone()
    };
    Arc::new(DeclaredFunction {
        signatures: value.signatures.iter().map(widened).collect(),
        ..(*value).clone()
    })
}

fn with_returns(callable: &CallableType, returns: Type) -> Arc<CallableType> {
    Arc::new(CallableType { returns: Some(returns), ..callable.clone() })
}

/// Returns the declaration that calls of a Ruby function are checked against, given its index in its file.
#[salsa::tracked(returns(clone))]
pub(crate) fn declared_ruby_function(db: &dyn Db, file: File, index: usize) -> Option<Arc<DeclaredFunction>> {
    let function = project::ruby_function(db, file, index)?;
    let environment = *file.environments(db).first()?;
    let program = ProjectProgram::new(db, file, environment, DefinitionKind::Function);
    let world = World::new(&program, summaries::settings(db, environment));
    let signatures = match function.api {
        FunctionApi::V4 => {
            let signature = |it: &WrittenSignature| DeclaredSignature {
                callable: Arc::new(callable(function, it, &world)),
                names: it.parameters.iter().map(|it| it.name.clone()).collect(),
            };
            function.signatures.iter().map(signature).collect()
        }
        FunctionApi::V3 { is_statement, arity } => vec![DeclaredSignature {
            callable: Arc::new(old_callable(is_statement, arity)),
            names: Box::default(),
        }],
    };
    let is_incomplete = function.is_incomplete || signatures.is_empty();
    let has_unresolved_types = has_unresolved_types(function, &world);
    let name = function.name.clone();
    let refusal = function.refusal.clone();
    let (additions, may_fail, origin) = (additions(db, file), may_fail(db, file), Origin::Ruby);
    let code = project::ruby_program(db, file).map(|program| FunctionCode { program, api: function.api });
    Some(Arc::new(DeclaredFunction {
        name,
        signatures,
        is_incomplete,
        has_unresolved_types,
        additions,
        may_fail,
        origin,
        refusal,
        code,
    }))
}

/// Returns the declaration that calls of a function of Bolt are checked against in a plan, given its index in
/// [`bolt::functions`]. Bolt's object types have no values, so they accept anything.
#[salsa::tracked(returns(clone))]
pub(crate) fn declared_bolt_function(db: &dyn Db, file: File, index: usize) -> Option<Arc<DeclaredFunction>> {
    let function = bolt::functions().get(index)?;
    let environment = *file.environments(db).first()?;
    let program = ProjectProgram::new(db, file, environment, DefinitionKind::Function);
    let world = World::new(&program, summaries::settings(db, environment));
    let signature = |it: &WrittenSignature| {
        let mut written = it.clone();
        for parameter in &mut written.parameters {
            parameter.type_text = parameter.type_text.replace("Boltlib::TargetSpec", TARGETS).into();
        }
        DeclaredSignature {
            callable: Arc::new(callable(function, &written, &world)),
            names: it.parameters.iter().map(|it| it.name.clone()).collect(),
        }
    };
    Some(Arc::new(DeclaredFunction {
        name: function.name.clone(),
        signatures: function.signatures.iter().map(signature).collect(),
        is_incomplete: false,
        has_unresolved_types: false,
        additions: Additions::Nothing,
        may_fail: true,
        origin: Origin::Ruby,
        refusal: None,
        code: None,
    }))
}

/// Type that accepts at least the values of `Boltlib::TargetSpec`.
const TARGETS: &str = "Variant[String[1], Array, Object]";

/// Identifiers of Ruby code that adds resources to a catalog.
const RESOURCE_MARKERS: [&str; 4] =
    ["add_resource", "create_resources", "ensure_resource", "ensure_packages"];

/// Fragments of Ruby code that adds, or may add, classes to a catalog.
const CLASS_MARKERS: [&str; 10] = [
    "evaluate_classes",
    "function_include",
    "function_contain",
    "function_require",
    "'include'",
    "'contain'",
    "'class'",
    "\"class\"",
    ":class",
    "catalog",
];

/// Returns the kinds of additions that the code of a Ruby file may make to a catalog.
fn additions(db: &dyn Db, file: File) -> Additions {
    let Some(text) = project::text(db, file) else { return Additions::Classes };
    let has = |markers: &[&str]| markers.iter().any(|word| text.contains(word));
    match (has(&CLASS_MARKERS), has(&RESOURCE_MARKERS)) {
        (true, _) => Additions::Classes,
        (false, true) => Additions::Resources,
        (false, false) => Additions::Nothing,
    }
}

/// Returns true if the code of a Ruby file raises errors.
fn may_fail(db: &dyn Db, file: File) -> bool {
    project::text(db, file).is_none_or(|text| text.contains("raise") || text.contains("fail"))
}

fn callable(
    function: &RubyFunction,
    signature: &WrittenSignature,
    env: &dyn TypeEnvironment,
) -> CallableType {
    let of = |text: &str| type_of_text(function, text, env);
    let mut size = IntegerRange { min: 0, max: 0 };
    for parameter in &signature.parameters {
        let (min, max) = parameter.kind.counts();
        size = IntegerRange { min: size.min + min, max: size.max.saturating_add(max) };
    }
    let types: Box<[Type]> = signature.parameters.iter().map(|it| of(&it.type_text)).collect();
    // Without types and size, it would be the tuple that accepts anything.
    let is_exact = size == IntegerRange::exactly(types.len() as i64) && !types.is_empty();
    let block = signature.block.as_ref().map(|block| match (of(&block.type_text), block.is_required) {
        (ty, true) => ty,
        (ty, false) => Type::optional(ty),
    });
    CallableType {
        parameters: Some(TupleType { types, size: (!is_exact).then_some(size) }),
        block,
        returns: signature.return_type.as_ref().map(|text| of(text)),
    }
}

/// Returns the signature of a 3.x function: these count their arguments, and accept any block.
fn old_callable(is_statement: bool, arity: i32) -> CallableType {
    let size = match i64::from(arity) {
        exactly @ 0.. => IntegerRange::exactly(exactly),
        at_least => IntegerRange::new(-at_least - 1, i64::MAX),
    };
    let types: Box<[Type]> = if size.max > 0 { Box::new([Type::Any]) } else { Box::default() };
    CallableType {
        parameters: Some(TupleType { types, size: Some(size) }),
        block: Some(Type::Any),
        returns: is_statement.then_some(Type::Undef),
    }
}

/// Parses a type in a function's signature; returns `Any` if it contains an unknown name.
fn type_of_text(function: &RubyFunction, text: &str, env: &dyn TypeEnvironment) -> Type {
    let Some(text) = with_local_types(function, text, 0) else { return Type::Any };
    let known = KnownNames { env, is_missing: Cell::new(false) };
    match types::parse::parse_type(&text, &known) {
        Ok(ty) if !known.is_missing.get() => ty,
        _ => Type::Any,
    }
}

/// Parses a type; `None` if it contains an unknown name.
///
/// # Errors
/// If the text is not a type.
pub fn known_type(text: &str, env: &dyn TypeEnvironment) -> Result<Option<Type>, String> {
    let known = KnownNames { env, is_missing: Cell::new(false) };
    let ty = types::parse::parse_type(text, &known).map_err(|it| it.to_string())?;
    Ok((!known.is_missing.get()).then_some(ty))
}

/// Returns true if the type of a parameter or of the result cannot be resolved, so that Puppet may fail to load or to call the
/// function. Types that Puppet itself defines in Ruby are not known by name.
fn has_unresolved_types(function: &RubyFunction, env: &dyn TypeEnvironment) -> bool {
    let of_parameters = function.signatures.iter().flat_map(|it| &it.parameters).map(|it| &it.type_text);
    let of_blocks = function.signatures.iter().filter_map(|it| it.block.as_ref()).map(|it| &it.type_text);
    let of_results = function.signatures.iter().filter_map(|it| it.return_type.as_deref());
    of_parameters.chain(of_blocks).map(|it| it.as_str()).chain(of_results).any(|text| {
        let Some(text) = with_local_types(function, text, 0) else { return true };
        let known = KnownNames { env, is_missing: Cell::new(false) };
        types::parse::parse_type(&text, &known).is_err()
            || known.is_missing.get() && !text.contains("Puppet::")
    })
}

/// Substitutes the definitions of `local_types` for their names. `None` if the expansion does not end.
fn with_local_types(function: &RubyFunction, text: &str, depth: usize) -> Option<String> {
    const MAX_DEPTH: usize = 8;
    const MAX_LENGTH: usize = 10_000;
    if function.local_types.is_empty() {
        return Some(text.to_owned());
    }
    if depth > MAX_DEPTH {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut result = String::new();
    let mut rest = text;
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        let word_end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (part, remainder) = rest.split_at(if word_end > 0 { word_end } else { c.len_utf8() });
        let local = function.local_types.iter().find(|(name, _)| name == part);
        match (quote, local) {
            (None, Some((_, meaning))) => result.push_str(&with_local_types(function, meaning, depth + 1)?),
            _ => result.push_str(part),
        }
        match quote {
            None if matches!(c, '\'' | '"' | '/') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        if result.len() > MAX_LENGTH {
            return None;
        }
        rest = remainder;
    }
    Some(result)
}

/// Type environment that records unknown names: values may be instances of these types.
struct KnownNames<'a> {
    env: &'a dyn TypeEnvironment,
    is_missing: Cell<bool>,
}

impl TypeEnvironment for KnownNames<'_> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        let found = self.env.named_type(name);
        if found.is_none() && !self.env.resource_type_exists(name) {
            self.is_missing.set(true);
        }
        found
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        self.env.resource_type_exists(name)
    }
}
