//! Misspelled names of functions and types.

use eval::similar_function;
use plugins::built_in::similar_data_type;

#[test]
fn one_letter_misspellings_are_detected() {
    for (name, known) in
        [("notce", "notice"), ("noticee", "notice"), ("ntoice", "notice"), ("natice", "notice")]
    {
        assert_eq!(similar_function(functions::LIBRARY, name), Some(known), "{name}");
    }
    for name in ["notice", "mpa", "completely_else", "merge", "notify", "a::notce", ""] {
        assert_eq!(similar_function(functions::LIBRARY, name), None, "{name}");
    }
    assert_eq!(similar_data_type("Strng"), Some("String"));
    assert_eq!(similar_data_type("Interger"), Some("Integer"));
    assert_eq!(similar_data_type("String"), None);
    assert_eq!(similar_data_type("File"), None);
}
