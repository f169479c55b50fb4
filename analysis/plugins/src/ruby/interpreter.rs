//! Follows the code of a Ruby file without running anything: literals, variables, loops over known lists, methods that
//! the file itself defines. Whatever cannot be told is an unknown value; a condition that cannot be told has both
//! branches followed.

use std::rc::Rc;

use ruby_prism::{CallNode, DefNode, Location, Node, ParametersNode, ParseResult};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::context::Context;
use super::methods;
use super::resource_types::TypeDraft;
use super::text::comment_in_front;
use super::value::{Arguments, Block, Code, Entry, Frame, Value};
use crate::RubyFile;

/// How many expressions are looked at in one file; the rest of it counts as unknown.
const STEP_LIMIT: usize = 100_000;
/// How deeply they may nest.
const DEPTH_LIMIT: u32 = 96;

/// The name under which a method finds the block that it was given.
const BLOCK: &str = "&";

/// One text, parsed.
pub(super) struct Source<'pr> {
    /// Below the module's folder.
    pub path: &'pr str,
    pub text: &'pr str,
    pub tree: ParseResult<'pr>,
}

/// A method that one of the sources defines.
pub(super) struct Method<'pr> {
    pub definition: DefNode<'pr>,
    pub source: usize,
}

pub(super) struct Interpreter<'pr> {
    /// The file itself comes first, then those that it requires.
    pub(super) sources: &'pr [Source<'pr>],
    pub(super) source: usize,
    /// Where code of another source was called from.
    stand_in: TextRange,
    pub(super) output: RubyFile,
    /// What is added to resource types from outside of them.
    pub(super) additions: Vec<TypeDraft>,
    /// What is being defined, the innermost last.
    pub(super) contexts: Vec<Context<'pr>>,
    pub(super) frame: Frame<'pr>,
    constants: FxHashMap<SmolStr, Value<'pr>>,
    /// By name; `None` when there are several of one name.
    methods: FxHashMap<SmolStr, Option<Rc<Method<'pr>>>>,
    /// Methods that are called when a module is included or extended, by the module's path.
    pub(super) hooks: FxHashMap<SmolStr, Rc<Method<'pr>>>,
    /// Classes that the sources define: paths, superclasses and bodies.
    pub(super) classes: FxHashMap<SmolStr, Rc<Class<'pr>>>,
    /// The modules around what is looked at.
    pub(super) module_path: Vec<SmolStr>,
    /// Inside how many conditions that cannot be told?
    pub(super) conditions: u32,
    /// Files that the sources require, below a module's `lib`.
    pub(super) requires: Vec<SmolStr>,
    /// Was there something that a file that is not there may define?
    pub(super) misses_something: bool,
    /// Is the value of the expression to be evaluated next thrown away?
    is_statement: bool,
    /// Has a `return`, `next` or `break` been met?
    has_jumped: bool,
    steps: usize,
    depth: u32,
}

/// A class or module that one of the sources defines.
pub(super) struct Class<'pr> {
    pub superclass: Option<SmolStr>,
    pub body: Option<Node<'pr>>,
    pub source: usize,
}

