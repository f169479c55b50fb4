//! Types as text: the form that Puppet prints and reads back.

use std::fmt;

use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::environment::{NoTypes, TypeEnvironment, WithoutRefusals};
use crate::object::{ObjectAttribute, ObjectAttributeKind, ObjectType, TypeSet};
use crate::text::quoted;
use crate::ty::*;
use crate::value::Value;
use scalars::numbers::float_text;

/// The text of a type on its own: aliases inside it stay names, an alias itself is `MyType = Array[Integer]`, an
/// object type is `Object[{...}]`.
pub fn type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    let expanded = matches!(ty, Type::Alias(_) | Type::Object(_));
    print(ty, env, expanded)
}

/// The text of a type in which every alias is unfolded, `MyType = Array[Integer]`, once per branch.
pub fn expanded_type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    print(ty, env, true)
}

/// The text of a type inside another one: aliases and object types are names.
pub fn embedded_type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    print(ty, env, false)
}

/// As [`embedded_type_text`]; whether an alias takes `undef` is not known here, so the key of a `Struct` may be
/// `Optional['a']` where a text with an environment says `'a'`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&print(self, &NoTypes, false))
    }
}

/// `apache::vhost` as `Apache::Vhost`; what begins with a capital letter stays as it is.
pub fn capitalized_segments(name: &str) -> SmolStr {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    let mut capitalized = String::with_capacity(name.len());
    if name.is_ascii() {
        // How many colons stand in front; a segment begins behind two.
        let mut colons = 2;
        for c in name.chars() {
            capitalized.push(if colons == 2 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
            colons = if c == ':' && colons < 2 { colons + 1 } else { usize::from(c == ':') };
        }
        return capitalized.into();
    }
    let mut rest = name;
    loop {
        let (segment, next) = match rest.split_once("::") {
            Some((segment, next)) => (segment, Some(next)),
            None => (rest, None),
        };
        let mut chars = segment.chars();
        capitalized.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        match chars.as_str() {
            lower if lower.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase()) => {
                capitalized.push_str(lower);
            }
            mixed => capitalized.push_str(&mixed.to_lowercase()),
        }
        let Some(next) = next else { return capitalized.into() };
        capitalized.push_str("::");
        rest = next;
    }
}

/// Texts longer than this unfold no more aliases.
const MAX_UNFOLDED: usize = 256 * 1024;

fn print(ty: &Type, env: &dyn TypeEnvironment, expanded: bool) -> String {
    let mut printer = TypePrinter {
        out: String::new(),
        env,
        expanded,
        open_aliases: Vec::new(),
        recursion_met: false,
        type_sets: Vec::new(),
        depth: 0,
    };
    printer.ty(ty);
    printer.out
}

struct TypePrinter<'a> {
    out: String,
    env: &'a dyn TypeEnvironment,
    expanded: bool,
    /// The recursive aliases that are being unfolded.
    open_aliases: Vec<SmolStr>,
    /// Was one of them met inside itself? Then no recursive alias is unfolded until the outermost one is done.
    recursion_met: bool,
    /// The type sets around; types that the innermost one defines go by their short names.
    type_sets: Vec<&'a TypeSet>,
    /// How many types are being written inside each other. Deeply nested aliases stay names.
    depth: usize,
}

