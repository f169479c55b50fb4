//! Renders a template where a call of `template()` or `inline_template()` stands.

use std::sync::Arc;

use erb::Stop;
use eval::{Call, Outcome};
use plugins::erb::ErbTemplate;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::{Origin, Type, Value};

use super::host::{CallHost, exit_of};

/// The text that a template gives, or an unknown string. `what` names the template in messages.
///
/// # Errors
/// What is wrong with the Ruby code, and what it raises.
pub(crate) fn render(call: &mut Call, what: &str, text: &str) -> Outcome {
    let template = read(call, text);
    if let Some(failure) = &template.finding {
        let line = line_of(text, failure.range.start);
        return Err(call.refuse(format!("{what}, line {line}, is no Ruby: {}", failure.message)));
    }
    let (function, arguments, block) = (call.function, call.arguments.clone(), call.block);
    let (frame, expr) = (call.frame, call.expr);
    call.evaluator.deeper(frame, expr, |evaluator| {
        let mut call = Call { evaluator, function, arguments, block, frame, expr };
        match erb::render(&mut CallHost(&mut call), &template) {
            Ok(text) => Ok(Value::string(text)),
            Err((Stop::Unknown(origin), _)) => {
                if origin == Origin::Template && changes_values(text) {
                    let named: FxHashSet<&str> = text.split('@').skip(1).map(first_word).collect();
                    call.evaluator.lose_collections(call.frame, |name| named.contains(name));
                }
                Ok(Value::unknown(Type::STRING, origin))
            }
            // A jump that nothing catches ends the template in ways of its own.
            Err((Stop::Next(_) | Stop::Break(..) | Stop::Return(..) | Stop::Retry, _)) => {
                Ok(Value::unknown(Type::STRING, Origin::Template))
            }
            Err((Stop::Raise(error), at)) => {
                let line = at.map(|at| format!(", line {},", line_of(text, at))).unwrap_or_default();
                Err(call.refuse(format!("{what}{line} fails: {}", error.message)))
            }
            Err((Stop::Exit(exit), _)) => Err(exit_of(exit)),
        }
    })
}

/// The line of a place in a text, from 1.
pub(crate) fn line_of(text: &str, at: u32) -> usize {
    text.get(..at as usize).map_or(1, |before| before.matches('\n').count() + 1)
}

/// May the code change what variables hold?
fn changes_values(text: &str) -> bool {
    const WAYS: &[&str] = &[
        "<<", "!", ".push", ".append", ".concat", ".unshift", ".prepend", ".insert", ".delete", ".clear",
        "]=",
    ];
    WAYS.iter().any(|way| text.contains(way))
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    &text[..end]
}

/// The same text is read once.
fn read(call: &mut Call, text: &str) -> Arc<ErbTemplate> {
    if let Some(read_before) = call.evaluator.world.program.erb_template(text) {
        return read_before;
    }
    if let Some(template) = call.evaluator.erb_templates.get(text) {
        return template.clone();
    }
    let template = Arc::new(plugins::erb::read(text));
    call.evaluator.erb_templates.insert(SmolStr::new(text), template.clone());
    template
}
