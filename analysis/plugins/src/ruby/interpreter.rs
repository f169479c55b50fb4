//! Abstract interpreter for Ruby files. It evaluates literals, variables, loops over known lists and methods
//! that the file defines, and executes nothing. Anything else is an unknown value; both branches of an
//! unknown condition are followed.

use std::rc::Rc;

use ruby_prism::{CaseNode, DefNode, Location, Node, ParseResult};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::TextRange;

use super::context::DefinitionContext;
use super::resource_types::TypeDraft;
use super::text::comment_before;
use super::value::{RubyClosure, RubyCode, RubyFrame, RubyValue};
use crate::RubyFile;

/// Maximum number of expressions evaluated per file; the rest is unknown.
const STEP_LIMIT: usize = 100_000;
/// Maximum nesting depth of evaluation.
const DEPTH_LIMIT: u32 = 96;

/// Name under which a method finds its block argument.
pub(super) const BLOCK: &str = "&";

/// Parsed source file.
pub(super) struct RubySource<'pr> {
    /// Path relative to the module's folder.
    pub path: &'pr str,
    pub text: &'pr str,
    pub tree: ParseResult<'pr>,
}

/// Method that one of the sources defines.
pub(super) struct DefinedMethod<'pr> {
    pub definition: DefNode<'pr>,
    pub source: usize,
}

pub(super) struct RubyInterpreter<'pr> {
    /// The file itself, followed by the files that it requires.
    pub(super) sources: &'pr [RubySource<'pr>],
    pub(super) source: usize,
    /// Call site through which code of another source was entered.
    pub(super) call_site: TextRange,
    /// First argument of the enclosing method call, if it is a name, with its range. Definitions of that name
    /// get this range.
    pub(super) passed_name: Option<(SmolStr, TextRange)>,
    pub(super) output: RubyFile,
    /// Additions to resource types from outside of them.
    pub(super) additions: Vec<TypeDraft>,
    /// Definitions under construction, the innermost last.
    pub(super) contexts: Vec<DefinitionContext<'pr>>,
    pub frame: RubyFrame<'pr>,
    pub(super) constants: FxHashMap<SmolStr, RubyValue<'pr>>,
    /// Methods by name; `None` if a name is defined more than once.
    pub(super) methods: FxHashMap<SmolStr, Option<Rc<DefinedMethod<'pr>>>>,
    /// Methods that are called when a module is included or extended, by the module's path.
    pub(super) hooks: FxHashMap<SmolStr, Rc<DefinedMethod<'pr>>>,
    /// Classes that the sources define: paths, superclasses and bodies.
    pub(super) classes: FxHashMap<SmolStr, Rc<RubyClass<'pr>>>,
    /// Modules around the current code.
    pub(super) module_path: Vec<SmolStr>,
    /// Number of unknown conditions around the current code.
    pub(super) conditions: u32,
    /// Files that the sources require, relative to a module's `lib`.
    pub(super) requires: Vec<SmolStr>,
    /// True if the code uses something that a missing file may define.
    pub(super) has_missing_definition: bool,
    /// True if the value of the next expression is unused.
    pub(super) is_statement: bool,
    /// True after a `return`, `next` or `break`.
    pub(super) has_jumped: bool,
    pub(super) steps: usize,
    pub(super) depth: u32,
}

/// Class or module that one of the sources defines.
pub(super) struct RubyClass<'pr> {
    pub superclass: Option<SmolStr>,
    pub body: Option<Node<'pr>>,
    pub source: usize,
}

