//! The functions that a file can call, and how they are called.

use eval::functions::{self, Function, ParameterKind};
use eval::{Fact, World};
use hir::Name;
use project::{Db, DefinitionId, File, NameKind};
use syntax::{AstNode, NodePointer, ast};
use types::assign::Fit;
use types::{CallableType, Type, TypeEnvironment, Value};

/// A function by what it is made of.
#[derive(Clone, Copy)]
pub(crate) enum Callee {
    /// Of Puppet itself, or of puppetlabs-stdlib.
    BuiltIn(&'static Function),
    /// Written in Puppet.
    Puppet(DefinitionId),
}

/// One way to call something.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallSignature {
    pub(crate) parameters: Vec<CallParameter>,
    pub(crate) block: Option<CallBlock>,
    /// As it is written; empty when nothing is said.
    pub(crate) returns: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallParameter {
    pub(crate) name: String,
    /// As it is written; empty when there is none.
    pub(crate) type_text: String,
    /// `None` where it is not worked out.
    pub(crate) ty: Option<Type>,
    pub(crate) is_optional: bool,
    /// As it is written; empty where that is not known.
    pub(crate) default: String,
    pub(crate) is_repeated: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CallBlock {
    pub(crate) type_text: String,
    pub(crate) is_optional: bool,
    /// How many parameters it may have.
    pub(crate) sizes: Option<(i64, i64)>,
}

/// What is known of a call while it is being written: its arguments so far, and its lambda's number of parameters.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Arguments {
    /// `None` where nothing is known of one.
    pub(crate) values: Vec<Option<Value>>,
    pub(crate) lambda: Option<i64>,
    /// Are these all that there will be?
    pub(crate) is_complete: bool,
}

/// The function that a name means in a file; Puppet's own come first, as for Puppet.
pub(crate) fn find(db: &dyn Db, file: File, name: &str) -> Option<Callee> {
    let name = name.strip_prefix("::").unwrap_or(name);
    if let Some(function) = functions::built_in(name) {
        return Some(Callee::BuiltIn(function));
    }
    if let Some(definition) = project::resolve_in_file(db, file, NameKind::Function, name) {
        return Some(Callee::Puppet(definition));
    }
    functions::of_stdlib(name).filter(|_| has_stdlib(db, file)).map(Callee::BuiltIn)
}

/// Do the environments of a file have the module stdlib?
pub(crate) fn has_stdlib(db: &dyn Db, file: File) -> bool {
    file.environments(db).iter().any(|environment| environment.modules(db).contains_key("stdlib"))
}

impl Callee {
    pub(crate) fn name(self, db: &dyn Db) -> Name {
        match self {
            Callee::BuiltIn(function) => function.name.into(),
            Callee::Puppet(definition) => match project::signature(db, definition) {
                Some(signature) => signature.name.clone(),
                None => definition.key(db).name.clone(),
            },
        }
    }

    /// Markdown.
    pub(crate) fn documentation(self, db: &dyn Db) -> Option<String> {
        match self {
            Callee::BuiltIn(function) => Some(function.documentation.to_owned()),
            Callee::Puppet(definition) => documentation(db, definition),
        }
    }

