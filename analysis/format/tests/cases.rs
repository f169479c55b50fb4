//! Cases of `cases.md`. Set `UPDATE_EXPECT` to update them.

use std::path::Path;

use format::{EqualsAlignment, FormatOptions, QuoteStyle, apply, format};
use syntax::Language;

fn formatted(text: &str, language: Language, options: &FormatOptions) -> String {
    let parse = syntax::parse(text, language);
    apply(text, &format(&parse, options).edits)
}

/// Returns the text of a fenced block. `¶` represents a carriage return.
fn block(body: &str, language: &str) -> Option<String> {
    let (_, rest) = body.split_once(&format!("```{language}\n"))?;
    let (text, _) = rest.split_once("```")?;
    Some(text.replace('¶', "\r"))
}

fn options(text: &str) -> FormatOptions {
    let mut options = FormatOptions::default();
    for line in text.lines() {
        let (key, value) = line.split_once(" = ").expect("an option has a value");
        let (number, is_on) = (value.parse().unwrap_or_default(), value == "true");
        match key {
            "indent" => options.indent = number,
            "width" => options.width = number,
            "align-arrows" => options.align_arrows = is_on,
            "align-equals" => {
                options.align_equals = match value {
                    "\"always\"" => EqualsAlignment::Always,
                    "\"never\"" => EqualsAlignment::Never,
                    _ => EqualsAlignment::Keep,
                }
            }
            "trailing-commas" => options.trailing_commas = is_on,
            "quotes" => {
                options.quotes = if value == "\"keep\"" { QuoteStyle::Keep } else { QuoteStyle::Single }
            }
            _ => panic!("there is no option {key}"),
        }
    }
    options
}

#[test]
fn cases() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases.md");
    let cases = std::fs::read_to_string(&file).expect("the cases can be read");
    let mut parts = cases.split("\n## ");
    let mut written = parts.next().unwrap_or_default().to_owned();
    let mut failures = Vec::new();
    let mut count = 0;
    for case in parts {
        count += 1;
        let name = case.lines().next().unwrap_or_default();
        let options = options(&block(case, "options").unwrap_or_default());
        let (text, language) = match (block(case, "puppet"), block(case, "epp")) {
            (Some(manifest), _) => (manifest, Language::Manifest),
            (None, template) => (template.expect("a case has a manifest or a template"), Language::Epp),
        };
        let found = formatted(&text, language, &options);
        let expected = block(case, "formatted").unwrap_or_else(|| text.clone());
        if found != expected {
            failures.push(format!("{name}:\n{found}"));
        }
        let again = formatted(&found, language, &options);
        if again != found {
            failures.push(format!("{name} changes again:\n{again}"));
        }
        let head = case.split("\n```formatted\n").next().unwrap_or_default().trim_end();
        written += &format!("\n## {head}\n");
        if found != text {
            written += &format!("\n```formatted\n{}```\n", found.replace('\r', "¶"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, written).expect("the cases can be written");
        return;
    }
    assert!(count > 20, "there are cases");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