impl<'pr> Interpreter<'pr> {
    pub(super) fn new(sources: &'pr [Source<'pr>]) -> Interpreter<'pr> {
        Interpreter {
            sources,
            source: 0,
            stand_in: TextRange::default(),
            output: RubyFile::default(),
            additions: Vec::new(),
            contexts: Vec::new(),
            frame: Frame::default(),
            constants: FxHashMap::default(),
            methods: FxHashMap::default(),
            hooks: FxHashMap::default(),
            classes: FxHashMap::default(),
            module_path: Vec::new(),
            conditions: 0,
            requires: Vec::new(),
            misses_something: false,
            is_statement: false,
            has_jumped: false,
            steps: 0,
            depth: 0,
        }
    }

    /// Follows all sources, the ones that are required first.
    pub(super) fn run(&mut self) {
        for index in (0..self.sources.len()).rev() {
            self.source = index;
            self.statement(&self.sources[index].tree.node());
        }
    }

    /// The range in the file itself; for what stands in another source, where that was called.
    pub(super) fn range(&self, location: &Location<'_>) -> TextRange {
        match self.source {
            0 => TextRange::new(location.start(), location.end()),
            _ => self.stand_in,
        }
    }

    /// The comment in front of the statement that starts where `location` does.
    pub(super) fn comment(&self, location: &Location<'_>) -> SmolStr {
        comment_in_front(self.sources[self.source].text, location.start())
    }

    /// Marks everything that is being defined as not fully understood.
    pub(super) fn give_up(&mut self) {
        self.misses_something |= !self.contexts.is_empty();
        for context in &mut self.contexts {
            context.open();
        }
    }

    /// Evaluates for what it does, not for its value.
    pub(super) fn statement(&mut self, node: &Node<'pr>) {
        self.is_statement = true;
        self.evaluate(node);
    }

    pub(super) fn evaluate(&mut self, node: &Node<'pr>) -> Value<'pr> {
        let is_statement = std::mem::take(&mut self.is_statement);
        self.steps += 1;
        if self.steps > STEP_LIMIT || self.depth >= DEPTH_LIMIT {
            self.give_up();
            return Value::Unknown;
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

    fn evaluate_all<'a>(&mut self, nodes: impl IntoIterator<Item = Node<'pr>> + 'a) -> Vec<Value<'pr>>
    where
        'pr: 'a,
    {
        let mut values = Vec::new();
        for node in nodes {
            match node.as_splat_node() {
                Some(splat) => match splat.expression().map(|expression| self.evaluate(&expression)) {
                    Some(Value::Array(elements)) => values.extend(elements.iter().cloned()),
                    _ => values.push(Value::Unknown),
                },
                None => values.push(self.evaluate(&node)),
            }
        }
        values
    }

    fn literal(&mut self, node: &Node<'pr>) -> Option<Value<'pr>> {
        let text = |bytes: &[u8]| SmolStr::new(String::from_utf8_lossy(bytes));
        Some(if let Some(node) = node.as_symbol_node() {
            Value::Symbol(text(node.unescaped()))
        } else if let Some(node) = node.as_string_node() {
            Value::String(text(node.unescaped()))
        } else if let Some(node) = node.as_interpolated_string_node() {
            self.interpolated(&node.parts())
        } else if let Some(node) = node.as_interpolated_symbol_node() {
            match self.interpolated(&node.parts()) {
                Value::String(text) => Value::Symbol(text),
                _ => Value::Unknown,
            }
        } else if let Some(node) = node.as_array_node() {
            Value::array(self.evaluate_all(node.elements().iter()))
        } else if let Some(node) = node.as_hash_node() {
            Value::Hash(self.entries(node.elements().iter()).into())
        } else if let Some(node) = node.as_keyword_hash_node() {
            Value::Hash(self.entries(node.elements().iter()).into())
        } else if let Some(node) = node.as_regular_expression_node() {
            let flags = (node.is_ignore_case(), node.is_extended(), node.is_multi_line());
            Value::Pattern(pattern(&text(node.unescaped()), flags))
        } else if let Some(node) = node.as_interpolated_regular_expression_node() {
            let flags = (node.is_ignore_case(), node.is_extended(), node.is_multi_line());
            match self.interpolated(&node.parts()) {
                Value::String(text) => Value::Pattern(pattern(&text, flags)),
                _ => Value::Unknown,
            }
        } else if let Some(node) = node.as_integer_node() {
            integer(&node).map_or(Value::Unknown, Value::Integer)
        } else if let Some(node) = node.as_float_node() {
            Value::Float(format_smolstr!("{:?}", node.value()))
        } else if node.as_true_node().is_some() {
            Value::Boolean(true)
        } else if node.as_false_node().is_some() {
            Value::Boolean(false)
        } else if node.as_nil_node().is_some() {
            Value::Nil
        } else if node.as_self_node().is_some() {
            Value::This
        } else if node.as_source_file_node().is_some() {
            Value::String(SmolStr::new(self.sources[self.source].path))
        } else {
            return None;
        })
    }

    /// `1..3` as a list.
    fn range_of_numbers(&mut self, node: &ruby_prism::RangeNode<'pr>) -> Value<'pr> {
        let mut end = |node: Option<Node<'pr>>| match node.map(|node| self.evaluate(&node)) {
            Some(Value::Integer(number)) => Some(number),
            _ => None,
        };
        match (end(node.left()), end(node.right())) {
            (Some(first), Some(last)) if last.saturating_sub(first) < 1_000 => {
                let last = if node.is_exclude_end() { last - 1 } else { last };
                Value::array((first..=last).map(Value::Integer).collect())
            }
            _ => Value::Unknown,
        }
    }

    fn entries(&mut self, elements: impl Iterator<Item = Node<'pr>>) -> Vec<Entry<'pr>> {
        let mut entries = Vec::new();
        for element in elements {
            if let Some(pair) = element.as_assoc_node() {
                let key = self.evaluate(&pair.key());
                let key_range = self.name_range(&pair.key());
                let value = match pair.value().as_implicit_node() {
                    Some(implicit) => self.evaluate(&implicit.value()),
                    None => self.evaluate(&pair.value()),
                };
                let value_range = self.name_range(&pair.value());
                entries.push(Entry { key, key_range, value, value_range });
            } else if let Some(splat) = element.as_assoc_splat_node() {
                match splat.value().map(|value| self.evaluate(&value)) {
                    Some(Value::Hash(others)) => entries.extend(others.iter().cloned()),
                    _ => {
                        let range = self.range(&element.location());
                        let (key, value) = (Value::Unknown, Value::Unknown);
                        entries.push(Entry { key, key_range: range, value, value_range: range });
                    }
                }
            }
        }
        entries
    }

    /// The range of a name without its colon or quotes.
    pub(super) fn name_range(&self, node: &Node<'pr>) -> TextRange {
        if let Some(symbol) = node.as_symbol_node() {
            self.range(&symbol.content_loc())
        } else if let Some(string) = node.as_string_node() {
            self.range(&string.content_loc())
        } else {
            self.range(&node.location())
        }
    }

    /// The pieces of a string put together.
    fn interpolated(&mut self, parts: &ruby_prism::NodeList<'pr>) -> Value<'pr> {
        let mut result = String::new();
        let mut is_exact = true;
        for part in parts {
            let value = match part.as_embedded_statements_node() {
                Some(embedded) => match embedded.statements() {
                    Some(statements) => self.evaluate(&statements.as_node()),
                    None => Value::Nil,
                },
                None => self.evaluate(&part),
            };
            match value.to_text() {
                Some(text) => result.push_str(&text),
                None => {
                    is_exact = false;
                    match value.prose() {
                        Some(text) => result.push_str(&text),
                        None => {
                            let location = part.location();
                            let range = location.start() as usize..location.end() as usize;
                            result.push_str(self.sources[self.source].text.get(range).unwrap_or(""));
                        }
                    }
                }
            }
        }
        self.steps += result.len() / 64;
        match is_exact {
            true => Value::String(SmolStr::new(result)),
            false => Value::InexactString(SmolStr::new(result)),
        }
    }

    /// What controls the flow, defines or assigns.
    fn control(&mut self, node: &Node<'pr>, is_statement: bool) -> Value<'pr> {
        if let Some(node) = node.as_statements_node() {
            let body = node.body();
            let last = body.len().saturating_sub(1);
            let mut value = Value::Nil;
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
            node.body().map_or(Value::Nil, |body| self.evaluate(&body))
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
            node.statements().map_or(Value::Nil, |statements| self.evaluate(&statements.as_node()))
        } else if let Some(node) = node.as_case_node() {
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
        } else if let Some(node) = node.as_begin_node() {
            self.begin(&node, is_statement)
        } else if let Some(node) = node.as_rescue_modifier_node() {
            self.is_statement = is_statement;
            let value = self.evaluate(&node.expression());
            self.all_branches(vec![Some(node.rescue_expression()), None], true);
            match value {
                Value::Block(_) | Value::This => value,
                _ => Value::Unknown,
            }
        } else if let Some(node) = node.as_and_node() {
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
            Value::Unknown
        } else if let Some(node) = node.as_yield_node() {
            let values = match node.arguments() {
                Some(arguments) => self.evaluate_all(arguments.arguments().iter()),
                None => Vec::new(),
            };
            let block = self.frame.borrow().get(BLOCK).cloned();
            block.map_or(Value::Unknown, |block| self.run_block(&block, values))
        } else if let Some(node) = node.as_range_node() {
            self.range_of_numbers(&node)
        } else if let Some(node) = node.as_lambda_node() {
            let code = Code::Lambda(Rc::new(node));
            Value::Block(Block { code, frame: Rc::clone(&self.frame), source: self.source })
        } else {
            self.name_or_definition(node)
        }
    }

    fn branches(
        &mut self,
        condition: &Value<'pr>,
        consequence: Option<Node<'pr>>,
        alternative: Option<Node<'pr>>,
        is_statement: bool,
    ) -> Value<'pr> {
        let chosen = match condition.truth() {
            Some(true) => consequence,
            Some(false) => alternative,
            None => return self.all_branches(vec![consequence, alternative], is_statement),
        };
        self.is_statement = is_statement;
        chosen.map_or(Value::Nil, |node| self.evaluate(&node))
    }

    /// Follows each of several ways. A variable that they leave with different values is unknown then.
    fn all_branches(&mut self, branches: Vec<Option<Node<'pr>>>, is_statement: bool) -> Value<'pr> {
        self.conditions += 1;
        self.steps += self.frame.borrow().len();
        let before = self.frame.borrow().clone();
        let mut after: Option<FxHashMap<SmolStr, Value<'pr>>> = None;
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
                            joined.insert(name, Value::Unknown);
                        }
                    }
                    joined
                }
            });
        }
        *self.frame.borrow_mut() = after.unwrap_or(before);
        self.conditions -= 1;
        Value::Unknown
    }

    fn begin(&mut self, node: &ruby_prism::BeginNode<'pr>, is_statement: bool) -> Value<'pr> {
        self.is_statement = is_statement;
        let mut value = match node.statements() {
            Some(statements) => self.evaluate(&statements.as_node()),
            None => Value::Nil,
        };
        let mut rescue = node.rescue_clause();
        while let Some(clause) = rescue {
            self.all_branches(vec![clause.statements().map(|statements| statements.as_node()), None], true);
            value = Value::Unknown;
            rescue = clause.subsequent();
        }
        if let Some(statements) = node.else_clause().and_then(|clause| clause.statements()) {
            self.statement(&statements.as_node());
            value = Value::Unknown;
        }
        if let Some(statements) = node.ensure_clause().and_then(|clause| clause.statements()) {
            self.statement(&statements.as_node());
        }
        value
    }

    fn name_or_definition(&mut self, node: &Node<'pr>) -> Value<'pr> {
        if let Some(node) = node.as_local_variable_read_node() {
            let name = constant_text(&node.name());
            self.frame.borrow().get(&name).cloned().unwrap_or(Value::Unknown)
        } else if node.as_it_local_variable_read_node().is_some() {
            self.frame.borrow().get("it").cloned().unwrap_or(Value::Unknown)
        } else if let Some(node) = node.as_local_variable_write_node() {
            let value = self.evaluate(&node.value());
            self.frame.borrow_mut().insert(constant_text(&node.name()), value.clone());
            value
        } else if let Some(node) = node.as_local_variable_operator_write_node() {
            let name = constant_text(&node.name());
            let before = self.frame.borrow().get(&name).cloned().unwrap_or(Value::Unknown);
            let operand = self.evaluate(&node.value());
            let operator = constant_text(&node.binary_operator());
            let value = methods::call(&before, &operator, &[operand]).unwrap_or(Value::Unknown);
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_local_variable_or_write_node() {
            let name = constant_text(&node.name());
            let before = self.frame.borrow().get(&name).cloned().unwrap_or(Value::Nil);
            let value = match before.truth() {
                Some(true) => before,
                Some(false) => self.evaluate(&node.value()),
                None => Value::Unknown,
            };
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_multi_write_node() {
            let value = self.evaluate(&node.value());
            let elements = match &value {
                Value::Array(elements) => elements.to_vec(),
                _ => Vec::new(),
            };
            for (index, target) in node.lefts().iter().enumerate() {
                if let Some(target) = target.as_local_variable_target_node() {
                    let element = elements.get(index).cloned().unwrap_or(Value::Unknown);
                    self.frame.borrow_mut().insert(constant_text(&target.name()), element);
                }
            }
            value
        } else if let Some(node) = node.as_constant_read_node() {
            self.constant(constant_text(&node.name()))
        } else if node.as_constant_path_node().is_some() {
            match constant_path(node) {
                Some(path) => self.constant(path),
                None => Value::Unknown,
            }
        } else if let Some(node) = node.as_constant_write_node() {
            let value = self.evaluate(&node.value());
            let name = constant_text(&node.name());
            let is_new = self.constants.insert(name.clone(), value.clone()).is_none();
            if !is_new || self.conditions > 0 {
                self.constants.insert(name, Value::Unknown);
            }
            value
        } else if let Some(node) = node.as_instance_variable_write_node() {
            let value = self.evaluate(&node.value());
            let name = constant_text(&node.name());
            self.set_instance_variable(&name, &value);
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_instance_variable_read_node() {
            self.frame.borrow().get(&constant_text(&node.name())).cloned().unwrap_or(Value::Unknown)
        } else if let Some(node) = node.as_module_node() {
            self.define_class(&node.constant_path(), None, node.body());
            Value::Unknown
        } else if let Some(node) = node.as_class_node() {
            let superclass = node.superclass().and_then(|superclass| constant_path(&superclass));
            self.define_class(&node.constant_path(), superclass, node.body());
            Value::Unknown
        } else if let Some(node) = node.as_singleton_class_node() {
            if let Some(body) = node.body() {
                self.singleton_class(&body);
            }
            Value::Unknown
        } else if let Some(definition) = node.as_def_node() {
            let name = constant_text(&definition.name());
            self.define_method(definition);
            Value::Symbol(name)
        } else {
            Value::Unknown
        }
    }

    fn constant(&self, path: SmolStr) -> Value<'pr> {
        let last = path.rsplit("::").next().unwrap_or(&path);
        match self.constants.get(last) {
            Some(value) => value.clone(),
            None => Value::Constant(path),
        }
    }

    /// A class or module: what it does while it is defined, and what it is for others.
    fn define_class(&mut self, name: &Node<'pr>, superclass: Option<SmolStr>, body: Option<Node<'pr>>) {
        let Some(name) = constant_path(name) else { return };
        let parts_before = self.module_path.len();
        self.module_path.extend(name.split("::").map(SmolStr::new));
        let path = SmolStr::new(self.module_path.join("::"));
        // Its own definitions are no part of what is being defined around it.
        let contexts = std::mem::take(&mut self.contexts);
        self.contexts.push(Context::Module);
        let outer_frame = std::mem::take(&mut self.frame);
        if let Some(body) = &body {
            self.statement(body);
        }
        self.frame = outer_frame;
        self.contexts = contexts;
        self.module_path.truncate(parts_before);
        self.classes.insert(path, Rc::new(Class { superclass, body, source: self.source }));
    }

    /// The class or module that a path means, if the sources define it: its full path, and what it is.
    pub(super) fn find_class(&self, path: &str) -> Option<(SmolStr, Rc<Class<'pr>>)> {
        if let Some(class) = self.classes.get(path) {
            return Some((SmolStr::new(path), Rc::clone(class)));
        }
        let end = format!("::{path}");
        let mut found = self.classes.iter().filter(|(full_path, _)| full_path.ends_with(&end));
        let (full_path, class) = found.next()?;
        found.next().is_none().then(|| (full_path.clone(), Rc::clone(class)))
    }

    /// `class << self`: only methods are of interest.
    fn singleton_class(&mut self, body: &Node<'pr>) {
        let Some(statements) = body.as_statements_node() else { return };
        for statement in statements.body().iter() {
            if let Some(definition) = statement.as_def_node() {
                if let Some(context) = self.contexts.last_mut() {
                    context.define_method(&constant_text(&definition.name()), true);
                }
                self.remember_method(definition);
            }
        }
    }

    fn define_method(&mut self, definition: DefNode<'pr>) {
        let name = constant_text(&definition.name());
        let is_singleton = definition.receiver().is_some();
        if is_singleton && matches!(&*name, "included" | "extended") {
            let path = SmolStr::new(self.module_path.join("::"));
            let method = Method { definition, source: self.source };
            self.hooks.insert(path, Rc::new(method));
            return;
        }
        if let Some(context) = self.contexts.last_mut() {
            context.define_method(&name, is_singleton);
        }
        self.define_function_method(&definition);
        self.remember_method(definition);
    }

    fn remember_method(&mut self, definition: DefNode<'pr>) {
        let name = constant_text(&definition.name());
        let method = Rc::new(Method { definition, source: self.source });
        let is_new = !self.methods.contains_key(&name);
        self.methods.insert(name, is_new.then_some(method));
    }

    /// The method of this name, if the sources define exactly one.
    pub(super) fn method(&self, name: &str) -> Option<Rc<Method<'pr>>> {
        self.methods.get(name).cloned().flatten()
    }

    /// Does one of the sources define a method of this name?
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.methods.contains_key(name)
    }

    /// All methods that the sources define once.
    pub(super) fn all_methods(&self) -> Vec<Rc<Method<'pr>>> {
        let mut methods: Vec<_> = self.methods.values().flatten().cloned().collect();
        methods.sort_by_key(|method| (method.source, method.definition.location().start()));
        methods
    }

    /// Runs a method's body with these arguments; `call_range` is where it is called.
    pub(super) fn invoke(
        &mut self,
        method: &Method<'pr>,
        arguments: &Arguments<'pr>,
        call_range: TextRange,
    ) -> Value<'pr> {
        let mut values: Vec<Value<'pr>> =
            arguments.positional.iter().map(|(value, _)| value.clone()).collect();
        if arguments.has_unknown {
            values.clear();
        }
        let frame = Frame::default();
        if let Some(parameters) = method.definition.parameters() {
            let takes_keywords =
                parameters.keywords().iter().next().is_some() || parameters.keyword_rest().is_some();
            if !takes_keywords && !arguments.keywords.is_empty() {
                values.push(Value::Hash(arguments.keywords.clone().into()));
            }
            self.bind(&parameters, values, arguments, &frame);
        }
        if let Some(block) = &arguments.block {
            frame.borrow_mut().insert(SmolStr::new(BLOCK), block.clone());
        }
        let Some(body) = method.definition.body() else { return Value::Nil };
        self.inside(method.source, frame, call_range, |interpreter| interpreter.evaluate_body(&body))
    }

    /// Runs a block with these values for its parameters.
    pub(super) fn run_block(&mut self, block: &Value<'pr>, values: Vec<Value<'pr>>) -> Value<'pr> {
        let block = match block {
            Value::Block(block) => block.clone(),
            Value::Symbol(name) => {
                let Some((receiver, rest)) = values.split_first() else { return Value::Unknown };
                return methods::call(receiver, name, rest).unwrap_or(Value::Unknown);
            }
            _ => return Value::Unknown,
        };
        let (parameters, body) = match &block.code {
            Code::Block(node) => (node.parameters(), node.body()),
            Code::Lambda(node) => (node.parameters(), node.body()),
        };
        let parameters = parameters.and_then(|node| node.as_block_parameters_node());
        match parameters.and_then(|parameters| parameters.parameters()) {
            Some(parameters) => {
                let takes_several = parameters.requireds().len() + parameters.optionals().len() > 1
                    || parameters.rest().is_some();
                let values = match values.as_slice() {
                    [Value::Array(elements)] if takes_several => elements.to_vec(),
                    _ => values,
                };
                self.bind(&parameters, values, &Arguments::default(), &block.frame);
            }
            None => {
                for (index, value) in values.into_iter().enumerate().take(9) {
                    if index == 0 {
                        block.frame.borrow_mut().insert(SmolStr::new("it"), value.clone());
                    }
                    block.frame.borrow_mut().insert(format_smolstr!("_{}", index + 1), value);
                }
            }
        }
        let Some(body) = body else { return Value::Nil };
        let stand_in = self.stand_in;
        self.inside(block.source, block.frame, stand_in, |interpreter| interpreter.evaluate_body(&body))
    }

    /// A body's last value, if nothing jumps out of it.
    pub(super) fn evaluate_body(&mut self, body: &Node<'pr>) -> Value<'pr> {
        let jumped_before = std::mem::take(&mut self.has_jumped);
        // The last expression gives the value, yet is there for what it does as well.
        self.is_statement = true;
        let value = self.evaluate(body);
        let has_jumped = std::mem::replace(&mut self.has_jumped, jumped_before);
        if has_jumped { Value::Unknown } else { value }
    }

    fn inside(
        &mut self,
        source: usize,
        frame: Frame<'pr>,
        call_range: TextRange,
        action: impl FnOnce(&mut Self) -> Value<'pr>,
    ) -> Value<'pr> {
        let outer_source = std::mem::replace(&mut self.source, source);
        let outer_frame = std::mem::replace(&mut self.frame, frame);
        let outer_stand_in = self.stand_in;
        if outer_source == 0 {
            self.stand_in = call_range;
        }
        let value = action(self);
        self.stand_in = outer_stand_in;
        self.frame = outer_frame;
        self.source = outer_source;
        value
    }

    fn bind(
        &mut self,
        parameters: &ParametersNode<'pr>,
        values: Vec<Value<'pr>>,
        arguments: &Arguments<'pr>,
        frame: &Frame<'pr>,
    ) {
        let mut values = values.into_iter();
        let set = |name: SmolStr, value: Value<'pr>| {
            frame.borrow_mut().insert(name, value);
        };
        for parameter in parameters.requireds().iter() {
            let value = values.next().unwrap_or(Value::Unknown);
            if let Some(parameter) = parameter.as_required_parameter_node() {
                set(constant_text(&parameter.name()), value);
            } else if let Some(group) = parameter.as_multi_target_node() {
                let elements = match &value {
                    Value::Array(elements) => elements.to_vec(),
                    _ => Vec::new(),
                };
                for (index, part) in group.lefts().iter().enumerate() {
                    if let Some(part) = part.as_required_parameter_node() {
                        let element = elements.get(index).cloned().unwrap_or(Value::Unknown);
                        set(constant_text(&part.name()), element);
                    }
                }
            }
        }
        for parameter in parameters.optionals().iter() {
            let Some(parameter) = parameter.as_optional_parameter_node() else { continue };
            let value = match values.next() {
                Some(value) => value,
                None if arguments.has_unknown => Value::Unknown,
                None => self.evaluate(&parameter.value()),
            };
            set(constant_text(&parameter.name()), value);
        }
        if let Some(rest) = parameters.rest().and_then(|rest| rest.as_rest_parameter_node())
            && let Some(name) = rest.name()
        {
            let rest = match arguments.has_unknown {
                true => Value::Unknown,
                false => Value::array(values.collect()),
            };
            set(constant_text(&name), rest);
        }
        for parameter in parameters.keywords().iter() {
            if let Some(parameter) = parameter.as_required_keyword_parameter_node() {
                let name = constant_text(&parameter.name());
                let value = arguments.option(&name).unwrap_or(Value::Unknown);
                set(name, value);
            } else if let Some(parameter) = parameter.as_optional_keyword_parameter_node() {
                let name = constant_text(&parameter.name());
                let value = match arguments.option(&name) {
                    Some(value) => value,
                    None if arguments.has_unknown_options() => Value::Unknown,
                    None => self.evaluate(&parameter.value()),
                };
                set(name, value);
            }
        }
        if let Some(name) = parameters.block().and_then(|block| block.as_block_parameter_node()?.name()) {
            set(constant_text(&name), arguments.block.clone().unwrap_or(Value::Nil));
        }
    }

    /// What a call is given, evaluated from left to right.
    pub(super) fn arguments(&mut self, call: &CallNode<'pr>) -> Arguments<'pr> {
        let mut result = Arguments::default();
        if let Some(arguments) = call.arguments() {
            for argument in arguments.arguments().iter() {
                if let Some(keywords) = argument.as_keyword_hash_node() {
                    result.keywords = self.entries(keywords.elements().iter());
                } else if let Some(splat) = argument.as_splat_node() {
                    let range = self.range(&splat.location());
                    match splat.expression().map(|expression| self.evaluate(&expression)) {
                        Some(Value::Array(elements)) => {
                            result.positional.extend(elements.iter().map(|element| (element.clone(), range)));
                        }
                        _ => result.has_unknown = true,
                    }
                } else {
                    let value = self.evaluate(&argument);
                    result.positional.push((value, self.name_range(&argument)));
                }
            }
        }
        if let Some(block) = call.block() {
            let value = if let Some(block) = block.as_block_node() {
                let code = Code::Block(Rc::new(block));
                Value::Block(Block { code, frame: Rc::clone(&self.frame), source: self.source })
            } else if let Some(argument) = block.as_block_argument_node() {
                match argument.expression() {
                    Some(expression) => self.evaluate(&expression),
                    None => Value::Unknown,
                }
            } else {
                Value::Unknown
            };
            result.block = (!matches!(value, Value::Nil)).then_some(value);
        }
        result
    }

    /// Lets work count that one step does not stand for.
    pub(super) fn charge(&mut self, value: &Value<'pr>) {
        self.steps += match value {
            Value::Array(elements) => elements.len() * elements.len() / 16,
            Value::Hash(entries) => entries.len() * entries.len() / 16,
            Value::String(text) | Value::InexactString(text) => text.len() / 64,
            _ => 0,
        };
    }
}

