use super::*;
use crate::test_resource::resource;

#[test]
fn nodes_are_in_their_containers() {
    let resources = vec![
        resource("Stage", "main", None),
        resource("Class", "main", None),
        resource("Class", "A", None),
        resource("A::Vhost", "x", None),
        resource("Notify", "one", None),
        resource("Notify", "two\u{7}", Some("Notify[one]")),
    ];
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 4), (2, 5)];
    let graph = ResourceGraph::new(&Catalog { resources, edges, ..Catalog::default() });
    let nodes: Vec<_> = graph.nodes.iter().map(|it| (it.index, it.kind, it.container)).collect();
    let expected = [
        (2, NodeKind::Class, None),
        (3, NodeKind::DefinedType, Some(0)),
        (4, NodeKind::Resource, Some(1)),
        (5, NodeKind::Resource, Some(0)),
    ];
    assert_eq!(nodes, expected);
    assert!(!graph.nodes[3].reference.contains('\u{7}'));
    let edges: Vec<_> = graph.edges.iter().map(|it| (it.from, it.to, it.notifies)).collect();
    assert_eq!(edges, [(2, 3, false)]);
}

#[test]
fn classes_that_contain_each_other() {
    let resources = ["A", "B", "C"].map(|it| resource("Class", it, None)).into_iter().collect();
    // `C` is in both `A` and `B`, and `A` and `B` contain each other.
    let edges = vec![(0, 1), (1, 0), (0, 2), (1, 2), (2, 2)];
    let graph = ResourceGraph::new(&Catalog { resources, edges, ..Catalog::default() });
    assert_eq!(graph.nodes.iter().map(|it| it.container).collect::<Vec<_>>(), [None, Some(0), Some(0)]);
}

#[test]
fn a_deep_chain_of_containers() {
    let resources = (0..3000).map(|it| resource("Class", &format!("C{it}"), None)).collect();
    let edges = (1..3000).map(|it| (it - 1, it)).collect();
    let graph = ResourceGraph::new(&Catalog { resources, edges, ..Catalog::default() });
    assert_eq!(graph.nodes[2999].container, Some(2998));
}
