//! Overlap check: common values of two types.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{
    element_of, entry_of, is_assignable, is_instance, iterable, length, matching, size_of_tuple, unfold_alias,
};
use crate::environment::TypeEnvironment;
use crate::object::ObjectType;
use crate::ty::{EnumType, IntegerRange, StructKey, StructMember, TimeRange, TupleType, Type, WideRange};
use crate::value::Value;

/// Returns true if some value is an instance of both types, or if that is uncertain.
pub fn overlaps(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> bool {
    Overlap { env, unfolding: Vec::new(), cycles: 0, apart: FxHashSet::default(), steps: 0, depth: 0 }.check(
        a,
        b,
        Undef::Counts,
    )
}

/// Treatment of `undef` as a common value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Undef {
    Counts,
    DoesNotCount,
}

/// Maximum number of steps of one check, after which the types may overlap.
const STEP_LIMIT: u32 = 20_000;
const DEPTH_LIMIT: u32 = 256;

struct Overlap<'env> {
    env: &'env dyn TypeEnvironment,
    /// Pairs whose check is in progress. A pair that depends on itself has no finite value.
    unfolding: Vec<(Type, Type, Undef)>,
    /// Number of recursive pairs encountered so far.
    cycles: u32,
    /// Pairs without a common value, independent of the checks in progress.
    apart: FxHashSet<(Type, Type, Undef)>,
    steps: u32,
    depth: u32,
}