impl<'a> TypePrinter<'a> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// `Name`, or `Name[arguments]` when there are any.
    fn with_arguments(&mut self, name: &str, arguments: bool, print: impl FnOnce(&mut Self)) {
        self.text(name);
        if arguments {
            self.text("[");
            print(self);
            self.text("]");
        }
    }

    /// `Name`, or `Name[item, item]` when there are any.
    fn with_list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        print: impl FnMut(&mut Self, T),
    ) {
        let mut items = items.into_iter().peekable();
        let has_items = items.peek().is_some();
        self.with_arguments(name, has_items, |printer| printer.list(items, print));
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn types<'t>(&mut self, types: impl IntoIterator<Item = &'t Type>) {
        self.list(types, |printer, ty| printer.ty(ty));
    }

    fn wrapping(&mut self, name: &str, inner: Option<&Type>) {
        self.with_list(name, inner, |printer, ty| printer.ty(ty));
    }

    /// `Optional` and `NotUndef` show the string of a literal string.
    fn wrapping_literal(&mut self, name: &str, inner: Option<&Type>) {
        match inner {
            Some(Type::LiteralString(text)) => {
                let text = quoted(text);
                self.with_arguments(name, true, |printer| printer.text(&text));
            }
            inner => self.wrapping(name, inner),
        }
    }

    fn ty(&mut self, ty: &Type) {
        self.depth += 1;
        self.kind(ty);
        self.depth -= 1;
    }

    fn kind(&mut self, ty: &Type) {
        let name = ty.base_name();
        match ty {
            Type::Integer(range) => {
                self.with_text(name, *range != IntegerRange::ALL, || range_parts(*range));
            }
            Type::WideInteger(range) => self.with_text(name, true, || wide_range_parts(range)),
            Type::Float(range) => {
                self.with_text(name, *range != FloatRange::ALL, || float_range_parts(*range));
            }
            Type::String(size) | Type::Collection(size) => self.sized(name, *size),
            Type::Enum(enumeration) => self.enumeration(enumeration),
            Type::Pattern(patterns) => {
                self.with_list(name, patterns.iter(), |printer, it| printer.text(&it.to_delimited_text()));
            }
            Type::Regexp(pattern) => {
                self.with_list(name, pattern, |printer, it| printer.text(&it.to_delimited_text()));
            }
            Type::Boolean(value) => {
                self.with_list(name, value, |printer, it| printer.text(if *it { "true" } else { "false" }));
            }
            Type::SemVer(ranges) => {
                self.with_list(name, ranges.iter(), |printer, it| printer.text(&format!("'{it}'")));
            }
            Type::Timestamp(range) => self.times(name, range.as_deref()),
            Type::Timespan(range) => self.times(name, range.as_deref()),
            Type::Uri(parameters) => self.with_list(name, parameters, |printer, it| printer.value(it)),
            Type::Array(array) => self.array(array),
            Type::Tuple(tuple) => self.with_arguments(name, !tuple.types.is_empty(), |printer| {
                printer.types(&tuple.types);
                printer.further_size(tuple.size);
            }),
            Type::Hash(hash) => self.hash_type(hash),
            Type::Struct(members) => {
                self.with_arguments(name, !members.is_empty(), |printer| printer.members(members));
            }
            Type::Variant(types) => self.with_list(name, types.iter(), |printer, ty| printer.ty(ty)),
            Type::Iterable(inner) | Type::Iterator(inner) | Type::Type(inner) => {
                self.wrapping(name, inner.as_deref());
            }
            Type::Optional(inner) => self.wrapping_literal(name, inner.as_deref()),
            Type::NotUndef(inner) => self.wrapping_literal(name, unless_any(inner.as_deref())),
            Type::Sensitive(inner) => self.wrapping(name, unless_any(inner.as_deref())),
            Type::Callable(callable) => self.callable(callable),
            Type::Class(title) => self.with_list(name, title, |printer, title| printer.text(title)),
            Type::Resource(resource) => self.resource(resource),
            Type::Runtime(runtime) => self.runtime(runtime),
            Type::Init(init) => self.init(init.as_deref()),
            Type::Object(object) => self.object(object.as_deref()),
            Type::ObjectExtension(extension) => self.extension(extension),
            Type::TypeSet(type_set) => self.type_set(type_set.as_deref()),
            Type::Alias(name) => self.alias(name),
            Type::Reference(text) => self.with_text(name, true, || quoted(text)),
            // The others have no arguments, or show none.
            _ => self.text(name),
        }
    }

    /// `Name`, or `Name[text]`.
    fn with_text(&mut self, name: &str, arguments: bool, text: impl FnOnce() -> String) {
        self.with_arguments(name, arguments, |printer| printer.text(&text()));
    }

    fn enumeration(&mut self, enumeration: &EnumType) {
        let values = &enumeration.values;
        self.with_arguments("Enum", !values.is_empty(), |printer| {
            printer.list(values, |printer, value| printer.text(&quoted(value)));
            if enumeration.case_insensitive {
                printer.text(", true");
            }
        });
    }

    fn resource(&mut self, resource: &ResourceType) {
        match &resource.type_name {
            Some(name) if resource.is_object => {
                let title = resource.title.as_deref().unwrap_or_default();
                self.text(&format!("{}[{title}]", capitalized_segments(name)));
            }
            Some(name) => {
                let title = resource.title.as_deref().map(quoted);
                self.with_list(&capitalized_segments(name), title, |printer, title| printer.text(&title));
            }
            None => self.text("Resource"),
        }
    }

    fn init(&mut self, init: Option<&InitType>) {
        self.with_list("Init", init, |printer, init| {
            printer.ty(&init.ty);
            for argument in &init.arguments {
                printer.text(", ");
                printer.value(argument);
            }
        });
    }

    fn sized(&mut self, name: &str, size: IntegerRange) {
        let parts = range_parts(size);
        self.with_arguments(name, size != IntegerRange::SIZE, |printer| printer.text(&parts));
    }

    /// `, 1, 5` behind other arguments.
    fn further_size(&mut self, size: Option<IntegerRange>) {
        if let Some(size) = size {
            self.text(", ");
            self.text(&range_parts(size));
        }
    }

    fn times<T: fmt::Display + PartialEq>(&mut self, name: &str, range: Option<&TimeRange<T>>) {
        let range = range.filter(|range| range.from.is_some() || range.to.is_some());
        self.with_arguments(name, range.is_some(), |printer| {
            let Some(range) = range else { return };
            match &range.from {
                Some(from) => printer.text(&format!("'{from}'")),
                None => printer.text("default"),
            }
            if let Some(to) = range.to.as_ref().filter(|to| range.from.as_ref() != Some(to)) {
                printer.text(&format!(", '{to}'"));
            }
        });
    }

    fn array(&mut self, array: &ArrayType) {
        if array.size == IntegerRange::exactly(0) {
            return self.text("Array[0, 0]");
        }
        let sized = array.size != IntegerRange::SIZE;
        self.with_arguments("Array", sized || array.element != Type::Any, |printer| {
            printer.ty(&array.element);
            printer.further_size(sized.then_some(array.size));
        });
    }

    fn hash_type(&mut self, hash: &HashType) {
        if hash.size == IntegerRange::exactly(0) {
            return self.text("Hash[0, 0]");
        }
        let sized = hash.size != IntegerRange::SIZE;
        let plain = !sized && hash.key == Type::Any && hash.value == Type::Any;
        self.with_arguments("Hash", !plain, |printer| {
            printer.types([&hash.key, &hash.value]);
            printer.further_size(sized.then_some(hash.size));
        });
    }

    fn members(&mut self, members: &[StructMember]) {
        let mut shown = IndexMap::new();
        for member in members {
            let name = quoted(&member.name);
            let may_be_undef = takes_undef(&member.value, self.env);
            let key = match member.key {
                StructKey::Optional if !may_be_undef => format!("Optional[{name}]"),
                StructKey::Required if may_be_undef => format!("NotUndef[{name}]"),
                _ => name,
            };
            // Of members that look the same, the last is shown.
            shown.insert(key, &member.value);
        }
        self.text("{");
        self.list(shown, |printer, (key, ty)| {
            printer.text(&key);
            printer.text(" => ");
            printer.ty(ty);
        });
        self.text("}");
    }

    fn callable(&mut self, callable: &CallableType) {
        let returns = callable.returns.as_ref().filter(|returns| **returns != Type::Any);
        let any_arguments = callable.parameters.is_none();
        self.with_arguments("Callable", returns.is_some() || !any_arguments, |printer| match returns {
            None => printer.callable_parameters(callable),
            Some(returns) => {
                printer.with_arguments("", true, |printer| printer.callable_parameters(callable));
                printer.text(", ");
                printer.ty(returns);
            }
        });
    }

    fn callable_parameters(&mut self, callable: &CallableType) {
        let Some(parameters) = &callable.parameters else { return };
        let written: Vec<&Type> = parameters.types.iter().filter(|ty| **ty != Type::Unit).collect();
        let size = match parameters.size {
            _ if parameters.types.is_empty() => Some("0, 0".to_owned()),
            size => size.map(range_parts),
        };
        let is_first = written.is_empty();
        self.types(written);
        if let Some(size) = &size {
            self.text(if is_first { "" } else { ", " });
            self.text(size);
        }
        if let Some(block) = &callable.block {
            self.text(if is_first && size.is_none() { "" } else { ", " });
            self.ty(block);
        }
    }

    fn runtime(&mut self, runtime: &RuntimeType) {
        let plain = runtime.runtime.is_none() && runtime.name.is_none() && runtime.pattern.is_none();
        self.with_arguments("Runtime", !plain, |printer| {
            printer.text(runtime.runtime.as_deref().unwrap_or("undef"));
            printer.text(", ");
            match (&runtime.name, &runtime.pattern) {
                (Some(name), _) => printer.text(&quoted(name)),
                (None, Some((pattern, name))) => {
                    printer.text(&format!("[{}, {}]", pattern.to_delimited_text(), quoted(name)))
                }
                (None, None) => printer.text("undef"),
            }
        });
    }

    fn alias(&mut self, name: &str) {
        self.name(name);
        if !self.expanded || self.out.len() > MAX_UNFOLDED || self.depth > Value::MAX_DEPTH {
            return;
        }
        if name == crate::ty::BARE_ALIAS {
            return self.text(" = TypeReference['UnresolvedReference']");
        }
        let target = self.env.named_type(name);
        let Some(target) = target.filter(|target| !is_declaration(&target.ty, &target.name)) else { return };
        if !crate::assign::leads_to_itself(&target.name, self.env) {
            self.text(" = ");
            return self.ty(&target.ty);
        }
        if self.open_aliases.contains(&target.name) {
            self.recursion_met = true;
        }
        if self.recursion_met {
            return;
        }
        self.text(" = ");
        self.open_aliases.push(target.name);
        self.ty(&target.ty);
        self.open_aliases.pop();
        self.recursion_met = false;
    }

    /// The name of a type, short inside the type set that defines it.
    fn name(&mut self, name: &str) {
        let short = self.type_sets.last().and_then(|set| {
            let prefix = set.name.as_deref()?;
            let short = name.strip_prefix(prefix)?.strip_prefix("::")?;
            set.types.iter().any(|(defined, _)| defined == short).then_some(short)
        });
        let name = short.unwrap_or(name).to_owned();
        self.text(&name);
    }

    fn object(&mut self, object: Option<&ObjectType>) {
        let name = object.and_then(|object| object.name.as_deref());
        if !self.expanded {
            return self.name(name.unwrap_or("Object"));
        }
        self.object_hash(object, name);
    }

    fn object_hash(&mut self, object: Option<&ObjectType>, name: Option<&str>) {
        let expanded = std::mem::replace(&mut self.expanded, false);
        self.with_arguments("Object", true, |printer| {
            printer.text("{");
            if let Some(object) = object {
                printer.object_entries(object, name);
            }
            printer.text("}");
        });
        self.expanded = expanded;
    }

    fn object_entries(&mut self, object: &ObjectType, name: Option<&str>) {
        let mut entries = EntryPrinter { is_first: true };
        if let Some(name) = name {
            entries.key(self, "name");
            self.text(&quoted(name));
        }
        if let Some(parent) = &object.parent {
            entries.key(self, "parent");
            self.ty(parent);
        }
        if !object.type_parameters.is_empty() {
            entries.key(self, "type_parameters");
            self.text("{");
            self.list(&object.type_parameters, |printer, (name, ty)| {
                printer.text(&format!("{} => ", quoted(name)));
                printer.ty(match ty {
                    Type::Optional(Some(inner)) => inner,
                    ty => ty,
                });
            });
            self.text("}");
        }
        let (constants, attributes): (Vec<&ObjectAttribute>, Vec<&ObjectAttribute>) =
            object.attributes.iter().partition(|it| is_plain_constant(it, self.env));
        if !attributes.is_empty() {
            entries.key(self, "attributes");
            self.text("{");
            self.list(attributes, |printer, attribute| {
                printer.text(&format!("{} => ", quoted(&attribute.name)));
                printer.attribute(attribute);
            });
            self.text("}");
        }
        if !constants.is_empty() {
            entries.key(self, "constants");
            self.text("{");
            self.list(constants, |printer, constant| {
                printer.text(&format!("{} => ", quoted(&constant.name)));
                printer.value(constant.value.as_ref().unwrap_or(&Value::Undef));
            });
            self.text("}");
        }
        if !object.functions.is_empty() {
            entries.key(self, "functions");
            self.text("{");
            self.list(&object.functions, |printer, function| {
                printer.text(&format!("{} => ", quoted(&function.name)));
                printer.member(&function.ty, function.is_final, function.overrides, None, None);
            });
            self.text("}");
        }
        if let Some(equality) = &object.equality {
            entries.key(self, "equality");
            self.text("[");
            self.list(equality, |printer, name| printer.text(&quoted(name)));
            self.text("]");
        }
    }

    fn attribute(&mut self, attribute: &ObjectAttribute) {
        let is_final = attribute.is_final && attribute.kind != ObjectAttributeKind::Constant;
        self.member(
            &attribute.ty,
            is_final,
            attribute.overrides,
            attribute.kind.word(),
            attribute.value.as_ref(),
        );
    }

    fn member(
        &mut self,
        ty: &Type,
        is_final: bool,
        overrides: bool,
        kind: Option<&str>,
        value: Option<&Value>,
    ) {
        if !is_final && !overrides && kind.is_none() && value.is_none() {
            return self.ty(ty);
        }
        self.text("{type => ");
        self.ty(ty);
        if is_final {
            self.text(", final => true");
        }
        if overrides {
            self.text(", override => true");
        }
        if let Some(kind) = kind {
            self.text(", kind => ");
            self.text(kind);
        }
        if let Some(value) = value {
            self.text(", value => ");
            self.value(value);
        }
        self.text("}");
    }

    fn extension(&mut self, extension: &ObjectExtension) {
        let expanded = std::mem::replace(&mut self.expanded, false);
        self.ty(&extension.base);
        self.expanded = expanded;
        let parameters = &extension.parameters;
        self.with_arguments("", true, |printer| {
            if parameters.len() > 2 {
                let given = parameters.iter().filter(|(_, value)| *value != Value::Default);
                printer.text("{");
                printer.list(given, |printer, (name, value)| {
                    printer.text(&format!("{} => ", quoted(name)));
                    printer.value(value);
                });
                return printer.text("}");
            }
            let given =
                parameters.iter().rposition(|(_, value)| *value != Value::Default).map_or(0, |at| at + 1);
            printer.list(&parameters[..given], |printer, (_, value)| printer.value(value));
        });
    }

    fn type_set(&mut self, type_set: Option<&TypeSet>) {
        let Some(set) = type_set else {
            return self.text(DEFAULT_TYPE_SET);
        };
        self.text("TypeSet[{");
        let mut entries = EntryPrinter { is_first: true };
        let mut entry = |printer: &mut Self, key: &str, value: &Option<SmolStr>| {
            if let Some(value) = value {
                entries.key(printer, key);
                printer.text(&quoted(value));
            }
        };
        entry(self, "pcore_uri", &set.pcore_uri);
        entry(self, "pcore_version", &set.pcore_version);
        entry(self, "name_authority", &set.name_authority);
        entry(self, "name", &set.name);
        entry(self, "version", &set.version);
        if !set.types.is_empty() {
            entries.key(self, "types");
            let types = print_types_of_set(set, self.env);
            self.text(&types);
        }
        if !set.references.is_empty() {
            entries.key(self, "references");
            self.text("{");
            self.list(&set.references, |printer, (alias, reference)| {
                printer.text(&format!("{alias} => {{"));
                let authority = reference.name_authority.as_deref();
                if let Some(authority) = authority.filter(|it| Some(*it) != set.name_authority.as_deref()) {
                    printer.text(&format!("'name_authority' => {}, ", quoted(authority)));
                }
                let (name, range) = (quoted(&reference.name), quoted(&reference.version_range));
                printer.text(&format!("'name' => {name}, 'version_range' => {range}}}"));
            });
            self.text("}");
        }
        self.text("}]");
    }

    /// A value inside a type.
    fn value(&mut self, value: &Value) {
        match crate::text::literal(value, self.env) {
            Ok(text) => self.text(&text),
            Err(_) => {
                self.text("Instance of ");
                self.ty(&crate::infer::infer(value, self.env));
            }
        }
    }
}

