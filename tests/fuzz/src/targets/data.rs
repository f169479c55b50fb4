//! Hiera data in each format, Hiera configuration, and facts: locations are inside the file, and
//! values within their bounds.

use hiera::DataFormat;
use hiera::config::Layer;

pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in [DataFormat::Yaml, DataFormat::Json, DataFormat::Hocon] {
        let data = hiera::data::read(format, &text);
        for finding in &data.findings {
            assert!(text.get(finding.range.as_range()).is_some(), "{finding:?} is not in the text");
        }
        if let Some(root) = &data.root {
            assert!(root.value.measure(8 << 20).weight <= 8 << 20, "the value is too large");
        }
        let _ = hiera::config::read(&data, &Layer::Environment, true);
    }
    for path in ["facts.yaml", "facts.json", "facts.txt"] {
        let _ = facts::read(path, &text);
    }
}