impl Overlap<'_> {
    fn check(&mut self, a: &Type, b: &Type, undef: Undef) -> bool {
        self.steps += 1;
        if self.steps > STEP_LIMIT || self.depth >= DEPTH_LIMIT {
            return true;
        }
        let has_no_values = |ty: &Type| matches!(ty, Type::Variant(types) if types.is_empty());
        if has_no_values(a) || has_no_values(b) {
            return false;
        }
        self.depth += 1;
        let answer = match self.check_composite(a, b, undef).or_else(|| self.check_composite(b, a, undef)) {
            Some(answer) => answer,
            None => self.check_simple(a, b, undef),
        };
        self.depth -= 1;
        answer
    }

    /// Checks a pair in which `a` is a composite type; returns `None` if it is not.
    fn check_composite(&mut self, a: &Type, b: &Type, undef: Undef) -> Option<bool> {
        Some(match a {
            Type::Variant(types) => types.iter().any(|ty| self.check(ty, b, undef)),
            Type::Optional(inner) => {
                self.check(&Type::Undef, b, undef)
                    || inner.as_deref().is_some_and(|inner| self.check(inner, b, undef))
            }
            Type::NotUndef(None) => self.check(&Type::Any, b, Undef::DoesNotCount),
            Type::NotUndef(Some(inner)) => self.check(inner, b, Undef::DoesNotCount),
            Type::Alias(name) if name == crate::ty::BARE_ALIAS => false,
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                let Some(unfolded) = unfold_alias(a, self.env) else { return Some(true) };
                let pair = (a.clone(), b.clone(), undef);
                if self.apart.contains(&pair) {
                    return Some(false);
                }
                if self.unfolding.contains(&pair) {
                    self.cycles += 1;
                    return Some(false);
                }
                let cycles_before = self.cycles;
                self.unfolding.push(pair);
                let answer = self.check(&unfolded, b, undef);
                let pair = self.unfolding.pop();
                if !answer && self.cycles == cycles_before {
                    self.apart.extend(pair);
                }
                answer
            }
            Type::Unit | Type::Reference(_) | Type::Init(_) => true,
            _ => return None,
        })
    }

    fn check_simple(&mut self, a: &Type, b: &Type, undef: Undef) -> bool {
        if let (Type::Any, other) | (other, Type::Any) = (a, b) {
            return undef == Undef::Counts || *other != Type::Undef;
        }
        if !a.kinds(self.env).intersects(b.kinds(self.env)) {
            return false;
        }
        match (a, b) {
            (Type::Undef, Type::Undef) => undef == Undef::Counts,
            (Type::Integer(a), Type::Integer(b)) => a.intersect(*b).is_some(),
            (Type::Integer(_) | Type::WideInteger(_), Type::Integer(_) | Type::WideInteger(_)) => {
                WideRange::of(a).zip(WideRange::of(b)).is_none_or(|(a, b)| a.intersect(b).is_some())
            }
            (Type::Float(a), Type::Float(b)) => a.min.0.max(b.min.0) <= a.max.0.min(b.max.0),
            (Type::Boolean(a), Type::Boolean(b)) => a.is_none() || b.is_none() || a == b,
            (Type::Regexp(a), Type::Regexp(b)) => a.is_none() || b.is_none() || a == b,
            (Type::Timestamp(a), Type::Timestamp(b)) => times_overlap(a.as_deref(), b.as_deref()),
            (Type::Timespan(a), Type::Timespan(b)) => times_overlap(a.as_deref(), b.as_deref()),
            (Type::SemVer(a), Type::SemVer(b)) => matching::version_ranges_overlap(a, b),
            (Type::Sensitive(Some(a)), Type::Sensitive(Some(b))) => self.check(a, b, Undef::Counts),
            (Type::Type(a), Type::Type(b)) => match (a, b) {
                (Some(a), Some(b)) => {
                    is_assignable(a, b, self.env)
                        || is_assignable(b, a, self.env)
                        || self.check(a, b, Undef::Counts)
                }
                _ => true,
            },
            (Type::TypeSet(_), Type::Type(Some(other))) | (Type::Type(Some(other)), Type::TypeSet(_)) => {
                self.check(&Type::TypeSet(None), other, Undef::Counts)
            }
            (Type::Object(Some(a)), Type::Object(Some(b))) => self.objects_overlap(a, b),
            (Type::ObjectExtension(extension), other) | (other, Type::ObjectExtension(extension)) => {
                self.check(&extension.base, other, Undef::Counts)
            }
            // Common values are types that are assignable to each other.
            (Type::Class(a), Type::Class(b)) => a.is_none() || b.is_none() || a == b,
            (Type::Resource(_), Type::Resource(_)) => {
                is_assignable(a, b, self.env) || is_assignable(b, a, self.env)
            }
            (Type::Class(_), Type::Resource(_)) | (Type::Resource(_), Type::Class(_)) => false,
            (Type::Iterable(Some(element)), other) | (other, Type::Iterable(Some(element))) => {
                self.iterables_overlap(element, other)
            }
            _ if is_string_type(a) && is_string_type(b) => self.strings_overlap(a, b),
            _ => self.collections_overlap(a, b),
        }
    }

    fn objects_overlap(&mut self, a: &Arc<ObjectType>, b: &Arc<ObjectType>) -> bool {
        matching::inherits(a, b, self.env) || matching::inherits(b, a, self.env)
    }

    fn iterables_overlap(&mut self, element: &Type, other: &Type) -> bool {
        if matches!(other, Type::Iterable(_) | Type::Iterator(_)) || may_be_empty(other) {
            return true;
        }
        match iterable::elements_of_type(other, false) {
            Some(Some(given)) => self.check(element, &given, Undef::Counts),
            _ => true,
        }
    }

    fn strings_overlap(&mut self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::LiteralString(text), other) | (other, Type::LiteralString(text)) => {
                has_no_values(other) || is_instance(other, &Value::String(text.clone()), self.env)
            }
            (Type::Enum(a), Type::Enum(b)) => {
                a.values.is_empty()
                    || b.values.is_empty()
                    || a.values.iter().any(|value| has_in_any_case(b, value, a.case_insensitive))
            }
            (Type::Enum(values), other) | (other, Type::Enum(values)) => {
                values.values.is_empty()
                    || match other {
                        Type::String(range) => {
                            values.values.iter().any(|value| range.contains(length(value)))
                        }
                        _ if values.case_insensitive => true,
                        other => values
                            .values
                            .iter()
                            .any(|value| is_instance(other, &Value::String(value.clone()), self.env)),
                    }
            }
            (Type::String(a), Type::String(b)) => a.intersect(*b).is_some(),
            _ => true,
        }
    }

    fn collections_overlap(&mut self, a: &Type, b: &Type) -> bool {
        let (Some(size_a), Some(size_b)) =
            (super::size_of_collection(a, true), super::size_of_collection(b, true))
        else {
            return true;
        };
        let Some(size) = size_a.intersect(size_b) else { return false };
        match (a, b) {
            (Type::Struct(a), Type::Struct(b)) => self.structs_overlap(a, b) && self.structs_overlap(b, a),
            (Type::Struct(members), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(members)) => {
                let (key, value) = entry_of(hash);
                members.iter().filter(|member| member.key == StructKey::Required).all(|member| {
                    self.check(key, &Type::LiteralString(member.name.clone()), Undef::Counts)
                        && self.check(value, &member.value, Undef::Counts)
                })
            }
            (Type::Hash(a), Type::Hash(b)) => {
                size.min <= 0 || {
                    let ((key_a, value_a), (key_b, value_b)) = (entry_of(a), entry_of(b));
                    self.check(key_a, key_b, Undef::Counts) && self.check(value_a, value_b, Undef::Counts)
                }
            }
            _ => match (ElementTypes::of(a), ElementTypes::of(b)) {
                (Some(a), Some(b)) => {
                    let different = a.count().max(b.count());
                    let needed = different.min(usize::try_from(size.min).unwrap_or(0));
                    (0..needed).all(|at| self.check(a.at(at), b.at(at), Undef::Counts))
                }
                _ => true,
            },
        }
    }

    /// Returns true if instances of `b` may contain the members that `a` requires.
    fn structs_overlap(&mut self, a: &[StructMember], b: &[StructMember]) -> bool {
        a.iter().filter(|member| member.key == StructKey::Required).all(|member| {
            b.iter()
                .find(|other| other.name == member.name)
                .is_some_and(|other| self.check(&member.value, &other.value, Undef::Counts))
        })
    }
}

