//! Type mismatches that Puppet can describe.
//!
//! Parameters of a class, defined type or template are refused with a description of the mismatch: where
//! Puppet finds no description, it refuses nothing.

use types::assign::{Fit, fits, is_assignable, unfold_alias};
use types::common::normalize;
use types::infer::infer_set;
use types::ty::inner::for_each_inner;
use types::{IntegerRange, StructKey, StructMember, TupleType, Type, TypeEnvironment, Value};

const DEPTH_LIMIT: u32 = 64;

/// Like [`fits`] for a parameter given by name: a mismatch that Puppet cannot describe counts as a fit.
pub fn fits_parameter(ty: &Type, value: &Value, env: &dyn TypeEnvironment) -> Fit {
    match fits(ty, value, env) {
        Fit::Never if !is_describable(ty, &infer_set(value, env), env) => Fit::Always,
        fit => fit,
    }
}

/// Returns true if Puppet can describe the mismatch of a value of the type `actual`, which is not an instance
/// of `expected`.
fn is_describable(expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> bool {
    DescriptionSearch { env, depth: 0 }.described(expected, actual)
}

/// Wrapper around the described type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParameterWrapper {
    Nothing,
    Optional,
    Alias,
}

struct DescriptionSearch<'env> {
    env: &'env dyn TypeEnvironment,
    depth: u32,
}

impl DescriptionSearch<'_> {
    fn takes(&self, expected: &Type, actual: &Type) -> bool {
        is_assignable(expected, actual, self.env)
    }

    fn described(&mut self, expected: &Type, actual: &Type) -> bool {
        if self.depth >= DEPTH_LIMIT || names_unknown_type(expected) {
            return true;
        }
        self.depth += 1;
        let outside = match expected {
            Type::Optional(_) => ParameterWrapper::Optional,
            _ => ParameterWrapper::Nothing,
        };
        let found = self.kind_described(&normalize(expected, self.env), outside, actual);
        self.depth -= 1;
        found
    }

    fn kind_described(&mut self, expected: &Type, outside: ParameterWrapper, actual: &Type) -> bool {
        match expected {
            Type::Optional(None) => false,
            Type::Optional(Some(inner)) => {
                let outside =
                    if outside == ParameterWrapper::Alias { outside } else { ParameterWrapper::Optional };
                *actual != Type::Undef && self.kind_described(inner, outside, actual)
            }
            Type::Variant(types) => {
                // Puppet describes the alternative `undef` separately, but not within an alias.
                let is_optional = outside == ParameterWrapper::Optional;
                let mut alternatives = is_optional.then_some(&Type::Undef).into_iter().chain(types.iter());
                let has_any = is_optional || !types.is_empty();
                has_any && alternatives.all(|ty| self.described(ty, actual))
            }
            Type::Struct(members) => match actual {
                Type::Struct(given) => self.structs_described(members, given),
                _ => true,
            },
            Type::Hash(hash) => match actual {
                Type::Struct(given) => {
                    !hash.size.includes(IntegerRange::of_struct(given))
                        || given.iter().any(|member| {
                            let key = Type::LiteralString(member.name.clone());
                            self.inner_described(&hash.key, &key)
                                || self.inner_described(&hash.value, &member.value)
                        })
                }
                _ => true,
            },
            Type::Tuple(tuple) => expected != actual && self.tuple_described(tuple, actual),
            Type::Array(array) => match actual {
                Type::Tuple(given) => {
                    !array.size.includes(given.size())
                        || given.types.iter().any(|given| self.inner_described(&array.element, given))
                }
                _ => true,
            },
            // No parameter has values of these types.
            Type::Callable(_) | Type::Pattern(_) | Type::Enum(_) | Type::LiteralString(_) => true,
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                match unfold_alias(expected, self.env) {
                    Some(unfolded) if self.depth < DEPTH_LIMIT => {
                        self.depth += 1;
                        let unfolded = normalize(&unfolded, self.env);
                        let found = self.kind_described(&unfolded, ParameterWrapper::Alias, actual);
                        self.depth -= 1;
                        found
                    }
                    _ => true,
                }
            }
            ty => !self.takes(ty, actual),
        }
    }

    fn inner_described(&mut self, expected: &Type, actual: &Type) -> bool {
        !self.takes(expected, actual) && self.described(expected, actual)
    }

    fn structs_described(&mut self, expected: &[StructMember], given: &[StructMember]) -> bool {
        let is_unknown = |given: &StructMember| !expected.iter().any(|wanted| wanted.name == given.name);
        given.iter().any(is_unknown)
            || expected.iter().any(|wanted| match given.iter().find(|given| given.name == wanted.name) {
                None => wanted.key == StructKey::Required,
                Some(given) => self.inner_described(&wanted.value, &given.value),
            })
    }

    fn tuple_described(&mut self, expected: &TupleType, actual: &Type) -> bool {
        match actual {
            Type::Array(_) if expected.types.is_empty() => false,
            Type::Tuple(given) => {
                !expected.size().includes(given.size())
                    || given.types.iter().enumerate().any(|(index, given)| {
                        expected.element(index).is_some_and(|wanted| self.described(wanted, given))
                    })
            }
            Type::Array(given) => {
                !expected.size().includes(given.size)
                    || expected.types.iter().any(|wanted| self.described(wanted, &given.element))
            }
            _ => true,
        }
    }
}

/// Returns true if a type contains a reference to a missing type.
fn names_unknown_type(ty: &Type) -> bool {
    let mut waiting = vec![ty];
    while let Some(ty) = waiting.pop() {
        if matches!(ty, Type::Reference(_)) {
            return true;
        }
        for_each_inner(ty, &mut |inner| waiting.push(inner));
    }
    false
}
