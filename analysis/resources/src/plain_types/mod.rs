//! Types of a file as far as they only compare values with lists and patterns. They are read from the file's
//! code, so that most resources are checked without evaluating any Ruby.

mod total_code;

use std::sync::Arc;

use plugins::code::{
    AssignTarget, BlockCode, MethodDefinition, RubyBlock, RubyExpression, RubyExpressionKind, RubyHashEntry,
    RubyProgram, TextPart,
};
use plugins::{ATTRIBUTE_METHODS, RESOURCE_METHODS};
use rustc_hash::FxHashMap;
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::Value;

use total_code::is_total;

/// Libraries that change nothing in how Puppet validates resources.
const LIBRARIES: [&str; 12] = [
    "puppet",
    "pathname",
    "uri",
    "set",
    "time",
    "date",
    "json",
    "yaml",
    "ipaddr",
    "shellwords",
    "English",
    "etc",
];

/// Types of a file without code that validates whole resources.
#[derive(Clone, Debug, Default)]
pub struct PlainTypes(FxHashMap<SmolStr, PlainType>);

#[derive(Clone, Debug, Default)]
struct PlainType {
    /// Attributes by name; `None` for those that run code.
    attributes: FxHashMap<SmolStr, Option<PlainAttribute>>,
    /// Attributes that the title sets.
    keys: Vec<SmolStr>,
}

/// Attribute that takes all values, or those of a list.
#[derive(Clone, Debug, Default)]
struct PlainAttribute {
    is_property: bool,
    listed: Vec<SmolStr>,
    patterns: Vec<Regexp>,
}

impl PlainTypes {
    /// Reads the types of a file. Files whose other code may change a type have none.
    pub fn of_program(program: &RubyProgram) -> PlainTypes {
        let mut types = PlainTypes::default();
        match types.add(&program.statements) {
            Some(()) => types,
            None => PlainTypes::default(),
        }
    }

    fn add(&mut self, statements: &[RubyExpression]) -> Option<()> {
        for statement in statements {
            match &*statement.kind {
                RubyExpressionKind::Module(module) if !module.is_class && module.path == "Puppet" => {
                    self.add(&module.body)?;
                }
                _ => {
                    let call = DeclarationCall::of(statement)?;
                    match (call.receiver, call.name) {
                        (None, "require") => {
                            let library = text(call.arguments.first()?)?;
                            let is_known = LIBRARIES.contains(&library.as_str());
                            (is_known
                                || library.starts_with("puppet/p")
                                || library.starts_with("puppet/util"))
                            .then_some(())?;
                        }
                        (Some("Puppet::Type" | "Type"), "newtype") => {
                            let name = text(call.arguments.first()?)?;
                            // Types with validating code are left out, and evaluated for each resource.
                            if let Some(read) = PlainType::of_block(call.block?) {
                                self.0.insert(name, read);
                            }
                        }
                        _ => return None,
                    }
                }
            }
        }
        Some(())
    }

    /// Returns true if a type certainly accepts a title and attributes, of which others may be added. Unknown
    /// titles and values are ignored.
    pub fn certainly_accept(
        &self,
        type_name: &str,
        title: Option<&str>,
        attributes: &[(SmolStr, Value)],
    ) -> bool {
        let Some(plain) = self.0.get(type_name) else { return false };
        let accepts = |name: &SmolStr, value: &Value| match plain.attributes.get(name) {
            Some(Some(attribute)) => attribute.takes(value),
            Some(None) => matches!(value, Value::Unknown(_)),
            // Puppet checks the names of attributes itself.
            None => true,
        };
        let by_title = match (plain.keys.as_slice(), title) {
            ([key], Some(title)) => Some((key, Value::string(title))),
            // Several attributes are set by parts of the title.
            _ => None,
        };
        let is_replaced = |key: &SmolStr| attributes.iter().any(|(name, _)| name == key);
        by_title.is_none_or(|(key, title)| is_replaced(key) || accepts(key, &title))
            && attributes.iter().all(|(name, value)| accepts(name, value))
    }
}

