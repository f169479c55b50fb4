use super::*;
use crate::test_resource::resource;

#[test]
fn resources_are_listed_with_their_relationships() {
    let resources = vec![
        resource("Class", "A", None),
        resource("Class", "B", Some("Class[A]")),
        resource("Notify", "one", None),
        resource("Notify", "two", Some("Notify[one]")),
    ];
    let edges = vec![(0, 2), (0, 3)];
    let text = render(&Catalog { resources, edges, ..Catalog::default() });
    let expected = "\
Class[A]
    is before Class[B]
  Notify[one]
      is before Notify[two]
  Notify[two]
      requires Notify[one]
Class[B]
    requires Class[A]
";
    assert_eq!(text, expected);
}
