use super::*;

#[test]
fn few_letters() {
    let known = ["apache", "apache::vhost", "nginx", "ensure", "owner"];
    for (name, expected) in [
        ("apach", Some("apache")),
        ("apcahe", Some("apache")),
        ("apache::vhsot", Some("apache::vhost")),
        ("ngnx", Some("nginx")),
        ("enuser", Some("ensure")),
        ("en", None),
        ("group", None),
        ("apache", None),
    ] {
        let found = similar(name, known.into_iter());
        assert_eq!(found.first().map(|it| it.as_str()), expected, "{name}");
    }
}

/// The banded computation agrees with the full table.
#[test]
fn banded_distance_equals_full_distance() {
    let mut names = vec![String::new()];
    for length in 0..7 {
        for pattern in 0..3_usize.pow(length.min(4)) {
            let letter = |at: u32| ['a', 'b', 'c'][pattern / 3_usize.pow(at % 4) % 3];
            names.push((0..length).map(letter).collect());
        }
    }
    names.dedup();
    for a in &names {
        for b in &names {
            for limit in 1..=3 {
                let whole = Some(strsim::osa_distance(a, b)).filter(|it| *it <= limit);
                assert_eq!(distance(a, b, limit), whole, "{a} {b} {limit}");
            }
        }
    }
}
