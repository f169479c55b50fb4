//! Lowering of the parser's tree to [`RubyExpression`].

use ruby_prism::{CallNode, ConstantId, Location, Node, NodeList, StatementsNode};
use smol_str::SmolStr;
use syntax::TextRange;

use super::tree::{BlockCode, Case, ModuleDefinition, Rescue, RubyBlock, RubyExpression, RubyExpressionKind};
use crate::erb::{OUTPUT, Script};

/// Maximum nesting depth of expressions.
const DEPTH_LIMIT: u32 = 160;

/// Lowers the program of a template.
pub(crate) fn template_program(node: &Node<'_>, script: &Script) -> Vec<RubyExpression> {
    let mut lowering =
        RubyLowering { script: Some(script), has_mutable_literals: true, ..RubyLowering::default() };
    let mut statements = lowering.program(node);
    // The last statement returns the output.
    statements.pop();
    statements
}

/// Lowers a file; if `is_outline` is true, without the code that defines nothing.
pub(super) fn file_program(node: &Node<'_>, text: &str, is_outline: bool) -> Vec<RubyExpression> {
    // String literals are immutable in a file with this magic comment.
    let is_mutable = !text.lines().take_while(|line| line.starts_with('#')).any(|line| {
        line.contains("frozen_string_literal: true") || line.contains("frozen-string-literal: true")
    });
    let mut lowering =
        RubyLowering { has_mutable_literals: is_mutable, is_outline, ..RubyLowering::default() };
    lowering.program(node)
}

#[derive(Default)]
pub(super) struct RubyLowering<'s> {
    /// Program of the template; `None` for a Ruby file.
    script: Option<&'s Script>,
    depth: u32,
    pub(super) has_mutable_literals: bool,
    /// True if code that defines nothing is omitted.
    is_outline: bool,
    /// True in the block of a definition, whose instance methods its own code cannot call.
    pub(super) omits_methods: bool,
}

pub(super) fn name_text(name: &ConstantId<'_>) -> SmolStr {
    SmolStr::new(String::from_utf8_lossy(name.as_slice()))
}

