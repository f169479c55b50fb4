//! Tests of the distribution of nodes.

use fleet::shard::Shard;

#[test]
fn each_node_is_in_one_shard() {
    for count in [1, 2, 3, 64] {
        for node in 0..1_000 {
            let name = format!("node{node}.example.com");
            let found = (1..=count).filter(|index| Shard { index: *index, count }.contains(&name)).count();
            assert_eq!(found, 1, "{name} of {count}");
        }
    }
}

#[test]
fn the_distribution_is_stable() {
    // A change would make the results of other versions unusable without notice.
    let shard = |name: &str| (1..=64).find(|index| Shard { index: *index, count: 64 }.contains(name));
    let names = ["web1.example.com", "db1.example.com", "a"];
    assert_eq!(names.map(shard), [Some(36), Some(60), Some(11)]);
}

#[test]
fn malformed_shards_are_rejected() {
    for text in ["", "1", "0/1", "2/1", "1/0", "a/b", "1/2/3", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
}
