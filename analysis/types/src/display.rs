//! String form of types, as Puppet prints and parses it.

use std::fmt;

use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::environment::{NoTypes, TypeEnvironment, WithoutRefusals};
use crate::object::{Annotations, ObjectAttribute, ObjectAttributeKind, ObjectType, TypeSet};
use crate::text::quoted;
use crate::ty::*;
use crate::value::{HashValue, Value};
use scalars::numbers::float_text;

/// Formats a top-level type: an alias as `MyType = Array[Integer]`, an object type as `Object[{...}]`. Nested
/// aliases are shown by name.
pub fn type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    let expanded = matches!(ty, Type::Alias(_) | Type::Object(_));
    print(ty, env, expanded)
}

/// Formats a type with every alias unfolded, as in `MyType = Array[Integer]`, once per branch.
pub fn expanded_type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    print(ty, env, true)
}

/// Formats a type that is nested in another one: aliases and object types are shown by name.
pub fn embedded_type_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    print(ty, env, false)
}

/// Formats like [`embedded_type_text`], but without an environment: an alias may or may not accept `undef`,
/// so the key of a `Struct` may be printed as `Optional['a']` instead of `'a'`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&print(self, &NoTypes, false))
    }
}

/// Capitalizes the segments of a name, turning `apache::vhost` into `Apache::Vhost`.
pub fn capitalized_segments(name: &str) -> SmolStr {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.into();
    }
    let mut capitalized = String::with_capacity(name.len());
    if name.is_ascii() {
        // Number of preceding colons; a segment begins after two.
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

/// Maximum output length, in bytes, up to which aliases are unfolded.
const MAX_UNFOLDED_LENGTH: usize = 256 * 1024;

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
    printer.write_type(ty);
    printer.out
}

struct TypePrinter<'a> {
    out: String,
    env: &'a dyn TypeEnvironment,
    expanded: bool,
    /// Recursive aliases that are being unfolded.
    open_aliases: Vec<SmolStr>,
    /// True if one of them recurred. No recursive alias is then unfolded until the outermost one is finished.
    recursion_met: bool,
    /// Enclosing type sets. Types defined by the innermost one are shown by their short names.
    type_sets: Vec<&'a TypeSet>,
    /// Current nesting depth. Deeply nested aliases are shown by name.
    depth: usize,
}

impl<'a> TypePrinter<'a> {
    fn push_str(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes `Name`, followed by `[arguments]` if there are any.
    fn write_with_arguments(&mut self, name: &str, arguments: bool, print: impl FnOnce(&mut Self)) {
        self.push_str(name);
        if arguments {
            self.push_str("[");
            print(self);
            self.push_str("]");
        }
    }

    /// Writes `Name`, followed by `[item, item]` if there are any items.
    fn write_with_list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        print: impl FnMut(&mut Self, T),
    ) {
        let mut items = items.into_iter().peekable();
        let has_items = items.peek().is_some();
        self.write_with_arguments(name, has_items, |printer| printer.write_list(items, print));
    }

