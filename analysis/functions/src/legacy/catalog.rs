//! Functions of the 3.x API that change the catalog.

use conversions::ruby;
use eval::{Call, DeclarationForm, Outcome, evaluated_once};
use hir::ReferenceKind;
use scalars::tags::is_valid_tag;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, TypeEnvironment, Value};

pub(super) fn create_resources(call: &mut Call) -> Outcome {
    let (type_name, resources) = match (call.argument(0), call.argument(1)) {
        (Value::String(name), Value::Hash(resources)) => (name.clone(), resources.clone()),
        _ => {
            call.evaluator.note_unknown_resources(call.site);
            return Ok(Value::Undef);
        }
    };
    let (plain, form) = type_and_form(&type_name);
    if ReferenceKind::is_class(&plain) && form.is_virtual {
        return Err(call.refuse("a class cannot be virtual or exported"));
    }
    let defaults = GivenAttributes::of(call.argument(2));
    for (title, attributes) in resources.iter() {
        let Some(given) = defaults.with(attributes) else {
            return Err(call.refuse("attributes of a resource must be a hash"));
        };
        for title in ruby::flatten(std::slice::from_ref(title)) {
            if title.is_undef() {
                return Err(call.refuse("resource title is `undef`"));
            }
            given.declare(call, &plain, &title, form)?;
        }
    }
    Ok(Value::Undef)
}

/// Splits a string such as `@@file` into the type name and the form of the declaration.
fn type_and_form(written: &str) -> (String, DeclarationForm) {
    let form =
        DeclarationForm { is_virtual: written.starts_with('@'), is_exported: written.starts_with("@@") };
    (written.trim_start_matches('@').to_lowercase(), form)
}

/// Attributes of a resource that are passed to a function.
#[derive(Clone, Default)]
pub(crate) struct GivenAttributes {
    pub(crate) values: HashValue,
    /// True if there may be attributes other than `values`.
    pub(crate) is_incomplete: bool,
}

impl GivenAttributes {
    /// Returns the attributes in a hash; none for other known values.
    pub(crate) fn of(value: &Value) -> GivenAttributes {
        let values = value.as_hash().map(|it| it.iter().map(given_once).collect()).unwrap_or_default();
        GivenAttributes { values, is_incomplete: matches!(value, Value::Unknown(_)) }
    }

    /// Returns these attributes, overridden by those in a hash; `None` if `own` is not a hash.
    pub(crate) fn with(&self, own: &Value) -> Option<GivenAttributes> {
        let mut all = self.clone();
        match own {
            Value::Hash(own) => {
                all.values.extend(own.iter().map(given_once));
            }
            // It may override each of them.
            Value::Unknown(unknown) => {
                let anything = || Value::unknown(Type::Any, unknown.origin);
                all.values = self.values.iter().map(|(name, _)| (name.clone(), anything())).collect();
                all.is_incomplete = true;
            }
            _ => return None,
        }
        Some(all)
    }

    fn declare(&self, call: &mut Call, type_name: &str, title: &Value, form: DeclarationForm) -> Outcome<()> {
        let mut attributes = call.evaluator.attributes_of(call.site.frame, &self.values);
        attributes.is_incomplete |= self.is_incomplete;
        call.evaluator.declare(call.site, type_name, title, attributes, form)
    }
}

/// Returns an attribute whose value no other attribute shares.
fn given_once((name, value): (&Value, &Value)) -> (Value, Value) {
    let value = evaluated_once(name.as_str().unwrap_or_default(), value.clone());
    (name.clone(), value)
}

/// Declares a resource that must not exist yet. `type_name` may begin with `@`, as for `create_resources`.
pub(crate) fn declare(
    call: &mut Call,
    type_name: &str,
    title: &Value,
    given: &GivenAttributes,
) -> Outcome<()> {
    let (plain, form) = type_and_form(type_name);
    given.declare(call, &plain, title, form)
}

pub(super) fn realize(call: &mut Call) -> Outcome {
    let mut references = Vec::new();
    for reference in ruby::flatten(&call.arguments) {
        match (type_and_title(&reference, call.env()), ruby::to_s(&reference, call.env())) {
            (Some((type_name, title)), _) if !title.is_empty() => {
                references.push((hir::fold_name(&type_name), title))
            }
            (_, Some(text)) => references.push((hir::Name::default(), text.into())),
            (_, None) => {
                call.evaluator.note_unknown_resources(call.site);
                call.evaluator.note_unknown_reference(call.site, &reference);
            }
        }
    }
    call.evaluator.realize(call.site, references);
    Ok(Value::Undef)
}

pub(super) fn tag(call: &mut Call) -> Outcome {
    for tag in ruby::flatten(&call.arguments) {
        if tag.is_undef() {
            continue;
        }
        let text = ruby::to_s(&tag, call.env());
        if let Some(text) = text.as_deref().filter(|it| !is_valid_tag(it)) {
            return Err(call.refuse(format!("invalid tag `{text}`")));
        }
        call.evaluator.tag_container(call.site.frame, text.as_deref());
    }
    Ok(Value::Undef)
}

/// Returns true if the container, or the node, has all of the tags.
pub(super) fn tagged(call: &mut Call) -> Outcome {
    let mut tags = Vec::new();
    for tag in call.arguments.clone() {
        // An array, even an empty one, is not a tag, so that the result is false.
        if matches!(tag, Value::Array(_)) {
            return Ok(Value::Boolean(false));
        }
        match ruby::to_s(&tag, call.env()) {
            Some(text) => tags.push(SmolStr::new(text.to_lowercase())),
            None => return Ok(Value::unknown(Type::BOOLEAN, Origin::Join)),
        }
    }
    Ok(match call.evaluator.is_container_tagged(call.site.frame, &tags) {
        Some(is_tagged) => Value::Boolean(is_tagged),
        None => Value::unknown(Type::BOOLEAN, Origin::Ruby),
    })
}

/// Returns type and title of `File[/etc/motd]`, the form of references in Ruby code.
pub(crate) fn type_and_title(reference: &Value, env: &dyn TypeEnvironment) -> Option<(SmolStr, SmolStr)> {
    let text = ruby::to_s(reference, env)?;
    let (type_name, title) = text.split_once('[')?;
    Some((type_name.into(), title.strip_suffix(']')?.into()))
}
