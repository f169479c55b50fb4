//! ERB templates and Ruby plug-ins, which are read and never run.

pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(finding) = plugins::erb::read(&text).finding {
        assert!(text.get(finding.range.as_range()).is_some(), "{finding:?} is not in the text");
    }
    for path in [
        "lib/puppet/functions/a.rb",
        "lib/puppet/type/a.rb",
        "lib/facter/a.rb",
        "lib/puppet/parser/functions/a.rb",
    ] {
        let _ = plugins::ruby::read(path, &text);
    }
}
