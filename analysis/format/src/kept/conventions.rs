//! Conventions of a file: where two forms are common, the one that most constructs of the file have is kept.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatNode, FlatTree, SyntaxKind, TextRange};

use crate::builder::children;
use crate::document::width;
use crate::strings::may_be_single_quoted;

/// Minimum number of constructs that show a convention of the author.
const MIN_CONSTRUCTS: usize = 3;

/// Minimum number of arrows with an empty line before them.
const MIN_ARROWS: usize = 2;

/// Minimum number of calls of a function with a space before the parenthesis.
const MIN_CALLS: usize = 2;

/// Conventions of a file.
#[derive(Default)]
pub(crate) struct Conventions {
    /// `else` and `elsif` begin a line.
    pub(crate) else_begins_line: bool,
    /// There is a space before the colon of a `case` option.
    pub(crate) has_space_before_colon: bool,
    /// Offsets of the colons of `case` options that are aligned.
    pub(crate) aligned_colons: FxHashSet<u32>,
    /// There are spaces inside of the parentheses around an expression.
    has_spaces_in_parentheses: bool,
    /// There are spaces inside of the parentheses of a call.
    has_spaces_in_calls: bool,
    /// Resources of several lines follow each other without an empty line.
    pub(crate) has_adjacent_resources: bool,
    /// There is an empty line before the arrow after an operand of several lines.
    pub(crate) has_empty_lines_in_chains: bool,
    /// Functions with a space before the parenthesis.
    spaced_functions: FxHashSet<String>,
    /// The file is a template with several strings in double quotes that do not need them.
    pub(crate) has_double_quotes: bool,
}

/// Number of constructs that have a form, and of all of their kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    with: usize,
    all: usize,
}

impl Tally {
    fn add(&mut self, has_form: bool) {
        self.with += usize::from(has_form);
        self.all += 1;
    }

    fn is_convention(self, minimum: usize) -> bool {
        self.with >= minimum && self.with * 2 > self.all
    }
}

/// Returns the conventions of a file. Those of strings only matter in templates.
pub(crate) fn conventions(text: &str, tree: &FlatTree, is_template: bool) -> Conventions {
    let (mut clauses, mut colons, mut parentheses, mut calls) = <(Tally, Tally, Tally, Tally)>::default();
    let (mut resources, mut arrows) = <(Tally, Tally)>::default();
    let mut aligned_colons = FxHashSet::default();
    let mut functions: FxHashMap<&str, Tally> = FxHashMap::default();
    for node in tree.root().descendants() {
        match node.kind() {
            ELSIF_CLAUSE | ELSE_CLAUSE => {
                clauses.add(is_clause_on_own_line(text, &node));
            }
            BLOCK | SOURCE_FILE => count_adjacent_resources(text, &node, &mut resources),
            RELATIONSHIP_EXPR => count_empty_line_before_arrow(text, &node, &mut arrows),
            CASE_EXPR => add_aligned_colons(text, &node, &mut aligned_colons),
            CASE_OPTION => {
                let colon = node.token(COLON).map(|it| it.text_range().start);
                if let Some(colon) = colon.filter(|it| !aligned_colons.contains(it)) {
                    colons.add(text[..colon as usize].ends_with(' '));
                }
            }
            PAREN_EXPR => parentheses.add(has_spaces_inside(text, node.text_range())),
            ARGUMENT_LIST => {
                let range = node.text_range();
                let Some(name) = called_function(text, &node) else { continue };
                calls.add(has_spaces_inside(text, range));
                functions.entry(name).or_default().add(text[..range.start as usize].ends_with(' '));
            }
            _ => {}
        }
    }
    let is_needless = |it: &FlatElement<'_>| it.kind() == DQ_STRING && may_be_single_quoted(it.text());
    let has_double_quotes =
        || tree.elements().filter(is_needless).take(MIN_CONSTRUCTS).count() == MIN_CONSTRUCTS;
    let is_spaced = |it: &(&str, Tally)| it.1.is_convention(MIN_CALLS);
    Conventions {
        else_begins_line: clauses.is_convention(1),
        aligned_colons,
        has_space_before_colon: colons.is_convention(MIN_CONSTRUCTS),
        has_spaces_in_parentheses: parentheses.is_convention(MIN_CONSTRUCTS),
        has_spaces_in_calls: calls.is_convention(MIN_CONSTRUCTS),
        spaced_functions: functions.into_iter().filter(is_spaced).map(|it| it.0.to_owned()).collect(),
        has_adjacent_resources: resources.is_convention(MIN_CONSTRUCTS),
        has_empty_lines_in_chains: arrows.is_convention(MIN_ARROWS),
        has_double_quotes: is_template && has_double_quotes(),
    }
}

impl Conventions {
    /// Returns true if a list in parentheses keeps its spaces inside of them.
    pub(crate) fn keeps_spaces_inside(&self, text: &str, list: &FlatNode<'_>) -> bool {
        let is_convention = match list.kind() {
            PAREN_EXPR => self.has_spaces_in_parentheses,
            ARGUMENT_LIST => self.has_spaces_in_calls && called_function(text, list).is_some(),
            _ => false,
        };
        is_convention && has_spaces_inside(text, list.text_range())
    }

    /// Returns true if the arguments of a function keep the space before their parenthesis.
    pub(crate) fn keeps_space_before(&self, text: &str, arguments: &FlatNode<'_>) -> bool {
        text[..arguments.text_range().start as usize].ends_with(' ')
            && called_function(text, arguments).is_some_and(|it| self.spaced_functions.contains(it))
    }
}

