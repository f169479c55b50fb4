use types::Value;

use super::query_text;

#[test]
fn queries_have_texts() {
    let array = |elements: &[Value]| Value::array(elements.to_vec());
    let text = Value::string("a\"\\\n\u{e9}");
    let nested = array(&[Value::string("="), array(&[text, Value::Integer(1)]), Value::Boolean(true)]);
    assert_eq!(query_text(&nested).as_deref(), Some("[\"=\",[\"a\\\"\\\\\\u000a\u{e9}\",1],true]"));
    assert_eq!(query_text(&Value::string("nodes {}")).as_deref(), Some("nodes {}"));
    assert_eq!(query_text(&array(&[Value::Undef])), None);
    assert_eq!(query_text(&Value::Integer(1)), None);
}
