use super::*;

#[test]
fn reasons_are_grouped_by_cause() {
    let module_of = |reason: &str| match reason {
        it if it.contains("far") => Some(AbsentModule { name: "far", help: Some("run `x`") }),
        it if it.contains("near") => Some(AbsentModule { name: "near", help: Some("run `x`") }),
        it if it.contains("lost") => Some(AbsentModule { name: "lost", help: None }),
        _ => None,
    };
    for (reasons, expected) in [
        (&["data for `a` is undecided"][..], &[("data for `a` is undecided", None)][..]),
        (
            &["data for `a` is undecided", "data for `b` is undecided"],
            &[("data for `a` is undecided", None), ("data for `b` is undecided", None)],
        ),
        (
            &[
                "data for `a` is undecided",
                "file `x` is not read",
                "data for `b::c` is undecided",
                "data for `d` is undecided",
            ],
            &[("data for `a` is undecided, and 2 similar", None), ("file `x` is not read", None)],
        ),
        (
            &["name of an included class is unknown"],
            &[(
                "name of an included class is unknown",
                Some(
                    "name the node, and set what decides its classes (`--trusted NAME=VALUE`, `--facts FILE`); or \
                     choose a class with `--class`",
                ),
            )],
        ),
        (
            &["variable `$x` is not set in the project"],
            &[(
                "variable `$x` is not set in the project",
                Some("set facts with `--facts FILE`, and variables of a node classifier with `--enc FILE`"),
            )],
        ),
        (
            &["class `far` not found"],
            &[("class `far` not found", Some("run `x`, or add its folder with `--modulepath`"))],
        ),
        (
            &["class `far` not found", "type `far::a` not found", "class `near` not found"],
            &[("modules `far`, `near` not found", Some("run `x`, or add their folder with `--modulepath`"))],
        ),
        (
            &["class `far` not found", "type `far::b` not found"],
            &[(
                "class `far` not found, and 1 more of module `far`",
                Some("run `x`, or add its folder with `--modulepath`"),
            )],
        ),
        (
            &["class `far` not found", "class `lost` not found"],
            &[
                ("class `far` not found", Some("run `x`, or add its folder with `--modulepath`")),
                ("class `lost` not found", Some("install the module, or add its folder with `--modulepath`")),
            ],
        ),
    ] {
        let groups = grouped(reasons, module_of);
        let found: Vec<_> = groups.iter().map(|it| (it.what.as_str(), it.help.as_deref())).collect();
        assert_eq!(found, expected, "{reasons:?}");
        let mut all: Vec<usize> = groups.iter().flat_map(|it| it.reasons.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..reasons.len()).collect::<Vec<_>>());
    }
}
