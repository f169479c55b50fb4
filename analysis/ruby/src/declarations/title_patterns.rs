//! Title patterns of resource types, returned by their method `title_patterns`.

use plugins::code::{RubyBlockParameter, RubyExpressionKind};
use plugins::drafts::{DefinitionContext, title_pattern_of_groups};
use plugins::{TitlePart, TitlePattern, TitlePatterns};

use super::calls::option;
use super::evaluation::DeclaredPair;
use super::values::pattern_source;
use crate::blocks::BlockRef;
use crate::classes::Method;
use crate::interpreter::Interpreter;
use crate::value::{Object, Proc};

impl Interpreter<'_> {
    /// Evaluates the method of the type under construction, if it has one.
    pub(super) fn read_title_patterns(&mut self) {
        let this = self.declared.contexts.last().and_then(|it| it.this.clone());
        let (Some(DefinitionContext::Type(draft)), Some(this)) = (self.declared.context(), this) else {
            return;
        };
        if draft.resource_type.title_patterns != TitlePatterns::Unknown {
            return;
        }
        let was_open = draft.resource_type.is_incomplete;
        let patterns = match this.find_module_method("title_patterns") {
            Some((Method::Defined { .. }, _)) => {
                self.call_method_of(&Object::Module(this), "title_patterns", Vec::new()).ok()
            }
            _ => None,
        };
        let patterns = patterns.and_then(|patterns| listed(&patterns));
        // Another file may define the methods that it calls.
        self.declared.has_missing_definition |= patterns.is_none();
        if let Some(DefinitionContext::Type(draft)) = self.declared.context() {
            // Its code cannot add attributes.
            draft.resource_type.is_incomplete = was_open;
            draft.resource_type.title_patterns =
                patterns.map_or(TitlePatterns::Unknown, TitlePatterns::Listed);
        }
    }
}

/// Parses `[[/(.*)/, [[:name], [:other, lambda { |it| it }]]]]`.
fn listed(value: &Object) -> Option<Vec<TitlePattern>> {
    let Object::Array(patterns) = value else { return None };
    patterns.elements.borrow().iter().map(title_pattern).collect()
}

fn title_pattern(value: &Object) -> Option<TitlePattern> {
    let Object::Array(pair) = value else { return None };
    let pair = pair.elements.borrow();
    let [Object::Pattern(pattern), Object::Array(parts)] = pair.as_slice() else { return None };
    let parts: Option<Vec<TitlePart>> = parts.elements.borrow().iter().map(title_part).collect();
    Some(TitlePattern { pattern: pattern_source(pattern), parts: parts? })
}

fn title_part(value: &Object) -> Option<TitlePart> {
    let Object::Array(part) = value else { return None };
    let part = part.elements.borrow();
    let (Some(Object::Symbol(attribute)), true) = (part.first(), part.len() <= 2) else { return None };
    let is_verbatim = match part.get(1) {
        None | Some(Object::Nil) => true,
        Some(Object::Proc(conversion)) => is_identity(conversion),
        Some(_) => false,
    };
    Some(TitlePart { attribute: attribute.clone(), is_verbatim })
}

/// Returns true for `lambda { |it| it }`.
fn is_identity(conversion: &Proc) -> bool {
    let BlockRef::Code(closure) = &conversion.block else { return false };
    match (closure.code.parameters.as_slice(), closure.code.body.as_slice()) {
        ([RubyBlockParameter::Required(parameter)], [result]) => {
            matches!(&*result.kind, RubyExpressionKind::LocalVariable { name, .. } if name == parameter)
        }
        _ => false,
    }
}

/// Parses the Resource API notation, in which groups are named after attributes: `[{ pattern: /(?<name>.*)/,
/// desc: 'all of it' }]`.
pub(super) fn named_group_patterns(value: &Object) -> TitlePatterns {
    let Object::Array(descriptions) = value else { return TitlePatterns::Unknown };
    let pattern = |description: &Object| {
        let Object::Hash(description) = description else { return None };
        let entries = description.entries.borrow();
        let pairs: Vec<DeclaredPair> =
            entries.iter().map(|(key, value)| DeclaredPair::new(key.0.clone(), value.clone())).collect();
        let Object::Pattern(pattern) = &option(&pairs, "pattern")?.value else { return None };
        Some(title_pattern_of_groups(pattern_source(pattern)))
    };
    let patterns: Option<Vec<TitlePattern>> = descriptions.elements.borrow().iter().map(pattern).collect();
    patterns.map_or(TitlePatterns::Unknown, TitlePatterns::Listed)
}
