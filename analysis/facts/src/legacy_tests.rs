use super::*;

#[test]
fn every_replacement_is_understood() {
    for fact in built_in::facts() {
        let Some(replacement) = &fact.replacement else { continue };
        let (keys, function) = access(replacement).expect("an access to $facts");
        assert!(!keys.is_empty(), "{}", fact.name);
        let known = ["", ".keys.join(',')", ".length", " / 1048576.0"].contains(&function);
        assert!(known, "{}: {function}", fact.name);
    }
}
