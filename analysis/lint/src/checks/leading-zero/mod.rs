//! `leading_zero`: a number with a leading zero, which is octal.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for number in tokens.of(TokenKind::Number) {
        let digits = tokens.value(number).as_bytes();
        if digits[0] == b'0' && digits.get(1).is_some_and(u8::is_ascii_digit) {
            report.at(number, "number with a leading zero").fix(quoted(manifest, number));
        }
    }
}