    /// Its signatures, in the order in which they are tried.
    pub(crate) fn signatures(self, db: &dyn Db) -> Vec<CallSignature> {
        match self {
            Callee::BuiltIn(function) => {
                let texts = function.overloads.iter().map(|overload| overload.signature);
                texts.zip(function.signatures()).map(|(text, signature)| built_in(text, signature)).collect()
            }
            Callee::Puppet(definition) => written_in_puppet(db, definition).into_iter().collect(),
        }
    }
}

/// The comment above a definition, as Markdown.
pub(crate) fn documentation(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let summary = project::item_summary(db, definition.file(db)).get(definition.key(db))?;
    summary.documentation.as_ref().map(|text| tags_as_markdown(text))
}

/// The tags of Puppet Strings as a list.
fn tags_as_markdown(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some(tag) = line.trim_start().strip_prefix('@') else {
            lines.push(line.to_owned());
            continue;
        };
        let (tag, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let rest = rest.trim();
        match tag {
            "summary" => lines.push(rest.to_owned()),
            "param" | "option" => {
                let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                lines.push(format!("\n*@{tag}* `{name}` {}", rest.trim()).trim_end().to_owned());
            }
            _ => lines.push(format!("\n*@{tag}* {rest}").trim_end().to_owned()),
        }
    }
    lines.join("\n").replace("\n\n\n", "\n\n").trim().to_owned()
}

fn built_in(text: &str, signature: &functions::Signature) -> CallSignature {
    let parameters = signature.parameters.iter().map(|parameter| CallParameter {
        name: parameter.name.to_string(),
        type_text: parameter.type_text.to_string(),
        ty: Some(parameter.ty.clone()),
        is_optional: matches!(parameter.kind, ParameterKind::Optional | ParameterKind::Repeated),
        default: String::new(),
        is_repeated: matches!(parameter.kind, ParameterKind::Repeated | ParameterKind::RequiredRepeated),
    });
    let block = signature.block.as_ref().map(|block| CallBlock {
        type_text: block.type_text.to_string(),
        is_optional: matches!(block.ty, Type::Optional(_)),
        sizes: block_sizes(&block.ty),
    });
    let returns = text.rsplit_once(">>").map_or("", |(_, returns)| returns.trim()).to_owned();
    CallSignature { parameters: parameters.collect(), block, returns }
}

fn block_sizes(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Optional(Some(ty)) => block_sizes(ty),
        Type::Callable(callable) => {
            let size = callable.parameters.as_ref()?.size();
            Some((size.min, size.max))
        }
        _ => None,
    }
}

fn written_in_puppet(db: &dyn Db, definition: DefinitionId) -> Option<CallSignature> {
    let file = definition.file(db);
    let pointer: NodePointer = project::body_source_map(db, definition).definition()?;
    let node = pointer.to_node(project::parse_once(db, file).tree().syntax())?;
    let node = ast::Definition::cast(node)?;
    let parameters = node.parameters().into_iter().flat_map(|list| list.parameters().collect::<Vec<_>>());
    let parameters = parameters.map(|parameter| CallParameter {
        name: parameter.name().unwrap_or_default(),
        type_text: parameter.type_expr().map(|it| one_line(&it.syntax().text())).unwrap_or_default(),
        ty: None,
        is_optional: parameter.default().is_some() || parameter.splat().is_some(),
        default: parameter.default().map(|it| short(one_line(&it.syntax().text()))).unwrap_or_default(),
        is_repeated: parameter.splat().is_some(),
    });
    let parameters = parameters.collect();
    let returns = match &node {
        ast::Definition::FunctionDefinition(function) => function.return_type().and_then(|it| it.type_expr()),
        _ => None,
    };
    let returns = returns.map(|it| one_line(&it.syntax().text())).unwrap_or_default();
    Some(CallSignature { parameters, block: None, returns })
}

fn short(text: String) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A text without line breaks, as part of a signature.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The signatures of a constructor. Some take the same as a hash: its keys are the names of the parameters.
pub(crate) fn constructor(callables: &[CallableType], env: &dyn TypeEnvironment) -> Vec<CallSignature> {
    let names = |count: usize| {
        let keys = callables.iter().filter_map(|callable| match &*callable.parameters.as_ref()?.types {
            [Type::Struct(members)] if members.len() == count => Some(members),
            _ => None,
        });
        keys.into_iter().next()
    };
    let signature = |callable: &CallableType| {
        let mut parameters = Vec::new();
        if let Some(tuple) = &callable.parameters {
            let size = tuple.size();
            let count = tuple.types.len();
            for (index, ty) in tuple.types.iter().enumerate() {
                let key = names(count).and_then(|members| members.get(index)).map(|it| it.name.to_string());
                parameters.push(CallParameter {
                    name: key.unwrap_or_else(|| {
                        if index == 0 { "from".to_owned() } else { format!("argument{}", index + 1) }
                    }),
                    type_text: types::display::type_text(ty, env),
                    ty: Some(ty.clone()),
                    is_optional: index as i64 >= size.min,
                    default: String::new(),
                    is_repeated: index + 1 == count && size.max > count as i64,
                });
            }
        }
        let returns =
            callable.returns.as_ref().map(|ty| types::display::type_text(ty, env)).unwrap_or_default();
        CallSignature { parameters, block: None, returns }
    };
    callables.iter().map(signature).collect()
}

