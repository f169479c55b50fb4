//! Functions on strings that also accept arrays of strings. Specification: the chapter on strings.

use codes::Code;
use conversions::ruby::{capitalize, downcase};
use eval::{BuiltInFunction, Call, Outcome, Overload};
use types::{HashValue, IntegerRange, Kinds, Type, TypeEnvironment, Value};

use super::support::{function, known, open};

const NUMERIC: &str = "(Numeric $arg) >> Numeric";
const STRING: &str = "(String $arg) >> String";
const ITERABLE: &str = "(Iterable[Variant[String, Numeric]] $arg) >> Array[Variant[String, Numeric]]";
// Puppet declares a recursive alias; the implementation checks deeper levels.
const ARRAY: &str =
    "(Array[Variant[String, Numeric, Array, Hash]] $arg) >> Array[Variant[String, Numeric, Array, Hash]]";
const HASH: &str =
    "(Hash[Variant[String, Numeric, Array, Hash], Variant[String, Numeric, Array, Hash]] $arg) >> Hash";

const fn of_elements(call: fn(&mut Call) -> Outcome) -> [Overload; 3] {
    [open(NUMERIC, call), open(STRING, call), open(ITERABLE, call)]
}

const fn of_data(call: fn(&mut Call) -> Outcome) -> [Overload; 4] {
    [open(NUMERIC, call), open(STRING, call), open(ARRAY, call), open(HASH, call)]
}

static CAMELCASE: [Overload; 3] = of_elements(|call| change_elements(call, camelcase));
static CAPITALIZE: [Overload; 3] = of_elements(|call| change_elements(call, capitalize));
static CHOMP: [Overload; 3] = of_elements(|call| change_elements(call, |text| chomp(text).to_owned()));
static CHOP: [Overload; 3] = of_elements(|call| change_elements(call, |text| chop(text).to_owned()));
static LSTRIP: [Overload; 3] = of_elements(|call| change_elements(call, |text| lstrip(text).to_owned()));
static RSTRIP: [Overload; 3] = of_elements(|call| change_elements(call, |text| rstrip(text).to_owned()));
static STRIP: [Overload; 3] =
    of_elements(|call| change_elements(call, |text| rstrip(lstrip(text)).to_owned()));
static DOWNCASE: [Overload; 4] = of_data(|call| change_data(call, downcase));
static UPCASE: [Overload; 4] = of_data(|call| change_data(call, str::to_uppercase));

pub(super) static TABLE: &[BuiltInFunction] = &[
    function("camelcase", "Converts `foo_bar` to `FooBar`.", &CAMELCASE),
    function(
        "capitalize",
        "Converts the first letter to upper case, and the others to lower case.",
        &CAPITALIZE,
    ),
    function("chomp", "Removes the trailing line break.", &CHOMP),
    function("chop", "Removes the last character; `\\r\\n` counts as one.", &CHOP),
    function("lstrip", "Removes leading whitespace.", &LSTRIP),
    function("rstrip", "Removes trailing whitespace.", &RSTRIP),
    function("strip", "Removes leading and trailing whitespace.", &STRIP),
    function("downcase", "Converts a string, or all strings in an array or hash, to lower case.", &DOWNCASE),
    function("upcase", "Converts a string, or all strings in an array or hash, to upper case.", &UPCASE),
    function(
        "versioncmp",
        "Compares two package versions: returns -1, 0 or 1 if the first is older, equal or newer.",
        &[known(
            "(String $a, String $b, Boolean $ignore_trailing_zeroes = false) >> Integer[-1, 1]",
            |call| {
                let ignores_zeroes = call.argument(2) == &Value::Boolean(true);
                let ordering =
                    scalars::version_compare::version_compare(call.string(0), call.string(1), ignores_zeroes);
                Ok(Value::Integer(ordering as i64))
            },
        )],
    ),
    function(
        "length",
        "Returns the number of characters, elements, entries or bytes.",
        &[
            open("(Collection $arg) >> Integer[0]", length),
            open("(String $arg) >> Integer[0]", length),
            open("(Binary $arg) >> Integer[0]", length),
        ],
    ),
    function(
        "size",
        "Returns the number of characters, elements, entries or bytes.",
        &[open("(Variant[Collection, String, Binary] $arg) >> Integer[0]", length)],
    ),
    function(
        "empty",
        "Returns true if a string or collection is empty, or for `undef`.",
        &[
            open("(Collection $coll) >> Boolean", empty),
            open("(Sensitive[String] $str) >> Boolean", empty),
            open("(String $str) >> Boolean", empty),
            open("(Numeric $num) >> Boolean", empty),
            open("(Binary $bin) >> Boolean", empty),
            open("(Undef $x) >> Boolean", empty),
        ],
    ),
];

/// Applies `change` to a string or number, or to the elements of an iterable value.
fn change_elements(call: &mut Call, change: impl Fn(&str) -> String) -> Outcome {
    let changed = |value: &Value| match value {
        Value::String(text) => Value::string(change(text)),
        value => value.clone(),
    };
    let value = call.argument(0).clone();
    if !value.is_known() {
        return Ok(changed_unknown(call, &value));
    }
    match &value {
        Value::String(_) | Value::Integer(_) | Value::Float(_) => return Ok(changed(&value)),
        _ => {}
    }
    let elements = match &value {
        // Types have no elements in Ruby, although Puppet considers them iterable.
        Value::Type(_) => None,
        value => types::iterate::elements(value, call.env(), usize::MAX),
    };
    let Some(elements) = elements else {
        return Err(call.refuse(format!("argument of `{}()` is not iterable", call.function.name)));
    };
    let mut results = Vec::new();
    for element in elements {
        call.grow(results.len())?;
        results.push(changed(&element));
    }
    Ok(Value::array(results))
}