impl<'pr> RubyInterpreter<'pr> {
    pub(super) fn new(sources: &'pr [RubySource<'pr>]) -> RubyInterpreter<'pr> {
        RubyInterpreter {
            sources,
            source: 0,
            call_site: TextRange::default(),
            passed_name: None,
            output: RubyFile::default(),
            additions: Vec::new(),
            contexts: Vec::new(),
            frame: RubyFrame::default(),
            constants: FxHashMap::default(),
            methods: FxHashMap::default(),
            hooks: FxHashMap::default(),
            classes: FxHashMap::default(),
            module_path: Vec::new(),
            conditions: 0,
            requires: Vec::new(),
            has_missing_definition: false,
            is_statement: false,
            has_jumped: false,
            steps: 0,
            depth: 0,
        }
    }

    /// Evaluates all sources, required files first.
    pub(super) fn run(&mut self) {
        for index in (0..self.sources.len()).rev() {
            self.source = index;
            self.statement(&self.sources[index].tree.node());
        }
    }

    /// Returns a range in the file itself. Locations in other sources map to the call site.
    pub(super) fn range(&self, location: &Location<'_>) -> TextRange {
        match self.source {
            0 => TextRange::new(location.start(), location.end()),
            _ => self.call_site,
        }
    }

    /// Returns the comment before the statement at `location`.
    pub(super) fn comment(&self, location: &Location<'_>) -> SmolStr {
        comment_before(self.sources[self.source].text, location.start())
    }

    /// Marks all definitions under construction as incomplete.
    pub(super) fn give_up(&mut self) {
        self.has_missing_definition |= !self.contexts.is_empty();
        for context in &mut self.contexts {
            context.open();
        }
    }

    /// Evaluates a statement for its effects.
    pub(super) fn statement(&mut self, node: &Node<'pr>) {
        self.is_statement = true;
        self.evaluate(node);
    }

    pub(super) fn evaluate(&mut self, node: &Node<'pr>) -> RubyValue<'pr> {
        let is_statement = std::mem::take(&mut self.is_statement);
        self.steps += 1;
        if self.steps > STEP_LIMIT || self.depth >= DEPTH_LIMIT {
            self.give_up();
            return RubyValue::Unknown;
        }
        self.depth += 1;
        let value = if let Some(call) = node.as_call_node() {
            self.call(&call, is_statement)
        } else if let Some(value) = self.literal(node) {
            value
        } else {
            self.control(node, is_statement)
        };
        self.depth -= 1;
        value
    }

    /// Evaluates control flow, definitions and assignments.
    fn control(&mut self, node: &Node<'pr>, is_statement: bool) -> RubyValue<'pr> {
        if let Some(node) = node.as_statements_node() {
            let body = node.body();
            let last = body.len().saturating_sub(1);
            let mut value = RubyValue::Nil;
            for (index, statement) in body.iter().enumerate() {
                self.is_statement = is_statement || index != last;
                value = self.evaluate(&statement);
            }
            value
        } else if let Some(node) = node.as_program_node() {
            self.is_statement = true;
            self.evaluate(&node.statements().as_node())
        } else if let Some(node) = node.as_parentheses_node() {
            self.is_statement = is_statement;
            node.body().map_or(RubyValue::Nil, |body| self.evaluate(&body))
        } else if let Some(node) = node.as_if_node() {
            let condition = self.evaluate(&node.predicate());
            let consequence = node.statements().map(|statements| statements.as_node());
            self.branches(&condition, consequence, node.subsequent(), is_statement)
        } else if let Some(node) = node.as_unless_node() {
            let condition = self.evaluate(&node.predicate());
            let consequence = node.statements().map(|statements| statements.as_node());
            let alternative = node.else_clause().map(|clause| clause.as_node());
            self.branches(&condition, alternative, consequence, is_statement)
        } else if let Some(node) = node.as_else_node() {
            self.is_statement = is_statement;
            node.statements().map_or(RubyValue::Nil, |statements| self.evaluate(&statements.as_node()))
        } else if let Some(node) = node.as_case_node() {
            self.case(&node, is_statement)
        } else if let Some(node) = node.as_begin_node() {
            self.begin(&node, is_statement)
        } else if let Some(node) = node.as_rescue_modifier_node() {
            self.is_statement = is_statement;
            let value = self.evaluate(&node.expression());
            self.all_branches(vec![Some(node.rescue_expression()), None], true);
            match value {
                RubyValue::Block(_) | RubyValue::This => value,
                _ => RubyValue::Unknown,
            }
        } else {
            self.operator_or_loop(node, is_statement)
        }
    }

    fn operator_or_loop(&mut self, node: &Node<'pr>, is_statement: bool) -> RubyValue<'pr> {
        if let Some(node) = node.as_and_node() {
            let left = self.evaluate(&node.left());
            match left.truth() {
                Some(false) => left,
                Some(true) => self.evaluate(&node.right()),
                None => self.all_branches(vec![Some(node.right()), None], is_statement),
            }
        } else if let Some(node) = node.as_or_node() {
            let left = self.evaluate(&node.left());
            match left.truth() {
                Some(true) => left,
                Some(false) => self.evaluate(&node.right()),
                None => self.all_branches(vec![Some(node.right()), None], is_statement),
            }
        } else if let Some(node) = node.as_while_node() {
            let body = node.statements().map(|statements| statements.as_node());
            self.all_branches(vec![body, None], true)
        } else if let Some(node) = node.as_for_node() {
            self.evaluate(&node.collection());
            let body = node.statements().map(|statements| statements.as_node());
            self.all_branches(vec![body, None], true)
        } else if let Some(arguments) = jump(node) {
            if let Some(arguments) = arguments {
                self.evaluate_all(arguments.arguments().iter());
            }
            self.has_jumped = true;
            RubyValue::Unknown
        } else if let Some(node) = node.as_yield_node() {
            let values = match node.arguments() {
                Some(arguments) => self.evaluate_all(arguments.arguments().iter()),
                None => Vec::new(),
            };
            let block = self.frame.borrow().get(BLOCK).cloned();
            block.map_or(RubyValue::Unknown, |block| self.run_block(&block, values))
        } else if let Some(node) = node.as_range_node() {
            self.evaluate_range(&node)
        } else if let Some(node) = node.as_lambda_node() {
            let code = RubyCode::Lambda(Rc::new(node));
            RubyValue::Block(RubyClosure { code, frame: Rc::clone(&self.frame), source: self.source })
        } else {
            self.name_or_definition(node)
        }
    }

    fn case(&mut self, node: &CaseNode<'pr>, is_statement: bool) -> RubyValue<'pr> {
        if let Some(predicate) = node.predicate() {
            self.evaluate(&predicate);
        }
        let mut branches: Vec<Option<Node<'pr>>> = Vec::new();
        for condition in node.conditions().iter() {
            let statements = condition.as_when_node().and_then(|when| when.statements());
            branches.push(statements.map(|statements| statements.as_node()));
        }
        branches.push(node.else_clause().map(|clause| clause.as_node()));
        self.all_branches(branches, is_statement)
    }

    fn branches(
        &mut self,
        condition: &RubyValue<'pr>,
        consequence: Option<Node<'pr>>,
        alternative: Option<Node<'pr>>,
        is_statement: bool,
    ) -> RubyValue<'pr> {
        let chosen = match condition.truth() {
            Some(true) => consequence,
            Some(false) => alternative,
            None => return self.all_branches(vec![consequence, alternative], is_statement),
        };
        self.is_statement = is_statement;
        chosen.map_or(RubyValue::Nil, |node| self.evaluate(&node))
    }

    /// Evaluates all branches. Variables to which they assign different values become unknown.
    fn all_branches(&mut self, branches: Vec<Option<Node<'pr>>>, is_statement: bool) -> RubyValue<'pr> {
        self.conditions += 1;
        self.steps += self.frame.borrow().len();
        let before = self.frame.borrow().clone();
        let mut after: Option<FxHashMap<SmolStr, RubyValue<'pr>>> = None;
        for branch in branches {
            *self.frame.borrow_mut() = before.clone();
            if let Some(branch) = branch {
                self.is_statement = is_statement;
                self.evaluate(&branch);
            }
            let end = self.frame.borrow().clone();
            after = Some(match after {
                None => end,
                Some(mut joined) => {
                    for (name, value) in end {
                        let is_same =
                            joined.get(&name).is_some_and(|other| other.equals(&value) == Some(true));
                        if !is_same {
                            joined.insert(name, RubyValue::Unknown);
                        }
                    }
                    joined
                }
            });
        }
        *self.frame.borrow_mut() = after.unwrap_or(before);
        self.conditions -= 1;
        RubyValue::Unknown
    }

    fn begin(&mut self, node: &ruby_prism::BeginNode<'pr>, is_statement: bool) -> RubyValue<'pr> {
        self.is_statement = is_statement;
        let mut value = match node.statements() {
            Some(statements) => self.evaluate(&statements.as_node()),
            None => RubyValue::Nil,
        };
        let mut rescue = node.rescue_clause();
        while let Some(clause) = rescue {
            self.all_branches(vec![clause.statements().map(|statements| statements.as_node()), None], true);
            value = RubyValue::Unknown;
            rescue = clause.subsequent();
        }
        if let Some(statements) = node.else_clause().and_then(|clause| clause.statements()) {
            self.statement(&statements.as_node());
            value = RubyValue::Unknown;
        }
        if let Some(statements) = node.ensure_clause().and_then(|clause| clause.statements()) {
            self.statement(&statements.as_node());
        }
        value
    }

    /// Charges for work that is not proportional to the number of steps.
    pub(super) fn charge(&mut self, value: &RubyValue<'pr>) {
        self.steps += match value {
            RubyValue::Array(elements) => elements.len() * elements.len() / 16,
            RubyValue::Hash(entries) => entries.len() * entries.len() / 16,
            RubyValue::String(text) | RubyValue::InexactString(text) => text.len() / 64,
            _ => 0,
        };
    }
}

/// Returns the arguments of `return`, `next` and `break`. The outer `None` means that the node is none of
/// these.
#[expect(clippy::option_option, reason = "no jump and a jump without arguments are different outcomes")]
fn jump<'pr>(node: &Node<'pr>) -> Option<Option<ruby_prism::ArgumentsNode<'pr>>> {
    if let Some(node) = node.as_return_node() {
        Some(node.arguments())
    } else if let Some(node) = node.as_next_node() {
        Some(node.arguments())
    } else {
        node.as_break_node().map(|node| node.arguments())
    }
}

/// Converts an interned name of the parser.
pub(super) fn constant_name(name: &ruby_prism::ConstantId<'_>) -> SmolStr {
    SmolStr::new(String::from_utf8_lossy(name.as_slice()))
}

/// Returns the path of a constant without a leading `::` (`Puppet::Type`), if it consists of constants only.
pub(crate) fn constant_path(node: &Node<'_>) -> Option<SmolStr> {
    let mut parts = Vec::new();
    let mut parent = None;
    if let Some(read) = node.as_constant_read_node() {
        return Some(constant_name(&read.name()));
    } else if let Some(path) = node.as_constant_path_node() {
        parts.push(constant_name(&path.name()?));
        parent = path.parent();
    }
    while let Some(node) = parent {
        if let Some(read) = node.as_constant_read_node() {
            parts.push(constant_name(&read.name()));
            break;
        }
        let path = node.as_constant_path_node()?;
        parts.push(constant_name(&path.name()?));
        parent = path.parent();
    }
    parts.reverse();
    (!parts.is_empty()).then(|| SmolStr::new(parts.join("::")))
}
