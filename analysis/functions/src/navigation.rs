//! Functions that follow a path into data: `dig`, `get` and `getvar`.

use codes::Code;
use std::sync::Arc;

use conversions::ruby;
use eval::{BuiltInFunction, Call, Exit, Outcome, VariableState, join_values};
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::assign::Fit;
use types::object::ObjectValue;
use types::{Kinds, Origin, Type, Value};

use super::support::{function, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "dig",
        "Returns the value at a path of keys and indices; `undef` if a part of the path is missing.",
        &[open("(Optional[Collection] $data, Any *$arg)", |call| {
            let keys = call.arguments.get(1..).unwrap_or_default().to_vec();
            let found = walk(call, call.argument(0).clone(), &keys)?;
            let found = found.map_err(|failure| call.refuse(failure.message))?;
            let variable = variable_name(call, 0);
            Ok(as_fact(call, variable.as_deref(), &keys, found.value))
        })],
    ),
    function(
        "get",
        "Returns the value at a dotted path (`a.0.b`), or a default; a block gets the error if the path leads through something other than a collection.",
        &[open(
            "(Any $value, String $dotted_string, Any $default_value = undef, Optional[Callable[1, 1]] &$block)",
            |call| {
                let (value, path) = (call.argument(0).clone(), call.argument(1).clone());
                let variable = variable_name(call, 0);
                navigate(call, variable.as_deref(), value, &path)
            },
        )],
    ),
    function(
        "getvar",
        "Returns the variable of that name, the value at a dotted path in it, or a default.",
        &[open(
            r"(Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, Any $default_value = undef, Optional[Callable[1, 1]] &$block)",
            getvar,
        )],
    ),
];

/// Reason that a path cannot be followed.
struct NavigationFailure {
    message: String,
    issue_code: &'static str,
    walked: Vec<Value>,
    /// Key and type of the value at fault, as reported in the details of the error.
    culprit: (&'static str, Type),
}

/// Result of following a path.
struct Walked {
    value: Value,
    /// True if some of the possible values have no such path.
    may_fail: bool,
}

/// Follows a path. The inner error is one that `get` can pass to its block.
fn walk(call: &mut Call, data: Value, keys: &[Value]) -> Outcome<Result<Walked, NavigationFailure>> {
    let mut current = data;
    let mut walked = Vec::new();
    let mut may_fail = false;
    for key in keys {
        call.step(1)?;
        if current.is_undef() || key.is_undef() {
            return Ok(Ok(Walked { value: Value::Undef, may_fail }));
        }
        if let Value::Unknown(unknown) = &current {
            let kinds = unknown.ty.kinds(call.env());
            let takes_key = |kind: Kinds| match kind {
                Kinds::ARRAY => key.kinds(call.env()).intersects(Kinds::INTEGER),
                _ => true,
            };
            let fitting: Kinds = [Kinds::UNDEF, Kinds::ARRAY, Kinds::HASH]
                .into_iter()
                .filter(|kind| kinds.intersects(*kind) && takes_key(*kind))
                .fold(Kinds::empty(), |all, kind| all | kind);
            may_fail |=
                fitting != kinds || !matches!(key, Value::Integer(_)) && kinds.intersects(Kinds::ARRAY);
            if fitting.is_empty() {
                walked.push(key.clone());
                return Ok(Err(if kinds.intersects(Kinds::COLLECTION) {
                    NavigationFailure::no_index(call, walked, key)
                } else {
                    NavigationFailure::no_collection(call, walked, &current)
                }));
            }
            current = step_into_unknown(call, &current, key, fitting);
            continue;
        }
        if !matches!(current, Value::Array(_) | Value::Hash(_)) {
            return Ok(Err(NavigationFailure::no_collection(call, walked, &current)));
        }
        walked.push(key.clone());
        current = match part(call, &current, key) {
            Some(part) => part,
            None => return Ok(Err(NavigationFailure::no_index(call, walked, key))),
        };
    }
    Ok(Ok(Walked { value: current, may_fail }))
}

/// Returns the part of an array or hash at a key; `None` if the key is not an index of an array.
fn part(call: &Call, current: &Value, key: &Value) -> Option<Value> {
    Some(match (current, key) {
        (_, Value::Unknown(_)) => {
            let elements: Vec<Value> = match current {
                Value::Array(elements) => elements.to_vec(),
                Value::Hash(entries) => entries.values().cloned().collect(),
                _ => Vec::new(),
            };
            let origin = key.least_trustworthy().unwrap_or(Origin::Join);
            join_values(elements.into_iter().chain([Value::Undef]), origin, call.env())
        }
        (Value::Array(elements), Value::Integer(index)) => {
            let length = elements.len() as i64;
            let index = if *index < 0 { index.saturating_add(length) } else { *index };
            let element = usize::try_from(index).ok().and_then(|index| elements.get(index));
            element.cloned().unwrap_or(Value::Undef)
        }
        (Value::Array(_), _) => return None,
        (Value::Hash(entries), key) => match entries.find(key) {
            Some(value) => value.clone(),
            // An unknown key may be equal to this one.
            None if entries.keys().any(|key| !key.is_known()) => call.unknown(Type::Any),
            None => Value::Undef,
        },
        _ => Value::Undef,
    })
}

/// Returns the part of an unknown value at a key, assuming that the value is of one of the `fitting` kinds.
fn step_into_unknown(call: &Call, current: &Value, key: &Value, fitting: Kinds) -> Value {
    let Value::Unknown(unknown) = current else { return Value::Undef };
    let env = call.env();
    let wanted = match (fitting.intersects(Kinds::ARRAY), fitting.intersects(Kinds::HASH)) {
        (true, true) => Type::Collection(types::IntegerRange::SIZE),
        (true, false) => Type::array_of(Type::Any),
        (false, true) => Type::hash_of(Type::Any, Type::Any),
        (false, false) => return Value::Undef,
    };
    let collection = types::narrow::intersect(&unknown.ty, &wanted, env);
    let mut ctx = operators::OperationContext::new(env, call.evaluator.world.settings.strict);
    let collection = Value::unknown(collection, unknown.origin);
    let part = operators::access(&collection, std::slice::from_ref(key), &mut ctx);
    let part = part.unwrap_or_else(|_| Value::unknown(Type::Any, unknown.origin));
    match types::assign::fits(&Type::Undef, &part, env) {
        Fit::Always => Value::Undef,
        _ => join_values([part, Value::Undef], unknown.origin, env),
    }
}

impl NavigationFailure {
    fn new(
        call: &Call,
        walked: Vec<Value>,
        role: &'static str,
        culprit: &Value,
        issue_code: &'static str,
        sentence: &str,
    ) -> NavigationFailure {
        let env = call.env();
        let ty = types::infer::infer(culprit, env);
        let path = ruby::inspect(&Value::array(walked.clone()), env).unwrap_or_default();
        let text = types::display::expanded_type_text(&ty, env);
        let message = format!("{sentence} at {path}, got '{text}'");
        NavigationFailure { message, issue_code, walked, culprit: (role, ty) }
    }

