use std::sync::mpsc;

use super::*;
use crate::main_loop::test_context::PATIENCE;

#[test]
fn panicking_jobs_do_not_end_their_thread() {
    let mut pool = Pool::new("test", 1);
    let (sender, receiver) = mpsc::channel();
    pool.run(|| panic!("on purpose"));
    pool.run(move || sender.send(1).expect("the test waits for it"));
    assert_eq!(receiver.recv_timeout(PATIENCE), Ok(1));
}

#[test]
fn jobs_run_in_parallel() {
    let mut pool = Pool::new("test", 2);
    // Each of two jobs waits for a message that only the other one sends.
    let ((to_first, first), (to_second, second)) = (mpsc::channel(), mpsc::channel());
    let (met, results) = mpsc::channel();
    for (sender, receiver) in [(to_second, first), (to_first, second)] {
        let met = met.clone();
        pool.run(move || {
            let is_met = sender.send(()).is_ok() && receiver.recv_timeout(PATIENCE).is_ok();
            met.send(is_met).expect("the test waits for it");
        });
    }
    for _ in 0..2 {
        assert_eq!(results.recv_timeout(2 * PATIENCE), Ok(true));
    }
}
