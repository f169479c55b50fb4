//! Construction and validation of `Object[{...}]` types from their initialization hash.

use codes::Code::{self, *};
use std::sync::OnceLock;

use smol_str::SmolStr;

use super::members::{self, ObjectMember};
use super::notation::type_from_text;
use super::{Annotations, ObjectAttribute, ObjectAttributeKind, ObjectError, ObjectFunction, ObjectType};
use crate::assign::{is_assignable, is_instance, unfold_alias};
use crate::common::generalize;
use crate::environment::TypeEnvironment;
use crate::infer::infer;
use crate::mismatch::describe_value_mismatch;
use crate::ty::Type;
use crate::value::{HashValue, Value};

/// Returns the object type described by the hash and its name: the declared name, or else the name in the
/// hash.
///
/// # Errors
/// If the hash does not describe an object type, or a member overrides another one illegally.
pub fn object_type_from_hash(
    hash: &HashValue,
    declared_name: Option<&str>,
    env: &dyn TypeEnvironment,
) -> Result<ObjectType, ObjectError> {
    let whole = Value::Hash(std::sync::Arc::new(hash.clone()));
    assert_instance("object initializer", initializer(), &whole, env)?;
    let text = |key: &str| hash.get_text(key).and_then(Value::as_str);
    let name: Option<SmolStr> = declared_name.or_else(|| text("name")).map(SmolStr::from);
    let parent = hash.get_text("parent").and_then(Value::as_type).cloned();
    let mut object = ObjectType {
        name,
        parent,
        equality_include_type: !matches!(hash.get_text("equality_include_type"), Some(Value::Boolean(false))),
        checks: hash.get_text("checks").filter(|it| !it.is_undef()).cloned(),
        annotations: Annotations::of(hash),
        ..ObjectType::default()
    };
    check_parent(&object, declared_name, env)?;
    let parent = members::parent_object(&object, env);
    let builder = ObjectTypeBuilder { label: object.name.clone().unwrap_or("Object".into()), parent, env };
    object.type_parameters = builder.type_parameters(entries(hash, "type_parameters"))?;
    object.attributes = builder.attributes(entries(hash, "attributes"), entries(hash, "constants"))?;
    object.functions = builder.functions(entries(hash, "functions"), &object.attributes)?;
    object.equality = builder.equality(hash.get_text("equality"), &object)?;
    Ok(object)
}

/// Returns the type of the initialization hash.
fn initializer() -> &'static Type {
    static INITIALIZER: OnceLock<Type> = OnceLock::new();
    INITIALIZER.get_or_init(|| initializer_of("Pcore::ObjectType"))
}

/// Returns the type of the initialization hash of a metatype.
pub(super) fn initializer_of(metatype: &str) -> Type {
    match super::built_in::built_in_named_type(metatype).map(|named| named.ty) {
        Some(Type::Object(Some(object))) => {
            object.attributes.first().map_or(Type::Any, |attribute| attribute.ty.clone())
        }
        _ => Type::Any,
    }
}

const ANNOTATIONS: &str =
    r"'annotations' => Optional[Hash[Type[Annotation], Hash[Pattern[/\A[a-z_]\w*\z/], Any]]]";

fn attribute_initializer() -> &'static Type {
    static INITIALIZER: OnceLock<Type> = OnceLock::new();
    INITIALIZER.get_or_init(|| {
        let text = format!(
            "Struct[{{'type' => Type, Optional['final'] => Boolean, Optional['override'] => Boolean, \
             Optional['kind'] => Enum['constant', 'derived', 'given_or_derived', 'reference'], 'value' => Any, \
             {ANNOTATIONS}}}]"
        );
        type_from_text(&text).unwrap_or(Type::Any)
    })
}

fn function_initializer() -> &'static Type {
    static INITIALIZER: OnceLock<Type> = OnceLock::new();
    INITIALIZER.get_or_init(|| {
        let text = format!(
            "Struct[{{'type' => Type[Callable], Optional['final'] => Boolean, Optional['override'] => Boolean, \
             {ANNOTATIONS}}}]"
        );
        type_from_text(&text).unwrap_or(Type::Any)
    })
}

pub(super) fn assert_instance(
    subject: &str,
    ty: &Type,
    value: &Value,
    env: &dyn TypeEnvironment,
) -> Result<(), ObjectError> {
    if is_instance(ty, value, env) {
        return Ok(());
    }
    Err(ObjectError { code: RuntimeError, message: describe_value_mismatch(subject, ty, value, env) })
}

