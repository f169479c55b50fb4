//! Arguments, parameters and bodies of methods and blocks.

use std::rc::Rc;

use ruby_prism::{CallNode, Node, ParametersNode};
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::interpreter::{BLOCK, DefinedMethod, RubyInterpreter, constant_name};
use super::methods;
use super::value::{RubyArguments, RubyClosure, RubyCode, RubyFrame, RubyValue};

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates a method's body. `call_range` is the range of the call.
    pub(super) fn invoke(
        &mut self,
        method: &DefinedMethod<'pr>,
        arguments: &RubyArguments<'pr>,
        call_range: TextRange,
    ) -> RubyValue<'pr> {
        let mut values: Vec<RubyValue<'pr>> =
            arguments.positional.iter().map(|(value, _)| value.clone()).collect();
        if arguments.has_unknown {
            values.clear();
        }
        let frame = RubyFrame::default();
        if let Some(parameters) = method.definition.parameters() {
            let takes_keywords =
                parameters.keywords().iter().next().is_some() || parameters.keyword_rest().is_some();
            if !takes_keywords && !arguments.keywords.is_empty() {
                values.push(RubyValue::Hash(arguments.keywords.clone().into()));
            }
            self.bind(&parameters, values, arguments, &frame);
        }
        if let Some(block) = &arguments.block {
            frame.borrow_mut().insert(SmolStr::new(BLOCK), block.clone());
        }
        let Some(body) = method.definition.body() else { return RubyValue::Nil };
        let name = arguments.value(0).name();
        let outer = self.passed_name.clone();
        // If nested methods pass on a name, its location is that of the outermost call.
        if outer.as_ref().map(|(name, _)| name) != name.as_ref() {
            self.passed_name = name.map(|name| (name, arguments.range(0)));
        }
        let value =
            self.inside(method.source, frame, call_range, |interpreter| interpreter.evaluate_body(&body));
        self.passed_name = outer;
        value
    }

    /// Evaluates a block with the given arguments.
    pub(super) fn run_block(
        &mut self,
        block: &RubyValue<'pr>,
        values: Vec<RubyValue<'pr>>,
    ) -> RubyValue<'pr> {
        let block = match block {
            RubyValue::Block(block) => block.clone(),
            RubyValue::Symbol(name) => {
                let Some((receiver, rest)) = values.split_first() else { return RubyValue::Unknown };
                return methods::call(receiver, name, rest).unwrap_or(RubyValue::Unknown);
            }
            _ => return RubyValue::Unknown,
        };
        let (parameters, body) = match &block.code {
            RubyCode::Block(node) => (node.parameters(), node.body()),
            RubyCode::Lambda(node) => (node.parameters(), node.body()),
        };
        let parameters = parameters.and_then(|node| node.as_block_parameters_node());
        match parameters.and_then(|parameters| parameters.parameters()) {
            Some(parameters) => {
                let takes_several = parameters.requireds().len() + parameters.optionals().len() > 1
                    || parameters.rest().is_some();
                let values = match values.as_slice() {
                    [RubyValue::Array(elements)] if takes_several => elements.to_vec(),
                    _ => values,
                };
                self.bind(&parameters, values, &RubyArguments::default(), &block.frame);
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
        let Some(body) = body else { return RubyValue::Nil };
        let call_site = self.call_site;
        self.inside(block.source, block.frame, call_site, |interpreter| interpreter.evaluate_body(&body))
    }

    /// Returns the last value of a body, if no jump leaves it.
    pub(super) fn evaluate_body(&mut self, body: &Node<'pr>) -> RubyValue<'pr> {
        let jumped_before = std::mem::take(&mut self.has_jumped);
        // The last expression provides the value and may have effects as well.
        self.is_statement = true;
        let value = self.evaluate(body);
        let has_jumped = std::mem::replace(&mut self.has_jumped, jumped_before);
        if has_jumped { RubyValue::Unknown } else { value }
    }

    pub(super) fn inside(
        &mut self,
        source: usize,
        frame: RubyFrame<'pr>,
        call_range: TextRange,
        action: impl FnOnce(&mut Self) -> RubyValue<'pr>,
    ) -> RubyValue<'pr> {
        let outer_source = std::mem::replace(&mut self.source, source);
        let outer_frame = std::mem::replace(&mut self.frame, frame);
        let outer_stand_in = self.call_site;
        if outer_source == 0 {
            self.call_site = call_range;
        }
        let value = action(self);
        self.call_site = outer_stand_in;
        self.frame = outer_frame;
        self.source = outer_source;
        value
    }

    pub(super) fn bind(
        &mut self,
        parameters: &ParametersNode<'pr>,
        values: Vec<RubyValue<'pr>>,
        arguments: &RubyArguments<'pr>,
        frame: &RubyFrame<'pr>,
    ) {
        let mut values = values.into_iter();
        let set = |name: SmolStr, value: RubyValue<'pr>| {
            frame.borrow_mut().insert(name, value);
        };
        for parameter in parameters.requireds().iter() {
            let value = values.next().unwrap_or(RubyValue::Unknown);
            if let Some(parameter) = parameter.as_required_parameter_node() {
                set(constant_name(&parameter.name()), value);
            } else if let Some(group) = parameter.as_multi_target_node() {
                for (index, part) in group.lefts().iter().enumerate() {
                    if let Some(part) = part.as_required_parameter_node() {
                        set(constant_name(&part.name()), value.element(index));
                    }
                }
            }
        }
        for parameter in parameters.optionals().iter() {
            let Some(parameter) = parameter.as_optional_parameter_node() else { continue };
            let value = match values.next() {
                Some(value) => value,
                None if arguments.has_unknown => RubyValue::Unknown,
                None => self.evaluate(&parameter.value()),
            };
            set(constant_name(&parameter.name()), value);
        }
        if let Some(rest) = parameters.rest().and_then(|rest| rest.as_rest_parameter_node())
            && let Some(name) = rest.name()
        {
            let rest = match arguments.has_unknown {
                true => RubyValue::Unknown,
                false => RubyValue::array(values.collect()),
            };
            set(constant_name(&name), rest);
        }
        self.bind_keywords(parameters, arguments, frame);
        if let Some(name) = parameters.block().and_then(|block| block.as_block_parameter_node()?.name()) {
            set(constant_name(&name), arguments.block.clone().unwrap_or(RubyValue::Nil));
        }
    }

    fn bind_keywords(
        &mut self,
        parameters: &ParametersNode<'pr>,
        arguments: &RubyArguments<'pr>,
        frame: &RubyFrame<'pr>,
    ) {
        for parameter in parameters.keywords().iter() {
            if let Some(parameter) = parameter.as_required_keyword_parameter_node() {
                let name = constant_name(&parameter.name());
                let value = arguments.option(&name).unwrap_or(RubyValue::Unknown);
                frame.borrow_mut().insert(name, value);
            } else if let Some(parameter) = parameter.as_optional_keyword_parameter_node() {
                let name = constant_name(&parameter.name());
                let value = match arguments.option(&name) {
                    Some(value) => value,
                    None if arguments.has_unknown_options() => RubyValue::Unknown,
                    None => self.evaluate(&parameter.value()),
                };
                frame.borrow_mut().insert(name, value);
            }
        }
    }

    /// Evaluates the arguments of a call from left to right.
    pub(super) fn arguments(&mut self, call: &CallNode<'pr>) -> RubyArguments<'pr> {
        let mut result = RubyArguments::default();
        if let Some(arguments) = call.arguments() {
            for argument in arguments.arguments().iter() {
                if let Some(keywords) = argument.as_keyword_hash_node() {
                    result.keywords = self.entries(keywords.elements().iter());
                } else if let Some(splat) = argument.as_splat_node() {
                    let range = self.range(&splat.location());
                    match splat.expression().map(|expression| self.evaluate(&expression)) {
                        Some(RubyValue::Array(elements)) => {
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
                let code = RubyCode::Block(Rc::new(block));
                RubyValue::Block(RubyClosure { code, frame: Rc::clone(&self.frame), source: self.source })
            } else if let Some(argument) = block.as_block_argument_node() {
                match argument.expression() {
                    Some(expression) => self.evaluate(&expression),
                    None => RubyValue::Unknown,
                }
            } else {
                RubyValue::Unknown
            };
            result.block = (!matches!(value, RubyValue::Nil)).then_some(value);
        }
        result
    }
}
