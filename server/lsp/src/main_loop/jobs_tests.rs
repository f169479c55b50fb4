use std::sync::mpsc::Receiver;

use super::*;
use crate::main_loop::test_context::PATIENCE;

fn jobs() -> (Jobs, Receiver<LoopEvent>) {
    let (events, receiver) = Events::new();
    (Jobs::new(events, 2), receiver)
}

#[test]
fn work_is_counted_by_kind_until_its_event_arrives() {
    for (work, is_reading, is_latency_sensitive) in
        [(Work::Other, false, false), (Work::Reading, true, false), (Work::LatencySensitive, false, true)]
    {
        let (mut jobs, events) = jobs();
        let finished = jobs.start(work);
        let state = |jobs: &Jobs| (jobs.is_idle(), jobs.is_reading(), jobs.is_latency_sensitive());
        assert_eq!(state(&jobs), (false, is_reading, is_latency_sensitive), "{work:?}");
        drop(finished);
        assert!(!jobs.is_idle(), "only the event ends {work:?}");
        let Ok(LoopEvent::Finished(ended)) = events.try_recv() else { panic!("no event for {work:?}") };
        jobs.finished(ended);
        assert_eq!(state(&jobs), (true, false, false), "{work:?}");
    }
}

#[test]
fn jobs_end_after_dropping_what_they_hold() {
    struct Held(Events);
    impl Drop for Held {
        fn drop(&mut self) {
            self.0.send(LoopEvent::TimePassed);
        }
    }
    for panics in [false, true] {
        let (mut jobs, events) = jobs();
        let held = Held(jobs.events.clone());
        jobs.run(Threads::Background, Work::Other, move |_| {
            assert!(!panics, "on purpose");
            drop(held);
        });
        assert!(matches!(events.recv_timeout(PATIENCE), Ok(LoopEvent::TimePassed)));
        assert!(matches!(events.recv_timeout(PATIENCE), Ok(LoopEvent::Finished(Work::Other))));
    }
}

#[test]
fn waiters_are_answered_when_nothing_is_active() {
    let (mut jobs, _events) = jobs();
    let _finished = jobs.start(Work::Other);
    jobs.wait(oneshot::channel().0);
    assert_eq!(jobs.take_waiters().len(), 0);
    jobs.finished(Work::Other);
    assert_eq!(jobs.take_waiters().len(), 1);
    assert_eq!(jobs.take_waiters().len(), 0);
}
