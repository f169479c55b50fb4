//! Findings in ERB templates.

use codes::{Code, DowngradeReason};
use project::{Contents, Db, File};
use syntax::{Severity, TextRange};

use crate::Diagnostic;
use crate::ruby_rules;
use crate::rules::removed_function::of_hiera_3;
use crate::rules::unknown_template_variable;

/// Returns the findings in a template, by position.
pub(crate) fn template_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if *file.contents(db) == Contents::NotUtf8(None) {
        let message = codes::with_help("template is not valid UTF-8", "save the file as UTF-8");
        let diagnostic = Diagnostic::new(Code::NotUtf8, TextRange::empty(0), message);
        return vec![diagnostic.downgraded(DowngradeReason::Tolerated, Severity::Warning)];
    }
    let (Some(text), Some(template)) = (project::text(db, file), project::erb_template(db, file)) else {
        return Vec::new();
    };
    if let Some(finding) = &template.finding {
        let message = format!("invalid Ruby: {}", finding.message);
        let range = visible(&text, finding.range);
        return vec![Diagnostic::new(Code::ErbSyntax, range, message)];
    }
    let mut found = Vec::new();
    unknown_template_variable::check(db, file, &template, &mut found);
    unknown_template_variable::check_legacy_facts(db, file, &template, &mut found);
    unknown_template_variable::check_for_upgrade(db, file, &template, &mut found);
    if let Some(environment) = file.environments(db).first() {
        let version = environment.puppet_version(db);
        found.extend(template.removed.iter().map(|it| ruby_rules::diagnostic(version, it)));
        found.extend(template.calls.iter().filter_map(|it| of_hiera_3(version, &it.name, it.range)));
    }
    found.sort_by_key(|it| (it.range.start, it.range.end));
    found
}

/// Returns the range; for an empty range, that of the last character before it.
fn visible(text: &str, range: TextRange) -> TextRange {
    let before = text.get(..range.start as usize).unwrap_or_default().trim_end();
    match before.chars().next_back() {
        Some(last) if range.start == range.end => {
            TextRange::new((before.len() - last.len_utf8()) as u32, before.len() as u32)
        }
        _ => range,
    }
}