    fn write_list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push_str(", ");
            }
            print(self, item);
        }
    }

    fn write_types<'t>(&mut self, types: impl IntoIterator<Item = &'t Type>) {
        self.write_list(types, |printer, ty| printer.write_type(ty));
    }

    fn write_wrapper(&mut self, name: &str, inner: Option<&Type>) {
        self.write_with_list(name, inner, |printer, ty| printer.write_type(ty));
    }

    /// Writes `Optional` or `NotUndef`, which show a literal string as a plain string.
    fn write_literal_wrapper(&mut self, name: &str, inner: Option<&Type>) {
        match inner {
            Some(Type::LiteralString(text)) => {
                let text = quoted(text);
                self.write_with_arguments(name, true, |printer| printer.push_str(&text));
            }
            inner => self.write_wrapper(name, inner),
        }
    }

    fn write_type(&mut self, ty: &Type) {
        self.depth += 1;
        self.write_kind(ty);
        self.depth -= 1;
    }

    fn write_kind(&mut self, ty: &Type) {
        let name = ty.base_name();
        match ty {
            Type::Integer(range) => {
                self.write_with_text(name, *range != IntegerRange::ALL, || range_parts(*range));
            }
            Type::WideInteger(range) => self.write_with_text(name, true, || wide_range_parts(range)),
            Type::Float(range) => {
                self.write_with_text(name, *range != FloatRange::ALL, || float_range_parts(*range));
            }
            Type::String(size) | Type::Collection(size) => self.write_sized(name, *size),
            Type::Enum(enumeration) => self.write_enum(enumeration),
            Type::Pattern(patterns) => {
                self.write_with_list(name, patterns.iter(), |printer, it| {
                    printer.push_str(&it.to_delimited_text())
                });
            }
            Type::Regexp(pattern) => {
                self.write_with_list(name, pattern, |printer, it| printer.push_str(&it.to_delimited_text()));
            }
            Type::Boolean(value) => {
                self.write_with_list(name, value, |printer, it| {
                    printer.push_str(if *it { "true" } else { "false" })
                });
            }
            Type::SemVer(ranges) => {
                self.write_with_list(name, ranges.iter(), |printer, it| printer.push_str(&format!("'{it}'")));
            }
            Type::Timestamp(range) => self.write_time_range(name, range.as_deref()),
            Type::Timespan(range) => self.write_time_range(name, range.as_deref()),
            Type::Uri(parameters) => {
                self.write_with_list(name, parameters, |printer, it| printer.write_value(it))
            }
            Type::Array(array) => self.write_array(array),
            Type::Tuple(tuple) => self.write_with_arguments(name, !tuple.types.is_empty(), |printer| {
                printer.write_types(&tuple.types);
                printer.write_further_size(tuple.size);
            }),
            Type::Hash(hash) => self.write_hash(hash),
            Type::Struct(members) => {
                self.write_with_arguments(name, !members.is_empty(), |printer| {
                    printer.write_members(members)
                });
            }
            Type::Variant(types) => {
                self.write_with_list(name, types.iter(), |printer, ty| printer.write_type(ty))
            }
            Type::Iterable(inner) | Type::Iterator(inner) | Type::Type(inner) => {
                self.write_wrapper(name, inner.as_deref());
            }
            Type::Optional(inner) => self.write_literal_wrapper(name, inner.as_deref()),
            Type::NotUndef(inner) => self.write_literal_wrapper(name, unless_any(inner.as_deref())),
            Type::Sensitive(inner) => self.write_wrapper(name, unless_any(inner.as_deref())),
            Type::Callable(callable) => self.write_callable(callable),
            Type::Class(title) => self.write_with_list(name, title, |printer, title| printer.push_str(title)),
            Type::Resource(resource) => self.write_resource(resource),
            Type::Runtime(runtime) => self.write_runtime(runtime),
            Type::Init(init) => self.write_init(init.as_deref()),
            Type::Object(object) => self.write_object(object.as_deref()),
            Type::ObjectExtension(extension) => self.write_extension(extension),
            Type::TypeSet(type_set) => self.write_type_set(type_set.as_deref()),
            Type::Alias(name) => self.write_alias(name),
            Type::Reference(text) => self.write_with_text(name, true, || quoted(text)),
            // All others have no arguments or do not show them.
            _ => self.push_str(name),
        }
    }

    /// Writes `Name`, followed by `[text]` if there are arguments.
    fn write_with_text(&mut self, name: &str, arguments: bool, text: impl FnOnce() -> String) {
        self.write_with_arguments(name, arguments, |printer| printer.push_str(&text()));
    }

    fn write_enum(&mut self, enumeration: &EnumType) {
        let values = &enumeration.values;
        self.write_with_arguments("Enum", !values.is_empty(), |printer| {
            printer.write_list(values, |printer, value| printer.push_str(&quoted(value)));
            if enumeration.case_insensitive {
                printer.push_str(", true");
            }
        });
    }

    fn write_resource(&mut self, resource: &ResourceType) {
        match &resource.type_name {
            Some(name) if resource.is_object => {
                let title = resource.title.as_deref().unwrap_or_default();
                self.push_str(&format!("{}[{title}]", capitalized_segments(name)));
            }
            Some(name) => {
                let title = resource.title.as_deref().map(quoted);
                self.write_with_list(&capitalized_segments(name), title, |printer, title| {
                    printer.push_str(&title)
                });
            }
            None => self.push_str("Resource"),
        }
    }

    fn write_init(&mut self, init: Option<&InitType>) {
        self.write_with_list("Init", init, |printer, init| {
            printer.write_type(&init.ty);
            for argument in &init.arguments {
                printer.push_str(", ");
                printer.write_value(argument);
            }
        });
    }

    fn write_sized(&mut self, name: &str, size: IntegerRange) {
        let parts = range_parts(size);
        self.write_with_arguments(name, size != IntegerRange::SIZE, |printer| printer.push_str(&parts));
    }

    /// Writes a size after other arguments, as in `, 1, 5`.
    fn write_further_size(&mut self, size: Option<IntegerRange>) {
        if let Some(size) = size {
            self.push_str(", ");
            self.push_str(&range_parts(size));
        }
    }

    fn write_time_range<T: fmt::Display + PartialEq>(&mut self, name: &str, range: Option<&TimeRange<T>>) {
        let range = range.filter(|range| range.from.is_some() || range.to.is_some());
        self.write_with_arguments(name, range.is_some(), |printer| {
            let Some(range) = range else { return };
            match &range.from {
                Some(from) => printer.push_str(&format!("'{from}'")),
                None => printer.push_str("default"),
            }
            if let Some(to) = range.to.as_ref().filter(|to| range.from.as_ref() != Some(to)) {
                printer.push_str(&format!(", '{to}'"));
            }
        });
    }

    fn write_array(&mut self, array: &ArrayType) {
        if array.size == IntegerRange::exactly(0) {
            return self.push_str("Array[0, 0]");
        }
        let sized = array.size != IntegerRange::SIZE;
        self.write_with_arguments("Array", sized || array.element != Type::Any, |printer| {
            printer.write_type(&array.element);
            printer.write_further_size(sized.then_some(array.size));
        });
    }

    fn write_hash(&mut self, hash: &HashType) {
        if hash.size == IntegerRange::exactly(0) {
            return self.push_str("Hash[0, 0]");
        }
        let sized = hash.size != IntegerRange::SIZE;
        let plain = !sized && hash.key == Type::Any && hash.value == Type::Any;
        self.write_with_arguments("Hash", !plain, |printer| {
            printer.write_types([&hash.key, &hash.value]);
            printer.write_further_size(sized.then_some(hash.size));
        });
    }

    fn write_members(&mut self, members: &[StructMember]) {
        let mut shown = IndexMap::new();
        for member in members {
            let name = quoted(&member.name);
            let may_be_undef = takes_undef(&member.value, self.env);
            let key = match member.key {
                StructKey::Optional if !may_be_undef => format!("Optional[{name}]"),
                StructKey::Required if may_be_undef => format!("NotUndef[{name}]"),
                _ => name,
            };
            // The last of several identical-looking members is shown.
            shown.insert(key, &member.value);
        }
        self.push_str("{");
        self.write_list(shown, |printer, (key, ty)| {
            printer.push_str(&key);
            printer.push_str(" => ");
            printer.write_type(ty);
        });
        self.push_str("}");
    }

    fn write_callable(&mut self, callable: &CallableType) {
        let returns = callable.returns.as_ref().filter(|returns| **returns != Type::Any);
        let any_arguments = callable.parameters.is_none();
        self.write_with_arguments("Callable", returns.is_some() || !any_arguments, |printer| match returns {
            None => printer.write_callable_parameters(callable),
            Some(returns) => {
                printer.write_with_arguments("", true, |printer| printer.write_callable_parameters(callable));
                printer.push_str(", ");
                printer.write_type(returns);
            }
        });
    }

    fn write_callable_parameters(&mut self, callable: &CallableType) {
        let Some(parameters) = &callable.parameters else { return };
        let written: Vec<&Type> = parameters.types.iter().filter(|ty| **ty != Type::Unit).collect();
        let size = match parameters.size {
            _ if parameters.types.is_empty() => Some("0, 0".to_owned()),
            size => size.map(range_parts),
        };
        let is_first = written.is_empty();
        self.write_types(written);
        if let Some(size) = &size {
            self.push_str(if is_first { "" } else { ", " });
            self.push_str(size);
        }
        if let Some(block) = &callable.block {
            self.push_str(if is_first && size.is_none() { "" } else { ", " });
            self.write_type(block);
        }
    }

    fn write_runtime(&mut self, runtime: &RuntimeType) {
        let plain = runtime.runtime.is_none() && runtime.name.is_none() && runtime.pattern.is_none();
        self.write_with_arguments("Runtime", !plain, |printer| {
            printer.push_str(runtime.runtime.as_deref().unwrap_or("undef"));
            printer.push_str(", ");
            match (&runtime.name, &runtime.pattern) {
                (Some(name), _) => printer.push_str(&quoted(name)),
                (None, Some((pattern, name))) => {
                    printer.push_str(&format!("[{}, {}]", pattern.to_delimited_text(), quoted(name)))
                }
                (None, None) => printer.push_str("undef"),
            }
        });
    }

    fn write_alias(&mut self, name: &str) {
        self.write_name(name);
        if !self.expanded || self.out.len() > MAX_UNFOLDED_LENGTH || self.depth > Value::MAX_DEPTH {
            return;
        }
        if name == crate::ty::BARE_ALIAS {
            return self.push_str(" = TypeReference['UnresolvedReference']");
        }
        let target = self.env.named_type(name);
        let Some(target) = target.filter(|target| !is_declaration(&target.ty, &target.name)) else { return };
        if !crate::assign::is_recursive_alias(&target.name, self.env) {
            self.push_str(" = ");
            return self.write_type(&target.ty);
        }
        if self.open_aliases.contains(&target.name) {
            self.recursion_met = true;
        }
        if self.recursion_met {
            return;
        }
        self.push_str(" = ");
        self.open_aliases.push(target.name);
        self.write_type(&target.ty);
        self.open_aliases.pop();
        self.recursion_met = false;
    }

    /// Writes the name of a type, in its short form inside the type set that defines it.
    fn write_name(&mut self, name: &str) {
        let short = self.type_sets.last().and_then(|set| {
            let prefix = set.name.as_deref()?;
            let short = name.strip_prefix(prefix)?.strip_prefix("::")?;
            set.types.iter().any(|(defined, _)| defined == short).then_some(short)
        });
        let name = short.unwrap_or(name).to_owned();
        self.push_str(&name);
    }

    fn write_object(&mut self, object: Option<&ObjectType>) {
        let name = object.and_then(|object| object.name.as_deref());
        if !self.expanded {
            return self.write_name(name.unwrap_or("Object"));
        }
        self.write_object_hash(object, name);
    }

    fn write_object_hash(&mut self, object: Option<&ObjectType>, name: Option<&str>) {
        let expanded = std::mem::replace(&mut self.expanded, false);
        self.write_with_arguments("Object", true, |printer| {
            printer.push_str("{");
            if let Some(object) = object {
                printer.write_object_entries(object, name);
            }
            printer.push_str("}");
        });
        self.expanded = expanded;
    }

    fn write_object_entries(&mut self, object: &ObjectType, name: Option<&str>) {
        let mut entries = EntryPrinter { is_first: true };
        if let Annotations(Some(annotations)) = &object.annotations {
            entries.write_key(self, "annotations");
            self.write_annotations(annotations);
        }
        if let Some(name) = name {
            entries.write_key(self, "name");
            self.push_str(&quoted(name));
        }
        if let Some(parent) = &object.parent {
            entries.write_key(self, "parent");
            self.write_type(parent);
        }
        if !object.type_parameters.is_empty() {
            entries.write_key(self, "type_parameters");
            self.push_str("{");
            self.write_list(&object.type_parameters, |printer, (name, ty)| {
                printer.push_str(&format!("{} => ", quoted(name)));
                printer.write_type(match ty {
                    Type::Optional(Some(inner)) => inner,
                    ty => ty,
                });
            });
            self.push_str("}");
        }
        self.write_attributes(&mut entries, object);
        if !object.functions.is_empty() {
            entries.write_key(self, "functions");
            self.push_str("{");
            self.write_list(&object.functions, |printer, function| {
                printer.push_str(&format!("{} => ", quoted(&function.name)));
                printer.write_member(&MemberView {
                    ty: &function.ty,
                    is_final: function.is_final,
                    overrides: function.overrides,
                    annotations: &function.annotations,
                    kind: None,
                    value: None,
                });
            });
            self.push_str("}");
        }
        if let Some(equality) = &object.equality {
            entries.write_key(self, "equality");
            self.push_str("[");
            self.write_list(equality, |printer, name| printer.push_str(&quoted(name)));
            self.push_str("]");
        }
        if let Some(checks) = &object.checks {
            entries.write_key(self, "checks");
            self.write_value(checks);
        }
    }

    fn write_attributes(&mut self, entries: &mut EntryPrinter, object: &ObjectType) {
        let (constants, attributes): (Vec<&ObjectAttribute>, Vec<&ObjectAttribute>) =
            object.attributes.iter().partition(|it| is_plain_constant(it, self.env));
        if !attributes.is_empty() {
            entries.write_key(self, "attributes");
            self.push_str("{");
            self.write_list(attributes, |printer, attribute| {
                printer.push_str(&format!("{} => ", quoted(&attribute.name)));
                printer.write_attribute(attribute);
            });
            self.push_str("}");
        }
        if !constants.is_empty() {
            entries.write_key(self, "constants");
            self.push_str("{");
            self.write_list(constants, |printer, constant| {
                printer.push_str(&format!("{} => ", quoted(&constant.name)));
                printer.write_value(constant.value.as_ref().unwrap_or(&Value::Undef));
            });
            self.push_str("}");
        }
    }

    fn write_annotations(&mut self, annotations: &HashValue) {
        self.push_str("{");
        self.write_list(annotations.iter(), |printer, (key, value)| {
            match key {
                Value::Type(ty) => printer.write_type(ty),
                key => printer.write_value(key),
            }
            printer.push_str(" => ");
            printer.write_value(value);
        });
        self.push_str("}");
    }

    fn write_attribute(&mut self, attribute: &ObjectAttribute) {
        let is_final = attribute.is_final && attribute.kind != ObjectAttributeKind::Constant;
        self.write_member(&MemberView {
            ty: &attribute.ty,
            is_final,
            overrides: attribute.overrides,
            annotations: &attribute.annotations,
            kind: attribute.kind.word(),
            value: attribute.value.as_ref(),
        });
    }

    fn write_member(&mut self, member: &MemberView<'_>) {
        let MemberView { ty, is_final, overrides, annotations, kind, value } = *member;
        if !is_final && !overrides && annotations.0.is_none() && kind.is_none() && value.is_none() {
            return self.write_type(ty);
        }
        self.push_str("{type => ");
        self.write_type(ty);
        if is_final {
            self.push_str(", final => true");
        }
        if overrides {
            self.push_str(", override => true");
        }
        if let Annotations(Some(annotations)) = annotations {
            self.push_str(", annotations => ");
            self.write_annotations(annotations);
        }
        if let Some(kind) = kind {
            self.push_str(", kind => ");
            self.push_str(kind);
        }
        if let Some(value) = value {
            self.push_str(", value => ");
            self.write_value(value);
        }
        self.push_str("}");
    }

    fn write_extension(&mut self, extension: &ObjectExtension) {
        let expanded = std::mem::replace(&mut self.expanded, false);
        self.write_type(&extension.base);
        self.expanded = expanded;
        let parameters = &extension.parameters;
        self.write_with_arguments("", true, |printer| {
            if parameters.len() > 2 {
                let given = parameters.iter().filter(|(_, value)| *value != Value::Default);
                printer.push_str("{");
                printer.write_list(given, |printer, (name, value)| {
                    printer.push_str(&format!("{} => ", quoted(name)));
                    printer.write_value(value);
                });
                return printer.push_str("}");
            }
            let given =
                parameters.iter().rposition(|(_, value)| *value != Value::Default).map_or(0, |at| at + 1);
            printer.write_list(&parameters[..given], |printer, (_, value)| printer.write_value(value));
        });
    }

    fn write_type_set(&mut self, type_set: Option<&TypeSet>) {
        let Some(set) = type_set else {
            return self.push_str(DEFAULT_TYPE_SET);
        };
        self.push_str("TypeSet[{");
        let mut entries = EntryPrinter { is_first: true };
        if let Annotations(Some(annotations)) = &set.annotations {
            entries.write_key(self, "annotations");
            let expanded = std::mem::replace(&mut self.expanded, true);
            self.write_annotations(annotations);
            self.expanded = expanded;
        }
        let mut entry = |printer: &mut Self, key: &str, value: &Option<SmolStr>| {
            if let Some(value) = value {
                entries.write_key(printer, key);
                printer.push_str(&quoted(value));
            }
        };
        entry(self, "pcore_uri", &set.pcore_uri);
        entry(self, "pcore_version", &set.pcore_version);
        entry(self, "name_authority", &set.name_authority);
        entry(self, "name", &set.name);
        entry(self, "version", &set.version);
        if !set.types.is_empty() {
            entries.write_key(self, "types");
            let types = print_types_of_set(set, self.env);
            self.push_str(&types);
        }
        if !set.references.is_empty() {
            entries.write_key(self, "references");
            self.push_str("{");
            self.write_list(&set.references, |printer, (alias, reference)| {
                printer.push_str(&format!("{alias} => {{"));
                let authority = reference.name_authority.as_deref();
                if let Some(authority) = authority.filter(|it| Some(*it) != set.name_authority.as_deref()) {
                    printer.push_str(&format!("'name_authority' => {}, ", quoted(authority)));
                }
                let (name, range) = (quoted(&reference.name), quoted(&reference.version_range));
                printer.push_str(&format!("'name' => {name}, 'version_range' => {range}}}"));
            });
            self.push_str("}");
        }
        self.push_str("}]");
    }

    /// Writes a value that is part of a type.
    fn write_value(&mut self, value: &Value) {
        match crate::text::literal(value, self.env) {
            Ok(text) => self.push_str(&text),
            Err(_) => {
                self.push_str("Instance of ");
                self.write_type(&crate::infer::infer(value, self.env));
            }
        }
    }
}

