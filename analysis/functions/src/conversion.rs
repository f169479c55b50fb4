//! Functions that create values of types, return types, and check them. Specification: the chapter on the
//! type system.

use codes::Code;
use eval::{BuiltInFunction, Call, MissingNameKind, Outcome, RUNTIME_ERROR};
use types::assign::{Fit, fits};
use types::constructor::ConversionErrorKind;
use types::{Kinds, Type, TypeEnvironment, Value};

use super::support::{function, known, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "new",
        "Creates a value of a type from the arguments, and passes it to the block if there is one.",
        &[open("(Type $type, Any *$args, Optional[Callable] &$block)", new)],
    ),
    function(
        "convert_to",
        "Converts a value to a type: `$x.convert_to(T)` is `T.new($x)`.",
        &[open("(Any $value, Type $type, Any *$args, Optional[Callable[1, 1]] &$block)", convert_to)],
    ),
    function(
        "assert_type",
        "Returns the value if it is of a type; otherwise fails, or returns the result of the block for the expected and the actual type.",
        &[
            open("(Type $type, Any $value, Optional[Callable[Type, Type]] &$block)", assert_type),
            open("(String $type_string, Any $value, Optional[Callable[Type, Type]] &$block)", assert_type),
        ],
    ),
    function(
        "type",
        "Returns the type of a value: the most specific one, a `reduced` or a `generalized` one.",
        &[
            open("(Any $value, Enum[detailed] $inference_method = 'detailed') >> Type", type_of),
            open("(Any $value, Enum[reduced] $inference_method) >> Type", type_of),
            open("(Any $value, Enum[generalized] $inference_method) >> Type", type_of),
        ],
    ),
    function(
        "unwrap",
        "Returns the content of a `Sensitive`, or any other value unchanged, and passes it to the block if there is one.",
        &[
            open("(Sensitive $arg, Optional[Callable] &$block)", unwrap),
            open("(Any $arg, Optional[Callable] &$block)", unwrap),
        ],
    ),
    function(
        "annotate",
        "Attaches annotations to a value, and returns them.",
        &[
            known("(Type[Annotation] $type, Any $value, Optional[Callable[0, 0]] &$block)", annotate),
            known(
                "(Type[Annotation] $type, Any $value, Variant[Enum[clear], Hash[Pcore::MemberName, Any]] $annotation_hash)",
                annotate,
            ),
            known(
                "(Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] $annotations)",
                annotate,
            ),
        ],
    ),
    function(
        "strftime",
        "Formats a timestamp or timespan.",
        &[
            known("(Timespan $time_object, String $format) >> String", strftime),
            known("(Timestamp $time_object, String $format, String $timezone = 'UTC') >> String", strftime),
            known("(String $format, String $timezone = 'UTC') >> String", strftime_of_now),
        ],
    ),
];

/// Creates an instance of a type from the arguments.
fn create_instance(call: &mut Call, ty: &Value, arguments: &[Value]) -> Outcome {
    let ty = match ty {
        Value::Type(ty) => ty,
        Value::Unknown(unknown) => {
            let instance = match &unknown.ty {
                Type::Type(Some(inner)) => (**inner).clone(),
                _ => Type::Any,
            };
            return Ok(call.unknown(instance));
        }
        _ => return Ok(call.unknown(Type::Any)),
    };
    let env = call.env();
    let made = types::object::init::catch_refusal(env, || conversions::new_instance(ty, arguments, env));
    let made = made.map_err(|why| call.refuse(why))?.map_err(|error| {
        let code = match error.kind {
            ConversionErrorKind::ArgumentMismatch | ConversionErrorKind::ResultMismatch => {
                Code::ArgumentMismatch
            }
            ConversionErrorKind::TooLarge => Code::TooLarge,
            ConversionErrorKind::NotSupported | ConversionErrorKind::Impossible => RUNTIME_ERROR,
        };
        call.fail(code, error.message)
    })?;
    if !made.is_known() && conversions::may_refuse(ty, arguments, env) {
        let target = types::display::type_text(ty, env);
        call.note_possible_failure(format!("the value cannot be converted to `{target}`"));
    }
    Ok(made)
}

fn new(call: &mut Call) -> Outcome {
    let (ty, arguments) = (call.argument(0).clone(), call.arguments.get(1..).unwrap_or_default().to_vec());
    let made = create_instance(call, &ty, &arguments)?;
    // Puppet returns an argument that already is an instance unchanged, and does not run the block.
    let is_handed_back = match (&ty, &arguments[..]) {
        (Value::Type(ty), [argument]) if !matches!(**ty, Type::Init(_)) => fits(ty, argument, call.env()),
        (Value::Unknown(_), [_]) => Fit::Maybe,
        _ => Fit::Never,
    };
    match is_handed_back {
        _ if call.block.is_none() => Ok(made),
        Fit::Always => Ok(made),
        Fit::Never => call.call_block(&[made]),
        Fit::Maybe => {
            let origin = made.least_trustworthy().unwrap_or(types::Origin::Join);
            call.fork(2, origin, |call, branch| match branch {
                0 => Ok(made.clone()),
                _ => call.call_block(std::slice::from_ref(&made)),
            })
        }
    }
}

fn convert_to(call: &mut Call) -> Outcome {
    let mut arguments = vec![call.argument(0).clone()];
    arguments.extend(call.arguments.iter().skip(2).cloned());
    let ty = call.argument(1).clone();
    let made = create_instance(call, &ty, &arguments)?;
    if call.block.is_some() { call.call_block(&[made]) } else { Ok(made) }
}

