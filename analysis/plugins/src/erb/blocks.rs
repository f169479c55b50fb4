//! Blocks and methods that a template defines.

use ruby_prism::{Node, ParametersNode};

use super::lower::{RubyLowering, name_text};
use super::tree::{
    AssignTarget, MethodDefinition, RubyBlock, RubyBlockParameter, RubyExpression, RubyExpressionKind,
};

impl RubyLowering<'_> {
    pub(super) fn block(&mut self, node: &Node<'_>) -> RubyBlock {
        if let Some(argument) = node.as_block_argument_node() {
            let name = argument.expression().and_then(|it| it.as_symbol_node());
            return match name.map(|name| self.literal(&name.as_node())) {
                Some(Some(RubyExpressionKind::Symbol(name))) => RubyBlock::Method(name),
                _ => RubyBlock::Unsupported,
            };
        }
        let Some(block) = node.as_block_node() else { return RubyBlock::Unsupported };
        let mut has_trailing_comma = false;
        let parameters = match block.parameters() {
            None => Some(Vec::new()),
            Some(parameters) => {
                if let Some(numbered) = parameters.as_numbered_parameters_node() {
                    let names = (1..=numbered.maximum())
                        .map(|number| RubyBlockParameter::Required(format!("_{number}").into()));
                    Some(names.collect())
                } else {
                    match parameters.as_block_parameters_node().map(|it| it.parameters()) {
                        Some(Some(parameters)) => {
                            let rest = parameters.rest();
                            has_trailing_comma =
                                rest.is_some_and(|rest| rest.as_implicit_rest_node().is_some());
                            self.parameters(&parameters)
                        }
                        Some(None) => Some(Vec::new()),
                        None => None,
                    }
                }
            }
        };
        let body = self.body(block.body());
        match parameters {
            Some(parameters) => RubyBlock::Code { parameters, has_trailing_comma, body },
            None => RubyBlock::Unsupported,
        }
    }

    /// `None` for kinds of parameters that are beyond the tree.
    fn parameters(&mut self, node: &ParametersNode<'_>) -> Option<Vec<RubyBlockParameter>> {
        if node.keywords().iter().next().is_some() || node.keyword_rest().is_some() || node.block().is_some()
        {
            return None;
        }
        let mut parameters: Vec<RubyBlockParameter> = Vec::new();
        for required in &node.requireds() {
            parameters.push(self.parameter(&required)?);
        }
        for optional in &node.optionals() {
            let optional = optional.as_optional_parameter_node()?;
            let default: RubyExpression = self.expression(&optional.value());
            parameters.push(RubyBlockParameter::Optional(name_text(&optional.name()), default));
        }
        if let Some(rest) = node.rest()
            && rest.as_implicit_rest_node().is_none()
        {
            let rest = rest.as_rest_parameter_node()?;
            parameters.push(RubyBlockParameter::Rest(rest.name().map(|name| name_text(&name))));
        }
        for required in &node.posts() {
            parameters.push(self.parameter(&required)?);
        }
        Some(parameters)
    }

    fn parameter(&mut self, node: &Node<'_>) -> Option<RubyBlockParameter> {
        if let Some(required) = node.as_required_parameter_node() {
            return Some(RubyBlockParameter::Required(name_text(&required.name())));
        }
        match self.place(node) {
            place @ AssignTarget::Several { .. } => Some(RubyBlockParameter::Several(place)),
            _ => None,
        }
    }

    /// `None` where the method is beyond the tree.
    pub(super) fn definition(&mut self, node: &ruby_prism::DefNode<'_>) -> Option<MethodDefinition> {
        if node.receiver().is_some() {
            return None;
        }
        let parameters = match node.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => Vec::new(),
        };
        Some(MethodDefinition { name: name_text(&node.name()), parameters, body: self.body(node.body()) })
    }
}