/// Returns true if the keyword of a clause begins a line, and its brace does not.
pub(crate) fn is_clause_on_own_line(text: &str, clause: &FlatNode<'_>) -> bool {
    begins_line(text, clause.text_range().start) && has_brace_beside(text, clause)
}

/// Counts the resources of several lines that follow others of a block, and those without an empty line before them.
fn count_adjacent_resources(text: &str, block: &FlatNode<'_>, resources: &mut Tally) {
    let statements: Vec<FlatNode<'_>> = block.children().collect();
    for pair in statements.windows(2) {
        let is_on_lines = pair.iter().any(stays_on_lines);
        if is_on_lines && pair.iter().all(|it| it.kind() == RESOURCE_EXPR) {
            let gap = &text[pair[0].text_range().end as usize..pair[1].text_range().start as usize];
            let lines: Vec<&str> = gap.split('\n').collect();
            if let [_, between @ .., _] = lines.as_slice() {
                resources.add(!between.iter().any(|it| it.trim().is_empty()));
            }
        }
    }
}

/// Returns true for a resource on several lines that stays on several lines, since it has attributes or several titles.
fn stays_on_lines(resource: &FlatNode<'_>) -> bool {
    let is_list = |it: &FlatNode<'_>| it.kind() == ARRAY_EXPR && it.children().count() > 1;
    resource.text().contains('\n') && resource.descendants().any(|it| it.kind() == ATTRIBUTE || is_list(&it))
}

/// Counts the arrow of a relationship that begins a line, or will, after a resource with attributes on several lines, which
/// stays on several lines, and whether there is an empty line before it.
fn count_empty_line_before_arrow(text: &str, relationship: &FlatNode<'_>, arrows: &mut Tally) {
    let parts = children(relationship);
    let [left, arrow, right] = parts.as_slice() else { return };
    let Some(left) = left.as_node() else { return };
    let is_chain = left.kind() == RELATIONSHIP_EXPR;
    let operand = if is_chain { left.children().last() } else { Some(*left) };
    let Some(resource) = operand.filter(|it| it.kind() == RESOURCE_EXPR) else { return };
    let range = resource.text_range();
    let gap = &text[range.end as usize..arrow.text_range().start as usize];
    let has_attributes = resource.descendants().any(|it| it.kind() == ATTRIBUTE);
    if !has_attributes || !stays_on_lines(&resource) {
        return;
    }
    // An arrow at the end of a line moves to the next one, without an empty line.
    let after = &text[arrow.text_range().end as usize..right.text_range().start as usize];
    if after.contains('\n') {
        arrows.add(false);
    } else if gap.trim().is_empty() && gap.contains('\n') {
        arrows.add(gap.matches('\n').count() > 1);
    }
}

/// Adds the colons of the options of a `case` that most of them have in one column because of several spaces before some.
fn add_aligned_colons(text: &str, case: &FlatNode<'_>, aligned: &mut FxHashSet<u32>) {
    let options = case.children().filter(|it| it.kind() == CASE_OPTION);
    let colons: Vec<u32> = options.filter_map(|it| Some(it.token(COLON)?.text_range().start)).collect();
    let mut columns: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for colon in &colons {
        let line_start = text[..*colon as usize].rfind('\n').map_or(0, |it| it + 1);
        columns.entry(width(&text[line_start..*colon as usize])).or_default().push(*colon);
    }
    let is_most = |column: &&Vec<u32>| column.len() > 1 && column.len() * 2 > colons.len();
    let is_padded = |colon: &u32| text[..*colon as usize].ends_with("  ");
    if let Some(column) = columns.values().find(is_most).filter(|it| it.iter().any(is_padded)) {
        aligned.extend(column);
    }
}

fn begins_line(text: &str, offset: u32) -> bool {
    text[..offset as usize].trim_end_matches([' ', '\t']).ends_with('\n')
}

fn has_brace_beside(text: &str, clause: &FlatNode<'_>) -> bool {
    let block = clause.children().find(|it| it.kind() == BLOCK);
    block.is_some_and(|it| {
        !text[clause.text_range().start as usize..it.text_range().start as usize].contains('\n')
    })
}

/// Returns true for a list on one line with spaces inside of both parentheses.
fn has_spaces_inside(text: &str, range: TextRange) -> bool {
    let list = &text[range.as_range()];
    let inner = list.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inner.is_some_and(|it| {
        let contents = it.trim();
        // Checks of puppet-lint expect no space beside further brackets.
        it.starts_with(' ')
            && it.ends_with(' ')
            && !contents.is_empty()
            && !contents.contains(['\n', '#'])
            && !contents.starts_with(['[', '{'])
            && !contents.ends_with([']', '}'])
    })
}

/// Returns the name of the function that a list of arguments in parentheses belongs to.
fn called_function<'t>(text: &'t str, arguments: &FlatNode<'_>) -> Option<&'t str> {
    let call = arguments.parent().filter(|it| it.kind() == CALL_EXPR)?;
    let is_parenthesis = |kind: SyntaxKind| matches!(kind, L_PAREN | LINE_START_PAREN);
    children(arguments).first().filter(|it| is_parenthesis(it.kind()))?;
    let name = call.children().next()?.text_range();
    (name.end <= arguments.text_range().start).then(|| &text[name.as_range()])
}
