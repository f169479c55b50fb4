# frozen_string_literal: true

# Values for calls of functions and for attributes in Puppet notation: ordinary values, boundary values, and values of a
# wrong type.

module Values
  TEXTS = [
    '', ' ', 'a', 'abc', 'Abc Def', 'a,b,c', ' a b ', "a\nb\n", 'hello world', '/tmp/x', '/usr/bin/', '/a/b/../c', '../x', 'C:/x', 'C:\\x\\y',
    '//host/share', 'http://www.example.com/a?b=c#d', 'https://user:pass@example.com:8443/', 'ftp://example.com', 'puppet:///modules/m/f',
    '10.0.0.1', '10.0.0.0/24', '10.0.0.1/255.255.255.0', '256.1.1.1', '127.0.0.1', '::1', 'fe80::1/64', '2001:db8::/32', '0.0.0.0/0',
    '00:11:22:33:44:55', 'example.com', 'node1.example.com', '-bad-.com', 'user@example.com', '1.2.3', '1.10', '>=1.0.0 <2.0.0', '8u5', '1', '-1', '0',
    '007', '3.14', '1e3', '0x1f', '65536', '443', '80:90', 'true', 'false', 'True', 'yes', 'no', 'on', 'off', 'y', 'undef', 'present', 'absent', 'installed', 'latest',
    'running', 'stopped', 'enabled', 'YWJj', 'aGVsbG8gd29ybGQ=', '5d41402abc4b2a76b9719d911017c592', 'md5', 'sha256', 'SHA-512', 'B', '10MB', '4 GB', '1k', '5 kB', '100%',
    '16:30', '2020-01-01', '2030-12-31 23:59:59', '%Y-%m-%d', '%s', "\u00e4\u00f6\u00fc", "\u65e5\u672c", 'x' * 70, '{"a":1}', '[1,2]', '--- {a: 1}', '{', 'key=value', 'a=b;c=d',
    'a::b', '::a', 'Foo', 'foo_bar', 'FooBar', 'foo-bar', 'foo.bar', 'root', '0644', '644', '4755', 'u=rwx,go=rx', 'ssh-rsa', '*', '.*', '^a', '^a.*c$', '[', '(', '$1$abc', '$x', "it's", '"q"', '#c',
    'tcp', 'udp', 'eth0', 'lo', 'Debian', 'RedHat', 'x86_64', 'file', 'directory', 'link', 'all', 'none', 'ALL', 'default', 'accept', 'drop', 'INPUT', 'filter', 'INPUT:filter:IPv4'
  ].freeze

  def self.quoted(text)
    return "'#{text}'" unless text.match?(/['\\\n]/)

    "\"#{text.gsub(/[\\"$]/) { "\\#{$&}" }.gsub("\n", '\\n')}\""
  end

  OTHERS = [
    '0', '1', '-1', '2', '3', '8', '10', '64', '443', '1024', '65535', '65536', '100000', '9223372036854775807', '3.14', '-0.5', '1.0', '2.5e10',
    'true', 'false', 'undef', 'default', '[]', '[1, 2, 3]', '[3, 1, 2]', "['a', 'b', 'c']", "['b', 'a', 'a']", "['']", '[undef]', '[[1, 2], [3, [4]]]',
    "['a', undef, '']", '[true, false]', "['10.0.0.1', '10.0.0.2']", "[1, 'a', 2.5]", "['/a', '/b']", "['a=1', 'b=2']", "[['a', 1], ['b', 2]]", "['present', 'absent']",
    "[{'a' => 1}, {'b' => 2}]", '{}', "{'a' => 1, 'b' => 2}", "{'a' => 'x', 'b' => 'y'}", "{'a' => {'b' => {'c' => 1}}}", "{1 => 'x'}", "{'x' => undef, 'y' => ''}",
    "{'ensure' => 'present'}", "{'a' => [1, 2], 'b' => ['c']}", "{'s' => {'k' => 'v', 'l' => true}}", "{'b' => 2, 'a' => 1}", "{'name' => 'n', 'path' => '/p'}", "{'a' => true, 'b' => false}",
    'String', 'Integer[1, 2]', "File['/x']", "Class['a']", "Enum['a', 'b']", 'Optional[Array[String]]', '/a(b)?/', '/^\\d+$/', "Sensitive('secret')", "SemVer('1.2.3')",
    "Timespan('1-00:00:00')", "Binary('YWJj')", 'Package', "Package['x']"
  ].freeze

  ALL = (TEXTS.map { |it| quoted(it) } + OTHERS).freeze

  LAMBDAS = ['|$x| { $x }', '|$x| { "<$x>" }', '|$x| { true }', '|$x| { $x =~ String }', '|$a, $b| { "$a$b" }', '|$a, $b| { [$b, $a] }', '|| { 1 }', "|\$x| { fail('no') }", '|*$x| { $x }', '|$x = 3| { $x }'].freeze

  # Returns the values among these pairs of source and value that the type accepts, and those that the type itself names.
  def self.of_type(type, pool, depth = 0)
    found = pool.select { |_, value| type.instance?(value) rescue false }.map(&:first)
    found += named(type, pool, depth)
    found.uniq
  end

  def self.named(type, pool, depth)
    return [] if depth > 4

    types = Puppet::Pops::Types
    case type
    when types::PTypeAliasType then named(type.resolved_type, pool, depth)
    when types::PEnumType then type.values.map { |it| quoted(it) }
    when types::POptionalType, types::PNotUndefType then type.type ? named(type.type, pool, depth + 1) : []
    when types::PVariantType then type.types.flat_map { |it| named(it, pool, depth + 1) }
    when types::PArrayType
      type.element_type ? of_type(type.element_type, pool, depth + 1).first(40).each_slice(3).map { |it| "[#{it.join(', ')}]" } : []
    when types::PHashType
      type.value_type ? of_type(type.value_type, pool, depth + 1).first(20).map { |it| "{'k' => #{it}}" } : []
    when types::PStructType then structs(type, pool, depth)
    when types::PIntegerType, types::PFloatType
      [type.from, type.to, type.from && type.from - 1, type.to && type.to + 1].compact.map(&:to_s)
    else []
    end
  end

  def self.structs(type, pool, depth)
    random = Random.new(type.elements.size)
    values = type.elements.map { |it| [it, of_type(it.value_type, pool, depth + 1)] }
    5.times.filter_map do |turn|
      given = values.reject { |it, _| turn.positive? && it.key_type.is_a?(Puppet::Pops::Types::POptionalType) && random.rand < 0.5 }
      pairs = given.reject { |_, sources| sources.empty? }.map { |it, sources| "#{quoted(it.name)} => #{sources[random.rand(sources.size)]}" }
      "{#{pairs.join(', ')}}" if pairs.size == given.size
    end
  end
end