/// String form of the bare name `TypeSet`.
const DEFAULT_TYPE_SET: &str = "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', \
     name_authority => 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]";

/// Printed properties of an attribute or a function.
struct MemberView<'m> {
    ty: &'m Type,
    is_final: bool,
    overrides: bool,
    annotations: &'m Annotations,
    kind: Option<&'m str>,
    value: Option<&'m Value>,
}

/// Writer for hash entries, which may be omitted.
struct EntryPrinter {
    is_first: bool,
}

impl EntryPrinter {
    fn write_key(&mut self, printer: &mut TypePrinter<'_>, key: &str) {
        if !std::mem::replace(&mut self.is_first, false) {
            printer.push_str(", ");
        }
        printer.push_str(key);
        printer.push_str(" => ");
    }
}

/// Formats the hash of the types that a type set defines.
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
    printer.push_str("{");
    printer.write_list(&set.types, |printer, (name, ty)| {
        printer.push_str(name);
        printer.push_str(" => ");
        match ty {
            Type::Object(object) => printer.write_object_hash(object.as_deref(), None),
            ty => printer.write_type(ty),
        }
    });
    printer.push_str("}");
    printer.out
}

/// Returns true if the type of a constant follows from its value, in which case only the value is listed.
pub(crate) fn is_plain_constant(attribute: &ObjectAttribute, env: &dyn TypeEnvironment) -> bool {
    attribute.kind == ObjectAttributeKind::Constant
        && attribute.value.as_ref().is_some_and(|value| {
            crate::common::generalize(&crate::infer::infer(value, env), env) == attribute.ty
        })
}

