//! Assignments.

use ruby_prism::{Node, NodeList};

use super::lower::{RubyLowering, name_text, without_at};
use super::script::OUTPUT;
use super::tree::{AssignTarget, OperatorKind, RubyExpression, RubyExpressionKind};

impl RubyLowering<'_> {
    pub(super) fn assignment(&mut self, node: &Node<'_>) -> Option<RubyExpressionKind> {
        let (place, operator, value) = if let Some(node) = node.as_local_variable_write_node() {
            if node.name().as_slice() == OUTPUT.as_bytes() {
                // The first one is the template's own; the tree begins behind it.
                let is_own = node.value().as_call_node().is_some_and(|it| it.name().as_slice() == b"+@");
                return Some(if is_own { RubyExpressionKind::Nil } else { RubyExpressionKind::Unsupported });
            }
            let place = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (place, None, node.value())
        } else if let Some(node) = node.as_instance_variable_write_node() {
            (AssignTarget::InstanceVariable(without_at(&node.name())), None, node.value())
        } else if let Some(node) = node.as_multi_write_node() {
            let place = self.several(&node.lefts(), node.rest(), &node.rights());
            (place, None, node.value())
        } else if let Some(node) = node.as_local_variable_operator_write_node() {
            let place = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (place, Some(OperatorKind::Method(name_text(&node.binary_operator()))), node.value())
        } else if let Some(node) = node.as_local_variable_or_write_node() {
            let place = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (place, Some(OperatorKind::Or), node.value())
        } else if let Some(node) = node.as_local_variable_and_write_node() {
            let place = AssignTarget::LocalVariable { name: name_text(&node.name()), depth: node.depth() };
            (place, Some(OperatorKind::And), node.value())
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
            return None;
        };
        let value = self.expression(&value);
        if is_unsupported(&place) {
            return Some(RubyExpressionKind::Unsupported);
        }
        Some(match operator {
            None => RubyExpressionKind::Assignment { place, value },
            Some(operator) => RubyExpressionKind::OperatorAssignment { place, operator, value },
        })
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

    /// What stands on the left of several.
    pub(super) fn place(&mut self, node: &Node<'_>) -> AssignTarget {
        if let Some(target) = node.as_local_variable_target_node() {
            match target.name().as_slice() == OUTPUT.as_bytes() {
                true => AssignTarget::Unsupported,
                false => {
                    AssignTarget::LocalVariable { name: name_text(&target.name()), depth: target.depth() }
                }
            }
        } else if let Some(parameter) = node.as_required_parameter_node() {
            AssignTarget::LocalVariable { name: name_text(&parameter.name()), depth: 0 }
        } else if let Some(target) = node.as_instance_variable_target_node() {
            AssignTarget::InstanceVariable(without_at(&target.name()))
        } else if let Some(target) = node.as_multi_target_node() {
            self.several(&target.lefts(), target.rest(), &target.rights())
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
            inner.map(|inner| Box::new(self.place(&inner)))
        });
        AssignTarget::Several {
            front: lefts.iter().map(|node| self.place(&node)).collect(),
            rest,
            back: rights.iter().map(|node| self.place(&node)).collect(),
        }
    }
}

fn is_unsupported(place: &AssignTarget) -> bool {
    match place {
        AssignTarget::Unsupported => true,
        AssignTarget::Several { front, rest, back } => {
            let inner = rest.as_ref().and_then(Option::as_deref);
            front.iter().chain(back).chain(inner).any(is_unsupported)
        }
        AssignTarget::LocalVariable { .. } | AssignTarget::InstanceVariable(_) => false,
        AssignTarget::Index { receiver, .. } => {
            matches!(receiver, RubyExpression { kind, .. } if **kind == RubyExpressionKind::Unsupported)
        }
    }
}
