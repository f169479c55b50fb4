use super::*;

#[test]
fn a_few_letters() {
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
