//! Findings in ERB templates.

use project::{Db, File};

use crate::Diagnostic;
use crate::rules::{template_codes, unknown_template_variable};

/// Findings in a template, by position.
pub(crate) fn template_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    let template = plugins::erb::read(&text);
    if let Some(problem) = &template.problem {
        let message = format!("this is no Ruby: {}", problem.message);
        return vec![Diagnostic::error(template_codes::SYNTAX, problem.range, message)];
    }
    let mut found = Vec::new();
    unknown_template_variable::check(db, file, &template, &mut found);
    found
}