/// What the bare name `TypeSet` prints as.
const DEFAULT_TYPE_SET: &str = "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', \
     name_authority => 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]";

/// Writes the keys of a hash whose entries may be left out.
struct EntryPrinter {
    is_first: bool,
}

impl EntryPrinter {
    fn key(&mut self, printer: &mut TypePrinter<'_>, key: &str) {
        if !std::mem::replace(&mut self.is_first, false) {
            printer.text(", ");
        }
        printer.text(key);
        printer.text(" => ");
    }
}

/// The hash of the types that a type set defines.
fn print_types_of_set(set: &TypeSet, env: &dyn TypeEnvironment) -> String {
    let mut printer = TypePrinter {
        out: String::new(),
        env,
        expanded: true,
        open_aliases: Vec::new(),
        recursion_met: false,
        type_sets: vec![set],
        depth: 0,
    };
    printer.text("{");
    printer.list(&set.types, |printer, (name, ty)| {
        printer.text(name);
        printer.text(" => ");
        match ty {
            Type::Object(object) => printer.object_hash(object.as_deref(), None),
            ty => printer.ty(ty),
        }
    });
    printer.text("}");
    printer.out
}

/// Is a constant's type what its value says, so that it is listed by its value alone?
pub(crate) fn is_plain_constant(attribute: &ObjectAttribute, env: &dyn TypeEnvironment) -> bool {
    attribute.kind == ObjectAttributeKind::Constant
        && attribute.value.as_ref().is_some_and(|value| {
            crate::common::generalize(&crate::infer::infer(value, env), env) == attribute.ty
        })
}

