//! The HTML page: hostile comments and names, and the page of a whole module.

use reference::PlatformDefaults;

use crate::pages::{of_file, recorded, reference};

fn page_of(manifest: &str) -> String {
    of_file("manifests/a.pp", manifest).html("m", &PlatformDefaults::new())
}

/// Returns the page with this comment, from the heading of the class to the end of its section.
fn section(comment: &str) -> String {
    let marked: String = comment.lines().map(|it| format!("# {it}\n")).collect();
    let page = page_of(&format!("{marked}class a {{ }}"));
    let start = page.find("<section").expect("a section");
    let end = page.find("</section>").expect("its end");
    page[start..end].to_owned()
}

/// To update the recorded page after a deliberate change, write the new one to `depot/REFERENCE.html`.
#[test]
fn page_equals_the_recorded_one() {
    let values = "By platform: `2` (Debian 12), `3` (RedHat 9)".to_owned();
    let platforms = PlatformDefaults::from([(("depot".to_owned(), "shelves".to_owned()), values)]);
    let found = reference("depot").html("test-depot", &platforms);
    let path = recorded().join("depot/REFERENCE.html");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &found).expect("a writable file");
    }
    let expected = std::fs::read_to_string(path).expect("a readable file");
    assert!(found == expected, "the page differs:\n{found}");
}

#[test]
fn comments_cannot_add_elements_or_addresses() {
    // Comment, what the page contains instead, and what it must not contain.
    let cases = [
        ("<script>alert(1)</script>", "&lt;script&gt;", "<script"),
        ("a <img src=x onerror=alert(1)> b", "&lt;img", "<img"),
        ("<!-- hidden --> shown", "&lt;!-- hidden", "<!--"),
        ("</section></main><script>", "&lt;/section&gt;", "<script"),
        ("[a](javascript:alert%281%29)", "<p>a</p>", "javascript"),
        ("[a](JaVaScRiPt:alert)", "<p>a</p>", "alert"),
        ("[a](java&#115;cript:alert)", "<p>a</p>", "alert"),
        ("[a](&#9;javascript:alert)", "<p>a</p>", "href=\"\t"),
        ("<javascript:alert>", "javascript:alert", "<a href=\"javascript"),
        ("[a](data:text/html,x)", "<p>a</p>", "data:text"),
        ("[a](//example.test/x)", "<p>a</p>", "example.test"),
        ("[a](file:///etc/passwd)", "<p>a</p>", "passwd"),
        ("[a][b]\n\n[b]: vbscript:x", "<p>a</p>", "vbscript"),
        ("![alt](https://example.test/i.png)", "<p>alt</p>", "example.test"),
        ("[![alt](https://x.test/i.png)](javascript:x)", "<p>alt</p>", "x.test"),
        ("[a](https://x.test/ '\" onclick=\"b')", "&quot; onclick=&quot;", "\" onclick"),
        ("```x\" onclick=\"b\ncode\n```", "<pre><code>", "onclick"),
        ("# Heading", "<h6>Heading</h6>", "<h1>"),
        ("| a |\n|:-:|\n| b |", "<table>", "style="),
        ("@summary <b>x</b>", "&lt;b&gt;", "<b>"),
        ("@note <script>", "&lt;script", "<script"),
        ("@see javascript:alert <script>", "<li>javascript:alert", "<script"),
        ("@example <script>\n  </code></pre><script>", "&lt;/code&gt;", "<script"),
        ("@param x [String] <script>", "&lt;script", "<script"),
        ("a\u{202e}b\u{1b}c", "\\u{202e}", "\u{202e}"),
        ("a&#8238;b", "\\u{202e}", "\u{202e}"),
    ];
    for (comment, expected, unwanted) in cases {
        let section = section(comment);
        assert!(section.contains(expected), "{comment}: {section}");
        assert!(!section.contains(unwanted), "{comment}: {section}");
    }
}

#[test]
fn contents_show_summaries_as_text() {
    for (comment, expected) in [
        ("@summary Sets `a` and *b*", "<p>Sets <code>a</code> and <em>b</em></p>"),
        ("@summary See [c](https://x.test) <b>", "<p>See c &lt;b&gt;</p>"),
        ("- one\n- two", "<p>one\ntwo</p>"),
        ("# A title\n\ntext", "<p>A title</p>"),
        ("![alt](https://x.test/i.png) ```", "<p>alt ```</p>"),
    ] {
        let marked: String = comment.lines().map(|it| format!("# {it}\n")).collect();
        let page = page_of(&format!("{marked}class a {{ }}"));
        let list = page.split("</ul>").next().expect("a list");
        assert!(list.contains(expected), "{comment}: {list}");
    }
}

#[test]
fn safe_links_are_kept() {
    let addresses = ["https://x.test/a", "http://x.test", "mailto:a@x.test", "#a", "HTTPS://x.test"];
    for address in addresses {
        let section = section(&format!("[text]({address})"));
        assert!(section.contains(&format!("<a href=\"{address}\">text</a>")), "{section}");
    }
    assert!(section("@see https://x.test/?a=1&b=2").contains("<a href=\"https://x.test/?a=1&amp;b=2\">"));
}

#[test]
fn names_and_values_are_escaped() {
    let ruby =
        "Puppet::Functions.create_function(:'<script>\"x') do\n  dispatch(:a) { param '<b>', :a }\nend";
    let page = of_file("lib/a.rb", ruby).html("<title>", &PlatformDefaults::new());
    assert!(page.contains("&lt;script&gt;&quot;x") && page.contains("<h1>&lt;title&gt;</h1>"), "{page}");
    let default = page_of("class a($x = '</code><script>') { }");
    assert!(default.contains("&#39;&lt;/code&gt;&lt;script&gt;&#39;"), "{default}");
    for page in [page, default] {
        assert_eq!(page.matches("<script").count(), 1);
    }
}

#[test]
fn pages_need_nothing_else() {
    let page = page_of("class a { }");
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    for resource in ["src=", "<link", "url(", "@import", "style=\"", " onload", "unsafe-"] {
        assert!(!page.contains(resource), "{resource}");
    }
}

#[test]
fn equal_names_have_different_anchors() {
    let files = [("manifests/init.pp", "class a { }"), ("plans/init.pp", "plan a() { }")];
    let files = files.map(|(path, text)| reference::ModuleFile { path, text });
    let page = reference::ModuleReference::read(files).html("a", &PlatformDefaults::new());
    for id in ["<h3 id=\"a\">", "<h3 id=\"a-2\">", "href=\"#a-2\""] {
        assert!(page.contains(id), "{id}");
    }
}
