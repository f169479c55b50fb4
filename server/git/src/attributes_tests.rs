use super::*;

#[test]
fn last_matching_line_takes_precedence() {
    let mut attributes = CheckoutAttributes::default();
    attributes.take_text(
        "",
        "# x\n*.pp ident eol=crlf\n/own/** filter=rot\n*.txt working-tree-encoding=UTF-16\n*.epp -ident\n",
    );
    attributes.take_text("modules/web/", "*.pp -ident eol=lf\nfiles/** -filter\n");
    for (path, has_crlf, is_identified, conversion) in [
        ("manifests/site.pp", true, true, None),
        ("modules/web/manifests/init.pp", false, false, None),
        ("modules/other/manifests/init.pp", true, true, None),
        ("own/site.pp", true, true, Some("the filter `rot`")),
        ("not/own/site.yaml", false, false, None),
        ("modules/web/x.txt", false, false, Some("the encoding `UTF-16`")),
        ("x.epp", false, false, None),
    ] {
        let conversion = conversion.map(str::to_owned);
        assert_eq!(attributes.of(path), FileAttributes { has_crlf, is_identified, conversion }, "{path}");
    }
}

#[test]
fn expands_ident_keywords() {
    for (text, expected) in [
        ("a $Id$ b", "a $Id: 12 $ b"),
        ("$Id: old $$Id$", "$Id: 12 $$Id: 12 $"),
        ("$Id\n$ $Idx$ $Id", "$Id\n$ $Idx$ $Id"),
    ] {
        assert_eq!(String::from_utf8_lossy(&identified(text.as_bytes(), "12")), expected);
    }
}