impl RubyLowering<'_> {
    pub(super) fn range(&self, location: &Location<'_>) -> TextRange {
        match self.script {
            Some(script) => script.range(location.start() as usize, location.end() as usize),
            None => TextRange::new(location.start(), location.end()),
        }
    }

    /// Returns true for the variable that collects the output of a template.
    pub(super) fn is_output(&self, name: &ConstantId<'_>) -> bool {
        self.script.is_some() && name.as_slice() == OUTPUT.as_bytes()
    }

    fn program(&mut self, node: &Node<'_>) -> Vec<RubyExpression> {
        self.statements(node.as_program_node().map(|program| program.statements()))
    }

    pub(super) fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Vec<RubyExpression> {
        statements.map_or_else(Vec::new, |statements| self.all(&statements.body()))
    }

    /// Lowers the statements of a body, which may be an implicit `begin`.
    pub(super) fn body(&mut self, body: Option<Node<'_>>) -> Vec<RubyExpression> {
        match body {
            Some(body) => match body.as_statements_node() {
                Some(statements) => self.statements(Some(statements)),
                None => vec![self.expression(&body)],
            },
            None => Vec::new(),
        }
    }

    pub(super) fn all(&mut self, nodes: &NodeList<'_>) -> Vec<RubyExpression> {
        nodes.iter().map(|node| self.expression(&node)).collect()
    }

    pub(super) fn arguments(
        &mut self,
        arguments: Option<ruby_prism::ArgumentsNode<'_>>,
    ) -> Vec<RubyExpression> {
        arguments.map_or_else(Vec::new, |arguments| self.all(&arguments.arguments()))
    }

    pub(super) fn expression(&mut self, node: &Node<'_>) -> RubyExpression {
        let inner = node.as_parentheses_node().and_then(|it| it.body());
        let range = self.range(&inner.map_or(node.location(), |inner| inner.location()));
        if self.depth >= DEPTH_LIMIT {
            let kind = RubyExpressionKind::Unsupported("code nested too deeply");
            return RubyExpression { range, kind: Box::new(kind) };
        }
        self.depth += 1;
        let kind = self.kind(node);
        self.depth -= 1;
        RubyExpression { range, kind: Box::new(kind) }
    }

    fn kind(&mut self, node: &Node<'_>) -> RubyExpressionKind {
        let found = self.literal(node).or_else(|| self.variable(node)).or_else(|| self.assignment(node));
        found.or_else(|| self.control(node)).unwrap_or_else(|| match node.as_call_node() {
            Some(call) => self.call(&call),
            None => RubyExpressionKind::Unsupported(described(node)),
        })
    }

    fn variable(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(read) = node.as_local_variable_read_node() {
            if self.is_output(&read.name()) {
                RubyExpressionKind::Unsupported("access to the template output")
            } else {
                RubyExpressionKind::LocalVariable { name: name_text(&read.name()), depth: read.depth() }
            }
        } else if let Some(read) = node.as_instance_variable_read_node() {
            RubyExpressionKind::InstanceVariable(without_at(&read.name()))
        } else if let Some(read) = node.as_numbered_reference_read_node() {
            RubyExpressionKind::MatchGroup(read.number())
        } else if let Some(read) = node.as_back_reference_read_node() {
            match read.name().as_slice() {
                b"$&" => RubyExpressionKind::MatchGroup(0),
                b"$`" => RubyExpressionKind::BesideMatch { is_after: false },
                b"$'" => RubyExpressionKind::BesideMatch { is_after: true },
                _ => return Some(RubyExpressionKind::Unsupported("match group")),
            }
        } else if let Some(read) = node.as_class_variable_read_node() {
            RubyExpressionKind::ClassVariable(without_at(&read.name()))
        } else if let Some(read) = node.as_global_variable_read_node() {
            RubyExpressionKind::GlobalVariable(name_text(&read.name()).trim_start_matches('$').into())
        } else if let Some(path) = constant_path(node) {
            RubyExpressionKind::Constant(path)
        } else if let Some(path) = node.as_constant_path_node() {
            match (path.parent(), path.name()) {
                (Some(parent), Some(name)) => {
                    RubyExpressionKind::ConstantOf(self.expression(&parent), name_text(&name))
                }
                _ => return None,
            }
        } else if node.as_self_node().is_some() {
            RubyExpressionKind::This
        } else if node.as_source_file_node().is_some() {
            RubyExpressionKind::FilePath
        } else {
            return None;
        })
    }

    fn control(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(node) = node.as_if_node() {
            let condition = self.expression(&node.predicate());
            let then = self.statements(node.statements());
            let otherwise = node.subsequent().map_or_else(Vec::new, |node| self.otherwise(&node));
            RubyExpressionKind::If { condition, then, otherwise }
        } else if let Some(node) = node.as_unless_node() {
            let condition = self.expression(&node.predicate());
            let otherwise = self.statements(node.statements());
            let then = self.statements(node.else_clause().and_then(|clause| clause.statements()));
            RubyExpressionKind::If { condition, then, otherwise }
        } else if let Some(node) = node.as_and_node() {
            RubyExpressionKind::And(self.expression(&node.left()), self.expression(&node.right()))
        } else if let Some(node) = node.as_or_node() {
            RubyExpressionKind::Or(self.expression(&node.left()), self.expression(&node.right()))
        } else if let Some(node) = node.as_defined_node() {
            RubyExpressionKind::Defined(self.expression(&node.value()))
        } else if let Some(node) = node.as_parentheses_node() {
            sequence(self.body(node.body()))
        } else if let Some(node) = node.as_statements_node() {
            sequence(self.all(&node.body()))
        } else if let Some(node) = node.as_case_node() {
            let subject = node.predicate().map(|subject| self.expression(&subject));
            let cases = node.conditions().iter().filter_map(|case| {
                let case = case.as_when_node()?;
                Some(Case {
                    patterns: self.all(&case.conditions()),
                    body: self.statements(case.statements()),
                })
            });
            let cases = cases.collect();
            let otherwise = self.statements(node.else_clause().and_then(|clause| clause.statements()));
            RubyExpressionKind::Case { subject, cases, otherwise }
        } else {
            return self.loop_or_jump(node);
        })
    }

    fn loop_or_jump(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(node) = node.as_while_node() {
            RubyExpressionKind::While {
                condition: self.expression(&node.predicate()),
                body: self.statements(node.statements()),
                is_negated: false,
                is_body_first: node.is_begin_modifier(),
            }
        } else if let Some(node) = node.as_until_node() {
            RubyExpressionKind::While {
                condition: self.expression(&node.predicate()),
                body: self.statements(node.statements()),
                is_negated: true,
                is_body_first: node.is_begin_modifier(),
            }
        } else if let Some(node) = node.as_for_node() {
            RubyExpressionKind::For {
                target: self.lower_target(&node.index()),
                list: self.expression(&node.collection()),
                body: self.statements(node.statements()),
            }
        } else if let Some(node) = node.as_begin_node() {
            self.begin(&node)
        } else if let Some(node) = node.as_rescue_modifier_node() {
            let body = vec![self.expression(&node.expression())];
            let rescue = Rescue {
                classes: Vec::new(),
                target: None,
                body: vec![self.expression(&node.rescue_expression())],
            };
            RubyExpressionKind::Rescued {
                body,
                rescues: vec![rescue],
                otherwise: Vec::new(),
                ensure: Vec::new(),
            }
        } else if let Some(node) = node.as_next_node() {
            RubyExpressionKind::Next(self.jump(node.arguments()))
        } else if let Some(node) = node.as_break_node() {
            RubyExpressionKind::Break(self.jump(node.arguments()))
        } else if let Some(node) = node.as_return_node() {
            RubyExpressionKind::Return(self.jump(node.arguments()))
        } else {
            return self.definition_or_method(node);
        })
    }

    /// Lowers definitions of methods and modules, and calls of `super`.
    fn definition_or_method(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(node) = node.as_def_node() {
            self.definition(&node)
                .map_or(RubyExpressionKind::Unsupported("unsupported method parameters"), |it| {
                    RubyExpressionKind::Define(it.into())
                })
        } else if let Some(node) = node.as_class_node() {
            let path = constant_path(&node.constant_path());
            let superclass = node.superclass().map(|it| self.expression(&it));
            self.module(path, true, superclass, node.body())
        } else if let Some(node) = node.as_module_node() {
            self.module(constant_path(&node.constant_path()), false, None, node.body())
        } else if let Some(node) = node.as_singleton_class_node() {
            match node.expression().as_self_node() {
                Some(_) => {
                    let omits_methods = std::mem::take(&mut self.omits_methods);
                    let body = self.body(node.body());
                    self.omits_methods = omits_methods;
                    RubyExpressionKind::SingletonClass(body.into())
                }
                None => RubyExpressionKind::Unsupported("singleton class"),
            }
        } else if let Some(node) = node.as_alias_method_node() {
            let name = |node: &Node<'_>| {
                let symbol = node.as_symbol_node()?;
                Some(SmolStr::new(std::str::from_utf8(symbol.unescaped()).ok()?))
            };
            match (name(&node.new_name()), name(&node.old_name())) {
                (Some(name), Some(method)) => RubyExpressionKind::Alias { name, method },
                _ => RubyExpressionKind::Unsupported("unsupported alias"),
            }
        } else if let Some(node) = node.as_yield_node() {
            RubyExpressionKind::Yield(self.arguments(node.arguments()))
        } else if let Some(node) = node.as_super_node() {
            let arguments = Some(self.arguments(node.arguments()));
            RubyExpressionKind::Super { arguments, block: node.block().map(|block| self.block(&block)) }
        } else if let Some(node) = node.as_forwarding_super_node() {
            let block = node.block().map(|block| self.block(&block.as_node()));
            RubyExpressionKind::Super { arguments: None, block }
        } else if let Some(node) = node.as_lambda_node() {
            let block: RubyBlock = self.code(node.parameters(), node.body());
            RubyExpressionKind::Lambda(block)
        } else if node.as_retry_node().is_some() {
            RubyExpressionKind::Retry
        } else {
            return None;
        })
    }

    fn module(
        &mut self,
        path: Option<SmolStr>,
        is_class: bool,
        superclass: Option<RubyExpression>,
        body: Option<Node<'_>>,
    ) -> RubyExpressionKind {
        match path {
            Some(path) => {
                let omits_methods = std::mem::take(&mut self.omits_methods);
                let body = self.body(body);
                self.omits_methods = omits_methods;
                RubyExpressionKind::Module(ModuleDefinition { path, is_class, superclass, body }.into())
            }
            None => RubyExpressionKind::Unsupported("module with a computed name"),
        }
    }

    /// Lowers the value of a jump: several values are an array.
    fn jump(&mut self, arguments: Option<ruby_prism::ArgumentsNode<'_>>) -> Option<RubyExpression> {
        let range = arguments.as_ref().map(|it| self.range(&it.location()))?;
        let mut arguments = self.arguments(arguments);
        match arguments.as_slice() {
            [single] if !matches!(*single.kind, RubyExpressionKind::Splat(_)) => arguments.pop(),
            _ => Some(RubyExpression { range, kind: Box::new(RubyExpressionKind::Array(arguments)) }),
        }
    }

    fn otherwise(&mut self, node: &Node<'_>) -> Vec<RubyExpression> {
        match node.as_else_node() {
            Some(clause) => self.statements(clause.statements()),
            // `elsif`
            None => vec![self.expression(node)],
        }
    }

    fn begin(&mut self, node: &ruby_prism::BeginNode<'_>) -> RubyExpressionKind {
        let body = self.statements(node.statements());
        if node.rescue_clause().is_none() && node.ensure_clause().is_none() && node.else_clause().is_none() {
            return sequence(body);
        }
        let otherwise = self.statements(node.else_clause().and_then(|clause| clause.statements()));
        let ensure = self.statements(node.ensure_clause().and_then(|clause| clause.statements()));
        let mut rescues = Vec::new();
        let mut next = node.rescue_clause();
        while let Some(clause) = next {
            rescues.push(Rescue {
                classes: self.all(&clause.exceptions()),
                target: clause.reference().map(|reference| self.lower_target(&reference)),
                body: self.statements(clause.statements()),
            });
            next = clause.subsequent();
        }
        RubyExpressionKind::Rescued { body, rescues, otherwise, ensure }
    }

    fn call(&mut self, call: &CallNode<'_>) -> RubyExpressionKind {
        let name = name_text(&call.name());
        if let Some(receiver) = call.receiver().and_then(|receiver| receiver.as_local_variable_read_node())
            && self.is_output(&receiver.name())
        {
            let unsupported = RubyExpressionKind::Unsupported("access to the template output");
            return self.output(call, &name).unwrap_or(unsupported);
        }
        let receiver = call.receiver().map(|receiver| self.expression(&receiver));
        let mut arguments = self.arguments(call.arguments());
        let block = call.block().map(|block| self.block_of(&name, &block));
        match (receiver, name.as_str()) {
            (Some(receiver), "!") if arguments.is_empty() => RubyExpressionKind::Not(receiver),
            (Some(receiver), "!=") if arguments.len() == 1 && block.is_none() => {
                let equal = RubyExpressionKind::Call {
                    receiver: Some(receiver),
                    name: "==".into(),
                    arguments: std::mem::take(&mut arguments),
                    block,
                    is_safe: false,
                    is_name: false,
                };
                RubyExpressionKind::Not(RubyExpression {
                    range: self.range(&call.location()),
                    kind: Box::new(equal),
                })
            }
            (receiver, _) => RubyExpressionKind::Call {
                receiver,
                name,
                arguments,
                block,
                is_safe: call.is_safe_navigation(),
                is_name: call.is_variable_call(),
            },
        }
    }

    /// Lowers the block of a call.
    fn block_of(&mut self, name: &str, block: &Node<'_>) -> RubyBlock {
        if !self.is_outline {
            return self.block(block);
        }
        match name {
            "provide" | "newfunction" | "setcode" | "validate" | "munge" | "unmunge" | "autorequire" => {
                self.outline(block)
            }
            "newtype" | "newproperty" | "newparam" | "create_function" => {
                let omits_methods = std::mem::replace(&mut self.omits_methods, true);
                let block = self.block(block);
                self.omits_methods = omits_methods;
                block
            }
            _ => self.block(block),
        }
    }

    /// Lowers only the documentation in a block.
    fn outline(&mut self, node: &Node<'_>) -> RubyBlock {
        let Some(block) = node.as_block_node() else { return self.block(node) };
        let statements = block.body().and_then(|body| body.as_statements_node());
        let is_documentation = |node: &Node<'_>| match node.as_call_node() {
            Some(call) => call.name().as_slice() == b"desc",
            None => node.as_instance_variable_write_node().is_some(),
        };
        let statements = statements.iter().flat_map(|it| it.body().iter()).filter(is_documentation);
        let body = statements.map(|node| self.expression(&node)).collect();
        RubyBlock::Code(BlockCode { parameters: Vec::new(), has_trailing_comma: false, body }.into())
    }

    /// Lowers a call that writes to the output of a template.
    fn output(&mut self, call: &CallNode<'_>, name: &str) -> Option<RubyExpressionKind> {
        if !matches!(name, "<<" | "concat") || call.block().is_some() {
            return None;
        }
        let arguments = call.arguments()?.arguments();
        let argument = arguments.iter().next().filter(|_| arguments.iter().count() == 1)?;
        if let Some(number) = argument.as_integer_node() {
            let number: i32 = number.value().try_into().ok()?;
            let index = usize::try_from(number).ok()?;
            return Some(RubyExpressionKind::Text(index));
        }
        // `((x).to_s)`
        let inner = argument.as_parentheses_node().and_then(|node| node.body());
        let inner =
            inner.and_then(|body| body.as_statements_node()).and_then(|body| body.body().iter().next());
        let text = inner.as_ref().and_then(Node::as_call_node).filter(|it| it.name().as_slice() == b"to_s");
        if let Some(value) = text.and_then(|it| it.receiver()) {
            return Some(RubyExpressionKind::Output(self.expression(&value)));
        }
        Some(RubyExpressionKind::Append(self.expression(&argument)))
    }
}