/// Element types of an array by position.
enum ElementTypes<'a> {
    All(&'a Type),
    Each(&'a TupleType),
}

impl<'a> ElementTypes<'a> {
    fn of(ty: &'a Type) -> Option<ElementTypes<'a>> {
        match ty {
            Type::Array(array) => Some(ElementTypes::All(element_of(array))),
            Type::Tuple(tuple) => Some(ElementTypes::Each(tuple)),
            _ => None,
        }
    }

    /// Returns the number of leading positions that may have distinct types.
    fn count(&self) -> usize {
        match self {
            ElementTypes::All(_) => 1,
            ElementTypes::Each(tuple) => tuple.types.len(),
        }
    }

    fn at(&self, index: usize) -> &'a Type {
        match self {
            ElementTypes::All(ty) => ty,
            ElementTypes::Each(tuple) => tuple.element(index).unwrap_or(&Type::Any),
        }
    }
}

fn is_string_type(ty: &Type) -> bool {
    matches!(ty, Type::String(_) | Type::LiteralString(_) | Type::Enum(_) | Type::Pattern(_))
}

/// Returns true for types to which Puppet assigns every string although they have no instances.
fn has_no_values(ty: &Type) -> bool {
    matches!(ty, Type::Enum(values) if values.values.is_empty())
}

fn has_in_any_case(values: &EnumType, text: &str, in_any_case: bool) -> bool {
    values.values.iter().any(|value| {
        if in_any_case || values.case_insensitive { value.eq_ignore_ascii_case(text) } else { value == text }
    })
}

fn times_overlap<T: PartialOrd>(a: Option<&TimeRange<T>>, b: Option<&TimeRange<T>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    let apart =
        |end: &Option<T>, start: &Option<T>| matches!((end, start), (Some(end), Some(start)) if end < start);
    !apart(&a.to, &b.from) && !apart(&b.to, &a.from)
}

fn may_be_empty(ty: &Type) -> bool {
    let size = match ty {
        Type::Tuple(tuple) => size_of_tuple(tuple),
        Type::Struct(members) => IntegerRange::of_struct(members),
        Type::Array(array) => array.size,
        Type::Hash(hash) => hash.size,
        Type::Collection(size) => *size,
        Type::String(_) | Type::Pattern(_) | Type::Enum(_) | Type::LiteralString(_) => return false,
        _ => IntegerRange::SIZE,
    };
    size.min <= 0
}
