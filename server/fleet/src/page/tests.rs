use serde_json::{Value as Json, json};

use super::{CATALOGS, SCRIPT, STYLE, render};

/// Returns the data in a page.
fn data(page: &str) -> Json {
    let (_, rest) = page.split_once("id=\"report\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("the end of the data");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn data_cannot_leave_its_element() {
    let titles = [
        "</script><img src=x onerror=alert(1)>",
        "<!--<script>",
        "{script}",
        "{report}",
        "]]>&lt;\"'",
        "##[group]x",
        "::error::x",
        "a\u{2028}b",
    ];
    for title in titles {
        let change = json!({ "resource": format!("File[{title}]"), "change": "added", "parameters": [] });
        let group = json!({ "nodes": [title], "changes": [change] });
        let failures = json!([{ "node": title, "side": "head", "status": "failed", "reason": title }]);
        let report = json!({ "summary": { "changed": 1 }, "groups": [group], "failures": failures });
        let page = render(report, title, CATALOGS);
        let shown = output::visible_text(title).into_owned();
        let found = data(&page);
        assert_eq!(found["base"], shown.as_str(), "{title}");
        assert_eq!(found["groups"][0]["nodes"][0], shown.as_str(), "{title}");
        assert_eq!(found["failures"][0]["reason"], shown.as_str(), "{title}");
        assert_eq!(found["changes"][0]["resource"], format!("File[{shown}]"), "{title}");
        assert_eq!(page.matches("</script").count(), 2, "{title}");
        assert_eq!(page.matches(SCRIPT).count(), 1, "{title}");
        // Text that was escaped for the page is printed unchanged.
        assert_eq!(output::without_commands(&output::visible_text(&page)), page, "{title}");
    }
}

#[test]
fn the_page_is_self_contained() {
    let report = json!({ "summary": {}, "groups": [], "failures": [] });
    let page = render(report, "HEAD", CATALOGS);
    for part in [" src=", " href=", "url(", "@import", "import(", "http:", "https:", "fetch(", "innerHTML"] {
        assert!(!page.contains(part), "the page contains `{part}`");
    }
    assert!(page.contains(STYLE) && page.contains("default-src 'none'; script-src 'sha256-"));
    assert!(!page.contains("{style-hash}") && !page.contains("{script-hash}"));
}

#[test]
fn equal_changes_are_stored_once() {
    let change = |title: &str| json!({ "resource": title, "change": "added" });
    let group = |node: &str, changes: &[Json]| json!({ "nodes": [node], "changes": changes });
    let groups = [group("a", &[change("x"), change("y")]), group("b", &[change("y")]), group("c", &[])];
    let page = render(json!({ "summary": {}, "groups": groups, "failures": [] }), "HEAD", CATALOGS);
    let found = data(&page);
    assert_eq!(found["changes"], json!([change("x"), change("y")]));
    let of_groups: Vec<&Json> =
        found["groups"].as_array().expect("groups").iter().map(|it| &it["changes"]).collect();
    assert_eq!(json!(of_groups), json!([[0, 1], [1], []]));
}