fn entries<'h>(hash: &'h HashValue, key: &str) -> Option<&'h HashValue> {
    hash.get_text(key).and_then(Value::as_hash)
}

fn error<T>(code: Code, message: String) -> Result<T, ObjectError> {
    Err(ObjectError { code, message })
}

/// Checks that a type does not inherit from itself or from an unknown type.
fn check_parent(
    object: &ObjectType,
    name: Option<&str>,
    env: &dyn TypeEnvironment,
) -> Result<(), ObjectError> {
    let mut generation = object.parent.clone();
    for _ in 0..members::LINEAGE_LIMIT {
        let Some(parent) = generation else { return Ok(()) };
        let parent_name = match &parent {
            Type::Alias(name) | Type::Reference(name) => Some(name),
            Type::Object(Some(parent)) => parent.name.as_ref(),
            _ => None,
        };
        if let Some(name) = name.filter(|name| parent_name.is_some_and(|it| it.eq_ignore_ascii_case(name))) {
            return error(InheritsFromItself, format!("object type `{name}` inherits from itself"));
        }
        generation = match parent {
            Type::Reference(text) => {
                return error(UnresolvedType, format!("unknown parent type `{text}`"));
            }
            Type::Object(Some(parent)) => parent.parent.clone(),
            Type::ObjectExtension(extension) => Some(extension.base.clone()),
            parent => unfold_alias(&parent, env),
        };
    }
    Ok(())
}

/// Member properties that are relevant to overriding.
struct MemberOverride<'a> {
    feature: &'static str,
    name: &'a str,
    ty: &'a Type,
    is_constant: bool,
    overrides: bool,
}

struct ObjectTypeBuilder<'env> {
    label: SmolStr,
    parent: Option<std::sync::Arc<ObjectType>>,
    env: &'env dyn TypeEnvironment,
}

