//! `Puppetfile`: misspelt words and names.

use codes::Code;
use project::{Db, File};

use crate::metadata_rules::{is_similar, module_name};
use crate::{Diagnostic, FixData};

/// The words that lines begin with.
const WORDS: [&str; 4] = ["mod", "forge", "forgeapi", "moduledir"];

/// All that is wrong with a `Puppetfile`, as far as that is certain: it is a program in Ruby.
pub(crate) fn puppetfile_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let puppetfile = project::puppetfile_of(db, file);
    let mut found = Vec::new();
    for word in puppetfile.other_words.iter().filter(|it| !WORDS.contains(&it.text.as_str())) {
        let Some(known) = WORDS.iter().find(|known| is_similar(&word.text, known)) else { continue };
        let message = format!("'{}' is no word of a Puppetfile; did you mean '{known}'?", word.text);
        let fix = FixData::ReplaceWith { range: word.range, text: (*known).into() };
        found.push(Diagnostic::new(Code::PuppetfileUnknownWord, word.range, message).with_data(fix));
    }
    for module in &puppetfile.modules {
        // From a repository of source code, a module may be called by its short name.
        let is_short = !module.name.text.contains(['-', '/']) && !module.options.is_empty();
        if !is_short && let Some(finding) = module_name(&module.name.text) {
            found.push(Diagnostic::new(Code::PuppetfileName, module.name.range, finding));
        }
    }
    found
}
