use syntax::TextRange;

use super::TextDigest;

#[test]
fn digests_are_updated_by_edits() {
    let texts = [
        "",
        "\n",
        "a",
        "a\n",
        "a\nb",
        "\n\na\n",
        "class a {\n  notice(1)\n}\n",
        "a\r\nb\r\n",
        "b\na\nb\na\n",
    ];
    let inserted = ["", "x", "\n", "x\ny", "\n\n", "é\n"];
    for old in texts {
        for start in 0..=old.len() {
            for end in start..=old.len() {
                for inserted in inserted {
                    let new = [&old[..start], inserted, &old[end..]].concat();
                    let range = TextRange::new(start as u32, end as u32);
                    let digest = TextDigest::of(old).edited(old, range, &new, inserted.len() as u32);
                    assert_eq!(digest, TextDigest::of(&new), "{old:?} {range} {inserted:?}");
                }
            }
        }
    }
}

#[test]
fn digests_of_newer_texts_are_updated() {
    let texts =
        ["", "a\nb\n", "a\nbc\n", "a\n\nb\n", "é", "è", "\u{e9}\u{a9}\n", "\u{a9}\n", "a\nè\nb", "a\né\nb"];
    for old in texts {
        for new in texts {
            assert_eq!(TextDigest::of(old).of_newer(old, new), TextDigest::of(new), "{old:?} {new:?}");
        }
    }
}

#[test]
fn digests_depend_on_the_order_of_lines() {
    let texts =
        ["a\nb\nc\n", "b\na\nc\n", "a\nc\nb\n", "c\na\nb\n", "a\nb\nc", "a\nb\n", "\na\nb\nc\n", "abc", ""];
    let mut digests = texts.map(TextDigest::of).to_vec();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), texts.len());
}