/// What `return`, `next` and `break` are given. The outer `None`: it is none of them.
#[expect(clippy::option_option, reason = "no jump, and a jump without arguments, are two things")]
fn jump<'pr>(node: &Node<'pr>) -> Option<Option<ruby_prism::ArgumentsNode<'pr>>> {
    if let Some(node) = node.as_return_node() {
        Some(node.arguments())
    } else if let Some(node) = node.as_next_node() {
        Some(node.arguments())
    } else {
        node.as_break_node().map(|node| node.arguments())
    }
}

/// A name that the parser keeps once.
pub(super) fn constant_text(name: &ruby_prism::ConstantId<'_>) -> SmolStr {
    SmolStr::new(String::from_utf8_lossy(name.as_slice()))
}

/// The path of a constant, as far as it is made of constants only: `Puppet::Type`. A leading `::` is left out.
pub(super) fn constant_path(node: &Node<'_>) -> Option<SmolStr> {
    let mut parts = Vec::new();
    let mut parent = None;
    if let Some(read) = node.as_constant_read_node() {
        return Some(constant_text(&read.name()));
    } else if let Some(path) = node.as_constant_path_node() {
        parts.push(constant_text(&path.name()?));
        parent = path.parent();
    }
    while let Some(node) = parent {
        if let Some(read) = node.as_constant_read_node() {
            parts.push(constant_text(&read.name()));
            break;
        }
        let path = node.as_constant_path_node()?;
        parts.push(constant_text(&path.name()?));
        parent = path.parent();
    }
    parts.reverse();
    (!parts.is_empty()).then(|| SmolStr::new(parts.join("::")))
}

/// A regular expression; its options (`i`, `x`, `m`) as Ruby writes them in front of one that stands inside another.
fn pattern(text: &str, (ignore_case, extended, multi_line): (bool, bool, bool)) -> SmolStr {
    if !(ignore_case || extended || multi_line) {
        return SmolStr::new(text);
    }
    let mut on = String::new();
    let mut off = String::new();
    for (is_on, letter) in [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x')] {
        if is_on { on.push(letter) } else { off.push(letter) }
    }
    if !off.is_empty() {
        off.insert(0, '-');
    }
    format_smolstr!("(?{on}{off}:{text})")
}

fn integer(node: &ruby_prism::IntegerNode<'_>) -> Option<i64> {
    let value: i32 = node.value().try_into().ok()?;
    Some(i64::from(value))
}
