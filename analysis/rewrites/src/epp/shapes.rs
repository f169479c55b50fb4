//! Kinds of values that an expression of a template may have.

use std::collections::BTreeSet;

use types::{Type, TypeEnvironment};

/// Maximum number of nested types that are followed.
const MAX_DEPTH: usize = 8;

/// Strings that an expression may be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Strings {
    #[default]
    None,
    /// Only these.
    Known(BTreeSet<String>),
    Any,
}

/// Set of the kinds of values that an expression may have. Every kind that is possible is set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ValueShape {
    pub(super) strings: Strings,
    pub(super) is_number: bool,
    pub(super) is_boolean: bool,
    pub(super) is_undef: bool,
    /// ValueShape of the elements of an array.
    pub(super) elements: Option<Box<ValueShape>>,
    /// Shapes of the keys and values of a hash.
    pub(super) entries: Option<Box<(ValueShape, ValueShape)>>,
    /// True if any other value is possible, or nothing is known.
    pub(super) is_other: bool,
}

impl ValueShape {
    /// Returns the shape of the values of a type.
    pub fn of(ty: &Type, env: &dyn TypeEnvironment) -> ValueShape {
        shape_of(ty, env, 0)
    }

    /// Returns the shape of any value.
    pub fn unknown() -> ValueShape {
        ValueShape::other()
    }

    /// Returns the shape of values of either one.
    pub fn joined(&self, other: &ValueShape) -> ValueShape {
        self.or(other)
    }

    pub(super) fn other() -> ValueShape {
        ValueShape { is_other: true, ..ValueShape::default() }
    }

    pub(super) fn string() -> ValueShape {
        ValueShape { strings: Strings::Any, ..ValueShape::default() }
    }

    pub(super) fn literal(text: &str) -> ValueShape {
        ValueShape { strings: Strings::Known(BTreeSet::from([text.to_owned()])), ..ValueShape::default() }
    }

    pub(super) fn number() -> ValueShape {
        ValueShape { is_number: true, ..ValueShape::default() }
    }

    pub(super) fn boolean() -> ValueShape {
        ValueShape { is_boolean: true, ..ValueShape::default() }
    }

    pub(super) fn undef() -> ValueShape {
        ValueShape { is_undef: true, ..ValueShape::default() }
    }

    pub(super) fn array(elements: ValueShape) -> ValueShape {
        ValueShape { elements: Some(Box::new(elements)), ..ValueShape::default() }
    }

    /// Returns true if no array, hash, or unknown value is possible.
    pub(super) fn is_scalar(&self) -> bool {
        self.elements.is_none() && self.entries.is_none() && !self.is_other
    }

    /// Returns true if only numbers are possible.
    pub(super) fn is_only_number(&self) -> bool {
        *self == ValueShape::number()
    }

    /// Returns true if a value can be a string.
    pub(super) fn may_be_string(&self) -> bool {
        self.strings != Strings::None || self.is_other
    }

    /// Returns the shape of the elements if the value can only be an array, or `undef`, on which methods fail.
    pub(super) fn only_array(&self) -> Option<&ValueShape> {
        let elements = self.elements.as_deref()?;
        let rest = ValueShape { elements: None, is_undef: false, ..self.clone() };
        (rest == ValueShape::default()).then_some(elements)
    }

    /// Returns the shapes of keys and values if the value can only be a hash, or `undef`.
    pub(super) fn only_hash(&self) -> Option<&(ValueShape, ValueShape)> {
        let entries = self.entries.as_deref()?;
        let rest = ValueShape { entries: None, is_undef: false, ..self.clone() };
        (rest == ValueShape::default()).then_some(entries)
    }

    /// Returns the shape of values of either one.
    pub(super) fn or(&self, other: &ValueShape) -> ValueShape {
        let strings = match (&self.strings, &other.strings) {
            (Strings::None, it) | (it, Strings::None) => it.clone(),
            (Strings::Known(a), Strings::Known(b)) => Strings::Known(a | b),
            _ => Strings::Any,
        };
        let both = |a: &Option<Box<ValueShape>>, b: &Option<Box<ValueShape>>| match (a, b) {
            (Some(a), Some(b)) => Some(Box::new(a.or(b))),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let entries = match (&self.entries, &other.entries) {
            (Some(a), Some(b)) => Some(Box::new((a.0.or(&b.0), a.1.or(&b.1)))),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        ValueShape {
            strings,
            is_number: self.is_number || other.is_number,
            is_boolean: self.is_boolean || other.is_boolean,
            is_undef: self.is_undef || other.is_undef,
            elements: both(&self.elements, &other.elements),
            entries,
            is_other: self.is_other || other.is_other,
        }
    }
}

fn shape_of(ty: &Type, env: &dyn TypeEnvironment, depth: usize) -> ValueShape {
    if depth > MAX_DEPTH {
        return ValueShape::other();
    }
    let inner = |ty: &Type| shape_of(ty, env, depth + 1);
    let all = |types: &mut dyn Iterator<Item = &Type>| {
        types.map(inner).fold(ValueShape::default(), |all, it| all.or(&it))
    };
    match ty {
        Type::Undef => ValueShape::undef(),
        Type::Unit => ValueShape::default(),
        Type::Numeric | Type::Integer(_) | Type::WideInteger(_) | Type::Float(_) => ValueShape::number(),
        Type::String(_) | Type::Pattern(_) => ValueShape::string(),
        Type::LiteralString(text) => ValueShape::literal(text),
        Type::Enum(it) if !it.case_insensitive && !it.values.is_empty() => {
            let values = it.values.iter().map(ToString::to_string).collect();
            ValueShape { strings: Strings::Known(values), ..ValueShape::default() }
        }
        Type::Enum(_) => ValueShape::string(),
        Type::Boolean(_) => ValueShape::boolean(),
        Type::ScalarData => ValueShape::string().or(&ValueShape::number()).or(&ValueShape::boolean()),
        Type::Array(it) => ValueShape::array(inner(&it.element)),
        Type::Tuple(it) => ValueShape::array(all(&mut it.types.iter())),
        Type::Hash(it) => ValueShape {
            entries: Some(Box::new((inner(&it.key), inner(&it.value)))),
            ..ValueShape::default()
        },
        Type::Struct(members) => {
            let keys = members.iter().map(|it| it.name.to_string()).collect();
            let keys = ValueShape { strings: Strings::Known(keys), ..ValueShape::default() };
            let values = all(&mut members.iter().map(|it| &it.value));
            ValueShape { entries: Some(Box::new((keys, values))), ..ValueShape::default() }
        }
        Type::Variant(types) if !types.is_empty() => all(&mut types.iter()),
        Type::Optional(Some(ty)) => inner(ty).or(&ValueShape::undef()),
        Type::NotUndef(Some(ty)) => ValueShape { is_undef: false, ..inner(ty) },
        Type::Alias(name) => match env.named_type(name) {
            Some(it) => inner(&it.ty),
            None => ValueShape::other(),
        },
        _ => ValueShape::other(),
    }
}