fn assert_type(call: &mut Call) -> Outcome {
    let env = call.env();
    let value = call.argument(1).clone();
    let ty = match call.argument(0) {
        Value::Type(ty) => (**ty).clone(),
        Value::String(text) => match types::parse::parse_type(text, env) {
            Ok(ty) => ty,
            Err(failure) => return Err(call.refuse(failure.to_string())),
        },
        _ => return assert_unknown_type(call, &value),
    };
    let program = call.evaluator.world.program;
    let fit = match &ty {
        // A type that does not exist has no instances.
        Type::Reference(name) if !program.may_define(MissingNameKind::Type, &hir::fold_name(name)) => {
            Fit::Never
        }
        ty => types::object::init::catch_refusal(env, || fits(ty, &value, env))
            .map_err(|why| call.refuse(why))?,
    };
    let actual = types::infer::infer_set(&value, env);
    match (fit, call.block) {
        (Fit::Always, _) => Ok(value),
        (Fit::Never, Some(_)) => {
            let actual = type_value(&value, actual);
            call.call_block(&[Value::ty(ty), actual])
        }
        (Fit::Never, None) => {
            let message = types::mismatch::describe_mismatch("assert_type():", &ty, &actual, env);
            Err(call.fail(Code::TypeMismatch, message))
        }
        (Fit::Maybe, block) => {
            let origin = value.least_trustworthy().unwrap_or(types::Origin::Join);
            let narrowed = Value::unknown(types::narrow::intersect(&actual, &ty, env), origin);
            if block.is_none() {
                let message = types::mismatch::describe_mismatch("assert_type():", &ty, &actual, env);
                call.note_possible_failure(message);
                return Ok(narrowed);
            }
            let actual = type_value(&value, actual);
            call.fork(2, origin, |call, branch| match branch {
                0 => Ok(narrowed.clone()),
                _ => call.call_block(&[Value::ty(ty.clone()), actual.clone()]),
            })
        }
    }
}

/// Returns the type `ty` of a value as a value. For an unknown value, the result is an unknown type: `ty` or a narrower one.
fn type_value(value: &Value, ty: Type) -> Value {
    match value.least_trustworthy() {
        Some(origin) => Value::unknown(Type::type_of(ty), origin),
        None => Value::ty(ty),
    }
}

fn assert_unknown_type(call: &mut Call, value: &Value) -> Outcome {
    if call.block.is_none() {
        return Ok(value.clone());
    }
    let unknown = call.unknown(Type::Type(None));
    let origin = unknown.least_trustworthy().unwrap_or(types::Origin::Join);
    call.fork(2, origin, |call, branch| match branch {
        0 => Ok(value.clone()),
        _ => call.call_block(&[unknown.clone(), unknown.clone()]),
    })
}

fn type_of(call: &mut Call) -> Outcome {
    let env = call.env();
    let value = call.argument(0);
    let method = call.argument(1);
    if !value.is_known() || !method.is_known() {
        return Ok(call.unknown(match (value, method) {
            (Value::Unknown(unknown), Value::Undef) => Type::type_of(unknown.ty.clone()),
            (Value::Unknown(unknown), Value::String(method)) if method == "detailed" => {
                Type::type_of(unknown.ty.clone())
            }
            _ => Type::Type(None),
        }));
    }
    Ok(Value::ty(match method.as_str() {
        Some("reduced") => types::infer::infer(value, env),
        Some("generalized") => types::infer::infer_generic(value, env),
        _ => types::infer::infer_set(value, env),
    }))
}

fn unwrap(call: &mut Call) -> Outcome {
    let env = call.env();
    let inside = match call.argument(0) {
        Value::Sensitive(inner) => {
            let inside = (**inner).clone();
            call.evaluator.diagnostics.note_unwrapped(&inside);
            inside
        }
        Value::Unknown(unknown) => Value::unknown(unwrapped_type(&unknown.ty, env), unknown.origin),
        value => value.clone(),
    };
    if call.block.is_some() { call.call_block(&[inside]) } else { Ok(inside) }
}

fn unwrapped_type(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Sensitive(Some(inner)) => (**inner).clone(),
        Type::Variant(types) => {
            types::common::union(types.iter().map(|ty| unwrapped_type(ty, env)).collect::<Vec<_>>(), env)
        }
        Type::Optional(Some(inner)) => types::common::union([unwrapped_type(inner, env), Type::Undef], env),
        ty if !ty.kinds(env).intersects(Kinds::SENSITIVE) => ty.clone(),
        _ => Type::Any,
    }
}

fn annotate(_: &mut Call) -> Outcome {
    Ok(Value::unknown(Type::Any, types::Origin::Ruby))
}

fn strftime(call: &mut Call) -> Outcome {
    let format = call.string(1);
    let text = match call.argument(0) {
        Value::Timespan(time) => time.format(format).map_err(|error| error.to_string()),
        Value::Timestamp(time) => {
            let zone = call.argument(2).as_str();
            time.format(format, zone).map_err(|error| error.to_string())
        }
        _ => return Ok(call.unknown(Type::STRING)),
    };
    text.map(Value::string).map_err(|message| call.refuse(message))
}

/// Returns an unknown string: no result may depend on the current time.
fn strftime_of_now(call: &mut Call) -> Outcome {
    call.warn_once(
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime documentation and Timespan type for more info",
    );
    // The validity of the format does not depend on the time.
    let some_time = scalars::timestamp::Timestamp { nanoseconds: 0 };
    if let Err(error) = some_time.format(call.string(0), call.argument(1).as_str()) {
        return Err(call.refuse(error.to_string()));
    }
    Ok(Value::unknown(Type::STRING, types::Origin::Fact))
}
