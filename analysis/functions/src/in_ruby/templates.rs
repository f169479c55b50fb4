//! Rendering of ERB templates for `template()` and `inline_template()`.

use std::sync::Arc;

use eval::{Call, Outcome};
use plugins::erb::ErbTemplate;
use ruby::Stop;
use rustc_hash::FxHashSet;
use types::{Origin, Type, Value};

use super::host::{CallHost, exit_of};
use crate::named_files::ModulePath;

/// Renders a template to a string, possibly an unknown one. `what` names the template in messages.
///
/// # Errors
/// A syntax error in the Ruby code, or an exception that it raises.
pub(crate) fn render(call: &mut Call, what: &str, text: &str, path: Option<&ModulePath>) -> Outcome {
    let template = read(call, text, path);
    if let Some(failure) = &template.finding {
        let line = line_of(text, failure.range.start);
        return Err(call.refuse(format!("invalid Ruby code in line {line} of {what}: {}", failure.message)));
    }
    let (function, arguments, block) = (call.function, call.arguments.clone(), call.block);
    let site = call.site;
    call.evaluator.enter_call(site, |evaluator| {
        let mut call = Call { evaluator, function, arguments, block, site };
        match ruby::render(&mut CallHost(&mut call), &template) {
            Ok(text) => Ok(Value::string(text)),
            Err((Stop::Unknown(origin), _)) => {
                if origin == Origin::Template && changes_values(text) {
                    let named: FxHashSet<&str> = text.split('@').skip(1).map(first_word).collect();
                    call.evaluator.invalidate_collections(call.site.frame, |name| named.contains(name));
                }
                let origin = if may_read_files(text) { Origin::Ruby } else { origin };
                Ok(Value::unknown(Type::STRING, origin))
            }
            // The effect of an unhandled jump is not modeled.
            Err((Stop::Next(_) | Stop::Break(..) | Stop::Return(..) | Stop::Retry, _)) => {
                Ok(Value::unknown(Type::STRING, Origin::Template))
            }
            Err((Stop::Raise(error), at)) => {
                let line = at.map(|at| format!("line {} of ", line_of(text, at))).unwrap_or_default();
                Err(call.refuse(format!("error in {line}{what}: {}", error.message)))
            }
            Err((Stop::Exit(exit), _)) => Err(exit_of(exit)),
        }
    })
}

/// Returns the 1-based line of an offset.
pub(crate) fn line_of(text: &str, at: u32) -> usize {
    text.get(..at as usize).map_or(1, |before| before.matches('\n').count() + 1)
}

/// Returns true if the Ruby code of a template may read files or run commands.
fn may_read_files(template: &str) -> bool {
    const WAYS: &[&str] = &[
        "File", "IO", "Dir", "Pathname", "Find", "YAML", "JSON", "CSV", "Puppet", "Facter", "__", "`", "%x",
        "open", "load", "require", "eval", "send", "system", "spawn", "exec", "function",
    ];
    template.split("<%").skip(1).any(|tag| {
        let code = tag.split("%>").next().unwrap_or(tag);
        WAYS.iter().any(|way| code.contains(way))
    })
}

/// Returns true if the code may modify the values of variables.
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

/// Parses a template, once per source text.
fn read(call: &mut Call, text: &str, path: Option<&ModulePath>) -> Arc<ErbTemplate> {
    let program = call.evaluator.world.program;
    if let Some(parsed) = path.and_then(|it| program.erb_template(&it.module, &it.relative)) {
        return parsed;
    }
    if let Some(template) = call.evaluator.templates.erb_template(text) {
        return template.clone();
    }
    let template = Arc::new(plugins::erb::read(text));
    call.evaluator.templates.add_erb_template(text, template.clone());
    template
}