impl ObjectTypeBuilder<'_> {
    fn subject(&self, feature: &str, name: &str) -> String {
        format!("{feature} {}[{name}]", self.label)
    }

    fn inherited(&self, name: &str) -> Option<ObjectMember> {
        members::member(self.parent.as_deref()?, name, self.env)
    }

    fn type_parameters(&self, specs: Option<&HashValue>) -> Result<Box<[(SmolStr, Type)]>, ObjectError> {
        let mut all = Vec::new();
        for (name, spec) in specs.into_iter().flat_map(|specs| specs.iter()) {
            let name = name.as_str().unwrap_or_default();
            let ty = match spec {
                Value::Hash(spec) => spec.get_text("type").and_then(Value::as_type).cloned(),
                spec => {
                    assert_instance(
                        &self.subject("type_parameter", name),
                        &Type::Type(None),
                        spec,
                        self.env,
                    )?;
                    spec.as_type().cloned()
                }
            };
            let ty = match ty {
                Some(ty @ Type::Optional(_)) => ty,
                Some(ty) => Type::optional(ty),
                None => Type::Optional(None),
            };
            let known = self.parent.as_deref().map(|parent| members::type_parameters(parent, self.env));
            if known.is_some_and(|known| known.iter().any(|(known, _)| known == name)) {
                let subject = self.subject("type_parameter", name);
                return error(
                    MissingOverride,
                    format!("{subject} overrides a type parameter of the parent type"),
                );
            }
            all.push((name.into(), ty));
        }
        Ok(all.into())
    }

    fn attributes(
        &self,
        specs: Option<&HashValue>,
        constants: Option<&HashValue>,
    ) -> Result<Box<[ObjectAttribute]>, ObjectError> {
        let mut all = Vec::new();
        for (name, spec) in specs.into_iter().flat_map(|specs| specs.iter()) {
            let name = name.as_str().unwrap_or_default();
            if constants.is_some_and(|constants| constants.get_text(name).is_some()) {
                let subject = self.subject("attribute", name);
                return error(DuplicateAttribute, format!("{subject} is both a constant and an attribute"));
            }
            all.push(self.attribute(name, spec)?);
        }
        for (name, value) in constants.into_iter().flat_map(|constants| constants.iter()) {
            let name = name.as_str().unwrap_or_default();
            let constant = ObjectAttribute {
                name: name.into(),
                ty: generalize(&infer(value, self.env), self.env),
                kind: ObjectAttributeKind::Constant,
                is_final: true,
                overrides: self.inherited(name).is_some(),
                value: Some(value.clone()),
                annotations: Annotations::default(),
            };
            self.check_attribute_override(&constant)?;
            all.push(constant);
        }
        Ok(all.into())
    }

    fn attribute(&self, name: &str, spec: &Value) -> Result<ObjectAttribute, ObjectError> {
        let subject = self.subject("attribute", name);
        if matches!(name, "__ptype" | "__pvalue") {
            return error(ReservedName, format!("{subject} has a reserved name"));
        }
        let Value::Hash(spec) = spec else {
            assert_instance(&subject, &Type::Type(None), spec, self.env)?;
            let ty = spec.as_type().cloned().unwrap_or(Type::Any);
            let value = matches!(ty, Type::Optional(_)).then_some(Value::Undef);
            let attribute = ObjectAttribute {
                name: name.into(),
                ty,
                kind: ObjectAttributeKind::Plain,
                is_final: false,
                overrides: false,
                value,
                annotations: Annotations::default(),
            };
            self.check_attribute_override(&attribute)?;
            return Ok(attribute);
        };
        let whole = Value::Hash(spec.clone());
        assert_instance(&format!("initializer of {subject}"), attribute_initializer(), &whole, self.env)?;
        let kind = attribute_kind(spec.get_text("kind"));
        let is_final = spec.get_text("final").map(|value| *value == Value::Boolean(true));
        if kind == ObjectAttributeKind::Constant && is_final == Some(false) {
            return error(
                ConstantNotFinal,
                format!("{subject} is a constant and cannot have `final => false`"),
            );
        }
        let ty = spec.get_text("type").and_then(Value::as_type).cloned().unwrap_or(Type::Any);
        let value = spec.get_text("value").cloned();
        match (&value, kind) {
            (Some(_), ObjectAttributeKind::Derived | ObjectAttributeKind::GivenOrDerived) => {
                return error(DerivedWithValue, format!("{subject} is derived and cannot have a value"));
            }
            (None, ObjectAttributeKind::Constant) => {
                return error(ConstantWithoutValue, format!("{subject} is a constant without a value"));
            }
            (Some(value), _) if !matches!(value, Value::Default) => {
                assert_instance(&format!("{subject} value"), &ty, value, self.env)?;
            }
            _ => {}
        }
        let attribute = ObjectAttribute {
            name: name.into(),
            ty,
            kind,
            is_final: is_final == Some(true) || kind == ObjectAttributeKind::Constant,
            overrides: spec.get_text("override") == Some(&Value::Boolean(true)),
            value,
            annotations: Annotations::of(spec),
        };
        self.check_attribute_override(&attribute)?;
        Ok(attribute)
    }

    fn check_attribute_override(&self, attribute: &ObjectAttribute) -> Result<(), ObjectError> {
        self.check_override(&MemberOverride {
            feature: "attribute",
            name: &attribute.name,
            ty: &attribute.ty,
            is_constant: attribute.kind == ObjectAttributeKind::Constant,
            overrides: attribute.overrides,
        })
    }

    fn functions(
        &self,
        specs: Option<&HashValue>,
        attributes: &[ObjectAttribute],
    ) -> Result<Box<[ObjectFunction]>, ObjectError> {
        let mut all = Vec::new();
        for (name, spec) in specs.into_iter().flat_map(|specs| specs.iter()) {
            let name = name.as_str().unwrap_or_default();
            let subject = self.subject("function", name);
            let function = match spec {
                Value::Hash(fields) => {
                    assert_instance(
                        &format!("initializer of {subject}"),
                        function_initializer(),
                        spec,
                        self.env,
                    )?;
                    let is_set = |key: &str| fields.get_text(key) == Some(&Value::Boolean(true));
                    ObjectFunction {
                        name: name.into(),
                        ty: fields.get_text("type").and_then(Value::as_type).cloned().unwrap_or(Type::Any),
                        is_final: is_set("final"),
                        overrides: is_set("override"),
                        annotations: Annotations::of(fields),
                    }
                }
                spec => {
                    let callable = Type::type_of(Type::callable(None, None, None));
                    assert_instance(&subject, &callable, spec, self.env)?;
                    let ty = spec.as_type().cloned().unwrap_or(Type::Any);
                    ObjectFunction {
                        name: name.into(),
                        ty,
                        is_final: false,
                        overrides: false,
                        annotations: Annotations::default(),
                    }
                }
            };
            if attributes.iter().any(|attribute| attribute.name == name) {
                return error(DuplicateMember, format!("{subject} has the name of an attribute"));
            }
            self.check_override(&MemberOverride {
                feature: "function",
                name,
                ty: &function.ty,
                is_constant: false,
                overrides: function.overrides,
            })?;
            all.push(function);
        }
        Ok(all.into())
    }

    fn check_override(&self, member: &MemberOverride<'_>) -> Result<(), ObjectError> {
        let subject = self.subject(member.feature, member.name);
        let Some(inherited) = self.inherited(member.name) else {
            if member.overrides {
                let message = format!(
                    "{subject} is marked `override`, but it overrides no {} of a parent type",
                    member.feature
                );
                return error(OverrideOfNothing, message);
            }
            return Ok(());
        };
        let (feature, ty, is_final, is_constant) = match &inherited {
            ObjectMember::Attribute(it) => {
                ("attribute", &it.ty, it.is_final, it.kind == ObjectAttributeKind::Constant)
            }
            ObjectMember::Function(it) => ("function", &it.ty, it.is_final, false),
        };
        let owner =
            self.parent.as_deref().map(|parent| owner_of(parent, member.name, self.env)).unwrap_or_default();
        let of_parent = format!("{feature} {owner}[{}]", member.name);
        if feature != member.feature {
            return error(OverrideOfOtherFeature, format!("{subject} cannot override {of_parent}"));
        }
        if is_final && !(is_constant && member.is_constant) {
            return error(OverrideOfFinal, format!("{subject} cannot override {of_parent}, which is final"));
        }
        if !member.overrides {
            return error(
                MissingOverride,
                format!("{subject} overrides {of_parent} without `override => true`"),
            );
        }
        if !is_assignable(ty, member.ty, self.env) {
            let text = |ty: &Type| crate::display::type_text(ty, self.env);
            let message =
                format!("{subject} has type `{}`, but {of_parent} has type `{}`", text(member.ty), text(ty));
            return error(OverrideTypeMismatch, message);
        }
        Ok(())
    }

    fn equality(
        &self,
        equality: Option<&Value>,
        object: &ObjectType,
    ) -> Result<Option<Box<[SmolStr]>>, ObjectError> {
        let names: Vec<SmolStr> = match equality {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(SmolStr::from).collect(),
            _ => return Ok(None),
        };
        if !names.is_empty() && !object.equality_include_type {
            let message = "`equality_include_type => false` cannot be combined with `equality`".to_owned();
            return error(EqualityWithoutType, message);
        }
        for name in &names {
            self.check_equality_name(name, object)?;
        }
        Ok(Some(names.into()))
    }

    fn check_equality_name(&self, name: &str, object: &ObjectType) -> Result<(), ObjectError> {
        let label = &self.label;
        let own = |name: &str| {
            let attribute =
                object.attributes.iter().find(|it| it.name == name).cloned().map(ObjectMember::Attribute);
            let function =
                || object.functions.iter().find(|it| it.name == name).cloned().map(ObjectMember::Function);
            attribute.or_else(function)
        };
        let inherited = self.inherited(name);
        if let (Some(ObjectMember::Attribute(_)), Some(parent)) = (&inherited, self.parent.as_deref())
            && members::equality_attributes(parent, self.env).iter().any(|known| known == name)
        {
            let message = format!(
                "`equality` of {label} contains `{name}`, which is part of the equality of a parent type"
            );
            return error(EqualityOfParent, message);
        }
        match inherited.or_else(|| own(name)) {
            Some(ObjectMember::Attribute(attribute)) if attribute.kind == ObjectAttributeKind::Constant => {
                error(EqualityOfConstant, format!("`equality` of {label} contains the constant `{name}`"))
            }
            Some(ObjectMember::Attribute(_)) => Ok(()),
            Some(ObjectMember::Function(_)) => {
                error(EqualityOfFunction, format!("`equality` of {label} contains the function `{name}`"))
            }
            None => error(
                EqualityOfNothing,
                format!("`equality` of {label} contains the unknown attribute `{name}`"),
            ),
        }
    }
}

/// Returns the name of the type, among `object` and its ancestors, that declares the member.
fn owner_of(object: &ObjectType, name: &str, env: &dyn TypeEnvironment) -> SmolStr {
    let owns = |it: &ObjectType| {
        it.attributes.iter().any(|attribute| attribute.name == name)
            || it.functions.iter().any(|function| function.name == name)
    };
    let owner = members::lineage(object, env).into_iter().rev().find(|it| owns(it));
    owner.and_then(|owner| owner.name.clone()).unwrap_or("Object".into())
}

fn attribute_kind(name: Option<&Value>) -> ObjectAttributeKind {
    match name.and_then(Value::as_str) {
        Some("constant") => ObjectAttributeKind::Constant,
        Some("derived") => ObjectAttributeKind::Derived,
        Some("given_or_derived") => ObjectAttributeKind::GivenOrDerived,
        Some("reference") => ObjectAttributeKind::Reference,
        _ => ObjectAttributeKind::Plain,
    }
}
