//! `unquoted_file_mode`: a mode without quotes.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in
        manifest.resources().iter().filter(|it| matches!(tokens.value(it.type_name), "file" | "concat"))
    {
        for &mode in resource.attributes.iter().filter(|&&it| tokens.value(it) == "mode") {
            let bare = |it: &usize| matches!(tokens.kind(*it), TokenKind::Name | TokenKind::Number);
            if let Some(value) = manifest.value_of(mode).filter(bare) {
                report.at(value, "unquoted file mode").fix(quoted(manifest, value));
            }
        }
    }
}
