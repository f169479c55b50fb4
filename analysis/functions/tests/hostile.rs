//! Programs that would need too much time or memory end with an error.

use eval::EvaluationSettings;

/// Evaluates with the documented stack size, and returns the code of the first error.
fn error_code(code: &str) -> Option<String> {
    let code = code.to_owned();
    let run = move || {
        let mut session = functions::session(EvaluationSettings::version_8());
        session.evaluate("hostile.pp", &code).result.err()?.first().map(|failure| failure.code.to_string())
    };
    let thread = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(run).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn excessive_programs_end_with_an_error() {
    let nested_arrays = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    let deep_calls = format!("function f($x) {{ f([$x]) }} f({})", 1);
    let cases: &[(&str, &str)] = &[
        ("Integer[1, 99999999999].each |$x| { }", "too-many-steps"),
        ("Integer[1, 99999999999].map |$x| { $x }", "too-many-steps"),
        ("Integer[1, 99999999999].reduce |$a, $b| { $a + $b }", "too-many-steps"),
        ("Integer[1, 99999999999].filter |$x| { false }", "too-many-steps"),
        ("[*Integer[1, 99999999999].reverse_each]", "too-large"),
        ("Integer[1, 40].reduce([]) |$list, $n| { [$list, $list] }.size", "too-large"),
        ("Integer[1, 40].reduce(Integer) |$type, $n| { Tuple[$type, $type] }", "too-large"),
        ("Integer[1, 40].reduce(Integer) |$type, $n| { Struct[{ a => $type, b => $type }] }", "too-large"),
        ("Integer[1, 99999].reduce([]) |$list, $n| { [$list] }.size", "too-deep"),
        ("Array(Integer[1, 99999999999])", ""),
        ("Integer[1, 99999999999].reverse_each.map |$x| { $x }", "too-many-steps"),
        ("99999999999.each |$x| { }", "too-many-steps"),
        ("function f() { g() } function g() { f() } f()", "too-deep"),
        ("function f($x) { f($x) + f($x) } f(1)", "too-deep"),
        (
            "function fib($n) { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } } fib(60)",
            "too-many-steps",
        ),
        ("type A = B\ntype B = A\n1 =~ A", ""),
        ("type A = Variant[A, Array[A]]\n[[[1]]] =~ A", ""),
        ("Integer[1, 60].reduce('ab') |$text, $n| { \"${text}${text}\" }", "too-large"),
        ("Integer[1, 60].reduce([1]) |$list, $n| { $list + $list }", "too-large"),
        ("sprintf('%99999999999d', 1)", ""),
        ("String(1, '%99999999d')", ""),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /(?=(a+a+)+$)(a+)+\\1$/", ""),
        ("1 << 99999999999", ""),
        ("Integer[1, 40].reduce([]) |$list, $n| { [$list, $list] }.flatten", ""),
        ("Integer[1, 40].reduce([]) |$list, $n| { [$list, $list] }.String()", ""),
        (&nested_arrays, ""),
        (&deep_calls, "too-deep"),
    ];
    for (code, expected) in cases {
        let found = error_code(code).unwrap_or_default();
        // Without an expectation, it is sufficient that the evaluation ends.
        assert!(expected.is_empty() || found == *expected, "{code}: {found} instead of {expected}");
    }
}

#[test]
fn undecided_recursion_is_followed_once() {
    let code = "
        function f($x) {
            case $x {
                /a(.)/: { f($1) + f($0) + f([$x]) }
                /b(.)/: { f($1) + f($0) + f([$x]) }
                /c(.)/: { f($1) + f($0) + f([$x]) }
                Array: { $x.map |$y| { f($y) } }
                default: { [1] }
            }
        }
        f(generate('/bin/date'))";
    let mut session = functions::session(EvaluationSettings::version_8());
    let evaluation = session.evaluate("recursion.pp", code);
    assert!(evaluation.result.is_ok());
    assert!(evaluation.steps < 2_000, "{} steps", evaluation.steps);
}
