//! Types that `Init[T]` accepts: single values that the constructor of `T` takes.

use crate::assign::is_assignable;
use crate::constructor::{new_signatures, target};
use crate::environment::{TypeEnvironment, WithoutRefusals};
use crate::infer::infer_set;
use crate::ty::{InitType, IntegerRange, TupleType, Type};

/// Maximum nesting of constructors that are followed through `Init` types of their parameters.
const MAX_CONSTRUCTOR_DEPTH: u32 = 3;

/// Arguments that a constructor accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitArguments {
    /// Types of the only argument, or of the first argument if the `Init` has further arguments.
    pub single: Vec<Type>,
    /// Tuples of arguments that may be passed as an array.
    pub several: Vec<TupleType>,
    /// True if one of `several` also accepts a single argument.
    pub has_optional_single: bool,
}

/// Notes a refusal in the environment if Puppet fails to evaluate any question about this `Init`: its type
/// has no constructor, or the constructor does not accept its arguments.
pub(crate) fn note_if_refused(init: &InitType, env: &dyn TypeEnvironment) {
    let is_unknown = match init.ty {
        Type::Reference(_) => !env.knows_all_names(),
        Type::Object(_) => true,
        _ => false,
    };
    let is_refused = matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_));
    if is_refused || !is_unknown && target(&init.ty, env).is_none() {
        let text = crate::display::type_text(&init.ty, env);
        env.note_refusal(format!("`Init` does not support `{text}`, which has no constructor"));
        return;
    }
    if !is_unknown
        && !init.arguments.is_empty()
        && env.constructor_depth() == 0
        && init_arguments(init, env).single.is_empty()
    {
        let text = crate::display::type_text(&init.ty, env);
        env.note_refusal(format!("arguments of `Init` do not match the constructor of `{text}`"));
    }
}

/// Evaluates a question about types and returns its answer.
///
/// # Errors
/// The refusal, if Puppet would fail on an `Init` that the question depends on.
pub fn catch_refusal<T>(env: &dyn TypeEnvironment, ask: impl FnOnce() -> T) -> Result<T, String> {
    env.take_refusal();
    let answer = ask();
    env.take_refusal().map_or(Ok(answer), Err)
}

/// Returns the arguments that make an instance of the type, in addition to instances themselves. Returns no
/// arguments if no constructor takes the further arguments of the `Init`.
pub fn init_arguments(init: &InitType, env: &dyn TypeEnvironment) -> InitArguments {
    let mut takes = InitArguments { single: Vec::new(), several: Vec::new(), has_optional_single: false };
    if matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_))
        || env.constructor_depth() >= MAX_CONSTRUCTOR_DEPTH
    {
        return takes;
    }
    let env = &WithoutRefusals::of_constructor(env);
    let signatures = new_signatures(&init.ty, env).unwrap_or_default();
    let tuples = signatures.into_iter().filter_map(|signature| signature.parameters);
    if init.arguments.is_empty() {
        for tuple in tuples {
            if tuple.size() == IntegerRange::exactly(1) {
                takes.single.extend(tuple.types.first().cloned());
            } else {
                takes.has_optional_single |= tuple.size().min == 1;
                // Without types and size the tuple would accept anything.
                let size = if tuple.types.is_empty() { Some(IntegerRange::exactly(0)) } else { tuple.size };
                takes.several.push(TupleType { size, ..tuple });
            }
        }
        return takes;
    }
    let further: Vec<Type> = init.arguments.iter().map(|argument| infer_set(argument, env)).collect();
    for tuple in tuples {
        let Some(first) = tuple.types.first().cloned() else { continue };
        let given: Vec<Type> = std::iter::once(first.clone()).chain(further.iter().cloned()).collect();
        let fits = tuple.size().contains(given.len() as i64)
            && is_assignable(&Type::tuple(tuple.types, tuple.size), &Type::tuple(given, None), env);
        if fits {
            takes.single.push(first);
        }
    }
    takes
}
