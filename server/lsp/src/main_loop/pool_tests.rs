use super::*;
use std::sync::mpsc;

#[test]
fn panicking_jobs_do_not_end_their_thread() {
    let mut pool = Pool::new("test", 1);
    let (sender, receiver) = mpsc::channel();
    pool.run(|| panic!("on purpose"));
    pool.run(move || sender.send(1).expect("the test waits for it"));
    assert_eq!(receiver.recv(), Ok(1));
}

#[test]
fn jobs_run_in_parallel() {
    let mut pool = Pool::new("test", 2);
    let barrier = Arc::new(std::sync::Barrier::new(3));
    for _ in 0..2 {
        let barrier = barrier.clone();
        pool.run(move || {
            barrier.wait();
        });
    }
    barrier.wait();
}
