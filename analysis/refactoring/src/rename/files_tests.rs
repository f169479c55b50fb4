use super::*;

#[test]
fn paths_determine_names() {
    for (kind, relative, expected) in [
        (NameKind::Class, "manifests/init.pp", Some("a")),
        (NameKind::Class, "manifests/b/c.pp", Some("a::b::c")),
        (NameKind::TypeAlias, "types/some_mode.pp", Some("A::Some_mode")),
        (NameKind::Function, "manifests/x.pp", None),
        (NameKind::Plan, "plans/init.pp", Some("a")),
    ] {
        assert_eq!(name_of_path(kind, "a", relative).as_deref(), expected, "{relative}");
    }
    assert_eq!(with_capitals_of("A::SomeMode::X", "A::Somemode::Y"), "A::SomeMode::Y");
}
