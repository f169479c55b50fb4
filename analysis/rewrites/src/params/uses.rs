//! Uses of the class in the module.

use std::collections::{BTreeMap, BTreeSet};

use syntax::ast::{self, AccessOrCallArgument, Definition, Expr};
use syntax::{AstNode, Language, SyntaxElement, SyntaxKind, SyntaxNode, TextRange};

use super::branches::{PARAMS, PlacedValue};
use crate::{ModuleTexts, RewriteRefusal};

/// Parameter with a variable of the class as its default.
#[derive(Clone, Debug)]
pub(super) struct DefaultUse {
    /// Key of the parameter in data.
    pub(super) key: String,
    pub(super) variable: String,
    pub(super) path: String,
    pub(super) offset: u32,
    /// Range of the default with the `=` before it, and of the default alone.
    ranges: [TextRange; 2],
}

/// Uses that a rewrite replaces.
#[derive(Default, Debug)]
pub(super) struct ParamsUses {
    pub(super) defaults: Vec<DefaultUse>,
    /// Other code to remove, by path.
    removed: BTreeMap<String, Vec<TextRange>>,
}

/// Finds the uses of the class; `variables` are those that it assigns.
pub(super) fn find(
    module: &ModuleTexts,
    class: &str,
    variables: &BTreeSet<String>,
) -> Result<ParamsUses, RewriteRefusal> {
    let mut uses = ParamsUses::default();
    let mut inherited = Inherited::new();
    for (path, text) in module.files.iter().filter(|(path, _)| path.as_str() != PARAMS) {
        if path.ends_with(".pp") && !path.starts_with("spec/") {
            let mut file = FileUses { path, text, class, variables, uses: &mut uses, handled: Vec::new() };
            file.find(&mut inherited)?;
        }
    }
    for (path, text) in &module.files {
        if path.ends_with(".pp") || is_documentation(path) {
            continue;
        }
        if let Some(at) = text.find(class) {
            return Err(RewriteRefusal::at(format!("`{class}` is used"), path, text, at as u32));
        }
        let is_template = path.starts_with("templates/");
        for name in inherited.values().flatten().filter(|_| is_template) {
            if let Some(at) = instance_variable(text, name) {
                let reason = format!("`{name}` of the class `params` is used");
                return Err(RewriteRefusal::at(reason, path, text, at));
            }
        }
    }
    for (path, text) in module.files.iter().filter(|(path, _)| !is_documentation(path)) {
        for (class, name) in
            inherited.iter().flat_map(|(class, names)| names.iter().map(move |it| (class, it)))
        {
            let qualified = format!("{class}::{name}");
            if let Some(at) = whole_word(text, &qualified) {
                let reason = format!("`{qualified}` of the class `params` is used");
                return Err(RewriteRefusal::at(reason, path, text, at));
            }
        }
    }
    Ok(uses)
}

/// Variables that classes have because they inherit from the class, by name of the class.
type Inherited = BTreeMap<String, BTreeSet<String>>;

/// Returns the position of a name that is not part of a longer one.
fn whole_word(text: &str, name: &str) -> Option<u32> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let at = |at: usize| text.as_bytes().get(at).copied();
    let found = text.match_indices(name).find(|(start, _)| {
        let before = start.checked_sub(1).and_then(at);
        !before.is_some_and(is_word) && !at(start + name.len()).is_some_and(is_word)
    });
    found.map(|(at, _)| at as u32)
}

fn is_documentation(path: &str) -> bool {
    path.starts_with("spec/") || path.ends_with(".md") || path.starts_with("doc") || path.ends_with(".json")
}

/// Returns the position of `@name` or `$name` in a template.
fn instance_variable(text: &str, name: &str) -> Option<u32> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let found = text.match_indices(name).find(|(at, _)| {
        let before = at.checked_sub(1).and_then(|it| text.as_bytes().get(it));
        let after = text.as_bytes().get(at + name.len());
        matches!(before, Some(b'@' | b'$' | b'\'' | b'"')) && after.is_none_or(|it| !is_word(*it))
    });
    found.map(|(at, _)| at as u32)
}

/// Search in one manifest.
struct FileUses<'a> {
    path: &'a str,
    text: &'a str,
    class: &'a str,
    variables: &'a BTreeSet<String>,
    uses: &'a mut ParamsUses,
    /// Ranges of names that the rewrite replaces.
    handled: Vec<TextRange>,
}

