//! Small languages inside code and data: types, regular expressions, formats, versions, times,
//! addresses.

use scalars::sprintf::{self, Argument};
use scalars::{numbers, regexp::Regexp, ruby_regex, semver, timespan::Timespan, uri::Uri};

pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(ty) = types::parse::parse_type(&text, &types::NoTypes) {
        let _ = ty.to_string();
        let _ = types::assign::is_assignable(&ty, &ty, &types::NoTypes);
    }
    let _ = ruby_regex::check(&text);
    if let Ok(pattern) = Regexp::new(&text) {
        let _ = pattern.is_match("some text, 12 of 345");
        let _ = pattern.gsub("some text", &text);
    }
    let _ = sprintf::format(
        &text,
        &[Argument::Integer(12), Argument::Text { text: "text", inspect: "\"text\"", is_string: true }],
    );
    let _ = (semver::Version::parse(&text), semver::VersionRange::parse(&text));
    let _ = (numbers::number_from_text(&text), numbers::integer_from_text(&text, Some(16)));
    if let Ok(span) = Timespan::parse(&text, None) {
        let _ = span.format(&text);
    }
    let _ = Uri::parse(&text);
}
