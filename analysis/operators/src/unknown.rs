//! Operands of which only the type is known.

use std::borrow::Cow;
use std::sync::Arc;

use types::{IntegerRange, Kinds, Origin, StructKey, StructMember, Type, TypeEnvironment, Value};

/// Maximum number of alternatives that a type is split into.
const MAX_ALTERNATIVES: usize = 32;
/// Maximum length of arrays and hashes whose element types are tracked one by one.
const MAX_PRECISE_LENGTH: usize = 64;
/// Maximum length of a value in a message, in characters.
const MAX_SHOWN_LENGTH: usize = 60;

/// Possible kind of operand, with its type.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// Kinds of the values; several if the type does not determine a single one.
    pub(super) kinds: Kinds,
    /// Type that is not an alias, a variant or an optional type.
    pub(super) ty: Type,
}

impl Alternative {
    pub(super) fn may_be(&self, kinds: Kinds) -> bool {
        self.kinds.intersects(kinds)
    }

    pub(super) fn is_certainly(&self, kinds: Kinds) -> bool {
        kinds.contains(self.kinds)
    }
}

/// Splits a type into alternatives by kind. Returns none for a type without instances.
pub(super) fn alternatives(ty: &Type, env: &dyn TypeEnvironment) -> Vec<Alternative> {
    let mut found = Vec::new();
    collect(ty, Kinds::all(), env, 0, &mut found);
    if found.len() > MAX_ALTERNATIVES {
        let kinds = found.iter().fold(Kinds::empty(), |all, one| all | one.kinds);
        return vec![Alternative { kinds, ty: Type::Any }];
    }
    found
}

fn collect(ty: &Type, allowed: Kinds, env: &dyn TypeEnvironment, depth: u32, found: &mut Vec<Alternative>) {
    if depth > 32 || found.len() > MAX_ALTERNATIVES {
        found.push(Alternative { kinds: allowed, ty: Type::Any });
        return;
    }
    match ty {
        Type::Variant(types) => {
            for ty in types.iter() {
                collect(ty, allowed, env, depth + 1, found);
            }
        }
        Type::Optional(Some(inner)) => {
            collect(inner, allowed, env, depth + 1, found);
            collect(&Type::Undef, allowed, env, depth + 1, found);
        }
        Type::NotUndef(Some(inner)) => collect(inner, allowed - Kinds::UNDEF, env, depth + 1, found),
        Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
            match types::assign::unfold_alias(ty, env) {
                Some(unfolded) => collect(&unfolded, allowed, env, depth + 1, found),
                None => found.push(Alternative { kinds: allowed, ty: Type::Any }),
            }
        }
        ty => {
            let kinds = ty.kinds(env) & allowed;
            if !kinds.is_empty() {
                let ty = match ty {
                    Type::Optional(None) | Type::NotUndef(None) | Type::Unit => Type::Any,
                    ty => ty.clone(),
                };
                found.push(Alternative { kinds, ty });
            }
        }
    }
}

/// Returns the narrowest type of a value that is cheap to compute. Unlike Puppet's own inference, it always
/// preserves that an element may be `undef`.
pub fn type_of(value: &Value, env: &dyn TypeEnvironment) -> Type {
    match value {
        Value::Array(elements) if elements.len() > MAX_PRECISE_LENGTH => {
            Type::array(common_element(elements.iter(), env), IntegerRange::exactly(elements.len() as i64))
        }
        Value::Array(elements) if !elements.is_empty() => {
            Type::tuple(elements.iter().map(|element| type_of(element, env)).collect::<Vec<_>>(), None)
        }
        Value::Hash(entries) if entries.is_empty() => types::infer::infer_set(value, env),
        Value::Hash(entries) => {
            let is_name = |key: &Value| key.as_str().is_some_and(|key| !key.is_empty());
            if entries.len() <= MAX_PRECISE_LENGTH && entries.keys().all(is_name) {
                let members = entries.iter().map(|(key, value)| StructMember {
                    name: key.as_str().unwrap_or_default().into(),
                    key: StructKey::Required,
                    value: type_of(value, env),
                });
                return Type::Struct(members.collect());
            }
            let size = IntegerRange::exactly(entries.len() as i64);
            Type::hash(common_element(entries.keys(), env), common_element(entries.values(), env), size)
        }
        // The type must not reveal the contents.
        Value::Sensitive(inner) => {
            let inner = types::common::generalize(&type_of(inner, env), env);
            Type::Sensitive(Some(Arc::new(inner)))
        }
        value => types::infer::infer_set(value, env),
    }
}

fn common_element<'v>(values: impl Iterator<Item = &'v Value>, env: &dyn TypeEnvironment) -> Type {
    let mut known: Vec<Type> = Vec::new();
    for value in values {
        let ty = types::common::generalize(&type_of(value, env), env);
        if !known.contains(&ty) {
            known.push(ty);
        }
        if known.len() > MAX_ALTERNATIVES {
            return Type::Any;
        }
    }
    types::common::union(known, env)
}

/// Returns the origin of the unknown result of an operation on these operands.
pub(super) fn origin_of<'v>(operands: impl IntoIterator<Item = &'v Value>) -> Origin {
    operands.into_iter().filter_map(Value::least_trustworthy).max().unwrap_or(Origin::Join)
}

/// Returns an unknown instance of `ty`, or the value itself if the type has only one.
pub(super) fn instance_of(ty: Type, origin: Origin) -> Value {
    match ty {
        Type::Boolean(Some(value)) => Value::Boolean(value),
        Type::Undef => Value::Undef,
        ty => Value::unknown(ty, origin),
    }
}

/// Returns a Boolean for a truth that may be unknown.
pub(super) fn truth_value<'v>(truth: Option<bool>, operands: impl IntoIterator<Item = &'v Value>) -> Value {
    match truth {
        Some(truth) => Value::Boolean(truth),
        None => Value::unknown(Type::BOOLEAN, origin_of(operands)),
    }
}

/// Computes three-valued logical AND. `b` is not evaluated if `a` is false.
pub(super) fn and(a: Option<bool>, b: impl FnOnce() -> Option<bool>) -> Option<bool> {
    match a {
        Some(false) => Some(false),
        Some(true) => b(),
        None => (b() == Some(false)).then_some(false),
    }
}

/// Formats an operand for messages: short values as literals, others as their type.
pub(super) fn shown(value: &Value, env: &dyn TypeEnvironment) -> String {
    let is_plain = matches!(
        value,
        Value::Undef
            | Value::Default
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::WideInteger(_)
            | Value::Float(_)
            | Value::Regexp(_)
            | Value::Type(_)
            | Value::SemVer(_)
    ) || matches!(value, Value::String(text) if text.len() <= MAX_SHOWN_LENGTH);
    if is_plain {
        let text = types::text::to_notation(value, env);
        if text.len() <= MAX_SHOWN_LENGTH + 2 {
            return format!("`{text}`");
        }
    }
    format!("a value of type `{}`", general_type_text(value, env))
}

/// Formats the type of an operand for messages.
pub(super) fn general_type_text(value: &Value, env: &dyn TypeEnvironment) -> Cow<'static, str> {
    let ty = match value {
        Value::Undef => return "Undef".into(),
        Value::Default => return "Default".into(),
        Value::Unknown(unknown) => unknown.ty.clone(),
        value => types::common::generalize(&types::infer::infer(value, env), env),
    };
    let text = types::display::type_text(&ty, env);
    if text.chars().count() <= MAX_SHOWN_LENGTH {
        return text.into();
    }
    let start: String = text.chars().take(MAX_SHOWN_LENGTH).collect();
    format!("{start}...").into()
}
