//! Reads YAML documents for a comparison with Ruby. Each input line is a JSON object with `text`; the answer
//! has `is` in the format of the recordings in `tests/conformance/hiera`. `ruby
//! tests/conformance/yaml_texts.rb` runs both.

#[path = "../tests/recorded/show.rs"]
mod show;

use std::io::BufRead;

use hiera::{DataFormat, data};

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let asked: serde_json::Value = serde_json::from_str(&line?)?;
        let read = data::read(DataFormat::Yaml, asked["text"].as_str().unwrap_or_default());
        let is = match (read.findings.iter().find(|finding| finding.kind.is_fatal()), &read.root) {
            (Some(finding), _) => format!("error {}", finding.message),
            (None, Some(root)) if !root.value.is_undef() => show::show(&root.value),
            _ => "false".to_owned(),
        };
        println!("{}", serde_json::json!({ "is": is }));
    }
    Ok(())
}