/// Returns true if `ty` is the object type or type set declared as `name`, rather than the target of an
/// alias.
pub(crate) fn is_declaration(ty: &Type, name: &str) -> bool {
    let own_name = match ty {
        Type::Object(Some(object)) => object.name.as_deref(),
        Type::TypeSet(Some(set)) => set.name.as_deref(),
        _ => None,
    };
    own_name.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Returns true if `undef` is an instance.
pub(crate) fn takes_undef(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    takes_undef_within(ty, env, &mut Vec::new())
}

fn takes_undef_within(ty: &Type, env: &dyn TypeEnvironment, seen: &mut Vec<SmolStr>) -> bool {
    match ty {
        Type::Any | Type::Unit | Type::Undef | Type::Data | Type::RichData | Type::Optional(_) => true,
        Type::Init(None) => true,
        // Its constructor may take the same `Init` again.
        Type::Init(Some(_)) => {
            env.constructor_depth() == 0
                && crate::assign::is_assignable(ty, &Type::Undef, &WithoutRefusals::of_constructor(env))
        }
        Type::Variant(types) => types.iter().any(|ty| takes_undef_within(ty, env, seen)),
        Type::Alias(name) if !seen.contains(name) => {
            seen.push(name.clone());
            unfold_alias(ty, env).is_some_and(|target| takes_undef_within(&target, env, seen))
        }
        // An alias that was visited before does not accept it, or is being resolved.
        _ => false,
    }
}

/// Formats a range as `1, 5`, `default, 5` or `1`. A range with a single number repeats it, even at the
/// limits of the integers.
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

/// Returns the argument unless it is the default `Any`, which is not shown.
fn unless_any(inner: Option<&Type>) -> Option<&Type> {
    inner.filter(|inner| **inner != Type::Any)
}