    // These messages are values that a program can read.
    fn no_collection(call: &Call, walked: Vec<Value>, culprit: &Value) -> NavigationFailure {
        let sentence = "The given data does not contain a Collection";
        NavigationFailure::new(call, walked, "value_type", culprit, "EXPECTED_COLLECTION", sentence)
    }

    fn no_index(call: &Call, walked: Vec<Value>, culprit: &Value) -> NavigationFailure {
        let sentence = "The given data requires an Integer index";
        NavigationFailure::new(call, walked, "index_type", culprit, "EXPECTED_INTEGER_INDEX", sentence)
    }

    /// Converts the failure to the `Error` that a block gets.
    fn into_error(self, call: &Call) -> Value {
        let (role, ty) = self.culprit;
        let details = Value::hash([
            (Value::string("walked_path"), Value::array(self.walked)),
            (Value::string(role), Value::ty(ty)),
        ]);
        // Built without its constructor, which would reject a type among the details.
        let error = types::object::built_in_named_type("error").map(|error| error.ty);
        let Some(Type::Object(Some(ty))) = error else { return call.unknown(Type::Any) };
        let attributes = [
            ("msg", Value::string(self.message)),
            ("kind", Value::string("SLICE_ERROR")),
            ("details", details),
            ("issue_code", Value::string(self.issue_code)),
        ];
        let names = attributes.iter().map(|(name, _)| SmolStr::new_static(name)).collect();
        let values = attributes.into_iter().map(|(_, value)| value).collect();
        Value::Object(Arc::new(ObjectValue { ty, names, values }))
    }
}

/// Implements `get` for a value that is already evaluated, named `variable` if it is one; default and block
/// are those of the call.
fn navigate(call: &mut Call, variable: Option<&str>, value: Value, path: &Value) -> Outcome {
    let default = default_value(call);
    if value.is_undef() {
        return Ok(default);
    }
    let Value::String(path) = path else { return Ok(call.unknown(Type::Any)) };
    if path.is_empty() {
        return Ok(value);
    }
    let keys = split_path(call, path)?;
    if matches!(&value, Value::Unknown(_))
        || matches!(&value, Value::Array(_) | Value::Hash(_))
        || value.is_undef()
    {
        return match walk(call, value, &keys)? {
            Ok(found) => {
                let found = Walked { value: as_fact(call, variable, &keys, found.value), ..found };
                let value = or_default(call, found.value, default);
                if call.block.is_none() || !found.may_fail {
                    return Ok(value);
                }
                let error = types::object::built_in_named_type("error").map_or(Type::Any, |error| error.ty);
                let origin = value.least_trustworthy().unwrap_or(Origin::Join);
                let error = Value::unknown(error, origin);
                call.fork(2, origin, |call, branch| match branch {
                    0 => Ok(value.clone()),
                    _ => call.call_block(std::slice::from_ref(&error)),
                })
            }
            Err(failure) if call.block.is_some() => {
                let error = failure.into_error(call);
                call.call_block(&[error])
            }
            Err(failure) => Err(call.refuse(failure.message)),
        };
    }
    // Puppet calls `dig`, which accepts collections only.
    let ty = types::display::type_text(&types::infer::infer_generic(&value, call.env()), call.env());
    Err(call.fail(Code::ArgumentMismatch, format!("expected an array or hash, found `{ty}`")))
}

/// Returns the name of the variable that is passed as an argument.
fn variable_name(call: &Call, index: usize) -> Option<SmolStr> {
    call.evaluator.top_variable_name(call.site, index)
}

/// Narrows the value at a path into a variable to the type of the fact.
pub(super) fn as_fact(call: &Call, variable: Option<&str>, keys: &[Value], value: Value) -> Value {
    if let (Value::Undef, Some("facts" | "::facts"), Some(Value::String(name))) =
        (&value, variable, keys.first())
        && call.evaluator.world.program.may_have_fact(name)
    {
        return Value::unknown(Type::Any, Origin::Fact);
    }
    let (Value::Unknown(unknown), Some(variable)) = (&value, variable) else { return value };
    if unknown.origin != Origin::Fact {
        return value;
    }
    let program = call.evaluator.world.program;
    let variable = variable.strip_prefix("::").unwrap_or(variable);
    let Some(mut ty) = program.type_of_element(variable, keys) else { return value };
    // If a prefix of the path may be missing, so may the value.
    let may_be_missing = (0..keys.len()).any(|count| {
        let before = program.type_of_element(variable, &keys[..count]);
        before.is_none_or(|ty| ty.kinds(call.env()).intersects(Kinds::UNDEF))
    });
    if may_be_missing {
        ty = Type::optional(ty);
    }
    Value::unknown(types::narrow::intersect(&unknown.ty, &ty, call.env()), unknown.origin)
}

fn default_value(call: &Call) -> Value {
    let index = if call.function.name == "get" { 2 } else { 1 };
    call.argument(index).clone()
}

/// Replaces `undef` by the default.
fn or_default(call: &Call, found: Value, default: Value) -> Value {
    let env = call.env();
    match &found {
        Value::Undef => default,
        Value::Unknown(unknown) if unknown.ty.kinds(env).intersects(Kinds::UNDEF) && !default.is_undef() => {
            let defined = types::narrow::exclude(&unknown.ty, &Type::Undef, env);
            join_values([Value::unknown(defined, unknown.origin), default], unknown.origin, env)
        }
        _ => found,
    }
}

/// Splits `a."b.c".0` into keys and indices.
fn split_path(call: &Call, path: &str) -> Outcome<Vec<Value>> {
    let malformed = |call: &Call| -> Exit { call.refuse("invalid path") };
    let separator = Regexp::new(r#"(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"#)
        .map_err(|error| call.refuse_pattern(&error))?;
    let index = Regexp::new(r"^(:?[+-]?[0-9]+)$").map_err(|error| call.refuse_pattern(&error))?;
    // A dummy first segment allows the path to begin with a quoted key.
    let parts = separator.split(&format!("x.{path}")).map_err(|error| call.refuse_pattern(&error))?;
    let Some((first, parts)) = parts.split_first() else { return Err(malformed(call)) };
    let keys: Vec<&String> = parts.iter().filter(|part| *part != ".").collect();
    if !first.is_empty() || parts.is_empty() || keys.len() * 2 != parts.len() + 1 {
        return Err(malformed(call));
    }
    let key_of = |part: &str| {
        let part = part.trim();
        match part.strip_prefix(['"', '\'']) {
            Some(quoted) => {
                let end = quoted.char_indices().next_back().map_or(0, |(at, _)| at);
                Value::string(&quoted[..end])
            }
            None if index.is_match(part).unwrap_or(false) => {
                i64::try_from(ruby::text_to_i(part)).map_or_else(|_| Value::string(part), Value::Integer)
            }
            None => Value::string(part),
        }
    };
    Ok(keys.into_iter().skip(1).map(|part| key_of(part)).collect())
}

fn getvar(call: &mut Call) -> Outcome {
    let Value::String(path) = call.argument(0).clone() else { return Ok(call.unknown(Type::Any)) };
    let end = path.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
    let (name, rest) = path.split_at(end);
    let rest = match rest.strip_prefix('.') {
        Some(rest) => rest,
        None if rest.is_empty() => rest,
        None => return Err(call.refuse("expected `.` after the name of the variable")),
    };
    let default = default_value(call);
    let path = Value::string(rest);
    call.evaluator.check_is_evaluated(call.site, name)?;
    call.evaluator.world.program.begin_element();
    match call.evaluator.slot_by_name(call.site.frame, name) {
        VariableState::Unset => Ok(default),
        VariableState::Set(value) => {
            let is_name = |key: &&str| key.starts_with(|it: char| it.is_ascii_lowercase());
            call.evaluator.note_path(&value, rest.split('.').take_while(is_name));
            navigate(call, Some(name), value, &path)
        }
        VariableState::Possible(value) => {
            let origin = value.least_trustworthy().unwrap_or(Origin::Join);
            let found = navigate(call, Some(name), value, &path)?;
            Ok(join_values([found, default], origin, call.env()))
        }
    }
}
