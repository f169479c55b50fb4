//! Resource expressions, as far as other expressions can tell: what they are worth, and what `File['x'][mode]` reads.
//!
//! Specification: the chapter on catalog expressions.

use std::sync::Arc;

use hir::{AttributeOperation, ExprId, Name, ResourceBody};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use crate::error::{Failure, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::FrameId;
use crate::program::NameKind;

/// The resources that were declared so far.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// By folded type name and title.
    resources: FxHashMap<(Name, SmolStr), HashValue>,
    /// By folded type name.
    defaults: FxHashMap<Name, HashValue>,
    /// Was a resource with an unknown type or title declared?
    has_unknown: bool,
}

impl Evaluator<'_> {
    pub(crate) fn declare_resources(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        type_expr: ExprId,
        bodies: &[ResourceBody],
    ) -> Outcome {
        let ty = self.evaluate(frame, type_expr)?;
        let type_name = match self.resource_type_name(frame, type_expr, &ty)? {
            Some(name) => name,
            None => {
                for body in bodies {
                    self.evaluate(frame, body.title)?;
                    self.attributes(frame, &body.operations)?;
                }
                self.declarations.has_unknown = true;
                return Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), Origin::Join));
            }
        };
        let mut declared: Vec<(Vec<SmolStr>, HashValue)> = Vec::new();
        let mut defaults = HashValue::default();
        let mut seen: Vec<SmolStr> = Vec::new();
        let mut unknown = None;
        for body in bodies {
            let title = self.evaluate(frame, body.title)?;
            let mut titles = Vec::new();
            let mut is_default = false;
            let mut flat = Vec::new();
            flatten(&title, &mut flat);
            if title.is_undef() {
                let failure = Failure::new("missing-title", "a resource needs a title: this is undef");
                return Err(self.error(frame, body.title, failure));
            }
            for (index, title) in flat.iter().enumerate() {
                let failure = match title {
                    Value::String(text) if text.is_empty() => {
                        Failure::new("empty-string-title-at", format!("title {} is empty", index + 1))
                    }
                    Value::String(text) if seen.contains(text) => {
                        Failure::new("duplicate-title", format!("the title '{text}' is used twice"))
                    }
                    Value::String(text) => {
                        seen.push(text.clone());
                        titles.push(text.clone());
                        continue;
                    }
                    Value::Default => {
                        is_default = true;
                        continue;
                    }
                    Value::Unknown(it) => {
                        unknown = Some(it.origin);
                        continue;
                    }
                    Value::Undef => Failure::new("missing-title-at", format!("title {} is undef", index + 1)),
                    other => {
                        let ty =
                            types::common::generalize(&types::infer::infer(other, self.world), self.world);
                        let ty = types::display::type_text(&ty, self.world);
                        let message = format!("a title is a string: title {} is of type {ty}", index + 1);
                        Failure::new("illegal-title-type-at", message)
                    }
                };
                let at = if failure.code == "duplicate-title" { expr } else { body.title };
                return Err(self.error(frame, at, failure));
            }
            let attributes = self.attributes(frame, &body.operations)?;
            if let Some(name) = attributes.duplicate {
                let message = format!("the attribute '{name}' is set twice");
                return Err(self.error(frame, expr, Failure::new("duplicate-attribute", message)));
            }
            if is_default {
                defaults = attributes.values.clone();
            }
            declared.push((titles, attributes.values));
        }
        let mut references = Vec::new();
        for (titles, own) in declared {
            let mut values = defaults.clone();
            values.extend(own.iter().map(|(name, value)| (name.clone(), value.clone())));
            for title in titles {
                references.push(reference(&type_name, &title));
                match type_name.as_str() {
                    "class" => self.declare_class((frame, expr), &title, &values)?,
                    type_name => self.declare_defined_type((frame, expr), type_name, &title, &values)?,
                }
                self.declarations.resources.insert((type_name.clone(), title), values.clone());
            }
        }
        match unknown {
            Some(origin) => {
                self.declarations.has_unknown = true;
                Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), origin))
            }
            None => Ok(Value::array(references)),
        }
    }

    /// The folded name of the type in front of a resource; `None` when it is not known.
    fn resource_type_name(&self, frame: FrameId, at: ExprId, ty: &Value) -> Outcome<Option<Name>> {
        let refused = |this: &Self| {
            let ty = types::infer::infer(ty, this.world);
            let message = format!(
                "a resource type is expected here, not {}",
                types::display::type_text(&ty, this.world)
            );
            Err(this.error(frame, at, Failure::new("illegal-resource-type", message)))
        };
        match ty {
            Value::String(name) => Ok(Some(hir::fold_name(name))),
            Value::Unknown(_) => Ok(None),
            Value::Type(ty) => match &**ty {
                Type::Class(None) => Ok(Some("class".into())),
                Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                    (Some(name), None) => Ok(Some(hir::fold_name(name))),
                    _ => refused(self),
                },
                _ => refused(self),
            },
            _ => refused(self),
        }
    }

    pub(crate) fn declare_defaults(
        &mut self,
        frame: FrameId,
        type_expr: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let ty = self.evaluate(frame, type_expr)?;
        let name = self.resource_type_name(frame, type_expr, &ty)?;
        if name.as_deref() == Some("class") {
            let failure = Failure::new("illegal-resource-type", "classes have no defaults");
            return Err(self.error(frame, type_expr, failure));
        }
        let attributes = self.attributes(frame, operations)?;
        if let Some(name) = name {
            let defaults = self.declarations.defaults.entry(name).or_default();
            defaults.extend(attributes.values.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        Ok(ty)
    }

    /// `Type['title'][name]`; `None` where `left` is no reference to a resource.
    pub(crate) fn resource_attribute(
        &self,
        frame: FrameId,
        expr: ExprId,
        left: &Value,
        keys: &[Value],
    ) -> Option<Outcome> {
        let Value::Type(ty) = left else { return None };
        if let Type::Class(Some(name)) = &**ty {
            return self.class_attribute(frame, expr, name, keys);
        }
        let Type::Resource(resource) = &**ty else { return None };
        let (Some(type_name), Some(title)) = (&resource.type_name, &resource.title) else { return None };
        let mut values = Vec::new();
        for key in keys {
            let Value::String(key) = key else { return None };
            match self.attribute_of((hir::fold_name(type_name), title.clone()), key) {
                Some(value) => values.push(value),
                None => {
                    let message = format!("there is no resource {type_name}['{title}']");
                    return Some(Err(self.error(frame, expr, Failure::new("unknown-resource", message))));
                }
            }
        }
        Some(Ok(match values.pop() {
            Some(value) if values.is_empty() => value,
            Some(last) => {
                values.push(last);
                Value::array(values)
            }
            None => return None,
        }))
    }

    /// `Class[name][variable]`; `None` where that is no question for a variable.
    fn class_attribute(&self, frame: FrameId, expr: ExprId, name: &str, keys: &[Value]) -> Option<Outcome> {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            let Value::String(key) = key else { return None };
            values.push(self.class_variable(name, key).unwrap_or(Value::Undef));
        }
        match self.is_class_declared(name) {
            None => None,
            Some(true) => match values.len() {
                1 => values.pop().map(Ok),
                _ => Some(Ok(Value::array(values))),
            },
            Some(false) => {
                let failure = Failure::new("unknown-resource", format!("the class '{name}' is not declared"));
                Some(Err(self.error(frame, expr, failure)))
            }
        }
    }

    /// `File['/x'] { mode => ... }`: what is set on a resource that was declared before.
    pub(crate) fn override_resources(
        &mut self,
        frame: FrameId,
        reference: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let value = self.evaluate(frame, reference)?;
        let attributes = self.attributes(frame, operations)?;
        let mut references = Vec::new();
        flatten(&value, &mut references);
        for reference in references {
            let Value::Type(ty) = &reference else { continue };
            let Type::Resource(resource) = &**ty else { continue };
            let (Some(type_name), Some(title)) = (&resource.type_name, &resource.title) else { continue };
            let key = (hir::fold_name(type_name), title.clone());
            if let Some(declared) = self.declarations.resources.get_mut(&key)
                && self.journal.is_empty()
            {
                declared.extend(attributes.values.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
        }
        Ok(value)
    }

    /// `None` when there is certainly no such resource.
    fn attribute_of(&self, key: (Name, SmolStr), name: &str) -> Option<Value> {
        let declarations = &self.declarations;
        let Some(attributes) = declarations.resources.get(&key) else {
            let may_exist = declarations.has_unknown
                || self.is_forked()
                || self.world.program.may_define(NameKind::Resource, &key.0);
            return may_exist.then(|| Value::unknown(Type::Any, Origin::MissingDefinition));
        };
        let default = || declarations.defaults.get(&key.0).and_then(|defaults| defaults.get_text(name));
        let known = attributes.get_text(name).or_else(default);
        Some(known.cloned().unwrap_or_else(
            || match self.world.program.may_define(NameKind::Resource, &key.0) {
                true => Value::unknown(Type::Any, Origin::MissingDefinition),
                false => Value::Undef,
            },
        ))
    }

    /// Notes a resource that a function declares.
    pub(crate) fn note_resource(&mut self, type_name: &str, title: &str, attributes: HashValue) {
        self.declarations.resources.insert((hir::fold_name(type_name), title.into()), attributes);
    }

    /// From now on there may be resources of which nothing is known.
    pub(crate) fn note_unknown_resources(&mut self) {
        self.declarations.has_unknown = true;
    }

    /// Was a resource declared before now? `None` when that is not known.
    pub(crate) fn is_declared(&self, type_name: &str, title: &str) -> Option<bool> {
        let key = (hir::fold_name(type_name), SmolStr::new(title));
        let may_exist = self.declarations.has_unknown
            || self.is_forked()
            || self.world.program.may_define(NameKind::Resource, &key.0);
        match self.declarations.resources.contains_key(&key) {
            true if self.is_forked() => None,
            true => Some(true),
            false if may_exist => None,
            false => Some(false),
        }
    }

    /// The value of `left -> right`: what its right side refers to.
    pub(crate) fn relationship(&mut self, frame: FrameId, expr: ExprId, lhs: ExprId, rhs: ExprId) -> Outcome {
        let left = self.evaluate(frame, lhs)?;
        let right = self.evaluate(frame, rhs)?;
        let mut sides = Vec::new();
        for side in [&left, &right] {
            let mut operands = Vec::new();
            flatten(side, &mut operands);
            let mut references: Vec<Value> = Vec::new();
            for operand in operands {
                let reference = match &operand {
                    Value::Unknown(_) => return Ok(Value::unknown(Type::Any, Origin::Join)),
                    Value::String(text) => match types::parse::parse_type(text, self.world) {
                        Ok(ty) => Value::ty(ty),
                        Err(_) => return Err(self.no_reference(frame, expr, &operand)),
                    },
                    Value::Type(ty)
                        if matches!(&**ty, Type::Resource(_) | Type::Class(_) | Type::Reference(_)) =>
                    {
                        operand.clone()
                    }
                    _ => return Err(self.no_reference(frame, expr, &operand)),
                };
                if !references.contains(&reference) {
                    references.push(reference);
                }
            }
            sides.push(references);
        }
        let right = sides.pop().unwrap_or_default();
        let left = sides.pop().unwrap_or_default();
        Ok(Value::array(if right.is_empty() { left } else { right }))
    }

    fn no_reference(&self, frame: FrameId, expr: ExprId, operand: &Value) -> crate::error::Exit {
        let ty = types::display::type_text(&types::infer::infer(operand, self.world), self.world);
        let message = format!("a reference to a resource is expected here, not {ty}");
        self.error(frame, expr, Failure::new("illegal-relationship-operand-type", message))
    }

    /// The values of attributes, in order.
    pub(crate) fn attributes(
        &mut self,
        frame: FrameId,
        operations: &[AttributeOperation],
    ) -> Outcome<Attributes> {
        let mut attributes = Attributes::default();
        for operation in operations {
            match operation {
                AttributeOperation::Set { name, value, .. } => {
                    let value = self.evaluate(frame, *value)?;
                    attributes.set(Value::String(name.clone()), value);
                }
                AttributeOperation::Splat(value) => match self.evaluate(frame, *value)? {
                    Value::Hash(entries) => {
                        let entries: Arc<HashValue> = entries;
                        for (name, value) in entries.iter() {
                            attributes.set(name.clone(), value.clone());
                        }
                    }
                    Value::Unknown(_) => {}
                    other => {
                        let ty = types::infer::infer(&other, self.world);
                        let ty = types::display::type_text(
                            &types::common::generalize(&ty, self.world),
                            self.world,
                        );
                        let message = format!("attributes come in a hash: this is of type {ty}");
                        return Err(self.error(frame, *value, Failure::new("type-mismatch", message)));
                    }
                },
            }
        }
        Ok(attributes)
    }
}

/// The attributes of one body.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    values: HashValue,
    duplicate: Option<SmolStr>,
}

impl Attributes {
    fn set(&mut self, name: Value, value: Value) {
        if self.values.contains_key(&name) && self.duplicate.is_none() {
            self.duplicate = Some(name.as_str().unwrap_or_default().into());
        }
        self.values.insert(name, value);
    }
}

/// All elements of nested arrays.
fn flatten(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, flat)),
        other => flat.push(other.clone()),
    }
}

fn reference(type_name: &str, title: &str) -> Value {
    let title = match type_name {
        // Written like a type name, as the original does it.
        "class" => crate::expressions::capitalized(&hir::fold_name(title)),
        _ => title.into(),
    };
    Value::ty(Type::resource(Some(crate::expressions::capitalized(type_name)), Some(title)))
}