/// Returns the type of a changed unknown value: numbers stay, strings become other strings, and collections
/// keep their form.
fn changed_unknown(call: &Call, value: &Value) -> Value {
    let env = call.env();
    call.unknown(changed_type(&types::infer::infer_set(value, env), env, 0))
}

fn changed_type(ty: &Type, env: &dyn TypeEnvironment, depth: usize) -> Type {
    const MAX_DEPTH: usize = 32;
    let kinds = ty.kinds(env);
    let changed = |ty: &Type| changed_type(ty, env, depth + 1);
    match ty {
        _ if depth > MAX_DEPTH => Type::Any,
        Type::Variant(types) => types::common::union(types.iter().map(changed).collect::<Vec<_>>(), env),
        Type::Array(array) => Type::array(changed(&array.element), array.size),
        Type::Tuple(tuple) => Type::tuple(tuple.types.iter().map(changed).collect::<Vec<_>>(), tuple.size),
        Type::Hash(hash) => {
            // Two keys may become equal.
            let size = IntegerRange::new(hash.size.min.min(1), hash.size.max);
            Type::hash(changed(&hash.key), changed(&hash.value), size)
        }
        Type::Iterator(Some(element)) | Type::Iterable(Some(element)) => Type::array_of(changed(element)),
        Type::Integer(_) | Type::Float(_) | Type::Numeric => ty.clone(),
        _ if kinds == Kinds::STRING => Type::STRING,
        _ => Type::variant([
            Type::STRING,
            Type::Numeric,
            Type::array_of(Type::Any),
            Type::hash_of(Type::Any, Type::Any),
        ]),
    }
}

/// Applies `change` to a string or number, or to everything in an array or hash.
fn change_data(call: &mut Call, change: fn(&str) -> String) -> Outcome {
    let value = call.argument(0).clone();
    if !value.is_known() {
        return Ok(changed_unknown(call, &value));
    }
    call.weigh(&value)?;
    changed_data(call, &value, change)
}

fn changed_data(call: &Call, value: &Value, change: fn(&str) -> String) -> Outcome {
    Ok(match value {
        Value::String(text) => Value::string(change(text)),
        Value::Integer(_) | Value::Float(_) => value.clone(),
        Value::Array(elements) => {
            let changed: Outcome<Vec<Value>> =
                elements.iter().map(|element| changed_data(call, element, change)).collect();
            Value::array(changed?)
        }
        Value::Hash(entries) => {
            let mut changed = HashValue::default();
            for (key, value) in entries.iter() {
                changed.insert(changed_data(call, key, change)?, changed_data(call, value, change)?);
            }
            Value::Hash(changed.into())
        }
        other => {
            let ty = types::display::type_text(&types::infer::infer_generic(other, call.env()), call.env());
            let message = format!("expected a string or number for `{}()`, found `{ty}`", call.function.name);
            return Err(call.fail(Code::ArgumentMismatch, message));
        }
    })
}

fn camelcase(text: &str) -> String {
    text.split('_').map(capitalize).collect()
}

fn chomp(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

fn chop(text: &str) -> &str {
    let end = text.char_indices().next_back().map_or(0, |(at, _)| at);
    text.strip_suffix("\r\n").unwrap_or(&text[..end])
}

fn is_blank(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}

fn lstrip(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

fn rstrip(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

fn length(call: &mut Call) -> Outcome {
    let value = call.argument(0);
    let length = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(elements) => elements.len(),
        Value::Hash(entries) => entries.len(),
        Value::Binary(bytes) => bytes.len(),
        value => {
            let size = types::sizes::size_of_type(&types::infer::infer(value, call.env()), call.env());
            return Ok(if size.min == size.max {
                Value::Integer(size.min)
            } else {
                call.unknown(Type::Integer(size))
            });
        }
    };
    Ok(Value::Integer(length as i64))
}

fn empty(call: &mut Call) -> Outcome {
    let is_empty = match call.argument(0) {
        Value::Undef => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(entries) => entries.is_empty(),
        Value::Binary(bytes) => bytes.is_empty(),
        Value::Sensitive(inner) if inner.is_known() => {
            matches!(&**inner, Value::String(text) if text.is_empty())
        }
        Value::Integer(_) | Value::Float(_) => {
            call.warn_once("Calling function empty() with Numeric value is deprecated.");
            false
        }
        value => return Ok(empty_of_unknown(call, value)),
    };
    Ok(Value::Boolean(is_empty))
}

fn empty_of_unknown(call: &Call, value: &Value) -> Value {
    let env = call.env();
    let kinds = value.kinds(env);
    let sized = Kinds::COLLECTION | Kinds::STRING | Kinds::BINARY;
    let inner = types::infer::infer(value, env);
    let size = types::sizes::size_of_type(&inner, env);
    let may_be_empty =
        kinds.intersects(Kinds::UNDEF | Kinds::SENSITIVE) || kinds.intersects(sized) && size.min == 0;
    let may_have_content =
        kinds.intersects(Kinds::NUMBER | Kinds::SENSITIVE) || kinds.intersects(sized) && size.max > 0;
    match (may_be_empty, may_have_content) {
        (true, false) => Value::Boolean(true),
        (false, true) => Value::Boolean(false),
        _ => call.unknown(Type::BOOLEAN),
    }
}
