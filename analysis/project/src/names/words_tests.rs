use crate::testing::TestWorkspace;

use super::{WordFilter, first_source_with, words};

#[test]
fn words_are_letters_digits_and_underscores() {
    for (text, expected) in [
        ("", vec![]),
        ("a", vec![(0, "a")]),
        (" apt::source { 'x_1-y': }", vec![(1, "apt"), (6, "source"), (16, "x_1"), (20, "y")]),
        ("ä_b é", vec![(2, "_b")]),
    ] {
        assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn a_filter_has_each_of_its_words_and_few_others() {
    for count in [0_usize, 1, 7, 1_000, 20_000] {
        let text: String = (0..count).map(|it| format!("include word{it} # $var{it} 12 Abc\n")).collect();
        let mut filter = WordFilter::new(text.len());
        filter.add_words(&text);
        assert!((0..count).all(|it| filter.may_have(&format!("word{it}"))));
        let others = (0..20_000).filter(|it| filter.may_have(&format!("other{it}"))).count();
        assert!(others < 1_000, "{others} of 20000 with {count} words");
        assert!(filter.may_have("Abc") && filter.may_have("12"));
    }
}

#[test]
fn the_first_file_with_a_word_is_found_open_or_not() {
    let text = "//- /modules/a/manifests/init.pp\nclass a { notice('one') }\n\
                //- /modules/b/manifests/init.pp open\nclass b { notice('two') }\n\
                //- /modules/b/manifests/late.pp\nclass b::late { notice('two three') }\n\
                //- /modules/c/templates/x.epp\ntwo four\n\
                //- /manifests/site.pp\nnotice('five')\n";
    let workspace = TestWorkspace::new(text);
    let db = &workspace.db;
    let first = |word: &str, skipped: &str| {
        let is_match = |file: &crate::File| file.path(db).as_str() != skipped;
        let environment = workspace.files()[0].environments(db)[0];
        Some(
            first_source_with(db, environment, &["none".into(), word.into()], is_match)?
                .path(db)
                .as_str()
                .to_owned(),
        )
    };
    for (word, skipped, expected) in [
        ("one", "", Some("/modules/a/manifests/init.pp")),
        ("two", "", Some("/modules/b/manifests/init.pp")),
        ("two", "/modules/b/manifests/init.pp", Some("/modules/b/manifests/late.pp")),
        ("three", "", Some("/modules/b/manifests/late.pp")),
        ("four", "", Some("/modules/c/templates/x.epp")),
        ("five", "", Some("/manifests/site.pp")),
        ("six", "", None),
        ("fiv", "", None),
    ] {
        assert_eq!(first(word, skipped).as_deref(), expected, "{word}");
    }
}
