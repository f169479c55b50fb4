use super::*;
use crate::clock::ManualClock;
use crate::documents::OpenDocuments;
use crate::main_loop::test_context::{file_path, open};
use crate::typing::PAUSE;

/// An edit that inserts a character.
fn typed(at: u32) -> TypedEdit {
    TypedEdit { start: at, old_end: at, new_end: at + 1, cursor: at + 1 }
}

fn state() -> (TypingState, ManualClock) {
    let clock = ManualClock::default();
    (TypingState::new(Clock::Manual(clock.clone())), clock)
}

#[test]
fn typing_ends_with_a_pause() {
    let (mut state, clock) = state();
    let path = file_path("/a.pp");
    assert_eq!(state.edit(&path, Some(&[typed(0)])), None);
    let pause = PAUSE.as_millis() as u64;
    clock.advance(pause - 1);
    assert_eq!(state.end_after_pause(), None);
    assert_eq!(state.edit(&path, Some(&[typed(1)])), None);
    clock.advance(pause - 1);
    assert_eq!(state.end_after_pause(), None);
    clock.advance(1);
    assert_eq!(state.end_after_pause(), Some(path));
    assert!(!state.is_typing() && state.keeps_muted);
    assert_eq!(state.end(), None);
}

#[test]
fn typing_ends_in_another_file_and_with_a_new_text() {
    let (mut state, _clock) = state();
    let (a, b) = (file_path("/a.pp"), file_path("/b.pp"));
    assert_eq!(state.edit(&a, Some(&[typed(0)])), None);
    assert_eq!(state.edit(&b, Some(&[typed(0)])), Some(a));
    assert!(state.is_typing());
    // The whole text was replaced, so the cursor is unknown.
    assert_eq!(state.edit(&b, None), Some(b.clone()));
    assert!(!state.is_typing());
    assert_eq!(state.edit(&b, None), None);
}

#[test]
fn muted_diagnostics_are_published_at_the_end_of_editing() {
    let (mut state, _clock) = state();
    let table = OpenDocuments::default();
    let mut documents = Documents::new(table.clone());
    let path = file_path("/a.pp");
    assert_eq!(state.end_editing(&documents), None);
    documents.insert(path.clone(), open(&table, &path, "x"));
    assert_eq!(state.end_editing(&documents), None);
    state.edit(&path, Some(&[typed(0)]));
    assert_eq!(state.end(), Some(path.clone()));
    assert_eq!(state.end_editing(&documents), Some(path.clone()));
    assert_eq!(state.end_editing(&documents), None);
    state.edit(&path, Some(&[typed(0)]));
    assert_eq!(state.end_editing(&documents), Some(path));
    assert_eq!(state.end_editing(&documents), None);
}
