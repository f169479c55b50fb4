//! `Init[T]`: what the constructor of `T` takes as one value.

use crate::assign::is_assignable;
use crate::constructor::new_signatures;
use crate::environment::{OfConstructor, TypeEnvironment};
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

/// The `T` of an `Init[T]` that Puppet refuses to ask anything of, as no `T` can be made; `None` for other types.
pub fn refused_target<'t>(ty: &'t Type, env: &dyn TypeEnvironment) -> Option<&'t Type> {
    let Type::Init(Some(init)) = ty else { return None };
    let is_unknown = matches!(init.ty, Type::Reference(_) | Type::Object(_));
    let is_refused = matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_));
    (is_refused || !is_unknown && new_signatures(&init.ty, env).is_none()).then_some(&init.ty)
}

/// Why nothing is asked of an `Init` of that type.
pub fn refusal_text(target: &Type, env: &dyn TypeEnvironment) -> String {
    format!("`Init` takes no {}: values of that type cannot be made", crate::display::type_text(target, env))
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
    let env = &OfConstructor(env);
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
