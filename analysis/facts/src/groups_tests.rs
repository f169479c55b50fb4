use super::*;

#[test]
fn groups_cover_their_platforms() {
    for version in [7, 8, 9] {
        let groups = platform_groups(version);
        let mut indexes: Vec<usize> = groups.iter().flat_map(|it| it.platforms.iter().copied()).collect();
        indexes.sort_unstable();
        assert!(indexes.into_iter().eq(0..platforms().len()), "each platform is in one group");
        for group in groups {
            for platform in group.platforms.iter().map(|index| &platforms()[*index]) {
                let facts = Value::Hash(platform.facts_of_any_machine(version).clone());
                assert!(covers(&Value::Hash(group.facts.clone()), &facts), "facts of {}", platform.name);
                for (name, value) in group.module_facts.iter() {
                    assert!(covers(value, &platform.module_facts()[name]), "{name:?} on {}", platform.name);
                }
            }
        }
        assert!(groups.len() < platforms().len() / 3, "{} groups", groups.len());
    }
}