impl PlainType {
    /// Reads the block of a type; `None` if its code may validate resources.
    fn of_block(block: &BlockCode) -> Option<PlainType> {
        let mut read = PlainType::default();
        for statement in &block.body {
            match &*statement.kind {
                RubyExpressionKind::Assignment { target: AssignTarget::InstanceVariable(name), value }
                    if name == "doc" && is_literal(value) => {}
                RubyExpressionKind::Define(method) if keeps_validation(method, &RESOURCE_METHODS) => {}
                RubyExpressionKind::Define(method)
                    if method.is_of_module && method.name == "title_patterns" => {}
                _ => read.call(&DeclarationCall::of(statement).filter(|it| it.receiver.is_none())?)?,
            }
        }
        // Code that was not read must then choose the name variable.
        (!read.keys.is_empty()).then_some(read)
    }

    fn call(&mut self, call: &DeclarationCall<'_>) -> Option<()> {
        match call.name {
            "autorequire" | "autobefore" | "autonotify" | "autosubscribe" | "apply_to_all" => {}
            "desc" | "feature" if call.arguments.iter().all(is_literal) => {}
            "ensurable" if call.arguments.is_empty() => {
                let mut attribute = PlainAttribute { is_property: true, ..PlainAttribute::default() };
                let read = match call.block {
                    Some(block) => attribute.read(block).map(|_| attribute),
                    None => {
                        attribute.listed = vec!["present".into(), "absent".into()];
                        Some(attribute)
                    }
                };
                self.attributes.insert("ensure".into(), read.filter(|_| !call.has_other_block));
            }
            "newparam" | "newproperty" => self.attribute(call)?,
            _ => return None,
        }
        Some(())
    }

    fn attribute(&mut self, call: &DeclarationCall<'_>) -> Option<()> {
        let (name, options) = call.arguments.split_first()?;
        let name = text(name)?;
        let is_property = call.name == "newproperty";
        let mut is_key = name == "name" && !is_property;
        let mut attribute = PlainAttribute { is_property, ..PlainAttribute::default() };
        let mut is_plain = !call.has_other_block;
        for (key, value) in options.iter().map(entries).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
            match text(key)?.as_str() {
                "namevar" => is_key |= matches!(*value.kind, RubyExpressionKind::Boolean(true)),
                "parent" | "required_features" | "required_feature" => is_plain = false,
                _ => is_plain &= is_literal(value),
            }
        }
        if let Some(block) = call.block {
            match attribute.read(block) {
                Some(is_name_variable) => is_key |= is_name_variable,
                // The rest of the block may make it a name variable.
                None => {
                    is_plain = false;
                    is_key |= mentions_name_variable(block);
                }
            }
        }
        self.keys.retain(|it| *it != name);
        if is_key {
            self.keys.push(name.clone());
        }
        self.attributes.insert(name, is_plain.then_some(attribute));
        Some(())
    }
}

