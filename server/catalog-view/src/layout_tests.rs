use super::layout;

#[test]
fn arrows_go_to_the_right_and_boxes_do_not_overlap() {
    let arrows = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (3, 4), (4, 1), (2, 2), (5, 4)];
    let widths = [100.0, 80.0, 120.0, 90.0, 60.0, 70.0];
    let found = layout(&widths, 30.0, &arrows);
    for (index, (from, to)) in arrows.iter().enumerate() {
        let route = &found.routes[index];
        if from == to {
            assert!(route.is_empty());
            continue;
        }
        let (start, end) = (route[0], route[route.len() - 1]);
        // One arrow of the cycle 1, 3, 4 goes backward.
        assert_eq!(start.0 < end.0, (*from, *to) != (4, 1), "{from} -> {to}: {route:?}");
    }
    for (one, a) in found.boxes.iter().enumerate() {
        assert!(a.0 + widths[one] <= found.width && a.1 + 30.0 <= found.height);
        for (other, b) in found.boxes.iter().enumerate().filter(|(other, _)| *other != one) {
            let apart = a.0 + widths[one] <= b.0 || b.0 + widths[other] <= a.0 || (a.1 - b.1).abs() >= 30.0;
            assert!(apart, "{one} and {other}");
        }
    }
}

#[test]
fn empty_layouts_are_valid() {
    let found = layout(&[], 30.0, &[]);
    assert_eq!((found.width, found.height, found.boxes.len()), (0.0, 0.0, 0));
}
