//! Lowering of assignments.

use ruby_prism::{ConstantId, Node, NodeList};

use super::lower::{RubyLowering, name_text, without_at};
use super::tree::{AssignTarget, OperatorKind, RubyExpression, RubyExpressionKind};

impl RubyLowering<'_> {
    pub(super) fn assignment(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        if let Some(node) = node.as_match_write_node() {
            return Some(self.match_with_names(&node));
        }
        let (target, operator, value) = if let Some(node) = node.as_local_variable_write_node() {
            if self.is_output(&node.name()) {
                // The first assignment is generated for the template (`_erbout = +''`); the tree begins
                // after it.
                let is_own = node.value().as_call_node().is_some_and(|it| it.name().as_slice() == b"+@");
                return Some(if is_own {
                    RubyExpressionKind::Nil
                } else {
                    RubyExpressionKind::Unsupported("access to the template output")
                });
            }
            let target = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (target, None, node.value())
        } else if let Some(node) = node.as_instance_variable_write_node() {
            (AssignTarget::InstanceVariable(without_at(&node.name())), None, node.value())
        } else if let Some(node) = node.as_multi_write_node() {
            let target = self.several(&node.lefts(), node.rest(), &node.rights());
            (target, None, node.value())
        } else if let Some(node) = node.as_local_variable_operator_write_node() {
            let target = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (target, Some(OperatorKind::Method(name_text(&node.binary_operator()))), node.value())
        } else if let Some(node) = node.as_local_variable_or_write_node() {
            let target = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (target, Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_local_variable_and_write_node() {
            let target = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (target, Some(OperatorKind::And), node.value())
        } else if let Some(node) = node.as_instance_variable_operator_write_node() {
            let operator = OperatorKind::Method(name_text(&node.binary_operator()));
            (AssignTarget::InstanceVariable(without_at(&node.name())), Some(operator), node.value())
        } else if let Some(node) = node.as_instance_variable_or_write_node() {
            (AssignTarget::InstanceVariable(without_at(&node.name())), Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_instance_variable_and_write_node() {
            (AssignTarget::InstanceVariable(without_at(&node.name())), Some(OperatorKind::And), node.value())
        } else if let Some(node) = node.as_index_operator_write_node() {
            let operator = OperatorKind::Method(name_text(&node.binary_operator()));
            (self.index(node.receiver(), node.arguments()), Some(operator), node.value())
        } else if let Some(node) = node.as_index_or_write_node() {
            (self.index(node.receiver(), node.arguments()), Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_index_and_write_node() {
            (self.index(node.receiver(), node.arguments()), Some(OperatorKind::And), node.value())
        } else {
            self.module_assignment(node)?
        };
        let value = self.expression(&value);
        if is_unsupported(&target) {
            return Some(RubyExpressionKind::Unsupported("unsupported assignment"));
        }
        Some(match operator {
            None => RubyExpressionKind::Assignment { target, value },
            Some(operator) => RubyExpressionKind::OperatorAssignment { target, operator, value },
        })
    }

    /// Lowers an assignment to a constant, a class variable or an attribute.
    fn module_assignment<'pr>(
        &mut self,
        node: &Node<'pr>,
    ) -> Option<(AssignTarget, Option<OperatorKind>, Node<'pr>)> {
        Some(if let Some(node) = node.as_constant_write_node() {
            (AssignTarget::Constant(name_text(&node.name())), None, node.value())
        } else if let Some(node) = node.as_constant_or_write_node() {
            (AssignTarget::Constant(name_text(&node.name())), Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_class_variable_write_node() {
            (AssignTarget::ClassVariable(without_at(&node.name())), None, node.value())
        } else if let Some(node) = node.as_class_variable_or_write_node() {
            (AssignTarget::ClassVariable(without_at(&node.name())), Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_call_operator_write_node() {
            let target = self.attribute(node.receiver(), &node.read_name(), node.is_safe_navigation());
            (target, Some(OperatorKind::Method(name_text(&node.binary_operator()))), node.value())
        } else if let Some(node) = node.as_call_or_write_node() {
            let target = self.attribute(node.receiver(), &node.read_name(), node.is_safe_navigation());
            (target, Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_call_and_write_node() {
            let target = self.attribute(node.receiver(), &node.read_name(), node.is_safe_navigation());
            (target, Some(OperatorKind::And), node.value())
        } else {
            return None;
        })
    }

    fn attribute(
        &mut self,
        receiver: Option<Node<'_>>,
        name: &ConstantId<'_>,
        is_safe: bool,
    ) -> AssignTarget {
        match receiver {
            Some(receiver) => {
                let receiver = self.expression(&receiver);
                AssignTarget::Attribute { receiver, name: name_text(name), is_safe }
            }
            None => AssignTarget::Unsupported,
        }
    }

    /// Lowers `/(?<name>.)/ =~ text`, which sets variables.
    fn match_with_names(&mut self, node: &ruby_prism::MatchWriteNode<'_>) -> RubyExpressionKind {
        let targets: Vec<AssignTarget> = node.targets().iter().map(|it| self.lower_target(&it)).collect();
        let call = self.expression(&node.call().as_node());
        RubyExpressionKind::MatchWithNames { call, targets }
    }

    fn index(
        &mut self,
        receiver: Option<Node<'_>>,
        arguments: Option<ruby_prism::ArgumentsNode<'_>>,
    ) -> AssignTarget {
        match receiver {
            Some(receiver) => AssignTarget::Index {
                receiver: self.expression(&receiver),
                arguments: self.arguments(arguments),
            },
            None => AssignTarget::Unsupported,
        }
    }

    /// Lowers the target of an assignment.
    pub(super) fn lower_target(&mut self, node: &Node<'_>) -> AssignTarget {
        if let Some(target) = node.as_local_variable_target_node() {
            if self.is_output(&target.name()) {
                AssignTarget::Unsupported
            } else {
                AssignTarget::LocalVariable { name: name_text(&target.name()), depth: target.depth() }
            }
        } else if let Some(parameter) = node.as_required_parameter_node() {
            AssignTarget::LocalVariable { name: name_text(&parameter.name()), depth: 0 }
        } else if let Some(target) = node.as_instance_variable_target_node() {
            AssignTarget::InstanceVariable(without_at(&target.name()))
        } else if let Some(target) = node.as_multi_target_node() {
            self.several(&target.lefts(), target.rest(), &target.rights())
        } else if let Some(target) = node.as_index_target_node() {
            self.index(Some(target.receiver()), target.arguments())
        } else if let Some(target) = node.as_call_target_node() {
            let AssignTarget::Attribute { receiver, name, is_safe } =
                self.attribute(Some(target.receiver()), &target.name(), target.is_safe_navigation())
            else {
                return AssignTarget::Unsupported;
            };
            // The name is that of the setter.
            let name = name.trim_end_matches('=').into();
            AssignTarget::Attribute { receiver, name, is_safe }
        } else if let Some(target) = node.as_constant_target_node() {
            AssignTarget::Constant(name_text(&target.name()))
        } else {
            AssignTarget::Unsupported
        }
    }

    fn several(
        &mut self,
        lefts: &NodeList<'_>,
        rest: Option<Node<'_>>,
        rights: &NodeList<'_>,
    ) -> AssignTarget {
        let rest = rest.map(|rest| {
            let inner = rest.as_splat_node().and_then(|splat| splat.expression());
            inner.map(|inner| Box::new(self.lower_target(&inner)))
        });
        AssignTarget::Several {
            front: lefts.iter().map(|node| self.lower_target(&node)).collect(),
            rest,
            back: rights.iter().map(|node| self.lower_target(&node)).collect(),
        }
    }
}

fn is_unsupported(target: &AssignTarget) -> bool {
    match target {
        AssignTarget::Unsupported => true,
        AssignTarget::Several { front, rest, back } => {
            let inner = rest.as_ref().and_then(Option::as_deref);
            front.iter().chain(back).chain(inner).any(is_unsupported)
        }
        AssignTarget::LocalVariable { .. }
        | AssignTarget::InstanceVariable(_)
        | AssignTarget::ClassVariable(_)
        | AssignTarget::Constant(_) => false,
        AssignTarget::Index { receiver, .. } | AssignTarget::Attribute { receiver, .. } => {
            matches!(receiver, RubyExpression { kind, .. } if matches!(**kind, RubyExpressionKind::Unsupported(_)))
        }
    }
}
