//! Blocks and methods that a template defines.

use ruby_prism::{Node, ParametersNode};

use super::lower::{Lowering, name_text};
use super::tree::{Block, Expression, ExpressionKind, MethodDefinition, Parameter, Place};

impl Lowering<'_> {
    pub(super) fn block(&mut self, node: &Node<'_>) -> Block {
        if let Some(argument) = node.as_block_argument_node() {
            let name = argument.expression().and_then(|it| it.as_symbol_node());
            return match name.map(|name| self.literal(&name.as_node())) {
                Some(Some(ExpressionKind::Symbol(name))) => Block::Method(name),
                _ => Block::Unsupported,
            };
        }
        let Some(block) = node.as_block_node() else { return Block::Unsupported };
        let mut has_trailing_comma = false;
        let parameters = match block.parameters() {
            None => Some(Vec::new()),
            Some(parameters) => {
                if let Some(numbered) = parameters.as_numbered_parameters_node() {
                    let names = (1..=numbered.maximum())
                        .map(|number| Parameter::Required(format!("_{number}").into()));
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
            Some(parameters) => Block::Code { parameters, has_trailing_comma, body },
            None => Block::Unsupported,
        }
    }

    /// `None` for kinds of parameters that are beyond the tree.
    fn parameters(&mut self, node: &ParametersNode<'_>) -> Option<Vec<Parameter>> {
        if node.keywords().iter().next().is_some() || node.keyword_rest().is_some() || node.block().is_some()
        {
            return None;
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        for required in &node.requireds() {
            parameters.push(self.parameter(&required)?);
        }
        for optional in &node.optionals() {
            let optional = optional.as_optional_parameter_node()?;
            let default: Expression = self.expression(&optional.value());
            parameters.push(Parameter::Optional(name_text(&optional.name()), default));
        }
        if let Some(rest) = node.rest()
            && rest.as_implicit_rest_node().is_none()
        {
            let rest = rest.as_rest_parameter_node()?;
            parameters.push(Parameter::Rest(rest.name().map(|name| name_text(&name))));
        }
        for required in &node.posts() {
            parameters.push(self.parameter(&required)?);
        }
        Some(parameters)
    }

    fn parameter(&mut self, node: &Node<'_>) -> Option<Parameter> {
        if let Some(required) = node.as_required_parameter_node() {
            return Some(Parameter::Required(name_text(&required.name())));
        }
        match self.place(node) {
            place @ Place::Several { .. } => Some(Parameter::Several(place)),
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
