//! Functions of the 3.x API that change the catalog.

use conversions::ruby;
use eval::{Call, DeclarationForm, Outcome};
use hir::ReferenceKind;
use scalars::tags::is_valid_tag;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, TypeEnvironment, Value};

pub(super) fn create_resources(call: &mut Call) -> Outcome {
    let (type_name, resources) = match (call.argument(0), call.argument(1)) {
        (Value::String(name), Value::Hash(resources)) => (name.clone(), resources.clone()),
        _ => {
            call.evaluator.note_unknown_resources();
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
            return Err(call.refuse("the attributes of a resource come in a hash"));
        };
        for title in ruby::flatten(std::slice::from_ref(title)) {
            if title.is_undef() {
                return Err(call.refuse("a resource needs a title"));
            }
            given.declare(call, &plain, &title, form)?;
        }
    }
    Ok(Value::Undef)
}

/// The type that a text like `@@file` names, and in which form it is to be declared.
fn type_and_form(written: &str) -> (String, DeclarationForm) {
    let form =
        DeclarationForm { is_virtual: written.starts_with('@'), is_exported: written.starts_with("@@") };
    (written.trim_start_matches('@').to_lowercase(), form)
}

/// Attributes of a resource that a function is given.
#[derive(Clone, Default)]
pub(crate) struct GivenAttributes {
    pub(crate) values: HashValue,
    /// May there be others than `values`?
    pub(crate) is_open: bool,
}

impl GivenAttributes {
    /// Those in a hash; of another value that is known, none.
    pub(crate) fn of(value: &Value) -> GivenAttributes {
        let values = value.as_hash().cloned().unwrap_or_default();
        GivenAttributes { values, is_open: matches!(value, Value::Unknown(_)) }
    }

    /// These, and on top of them those in a hash. `None` when it is none.
    pub(crate) fn with(&self, own: &Value) -> Option<GivenAttributes> {
        let mut all = self.clone();
        match own {
            Value::Hash(own) => {
                all.values.extend(own.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
            // It may have another value for each.
            Value::Unknown(unknown) => {
                let anything = || Value::unknown(Type::Any, unknown.origin);
                all.values = self.values.iter().map(|(name, _)| (name.clone(), anything())).collect();
                all.is_open = true;
            }
            _ => return None,
        }
        Some(all)
    }

    fn declare(&self, call: &mut Call, type_name: &str, title: &Value, form: DeclarationForm) -> Outcome<()> {
        let mut attributes = call.evaluator.attributes_of(call.frame, &self.values);
        attributes.is_open |= self.is_open;
        call.evaluator.declare(call.frame, call.expr, type_name, title, attributes, form)
    }
}

/// Declares a resource that must not be there yet. `type_name` may begin with `@`, as for `create_resources`.
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
            (_, None) => call.evaluator.note_unknown_resources(),
        }
    }
    call.evaluator.realize(call.frame, call.expr, references);
    Ok(Value::Undef)
}

pub(super) fn tag(call: &mut Call) -> Outcome {
    for tag in ruby::flatten(&call.arguments) {
        if tag.is_undef() {
            continue;
        }
        if let Some(text) = ruby::to_s(&tag, call.env())
            && !is_valid_tag(&text)
        {
            return Err(call.refuse(format!("'{text}' is no valid tag")));
        }
        if let Some(text) = ruby::to_s(&tag, call.env()) {
            call.evaluator.tag_container(call.frame, &text);
        }
    }
    Ok(Value::Undef)
}

/// Is the container, or the node, tagged with all of them?
pub(super) fn tagged(call: &mut Call) -> Outcome {
    let mut tags = Vec::new();
    for tag in call.arguments.clone() {
        // An array is no tag: nothing has it, also where it is empty.
        if matches!(tag, Value::Array(_)) {
            return Ok(Value::Boolean(false));
        }
        match ruby::to_s(&tag, call.env()) {
            Some(text) => tags.push(SmolStr::new(text.to_lowercase())),
            None => return Ok(Value::unknown(Type::BOOLEAN, Origin::Join)),
        }
    }
    Ok(match call.evaluator.is_container_tagged(call.frame, &tags) {
        Some(is_tagged) => Value::Boolean(is_tagged),
        None => Value::unknown(Type::BOOLEAN, Origin::Ruby),
    })
}

/// Type and title of `File[/etc/motd]`, as Ruby code writes references.
pub(crate) fn type_and_title(reference: &Value, env: &dyn TypeEnvironment) -> Option<(SmolStr, SmolStr)> {
    let text = ruby::to_s(reference, env)?;
    let (type_name, title) = text.split_once('[')?;
    Some((type_name.into(), title.strip_suffix(']')?.into()))
}
