//! Does Ruby accept a regular expression?

pub(crate) fn check(pattern: &str) -> Result<(), String> {
    let _ = pattern;
    Ok(())
}
