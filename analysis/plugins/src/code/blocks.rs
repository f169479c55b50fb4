//! Blocks and methods.

use ruby_prism::{Node, ParametersNode};

use super::lower::{RubyLowering, name_text};
use super::tree::{
    AssignTarget, BlockCode, MethodDefinition, RubyBlock, RubyBlockParameter, RubyExpression,
    RubyExpressionKind,
};

impl RubyLowering<'_> {
    pub(super) fn block(&mut self, node: &Node<'_>) -> RubyBlock {
        if let Some(argument) = node.as_block_argument_node() {
            let Some(expression) = argument.expression() else { return RubyBlock::Unsupported };
            let argument = self.expression(&expression);
            return match *argument.kind {
                RubyExpressionKind::Symbol(name) => RubyBlock::Method(name),
                _ => RubyBlock::Argument(argument),
            };
        }
        match node.as_block_node() {
            Some(block) => self.code(block.parameters(), block.body()),
            None => RubyBlock::Unsupported,
        }
    }

    pub(super) fn code(&mut self, parameters: Option<Node<'_>>, body: Option<Node<'_>>) -> RubyBlock {
        let mut has_trailing_comma = false;
        let parameters = match parameters {
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
        let body = self.body(body);
        match parameters {
            Some(parameters) => RubyBlock::Code(BlockCode { parameters, has_trailing_comma, body }.into()),
            None => RubyBlock::Unsupported,
        }
    }

    /// Lowers parameters; `None` for unsupported kinds.
    fn parameters(&mut self, node: &ParametersNode<'_>) -> Option<Vec<RubyBlockParameter>> {
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
        for keyword in &node.keywords() {
            parameters.push(if let Some(keyword) = keyword.as_required_keyword_parameter_node() {
                RubyBlockParameter::Keyword(name_text(&keyword.name()), None)
            } else {
                let keyword = keyword.as_optional_keyword_parameter_node()?;
                let default = self.expression(&keyword.value());
                RubyBlockParameter::Keyword(name_text(&keyword.name()), Some(default))
            });
        }
        if let Some(rest) = node.keyword_rest() {
            let rest = rest.as_keyword_rest_parameter_node()?;
            parameters.push(RubyBlockParameter::KeywordRest(rest.name().map(|name| name_text(&name))));
        }
        if let Some(block) = node.block() {
            let name = block.as_block_parameter_node()?.name();
            parameters.push(RubyBlockParameter::Block(name.map(|name| name_text(&name))));
        }
        Some(parameters)
    }

    fn parameter(&mut self, node: &Node<'_>) -> Option<RubyBlockParameter> {
        if let Some(required) = node.as_required_parameter_node() {
            return Some(RubyBlockParameter::Required(name_text(&required.name())));
        }
        match self.lower_target(node) {
            target @ AssignTarget::Several { .. } => Some(RubyBlockParameter::Several(target)),
            _ => None,
        }
    }

    /// Lowers a method definition; `None` if it is unsupported.
    pub(super) fn definition(&mut self, node: &ruby_prism::DefNode<'_>) -> Option<MethodDefinition> {
        let is_of_module = match node.receiver() {
            Some(receiver) if receiver.as_self_node().is_some() => true,
            Some(_) => return None,
            None => false,
        };
        let parameters = match node.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => Vec::new(),
        };
        let body = if self.omits_methods && !is_of_module { Vec::new() } else { self.body(node.body()) };
        Some(MethodDefinition { name: name_text(&node.name()), is_of_module, parameters, body })
    }
}
