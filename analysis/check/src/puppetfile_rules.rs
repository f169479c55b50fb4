//! Findings in a `Puppetfile`: misspelled keywords and module names.

use codes::Code;
use project::{Db, File};

use crate::metadata_rules::{check_module_name, is_similar};
use crate::{Diagnostic, FixData};

/// Keywords at the beginning of a line.
const KEYWORDS: [&str; 4] = ["mod", "forge", "forgeapi", "moduledir"];

/// Returns the findings in a `Puppetfile`. It is a Ruby program, so only what is certain is reported.
pub(crate) fn puppetfile_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let puppetfile = project::puppetfile_of(db, file);
    let mut found = Vec::new();
    for word in puppetfile.other_words.iter().filter(|it| !KEYWORDS.contains(&it.text.as_str())) {
        let Some(known) = KEYWORDS.iter().find(|known| is_similar(&word.text, known)) else { continue };
        let message = codes::with_help(
            format!("unknown Puppetfile keyword `{}`", word.text),
            format!("did you mean `{known}`?"),
        );
        let fix = FixData::ReplaceWith { range: word.range, text: (*known).into() };
        found.push(Diagnostic::new(Code::PuppetfileUnknownWord, word.range, message).with_data(fix));
    }
    for module in &puppetfile.modules {
        // Modules from a source repository may have a short name.
        let is_short = !module.name.text.contains(['-', '/']) && !module.options.is_empty();
        if !is_short && let Some(finding) = check_module_name(&module.name.text) {
            found.push(Diagnostic::new(Code::PuppetfileName, module.name.range, finding));
        }
    }
    found
}
