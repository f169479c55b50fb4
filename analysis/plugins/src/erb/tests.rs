use super::script::Script;
use super::*;

/// Program of each template; literal text is represented by its index.
#[test]
fn programs_match_ruby_erb() {
    let table: &[(&str, &str, &[&str])] = &[
        ("", "_erbout = +''; _erbout", &[]),
        ("a\nb\n", "_erbout = +''; _erbout.<< 0\n\n; _erbout", &["a\nb\n"]),
        (
            "a<%= b %>c",
            "_erbout = +''; _erbout.<< 0; _erbout.<<(( b ).to_s); _erbout.<< 1; _erbout",
            &["a", "c"],
        ),
        ("<% a -%>\nb", "_erbout = +'';  a \n_erbout.<< 0; _erbout", &["b"]),
        ("  <%- a -%>  \nb", "_erbout = +'';  a ; _erbout.<< 0\n; _erbout", &["  \nb"]),
        ("x <%- a %>", "_erbout = +''; _erbout.<< 0;  a ; _erbout", &["x "]),
        ("<%= 1 %> <%- a %>", "_erbout = +''; _erbout.<<(( 1 ).to_s);  a ; _erbout", &[]),
        ("<%# a %>b<%#= c -%>\r\n", "_erbout = +''; _erbout.<< 0\n_erbout", &["b"]),
        ("<%% a %> %%>", "_erbout = +''; _erbout.<< 0; _erbout", &["<% a %> %%>"]),
        ("<%= '%%>' %>", "_erbout = +''; _erbout.<<(( '%>' ).to_s); _erbout", &[]),
        ("a <%= b", "_erbout = +''; _erbout.<< 0; _erbout.<< 1; _erbout", &["a ", " b"]),
        ("<% a\n%>b", "_erbout = +'';  a\n_erbout.<< 0; _erbout", &["b"]),
        ("<%a-%>", "_erbout = +''; a\n_erbout", &[]),
    ];
    for (template, program, texts) in table {
        let script = Script::new(template);
        assert_eq!(script.text, *program, "{template:?}");
        assert_eq!(script.texts, *texts, "{template:?}");
    }
}

#[test]
fn variable_uses_have_ranges() {
    let template =
        "é <%= @a.b(@c) %>\n<% if @d -%>\n<%= @d %> <% @e = 1 %><%= @f %><% end %><%= @g || @f[@h] %>";
    let found: Vec<(&str, &str, VariableUseKind)> = Vec::new();
    let read = read(template);
    assert_eq!(read.finding, None);
    let mut uses = found;
    for it in &read.uses {
        uses.push((&it.name, &template[it.range.as_range()], it.kind));
    }
    use VariableUseKind::{ExistenceTest, Read, Write};
    let expected = [
        ("a", "@a", Read),
        ("c", "@c", Read),
        ("d", "@d", ExistenceTest),
        ("d", "@d", ExistenceTest),
        ("e", "@e", Write),
        ("f", "@f", Read),
        ("g", "@g", ExistenceTest),
        ("f", "@f", Read),
        ("h", "@h", Read),
    ];
    assert_eq!(uses, expected);
}

#[test]
fn errors_have_ranges() {
    let table = [
        ("<% if @a %>x", true),
        ("<%= @a ) %>", true),
        ("<% end %>", true),
        ("<%= @a %>", false),
        ("<%", false),
    ];
    for (template, is_wrong) in table {
        let finding = read(template).finding;
        assert_eq!(finding.is_some(), is_wrong, "{template}: {finding:?}");
        if let Some(finding) = finding {
            assert!(finding.range.end as usize <= template.len(), "{template}: {finding:?}");
        }
    }
}

#[test]
fn hostile_templates_terminate() {
    for template in
        ["<%= ".to_owned() + &"(".repeat(100_000), "<%".repeat(100_000), "<%= 1 %>".repeat(50_000)]
    {
        read(&template);
    }
    let deep = format!("<%= {}1{} %>", "[".repeat(150), "]".repeat(150));
    assert_eq!(read(&deep).finding, None);
    let long = format!("<%= {}1 %>", "1 + ".repeat(5_000));
    assert_eq!(read(&long).finding, None);
}