impl CallSignature {
    /// `name(Type $a, Type $b) >> Type`, and where each parameter's text lies in it, in bytes.
    pub(crate) fn label(&self, name: &str) -> (String, Vec<std::ops::Range<usize>>) {
        let mut label = format!("{name}(");
        let mut ranges = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            if index > 0 {
                label.push_str(", ");
            }
            let start = label.len();
            label.push_str(&parameter.text());
            ranges.push(start..label.len());
        }
        if let Some(block) = &self.block {
            if !self.parameters.is_empty() {
                label.push_str(", ");
            }
            label.push_str(&block.type_text);
            label.push_str(" &$block");
        }
        label.push(')');
        if !self.returns.is_empty() {
            label.push_str(" >> ");
            label.push_str(&self.returns);
        }
        (label, ranges)
    }

    /// The parameter that takes the argument of an index.
    pub(crate) fn parameter_at(&self, index: usize) -> Option<usize> {
        match self.parameters.last() {
            Some(last) if last.is_repeated => Some(index.min(self.parameters.len() - 1)),
            _ => (index < self.parameters.len()).then_some(index),
        }
    }

    fn required(&self) -> usize {
        self.parameters.iter().filter(|it| !it.is_optional).count()
    }

    /// Could these arguments be (the beginning of) a call with this signature?
    pub(crate) fn fits(&self, arguments: &Arguments, world: &World<'_>) -> Fit {
        if arguments.is_complete && arguments.values.len() < self.required() {
            return Fit::Never;
        }
        match (&self.block, arguments.lambda) {
            (None, Some(_)) => return Fit::Never,
            (Some(block), None) if arguments.is_complete && !block.is_optional => return Fit::Never,
            (Some(CallBlock { sizes: Some((min, max)), .. }), Some(lambda))
                if lambda < *min || lambda > *max =>
            {
                return Fit::Never;
            }
            _ => {}
        }
        let mut fit = Fit::Always;
        for (index, value) in arguments.values.iter().enumerate() {
            let Some(parameter) = self.parameter_at(index) else { return Fit::Never };
            let (Some(ty), Some(value)) = (&self.parameters[parameter].ty, value) else {
                fit = Fit::Maybe;
                continue;
            };
            match types::assign::fits(ty, value, world) {
                Fit::Never => return Fit::Never,
                Fit::Maybe => fit = Fit::Maybe,
                Fit::Always => {}
            }
        }
        fit
    }
}

impl CallParameter {
    pub(crate) fn text(&self) -> String {
        let mut text = self.type_text.clone();
        if !text.is_empty() {
            text.push(' ');
        }
        if self.is_repeated {
            text.push('*');
        }
        text.push('$');
        text.push_str(&self.name);
        if self.is_optional && !self.is_repeated {
            text.push_str(" = ");
            text.push_str(if self.default.is_empty() { "…" } else { &self.default });
        }
        text
    }
}

/// The index of the signature that a call uses: the first that surely fits, else the first that may.
pub(crate) fn applying(
    signatures: &[CallSignature],
    arguments: &Arguments,
    world: &World<'_>,
) -> Option<usize> {
    let fits: Vec<Fit> = signatures.iter().map(|it| it.fits(arguments, world)).collect();
    let first = |wanted: Fit| fits.iter().position(|fit| *fit == wanted);
    first(Fit::Always).or_else(|| first(Fit::Maybe))
}

/// What a call's arguments are worth, from the facts about their expressions.
pub(crate) fn argument_values<'f>(
    facts: impl Iterator<Item = Option<Fact>> + 'f,
    world: &World<'_>,
) -> Vec<Option<Value>> {
    facts.map(|fact| fact.map(|fact| crate::facts::value_of(&fact, world))).collect()
}