pub(super) fn without_at(name: &ConstantId<'_>) -> SmolStr {
    let text = name_text(name);
    SmolStr::new(text.strip_prefix('@').unwrap_or(&text))
}

/// Combines statements; a single statement stays as it is.
fn sequence(mut statements: Vec<RubyExpression>) -> RubyExpressionKind {
    match statements.len() {
        1 => statements.pop().map_or(RubyExpressionKind::Nil, |statement| *statement.kind),
        _ => RubyExpressionKind::Sequence(statements),
    }
}

/// Returns a description of unsupported code.
fn described(node: &Node<'_>) -> &'static str {
    if node.as_x_string_node().is_some() || node.as_interpolated_x_string_node().is_some() {
        "shell command"
    } else if node.as_case_match_node().is_some() || node.as_match_required_node().is_some() {
        "pattern matching"
    } else if node.as_global_variable_write_node().is_some() {
        "assignment to a global variable"
    } else {
        "unsupported syntax"
    }
}

/// Returns the path of a constant without a leading `::` (`Puppet::Type`), if it consists of constants only.
fn constant_path(node: &Node<'_>) -> Option<SmolStr> {
    let mut parts = Vec::new();
    let mut parent = None;
    if let Some(read) = node.as_constant_read_node() {
        return Some(name_text(&read.name()));
    } else if let Some(path) = node.as_constant_path_node() {
        parts.push(name_text(&path.name()?));
        parent = path.parent();
    }
    while let Some(node) = parent {
        if let Some(read) = node.as_constant_read_node() {
            parts.push(name_text(&read.name()));
            break;
        }
        let path = node.as_constant_path_node()?;
        parts.push(name_text(&path.name()?));
        parent = path.parent();
    }
    parts.reverse();
    (!parts.is_empty()).then(|| SmolStr::new(parts.join("::")))
}
