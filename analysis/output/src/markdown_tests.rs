use super::{code_block, code_span, inert, plain};

#[test]
fn code_cannot_be_escaped() {
    for (text, span) in [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a\n\n![x](http://y)", "`a\\n\\n![x](http://y)`"),
        ("", "`  `"),
    ] {
        assert_eq!(code_span(text), span);
    }
    assert_eq!(code_block("puppet", "a\n```\n<b>"), "````puppet\na\n```\n<b>\n````");
}

#[test]
fn plain_text_has_no_markup() {
    assert_eq!(plain("@team ![a](b) <i> `c` #1"), "&#64;team \\!\\[a\\]\\(b\\) &lt;i&gt; \\`c\\` &#35;1");
}

#[test]
fn documentation_has_no_active_content() {
    for (markdown, shown) in [
        ("*a* `b` [c](https://d.e) <http://f.g>", "*a* `b` [c](https://d.e) <http://f.g>"),
        ("`Array<String>` and `$a << 1`, 1 <= 2, <| x |>", "`Array<String>` and `$a << 1`, 1 <= 2, <| x |>"),
        ("```puppet\n$a = '<b>'\n```\n<b>", "```puppet\n$a = '<b>'\n```\n&lt;b>"),
        ("<img src=x> </a> <!-- --> <?x?>", "&lt;img src=x> &lt;/a> &lt;!-- --> &lt;?x?>"),
        ("a<br />b <BR>\nc<br/>", "a  \nb  \nc"),
        ("<br/>a `<br>` <break> <br", "a `<br>` &lt;break> &lt;br"),
        ("![a](https://b/c.png)", "!\\[a](https://b/c.png)"),
        (
            "[a](command:b) [a]( \n&#99;ommand:b) [a](<command:b>)",
            "[a]\\(command:b) [a]\\( \n&#99;ommand:b) [a]\\(&lt;command:b>)",
        ),
        ("[a]\n\n[a]: command:b", "[a]\n\n[a]\\: command:b"),
        ("[a]\n\n[a]: https://b", "[a]\n\n[a]: https://b"),
        ("<command:x> <https://a b>", "&lt;command:x> &lt;https://a b>"),
        // Ambiguous code spans are treated as text.
        ("a ` b\n<img> ` c `", "a ` b\n&lt;img> ` c `"),
        ("\\`<img>`", "\\`&lt;img>`"),
        ("* ```\n  x\n  ```\n<img>\n", "* ```\n  x\n  ```\n&lt;img>\n"),
        ("~~~\n```\n~~~\n<img>\n", "~~~\n```\n~~~\n&lt;img>\n"),
        ("```\nnever closed", "```\nnever closed\n```"),
        ("\u{1b}[31m\u{202e}", "\\u{1b}[31m\\u{202e}"),
    ] {
        assert_eq!(inert(markdown), shown);
    }
}
