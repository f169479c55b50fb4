//! From the parser's tree to ours.

use ruby_prism::{CallNode, ConstantId, Location, Node, NodeList, StatementsNode};
use smol_str::SmolStr;
use syntax::TextRange;

use super::script::{OUTPUT, Script};
use super::tree::{Case, RubyExpression, RubyExpressionKind};
use crate::ruby::constant_path;

/// How deeply expressions may nest.
const DEPTH_LIMIT: u32 = 160;

/// The statements of a whole program.
pub(super) fn program(node: &Node<'_>, script: &Script) -> Vec<RubyExpression> {
    let mut lowering = RubyLowering { script, depth: 0 };
    let Some(program) = node.as_program_node() else { return Vec::new() };
    let mut statements = lowering.statements(Some(program.statements()));
    // The last one is what was collected.
    statements.pop();
    statements
}

pub(super) struct RubyLowering<'s> {
    script: &'s Script,
    depth: u32,
}

pub(super) fn name_text(name: &ConstantId<'_>) -> SmolStr {
    SmolStr::new(String::from_utf8_lossy(name.as_slice()))
}

impl RubyLowering<'_> {
    pub(super) fn range(&self, location: &Location<'_>) -> TextRange {
        self.script.range(location.start() as usize, location.end() as usize)
    }

    pub(super) fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Vec<RubyExpression> {
        statements.map_or_else(Vec::new, |statements| self.all(&statements.body()))
    }

    /// The statements of a body, which may be a `begin` without the word.
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
            return RubyExpression { range, kind: Box::new(RubyExpressionKind::Unsupported) };
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
            None => RubyExpressionKind::Unsupported,
        })
    }

    fn variable(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        Some(if let Some(read) = node.as_local_variable_read_node() {
            let name = name_text(&read.name());
            match name.as_str() {
                OUTPUT => RubyExpressionKind::Unsupported,
                _ => RubyExpressionKind::LocalVariable { name, depth: read.depth() },
            }
        } else if let Some(read) = node.as_instance_variable_read_node() {
            RubyExpressionKind::InstanceVariable(without_at(&read.name()))
        } else if let Some(read) = node.as_numbered_reference_read_node() {
            RubyExpressionKind::MatchGroup(read.number())
        } else if let Some(read) = node.as_back_reference_read_node() {
            match read.name().as_slice() {
                b"$&" => RubyExpressionKind::MatchGroup(0),
                _ => return Some(RubyExpressionKind::Unsupported),
            }
        } else if let Some(path) = constant_path(node) {
            RubyExpressionKind::Constant(path)
        } else if node.as_self_node().is_some() {
            RubyExpressionKind::Template
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
                place: self.place(&node.index()),
                list: self.expression(&node.collection()),
                body: self.statements(node.statements()),
            }
        } else if let Some(node) = node.as_begin_node() {
            self.begin(&node)
        } else if let Some(node) = node.as_rescue_modifier_node() {
            let body = vec![self.expression(&node.expression())];
            RubyExpressionKind::Rescued { body, otherwise: Vec::new(), ensure: Vec::new() }
        } else if let Some(node) = node.as_next_node() {
            self.jump(node.arguments()).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Next)
        } else if let Some(node) = node.as_break_node() {
            self.jump(node.arguments()).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Break)
        } else if let Some(node) = node.as_return_node() {
            self.jump(node.arguments()).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Return)
        } else if let Some(node) = node.as_def_node() {
            self.definition(&node).map_or(RubyExpressionKind::Unsupported, RubyExpressionKind::Define)
        } else {
            return None;
        })
    }

    /// What a jump hands over; `None` where that is several values.
    #[expect(
        clippy::option_option,
        reason = "a jump without a value, and one that is not supported, are two things"
    )]
    fn jump(&mut self, arguments: Option<ruby_prism::ArgumentsNode<'_>>) -> Option<Option<RubyExpression>> {
        let mut arguments = self.arguments(arguments);
        let first = arguments.pop();
        let is_splat = first.as_ref().is_some_and(|it| matches!(*it.kind, RubyExpressionKind::Splat(_)));
        (arguments.is_empty() && !is_splat).then_some(first)
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
        RubyExpressionKind::Rescued { body, otherwise, ensure }
    }

    fn call(&mut self, call: &CallNode<'_>) -> RubyExpressionKind {
        let name = name_text(&call.name());
        if let Some(receiver) = call.receiver().and_then(|receiver| receiver.as_local_variable_read_node())
            && receiver.name().as_slice() == OUTPUT.as_bytes()
        {
            return self.output(call, &name).unwrap_or(RubyExpressionKind::Unsupported);
        }
        let receiver = call.receiver().map(|receiver| self.expression(&receiver));
        let mut arguments = self.arguments(call.arguments());
        let block = call.block().map(|block| self.block(&block));
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

    /// What is written.
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

/// Several statements; one is itself.
fn sequence(mut statements: Vec<RubyExpression>) -> RubyExpressionKind {
    match statements.len() {
        1 => statements.pop().map_or(RubyExpressionKind::Nil, |statement| *statement.kind),
        _ => RubyExpressionKind::Sequence(statements),
    }
}
