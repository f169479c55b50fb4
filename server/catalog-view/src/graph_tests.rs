use super::*;
use crate::test_resource::resource;

#[test]
fn boxes_and_arrows_are_drawn() {
    let resources = vec![
        resource("Stage", "main", None),
        resource("Class", "main", None),
        resource("Class", "A", None),
        resource("Notify", "one & <two>", None),
        resource("Notify", "three\u{7}", Some("Notify[one & <two>]")),
    ];
    let edges = vec![(0, 1), (1, 2), (2, 3), (2, 4)];
    let catalog = Catalog { resources, edges, ..Catalog::default() };
    let picture = render(&catalog);
    let ids: Vec<&str> = picture.nodes.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["n2", "n3", "n4"]);
    let count = |part: &str| picture.svg.matches(part).count();
    assert_eq!((count("data-node="), count("<path data-from"), count("url(#before)")), (3, 3, 1));
    assert_eq!(count("data-from=\"n3\" data-to=\"n4\" stroke=\"currentColor\" stroke-width"), 1);
    assert!(picture.svg.contains("one &amp; &lt;two&gt;") && !picture.svg.contains('\u{7}'));
}

#[test]
fn large_catalogs_show_only_containers() {
    let mut resources = vec![resource("Class", "A", None), resource("Class", "B", None)];
    let mut edges = Vec::new();
    for index in 0..1000 {
        // From class B to class A, between resources that they contain.
        let require = (index == 999).then_some("Notify[0]");
        resources.push(resource("Notify", &index.to_string(), require));
        edges.push((index / 500, index + 2));
    }
    let picture = render(&Catalog { resources, edges, ..Catalog::default() });
    assert_eq!(picture.nodes.len(), 2);
    assert_eq!(picture.svg.matches("url(#before)").count(), 1);
    assert!(picture.svg.contains("1000 more resources"));
}
