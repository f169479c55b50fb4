//! ERB templates that hold nothing but text and variables.

/// Renders a template in which each tag is a comment or `<%= @variable %>`. `variable` gives the text of a variable,
/// `None` when that is not known.
///
/// `None` when the template holds other Ruby code, or a text is not known.
pub(super) fn render(template: &str, mut variable: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find("<%") {
        out.push_str(&rest[..at]);
        let tag = &rest[at + 2..];
        if let Some(after) = tag.strip_prefix('%') {
            out.push_str("<%");
            rest = after;
            continue;
        }
        let (code, after) = tag.split_once("%>")?;
        // `%%>` inside of a tag stands for `%>` in its code.
        if code.ends_with('%') {
            return None;
        }
        let (code, after) = match code.strip_suffix('-') {
            Some(code) => (code, after.strip_prefix("\r\n").or(after.strip_prefix('\n')).unwrap_or(after)),
            None => (code, after),
        };
        match code.strip_prefix('=') {
            Some(expression) => out.push_str(&variable(variable_name(expression)?)?),
            None if code.starts_with('#') => {}
            None => return None,
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// The name in ` @name `.
fn variable_name(expression: &str) -> Option<&str> {
    let name = expression.trim_ascii().strip_prefix('@')?;
    let begins_right = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_name = begins_right && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn templates_of_text_and_variables_are_rendered() {
        let variable = |name: &str| match name {
            "unknown" => None,
            name => Some(name.to_uppercase()),
        };
        for (template, expected) in [
            ("", Some("")),
            ("a\n", Some("a\n")),
            ("a <%= @b %> c", Some("a B c")),
            ("<%=@b-%>\n c <%=  @b_1\n%>\n", Some("B c B_1\n")),
            ("<%# c -%>\r\nd<%#%>", Some("d")),
            ("<%% <%=@b%> %%>", Some("<% B %%>")),
            ("<%= @unknown %>", None),
            ("<%= @b.c %>", None),
            ("<%= b %>", None),
            ("<% @b %>", None),
            ("<%- @b -%>", None),
            ("<%= @b", None),
            ("<%= '%%>' %>", None),
        ] {
            assert_eq!(render(template, variable).as_deref(), expected, "{template}");
        }
    }
}
