//! `Init[T]`: what the constructor of `T` takes as one value.

use crate::assign::is_assignable;
use crate::constructor::{new_signatures, target};
use crate::environment::{TypeEnvironment, WithoutRefusals};
use crate::infer::infer_set;
use crate::ty::{InitType, IntegerRange, TupleType, Type};

/// How far constructors may lead to other constructors before nothing more is said of them.
const MAX_CONSTRUCTORS: u32 = 3;

/// What the constructor takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitArguments {
    /// Values that are its only, or with further arguments of the type its first, argument.
    pub single: Vec<Type>,
    /// Arrays of its arguments.
    pub several: Vec<TupleType>,
    /// One of `several` takes one argument, too.
    pub has_optional_single: bool,
}

/// Tells the environment when Puppet refuses to ask anything of the `Init`: where nothing can be made of its type, or not
/// with its arguments.
pub(crate) fn note_if_refused(init: &InitType, env: &dyn TypeEnvironment) {
    let is_unknown = match init.ty {
        Type::Reference(_) => !env.knows_all_names(),
        Type::Object(_) => true,
        _ => false,
    };
    let is_refused = matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_));
    if is_refused || !is_unknown && target(&init.ty, env).is_none() {
        let text = crate::display::type_text(&init.ty, env);
        env.note_refusal(format!("`Init` takes no {text}: values of that type cannot be made"));
        return;
    }
    if !is_unknown
        && !init.arguments.is_empty()
        && env.constructor_depth() == 0
        && init_arguments(init, env).single.is_empty()
    {
        let text = crate::display::type_text(&init.ty, env);
        env.note_refusal(format!("the further arguments of `Init` do not suit what makes a value of {text}"));
    }
}

/// The answer to a question about types, or why Puppet would refuse to give one.
///
/// # Errors
/// What an `Init` that was asked is refused for.
pub fn asked<T>(env: &dyn TypeEnvironment, ask: impl FnOnce() -> T) -> Result<T, String> {
    env.take_refusal();
    let answer = ask();
    env.take_refusal().map_or(Ok(answer), Err)
}

/// What makes an instance of the type, besides an instance. Nothing, if it has no constructor that takes the further
/// arguments.
pub fn init_arguments(init: &InitType, env: &dyn TypeEnvironment) -> InitArguments {
    let mut takes = InitArguments { single: Vec::new(), several: Vec::new(), has_optional_single: false };
    if matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_))
        || env.constructor_depth() >= MAX_CONSTRUCTORS
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
                // Without types and size it would take anything.
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