impl PlainAttribute {
    /// Reads the block of an attribute, and returns true if it makes it a name variable; `None` if it has code
    /// for values.
    fn read(&mut self, block: &BlockCode) -> Option<bool> {
        let mut is_name_variable = false;
        for statement in &block.body {
            if let RubyExpressionKind::Define(method) = &*statement.kind {
                keeps_validation(method, &ATTRIBUTE_METHODS).then_some(())?;
                continue;
            }
            let call = DeclarationCall::of(statement).filter(|it| it.receiver.is_none())?;
            match call.name {
                "desc" | "defaultto" if call.arguments.iter().all(is_literal) => {}
                "defaultvalues" if call.arguments.is_empty() => {
                    self.listed.extend(["present".into(), "absent".into()]);
                }
                "isrequired" | "nodefault" => {}
                "munge" if call.block.is_some_and(|it| is_total(it)) => {}
                "isnamevar" => is_name_variable = true,
                "newvalues" => call.arguments.iter().try_for_each(|it| self.add_value(it))?,
                "newvalue" => match call.arguments {
                    [value] => self.add_value(value)?,
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(is_name_variable)
    }

    fn add_value(&mut self, value: &RubyExpression) -> Option<()> {
        if let RubyExpressionKind::Pattern { parts, options } = &*value.kind {
            let source: String = parts.iter().map(plain_part).collect::<Option<_>>()?;
            self.patterns.push(Regexp::with_options(&source, options).ok()?);
            return Some(());
        }
        let value = match &*value.kind {
            RubyExpressionKind::Boolean(value) => if *value { "true" } else { "false" }.into(),
            _ => text(value).filter(|it| !it.is_empty())?,
        };
        self.listed.push(value);
        Some(())
    }

    fn takes(&self, value: &Value) -> bool {
        match value {
            Value::Array(elements) if self.is_property => elements.iter().all(|it| self.takes_one(it)),
            value => self.takes_one(value),
        }
    }

    fn takes_one(&self, value: &Value) -> bool {
        match value {
            Value::Unknown(_) => true,
            Value::String(value) => self.lists(value),
            Value::Boolean(value) => self.lists(if *value { "true" } else { "false" }),
            Value::Undef => false,
            _ => self.listed.is_empty() && self.patterns.is_empty(),
        }
    }

    fn lists(&self, value: &str) -> bool {
        self.listed.is_empty() && self.patterns.is_empty()
            || self.listed.iter().any(|it| it == value)
            || self.patterns.iter().any(|it| it.is_match(value).is_ok_and(|it| it))
    }
}

/// DeclarationCall without special arguments.
struct DeclarationCall<'c> {
    /// Constant on which the method is called.
    receiver: Option<&'c str>,
    name: &'c str,
    arguments: &'c [RubyExpression],
    block: Option<&'c Arc<BlockCode>>,
    /// True for a block that is not written here.
    has_other_block: bool,
}

impl<'c> DeclarationCall<'c> {
    fn of(expression: &'c RubyExpression) -> Option<DeclarationCall<'c>> {
        let RubyExpressionKind::Call { receiver, name, arguments, block, .. } = &*expression.kind else {
            return None;
        };
        let receiver = match receiver {
            Some(receiver) => match &*receiver.kind {
                RubyExpressionKind::Constant(path) => Some(path.as_str()),
                _ => return None,
            },
            None => None,
        };
        let (block, has_other_block) = match block {
            Some(RubyBlock::Code(block)) => (Some(block), false),
            Some(_) => (None, true),
            None => (None, false),
        };
        Some(DeclarationCall { receiver, name, arguments, block, has_other_block })
    }
}

/// Returns true for a method of instances that does not replace any of `methods`.
fn keeps_validation(method: &MethodDefinition, methods: &[&str]) -> bool {
    !method.is_of_module && !methods.contains(&method.name.as_str()) && !method.name.ends_with("missing")
}

/// Returns true if a block contains a call of `isnamevar` at its top level.
fn mentions_name_variable(block: &BlockCode) -> bool {
    block.body.iter().filter_map(DeclarationCall::of).any(|it| it.name == "isnamevar")
}

/// Returns the pairs of a hash; `None` for other expressions and for hashes with splats.
fn entries(options: &RubyExpression) -> Option<Vec<(&RubyExpression, &RubyExpression)>> {
    fn pair(entry: &RubyHashEntry) -> Option<(&RubyExpression, &RubyExpression)> {
        match entry {
            RubyHashEntry::Pair(key, value) => Some((key, value)),
            RubyHashEntry::Splat(_) => None,
        }
    }
    match &*options.kind {
        RubyExpressionKind::Hash { entries, .. } => entries.iter().map(pair).collect(),
        _ => None,
    }
}

/// Returns the text of a symbol or string.
fn text(expression: &RubyExpression) -> Option<SmolStr> {
    match &*expression.kind {
        RubyExpressionKind::Symbol(text)
        | RubyExpressionKind::String(text)
        | RubyExpressionKind::FrozenString(text) => Some(text.clone()),
        _ => None,
    }
}

fn plain_part(part: &TextPart) -> Option<&str> {
    match part {
        TextPart::Text(text) => Some(text),
        TextPart::Code(_) => None,
    }
}

fn is_literal(expression: &RubyExpression) -> bool {
    match &*expression.kind {
        RubyExpressionKind::Nil
        | RubyExpressionKind::Boolean(_)
        | RubyExpressionKind::Integer(_)
        | RubyExpressionKind::Float(_)
        | RubyExpressionKind::String(_)
        | RubyExpressionKind::FrozenString(_)
        | RubyExpressionKind::Symbol(_) => true,
        RubyExpressionKind::InterpolatedString(parts) => parts.iter().all(|it| plain_part(it).is_some()),
        RubyExpressionKind::Array(elements) => elements.iter().all(is_literal),
        RubyExpressionKind::Hash { .. } => entries(expression)
            .is_some_and(|entries| entries.iter().all(|(key, value)| is_literal(key) && is_literal(value))),
        _ => false,
    }
}
