//! Token-based view of a manifest with its resources and definitions.

use std::cell::OnceCell;

use crate::token::{TokenKind, Tokens};

/// Manifest with lazily computed resources and definitions.
pub(crate) struct Manifest<'t> {
    pub(crate) text: &'t str,
    /// Path as given, with `/` as separator.
    pub(crate) path: &'t str,
    pub(crate) tokens: Tokens<'t>,
    pub(crate) options: &'t crate::Options,
    resources: OnceCell<Vec<ResourceSpan>>,
    definitions: OnceCell<Vec<ClassLike>>,
}

/// Body of a resource, from the colon after its title to the final `;` or `}`.
#[derive(Debug)]
pub(crate) struct ResourceSpan {
    pub(crate) colon: usize,
    pub(crate) end: usize,
    /// Token before the `{`, which names the type.
    pub(crate) type_name: usize,
    /// Names of the attributes, except those within values.
    pub(crate) attributes: Vec<usize>,
}

impl ResourceSpan {
    pub(crate) fn tokens(&self) -> std::ops::RangeInclusive<usize> {
        self.colon..=self.end
    }
}

/// Class or defined type, from its keyword to its last brace.
#[derive(Debug)]
pub(crate) struct ClassLike {
    pub(crate) is_class: bool,
    pub(crate) keyword: usize,
    pub(crate) end: usize,
    pub(crate) name: usize,
    pub(crate) inherits: Option<usize>,
    /// Tokens between the parentheses of the parameters.
    pub(crate) parameters: Option<std::ops::Range<usize>>,
}

impl ClassLike {
    pub(crate) fn tokens(&self) -> std::ops::RangeInclusive<usize> {
        self.keyword..=self.end
    }

    /// Returns the kind of definition for a message.
    pub(crate) fn noun(&self) -> &'static str {
        if self.is_class { "class" } else { "defined type" }
    }
}

impl<'t> Manifest<'t> {
    pub(crate) fn new(
        text: &'t str,
        path: &'t str,
        tokens: Tokens<'t>,
        options: &'t crate::Options,
    ) -> Manifest<'t> {
        Manifest { text, path, tokens, options, resources: OnceCell::new(), definitions: OnceCell::new() }
    }

    pub(crate) fn resources(&self) -> &[ResourceSpan] {
        self.resources.get_or_init(|| resources(&self.tokens))
    }

    /// Returns all classes by position, followed by all defined types.
    pub(crate) fn definitions(&self) -> &[ClassLike] {
        self.definitions.get_or_init(|| {
            let mut all = definitions(&self.tokens, TokenKind::Class);
            all.extend(definitions(&self.tokens, TokenKind::Define));
            all
        })
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = &ClassLike> {
        self.definitions().iter().filter(|it| it.is_class)
    }

    /// Returns the tokens between the parentheses of a plan's parameters. `plan` is a keyword only in a
    /// `plans` folder.
    pub(crate) fn plan_parameters(&self) -> Option<std::ops::Range<usize>> {
        let tokens = &self.tokens;
        let keyword =
            tokens.of(TokenKind::Name).next().filter(|&it| tokens.previous_code_kind(it).is_none())?;
        if tokens.value(keyword) != "plan" || !self.path.split(['/', '\\']).any(|folder| folder == "plans") {
            return None;
        }
        let (brace, _) = tokens.block_after(keyword)?;
        parameters(tokens, keyword, brace)
    }

    /// Returns the first token of the value of an attribute whose name is the token `attribute`.
    pub(crate) fn value_of(&self, attribute: usize) -> Option<usize> {
        self.tokens.next_code(self.tokens.next_code(attribute)?)
    }

    /// Returns the first `name => …` in a resource, at any depth.
    pub(crate) fn attribute_anywhere(&self, resource: &ResourceSpan, name: &str) -> Option<usize> {
        resource.tokens().find(|&it| {
            self.tokens.kind(it) == TokenKind::Name
                && self.tokens.value(it) == name
                && self.tokens.next_code_kind(it) == Some(TokenKind::FatArrow)
        })
    }
}

fn resources(tokens: &Tokens) -> Vec<ResourceSpan> {
    let mut found: Vec<ResourceSpan> = Vec::new();
    let mut braces: Vec<usize> = Vec::new();
    let mut end_of_last = 0;
    // The last name determines whether a colon follows a title, or belongs to something that begins with a
    // reference.
    let mut is_reference = false;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::ClassRef => is_reference = true,
            TokenKind::Name => is_reference = false,
            TokenKind::LeftBrace if tokens.previous_code_kind(at) != Some(TokenKind::Question) => {
                braces.push(at)
            }
            TokenKind::Colon if !is_reference && is_title_end(tokens, at) => {
                if at < end_of_last {
                    break;
                }
                let Some(end) = tokens.next_of(at, &[TokenKind::Semicolon, TokenKind::RightBrace]) else {
                    break;
                };
                let Some(type_name) = braces.last().and_then(|&it| tokens.previous_code(it)) else { break };
                end_of_last = end;
                found.push(ResourceSpan {
                    colon: at,
                    end,
                    type_name,
                    attributes: attributes(tokens, at, end),
                });
            }
            _ => {}
        }
    }
    found
}

/// Returns true if the colon is not followed by the body of an option.
fn is_title_end(tokens: &Tokens, colon: usize) -> bool {
    !matches!(tokens.next_code_kind(colon), None | Some(TokenKind::LeftBrace))
}

fn attributes(tokens: &Tokens, colon: usize, end: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = colon;
    while let Some(name) = tokens.next_of(at, &[TokenKind::Name]).filter(|&it| it <= end) {
        if tokens.next_code_kind(name) == Some(TokenKind::FatArrow) {
            found.push(name);
        }
        at = name;
    }
    found
}

/// Maximum nesting depth of classes; deeper ones are ignored.
const MAX_NESTING_DEPTH: usize = 64;

fn definitions(tokens: &Tokens, keyword: TokenKind) -> Vec<ClassLike> {
    let mut found = Vec::new();
    // Ends of the open definitions.
    let mut open = Vec::new();
    for at in tokens.of(keyword) {
        let Some(name) = tokens.next_code(at) else { continue };
        if tokens.kind(name) == TokenKind::LeftBrace {
            continue;
        }
        let Some((brace, end)) = tokens.block_after(at) else { continue };
        open.retain(|it: &usize| *it > at);
        if open.len() == MAX_NESTING_DEPTH {
            continue;
        }
        open.push(end);
        let inherits = (at..brace)
            .find(|&it| tokens.kind(it) == TokenKind::Inherits)
            .and_then(|it| tokens.next_code(it));
        found.push(ClassLike {
            is_class: keyword == TokenKind::Class,
            keyword: at,
            end,
            name,
            inherits,
            parameters: parameters(tokens, at, brace),
        });
    }
    found
}

fn parameters(tokens: &Tokens, keyword: usize, brace: usize) -> Option<std::ops::Range<usize>> {
    let open = (keyword..brace).find(|&it| tokens.kind(it) == TokenKind::LeftParen)?;
    Some(open + 1..tokens.partner(open)?)
}
