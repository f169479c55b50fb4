//! Comparison of Ruby code regardless of comments and whitespace.

use std::ops::Range;

use ruby_prism::{Location, Visit};

use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Words that make the meaning of code depend on its lines, or on text after the code.
const LAYOUT_MARKERS: [&str; 3] = ["__LINE__", "__END__", "caller"];

/// Words of comments that Ruby reads.
const MAGIC_COMMENTS: [&str; 3] = ["coding", "frozen_string_literal", "shareable_constant_value"];

/// The call for which Puppet searches the text of a 4.x function, comments included.
const FUNCTION_MARKER: &str = "Puppet::Functions.create_function";

/// Returns true if two Ruby files differ at most in comments and whitespace that mean nothing to Ruby and Puppet.
/// Files that are malformed, too large, or read their own lines are only equal to themselves.
pub fn is_same_code(first: &str, second: &str) -> bool {
    if first == second {
        return true;
    }
    if first.contains(FUNCTION_MARKER) != second.contains(FUNCTION_MARKER) {
        return false;
    }
    matches!((without_layout(first), without_layout(second)), (Some(first), Some(second)) if first == second)
}

/// Returns the code without comments and with single whitespace characters. `None` if these may have a meaning.
fn without_layout(text: &str) -> Option<Vec<u8>> {
    let is_bound = LAYOUT_MARKERS.iter().any(|it| text.contains(it));
    if text.len() > LENGTH_LIMIT || is_hostile(text) || is_bound {
        return None;
    }
    on_stack_for(text.len(), || {
        let parsed = ruby_prism::parse(text.as_bytes());
        if parsed.errors().next().is_some() {
            return None;
        }
        let mut walk = LiteralWalk { text: text.as_bytes(), literals: Vec::new() };
        walk.visit(&parsed.node());
        let comments = parsed.comments().map(|it| range_of(&it.location()));
        let removed = comments.filter(|it| {
            let comment = text.get(it.clone()).unwrap_or_default();
            !MAGIC_COMMENTS.iter().any(|word| comment.contains(word))
        });
        Some(normalized(text.as_bytes(), &marks(text.len(), &walk.literals, removed)))
    })
    .flatten()
}

/// Role of a byte of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteRole {
    Code,
    /// Part of a literal, in which whitespace has a meaning.
    Literal,
    Comment,
}

fn marks(
    length: usize,
    literals: &[Range<usize>],
    comments: impl Iterator<Item = Range<usize>>,
) -> Vec<ByteRole> {
    let mut roles = vec![ByteRole::Code; length];
    let mut mark = |range: Range<usize>, role: ByteRole| {
        roles.get_mut(range).into_iter().flatten().for_each(|it| *it = role);
    };
    comments.for_each(|it| mark(it, ByteRole::Comment));
    literals.iter().for_each(|it| mark(it.clone(), ByteRole::Literal));
    roles
}

fn normalized(text: &[u8], roles: &[ByteRole]) -> Vec<u8> {
    let mut code = Vec::with_capacity(text.len());
    // Whitespace and comments since the last byte of code: the line end if there is one, else a space.
    let mut gap = None;
    for (byte, role) in text.iter().zip(roles) {
        match role {
            ByteRole::Comment => gap = gap.or(Some(b' ')).map(|it| if *byte == b'\n' { b'\n' } else { it }),
            ByteRole::Code if byte.is_ascii_whitespace() => {
                gap = Some(if *byte == b'\n' || gap == Some(b'\n') { b'\n' } else { b' ' });
            }
            ByteRole::Code | ByteRole::Literal => {
                code.extend(gap.take().filter(|_| !code.is_empty()));
                code.push(*byte);
            }
        }
    }
    code
}

/// Visitor for the literals of a file whose contents may include whitespace.
struct LiteralWalk<'t> {
    text: &'t [u8],
    literals: Vec<Range<usize>>,
}

impl LiteralWalk<'_> {
    fn add(&mut self, opening: Option<Location<'_>>, whole: &Location<'_>, closing: Option<Location<'_>>) {
        match (opening, closing) {
            // The contents of a here-document begin on the line after its opening, outside of its location.
            (Some(opening), Some(closing)) if opening.as_slice().starts_with(b"<<") => {
                let rest = self.text.get((opening.end() as usize)..).unwrap_or_default();
                let line = rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
                self.literals.push((opening.end() as usize) + line..closing.end() as usize);
            }
            _ => self.literals.push(range_of(whole)),
        }
    }
}

impl<'pr> Visit<'pr> for LiteralWalk<'_> {
    fn visit_string_node(&mut self, node: &ruby_prism::StringNode<'pr>) {
        self.add(node.opening_loc(), &node.location(), node.closing_loc());
    }

    fn visit_x_string_node(&mut self, node: &ruby_prism::XStringNode<'pr>) {
        self.add(Some(node.opening_loc()), &node.location(), Some(node.closing_loc()));
    }

    fn visit_interpolated_string_node(&mut self, node: &ruby_prism::InterpolatedStringNode<'pr>) {
        self.add(node.opening_loc(), &node.location(), node.closing_loc());
        ruby_prism::visit_interpolated_string_node(self, node);
    }

    fn visit_interpolated_x_string_node(&mut self, node: &ruby_prism::InterpolatedXStringNode<'pr>) {
        self.add(Some(node.opening_loc()), &node.location(), Some(node.closing_loc()));
        ruby_prism::visit_interpolated_x_string_node(self, node);
    }

    fn visit_symbol_node(&mut self, node: &ruby_prism::SymbolNode<'pr>) {
        self.literals.push(range_of(&node.location()));
    }

    fn visit_interpolated_symbol_node(&mut self, node: &ruby_prism::InterpolatedSymbolNode<'pr>) {
        self.literals.push(range_of(&node.location()));
        ruby_prism::visit_interpolated_symbol_node(self, node);
    }

    fn visit_regular_expression_node(&mut self, node: &ruby_prism::RegularExpressionNode<'pr>) {
        self.literals.push(range_of(&node.location()));
    }

    fn visit_interpolated_regular_expression_node(
        &mut self,
        node: &ruby_prism::InterpolatedRegularExpressionNode<'pr>,
    ) {
        self.literals.push(range_of(&node.location()));
        ruby_prism::visit_interpolated_regular_expression_node(self, node);
    }
}

fn range_of(location: &Location<'_>) -> Range<usize> {
    location.start() as usize..location.end() as usize
}
