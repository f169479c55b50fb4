use super::*;

/// Runs tasks in the given order, each with its amount of work, and checks how many of five count in the end.
fn check(limit: u64, order: &[(usize, u64)], done: &[usize], counted: usize) {
    let meter = WorkMeter::new(limit);
    let mut all = Vec::new();
    for (task, amount) in order {
        let result: Result<Option<()>, ()> = meter.run(*task, || Ok(((), *amount)));
        all.extend(result.ok().flatten().map(|()| *task));
    }
    assert_eq!(all, done);
    assert_eq!(meter.counted(5), counted);
}

#[test]
fn counted_tasks_do_not_depend_on_the_order() {
    check(10, &[(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)], &[0, 1, 2], 3);
    check(10, &[(4, 4), (3, 4), (2, 4), (1, 4), (0, 4)], &[4, 3, 2, 1, 0], 3);
    check(10, &[(1, 40), (2, 4), (0, 4), (3, 4)], &[1, 2, 0], 2);
    check(20, &[(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)], &[0, 1, 2, 3, 4], 5);
    check(0, &[(0, 1), (1, 1)], &[0], 1);
}
