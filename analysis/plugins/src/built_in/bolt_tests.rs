use super::*;

#[test]
fn the_data_is_well_formed_and_documented() {
    let bolt = read_bolt(FILE).expect("the data file is well-formed");
    assert!(bolt.functions.is_sorted_by(|a, b| a.name < b.name));
    assert!(bolt.functions.iter().all(|it| !it.documentation.is_empty() && !it.signatures.is_empty()));
    assert!(bolt.types.is_sorted_by(|a, b| a.name < b.name));
    assert!(bolt.types.iter().all(|it| !it.documentation.is_empty()));
    assert!(bolt.members.iter().flatten().all(|it| !it.documentation.is_empty()));
    assert!(bolt.aliases.iter().all(|it| !it.documentation.is_empty()));
}

#[test]
fn signatures_are_parsed() {
    let run_task = function("run_task_with").expect("a known function");
    let [_, signature] = run_task.signatures.as_slice() else { panic!("{run_task:?}") };
    let parameters: Vec<_> =
        signature.parameters.iter().map(|it| format!("{} {} {:?}", it.type_text, it.name, it.kind)).collect();
    assert_eq!(
        parameters,
        [
            "String[1] task_name Required",
            "Boltlib::TargetSpec targets Required",
            "Optional[String] description Required",
            "Hash[String[1], Any] options Optional",
        ]
    );
    assert!(signature.block.as_ref().is_some_and(|it| it.is_required && it.type_text == "Callable[Target]"));
    assert_eq!(signature.return_type.as_deref(), Some("ResultSet"));
    assert!(members("Result").iter().any(|it| it.name == "ok" && it.is_method));
}
