//! Malicious code: evaluation must terminate without side effects and return a one-line reason.

use ruby::Stop;

/// Code and a part of its reason; empty if a limit of the program stops it.
const HOSTILE: &[(&str, &str)] = &[
    ("loop { }", "step limit"),
    ("while true; end", "step limit"),
    ("x = 1; x += 1 until false", "step limit"),
    ("begin; raise 'x'; rescue; retry; end", "step limit"),
    ("'a' * 10**9", "*"),
    ("'a' * 10**6 * 10**6", "*"),
    ("[0] * 10**9", "*"),
    ("Array.new(10**9)", "Array.new"),
    ("a = 'a'; loop { a << a }", "<<"),
    ("a = [1]; loop { a += a }", "step limit"),
    ("(1..10**12).to_a", ".to_a"),
    ("'%1000000000s' % 'x'", "%"),
    ("'x'.ljust(10**12)", ".ljust"),
    ("def f(x) f(x) end; f(1)", "recursion limit"),
    ("f = ->(x) { f.call(x) }; f.call(1)", "recursion limit"),
    ("def f(&b) f(&b) end; f { }", "recursion limit"),
    ("a = []; 100_000.times { a = [a] }; a.flatten", ""),
    ("exec('rm -rf /')", "exec"),
    ("system('id')", "system"),
    ("`id`", "shell command"),
    ("%x(id)", "shell command"),
    ("Kernel.open('|id')", "Kernel.open"),
    ("open('|id')", "open"),
    ("IO.popen('id')", "IO.popen"),
    ("Process.spawn('id')", "Process.spawn"),
    ("fork { }", "fork"),
    ("Kernel.exec('id')", "Kernel.exec"),
    ("Kernel.send(:system, 'id')", "Kernel.send"),
    ("send(:system, 'id')", "send"),
    ("method(:system).call('id')", ".call"),
    ("require '/etc/passwd'", "require"),
    ("require '../../../../etc/passwd'", "require"),
    ("require_relative '../../../../../../etc/passwd'", "require_relative"),
    ("load '/etc/passwd'", "load"),
    ("eval('1')", "eval"),
    ("binding.eval('1')", "binding"),
    ("instance_eval('1')", "instance_eval"),
    ("Object.class_eval('1')", "Object.class_eval"),
    ("File.read('/etc/passwd')", "File.read"),
    ("File.open('/etc/passwd')", "File.open"),
    ("File.write('/tmp/x', 'y')", "File.write"),
    ("File.unlink('/tmp/x')", "File.unlink"),
    ("Dir.glob('/*')", "Dir.glob"),
    ("IO.read('/etc/passwd')", "IO.read"),
    ("require 'socket'; TCPSocket.new('localhost', 1)", "TCPSocket.new"),
    ("require 'net/http'; Net::HTTP.get(URI('http://x'))", "Net::HTTP.get"),
    ("require 'open-uri'; URI.open('http://x')", "URI.open"),
    ("ENV['HOME']", "ENV.[]"),
    ("ENV.to_h", "ENV.to_h"),
    ("Thread.new { }", "Thread.new"),
    ("ObjectSpace.each_object { }", "ObjectSpace.each_object"),
    ("at_exit { }", "at_exit"),
    ("exit", "exit"),
    ("abort", "abort"),
    ("trap('INT') { }", "trap"),
    ("sleep 1000", "sleep"),
    ("Time.now.to_i", "Time.now"),
    ("rand", "rand"),
    ("SecureRandom.hex", "SecureRandom.hex"),
    ("$stdout.write('x')", "$stdout"),
    ("$LOADED_FEATURES.clear", "$LOADED_FEATURES"),
    ("$x = 1", "a global variable"),
    ("C = Class.new; (10**6).times { |i| C.send(:define_method, \"m#{i}\") { i } }", ""),
    ("class C; end; 1_000_000.times { |i| C.class_eval { define_method(\"m#{i}\") { i } } }", ""),
    ("class String; def to_s; to_s end; end; 'a'.to_s", "recursion limit"),
    ("class A; def method_missing(*a) foo end; end; A.new.bar", "recursion limit"),
    ("class A; def ==(o) self == o end; end; A.new == 1", "recursion limit"),
    ("h = Hash.new { |hash, k| hash[k + 1] }; h[1]", "recursion limit"),
    ("a = []; a << a; a.inspect", ""),
    ("a = []; b = [a]; a << b; a.flatten", ""),
    ("h = {}; h[:h] = h; h.to_s", ""),
    ("h = {}; g = { h: h }; h[:g] = g; h.inspect", ""),
    ("module A; include A; end", ""),
    ("'x' =~ /(a+)+$/; ('a' * 50 + 'b') =~ /(a+)+$/; Time.now", "Time.now"),
    ("'a'.gsub(/(((((a*)*)*)*)*)b/, 'x'); Time.now", "Time.now"),
    ("[3, 1].sort { exec 'id' }", "exec"),
    ("define_method(:x) { }", "define_method"),
    ("__send__(:exec, 'id')", "__send__"),
    ("Object.const_get(:Kernel).exec('id')", "Object.const_get"),
    ("Signal.trap('INT', 'EXIT')", "Signal.trap"),
    ("Marshal.load('x')", "Marshal.load"),
    ("YAML.load('--- !ruby/object:Object {}')", "YAML.load"),
    ("ERB.new('<%= exec %>').result", "ERB.new"),
];

#[test]
fn hostile_code_terminates_with_a_reason() {
    let mut failures = Vec::new();
    for (code, expected) in HOSTILE {
        let outcome = super::evaluate(code);
        let reason = outcome.reason.map_or_else(String::new, |it| it.what);
        match &outcome.result {
            Err(Stop::Exit(_)) if expected.is_empty() => {}
            Err(Stop::Unknown(_)) | Ok(_) if !expected.is_empty() && reason.contains(expected) => {}
            Err(Stop::Unknown(_)) | Err(Stop::Raise(_)) if expected.is_empty() => {}
            other => failures.push(format!("{code}: {other:?}, because of '{reason}'")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
