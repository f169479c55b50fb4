use super::*;

#[test]
fn compiles_leave_a_core_for_editing() {
    for (cores, threads) in [(1, 1), (2, 2), (3, 2), (8, 7)] {
        assert_eq!(Compiles::new(cores).threads, threads, "{cores} cores");
    }
}