/// Is `ty` the object type or type set that is declared under `name`, rather than what an alias stands for?
pub(crate) fn is_declaration(ty: &Type, name: &str) -> bool {
    let own_name = match ty {
        Type::Object(Some(object)) => object.name.as_deref(),
        Type::TypeSet(Some(set)) => set.name.as_deref(),
        _ => None,
    };
    own_name.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Is `undef` an instance?
pub(crate) fn takes_undef(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    takes_undef_within(ty, env, &mut Vec::new())
}

fn takes_undef_within(ty: &Type, env: &dyn TypeEnvironment, seen: &mut Vec<SmolStr>) -> bool {
    match ty {
        Type::Any | Type::Unit | Type::Undef | Type::Data | Type::RichData | Type::Optional(_) => true,
        Type::Init(None) => true,
        // What its constructor takes may be written with it again.
        Type::Init(Some(_)) => {
            env.constructor_depth() == 0
                && crate::assign::is_assignable(ty, &Type::Undef, &WithoutRefusals::of_constructor(env))
        }
        Type::Variant(types) => types.iter().any(|ty| takes_undef_within(ty, env, seen)),
        Type::Alias(name) if !seen.contains(name) => {
            seen.push(name.clone());
            unfold_alias(ty, env).is_some_and(|target| takes_undef_within(&target, env, seen))
        }
        // An alias that was seen before did not take it, or is being looked at.
        _ => false,
    }
}

/// `1, 5`, `default, 5`, `1`. One number alone is written twice, also where the numbers end.
fn range_parts(range: IntegerRange) -> String {
    if range.min == range.max {
        return format!("{}, {}", range.min, range.max);
    }
    let from = match range.min {
        i64::MIN => "default".to_owned(),
        min => min.to_string(),
    };
    if range.is_unlimited() { from } else { format!("{from}, {}", range.max) }
}

fn float_range_parts(range: FloatRange) -> String {
    let from = match range.min.0 {
        min if min == f64::NEG_INFINITY => "default".to_owned(),
        min => float_text(min),
    };
    if range.max.0 == f64::INFINITY { from } else { format!("{from}, {}", float_text(range.max.0)) }
}

fn wide_range_parts(range: &WideRange) -> String {
    let from = range.min.map_or_else(|| "default".to_owned(), |min| min.to_string());
    let to = range.max.map_or_else(String::new, |max| format!(", {max}"));
    format!("{from}{to}")
}

/// An argument that says nothing is not shown.
fn unless_any(inner: Option<&Type>) -> Option<&Type> {
    inner.filter(|inner| **inner != Type::Any)
}