impl FileUses<'_> {
    fn refused(&self, reason: impl Into<String>, offset: u32) -> RewriteRefusal {
        RewriteRefusal::at(reason, self.path, self.text, offset)
    }

    /// Adds to `inherited` the variables that templates of inheriting classes may read.
    fn find(&mut self, inherited: &mut Inherited) -> Result<(), RewriteRefusal> {
        let parse = syntax::parse(self.text, Language::Manifest);
        if !parse.errors().is_empty() {
            return Err(self.refused("the file has syntax errors", 0));
        }
        let root = parse.syntax();
        for node in root.descendants() {
            if let Some(class) = ast::ClassDefinition::cast(node.clone()) {
                self.class(&class, inherited)?;
            } else if let Some(call) = ast::StatementCall::cast(node) {
                self.inclusion(&call);
            }
        }
        for element in root.descendants_with_tokens() {
            let SyntaxElement::Token(token) = element else { continue };
            let range = token.text_range();
            let is_comment = matches!(token.kind(), SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT);
            let is_handled = || self.handled.iter().any(|it| it.contains_range(range));
            if !is_comment && token.text().contains(self.class) && !is_handled() {
                let reason = format!("`{}` is used outside of the default of a parameter", token.text());
                return Err(self.refused(reason, range.start));
            }
        }
        Ok(())
    }

    /// Handles a class that inherits from the class or uses its variables as defaults.
    fn class(
        &mut self,
        class: &ast::ClassDefinition,
        inherited: &mut Inherited,
    ) -> Result<(), RewriteRefusal> {
        let name = Definition::ClassDefinition(class.clone()).qualified_name().unwrap_or_default();
        let parent = class
            .inherits()
            .filter(|it| it.name().is_some_and(|it| it.text().trim_start_matches("::") == self.class));
        let own: BTreeSet<String> = parameters(class).filter_map(|it| it.name()).collect();
        for parameter in parameters(class) {
            let Some(Expr::VariableExpr(default)) = parameter.default() else { continue };
            let (Some(read), Some(token), Some(of)) =
                (default.name(), parameter.variable(), parameter.name())
            else {
                continue;
            };
            let qualified = read.trim_start_matches("::").strip_prefix(self.class);
            let variable = match qualified.and_then(|it| it.strip_prefix("::")) {
                Some(variable) => variable,
                None if parent.is_some() && self.variables.contains(&read) && !own.contains(&read) => &read,
                None => continue,
            };
            let range = default.syntax().text_range();
            self.handled.push(range);
            self.uses.defaults.push(DefaultUse {
                key: format!("{name}::{of}"),
                variable: variable.to_owned(),
                path: self.path.to_owned(),
                offset: range.start,
                ranges: [TextRange::new(token.text_range().end, range.end), range],
            });
        }
        let Some(parent) = parent else { return Ok(()) };
        let range = parent.syntax().text_range();
        self.handled.push(range);
        let before = self.text.get(..range.start as usize).unwrap_or_default().trim_end().len() as u32;
        self.remove(TextRange::new(before, range.end));
        inherited.insert(name, self.variables.difference(&own).cloned().collect());
        self.inherited_reads(class.syntax(), &own)
    }

    /// Refuses reads of inherited variables by their short names.
    fn inherited_reads(&self, class: &SyntaxNode, own: &BTreeSet<String>) -> Result<(), RewriteRefusal> {
        for node in class.descendants() {
            let Some(Expr::VariableExpr(variable)) = Expr::cast(node) else { continue };
            let range = variable.syntax().text_range();
            let Some(name) = variable.name().filter(|it| self.variables.contains(it) && !own.contains(it))
            else {
                continue;
            };
            if !self.handled.iter().any(|it| it.contains_range(range)) {
                return Err(self.refused(format!("`${name}` of the class `params` is used"), range.start));
            }
        }
        Ok(())
    }

    /// Removes `include m::params`.
    fn inclusion(&mut self, call: &ast::StatementCall) {
        let is_inclusion =
            call.name().is_some_and(|it| matches!(it.text().as_str(), "include" | "require" | "contain"));
        let arguments = call.arguments().map(|it| it.arguments()).unwrap_or_default();
        let [AccessOrCallArgument::Expr(argument)] = arguments.as_slice() else { return };
        let named = argument.syntax().text().trim_start_matches("::");
        if is_inclusion && named.trim_matches(['\'', '"']) == self.class {
            let range = call.syntax().text_range();
            self.handled.push(range);
            let before = self.text.get(..range.start as usize).unwrap_or_default();
            let start = before.trim_end_matches([' ', '\t']).len();
            // With the blank lines after it.
            let after = self.text.get(range.end as usize..).unwrap_or_default();
            let blank = after.len() - after.trim_start().len();
            let end = after[..blank].rfind('\n').map_or(0, |it| it + 1);
            self.remove(TextRange::new(start as u32, range.end + end as u32));
        }
    }

    fn remove(&mut self, range: TextRange) {
        self.uses.removed.entry(self.path.to_owned()).or_default().push(range);
    }
}

fn parameters(class: &ast::ClassDefinition) -> impl Iterator<Item = ast::Parameter> + use<> {
    class.parameters().into_iter().flat_map(|it| it.parameters())
}

impl ParamsUses {
    /// Returns the new texts of the edited manifests.
    pub(super) fn edited(&self, module: &ModuleTexts, values: &[PlacedValue]) -> BTreeMap<String, String> {
        let mut edits: BTreeMap<&str, Vec<(TextRange, &str)>> = BTreeMap::new();
        for it in &self.defaults {
            let is_undef =
                values.iter().filter(|value| value.variable == it.variable).all(PlacedValue::is_undef);
            let edit = if is_undef { (it.ranges[1], "undef") } else { (it.ranges[0], "") };
            edits.entry(&it.path).or_default().push(edit);
        }
        for (path, ranges) in &self.removed {
            edits.entry(path).or_default().extend(ranges.iter().map(|it| (*it, "")));
        }
        let apply = |(path, mut edits): (&str, Vec<(TextRange, &str)>)| {
            edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
            let mut text = module.files.get(path)?.to_string();
            for (range, new) in edits {
                text.replace_range(range.as_range(), new);
            }
            Some((path.to_owned(), text))
        };
        edits.into_iter().filter_map(apply).collect()
    }
}
