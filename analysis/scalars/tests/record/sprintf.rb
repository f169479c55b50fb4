# Records the results of Ruby's `format`. Run: LANG=C.UTF-8 ruby -W0 tests/record/sprintf.rb > tests/recorded/sprintf.jsonl
# Each line: format, arguments (a number that JSON cannot represent as {"float": string}, an integer as
# {"integer": string}, named values as one hash), and the result, or {"error": class}.
require 'json'
def written(value)
  case value
  when Float then { float: value.to_s }
  when Integer then { integer: value.to_s }
  when Hash then { named: value.transform_values { |it| written(it) } }
  else value
  end
end

def row(format, *arguments)
  outcome = begin format(format, *arguments) rescue { error: $!.class.name } end
  return if outcome.is_a?(String) && !outcome.valid_encoding?
  puts JSON.generate([format, arguments.map { |it| written(it) }, outcome])
end

FLAGS = ['', '-', '0', '+', ' ', '#', '+0', '-#', '#0', ' 0', '-0', '+-', '#+']
SIZES = ['', '1', '8', '12', '.0', '.', '.3', '8.3', '12.10', '2.5']
INTEGERS = [0, 1, -1, 5, -8, 255, -255, 4096, -65536, 2**63 - 1, -2**63, 2**64, -2**70]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 3.5, 1e10, 1.5e-5, 123456.789, 1e100, 1e16, 9.9999999, 5e-324, 2.2250738585072011e-308,
          Float::INFINITY, -Float::INFINITY, Float::NAN]
%w[d o x X b B].product(FLAGS, SIZES, INTEGERS) do |letter, flags, size, value|
  row("%#{flags}#{size}#{letter}|", value) if letter == 'd' || size.length < 3 || value.abs < 300
end
%w[f e g a].product(FLAGS, SIZES, FLOATS) do |letter, flags, size, value|
  row("%#{flags}#{size}#{letter}|", value) if flags.length < 2 || size.length > 2
end
%w[E G A].product(FLOATS) { |letter, value| row("%#{letter} %#.3#{letter}", value, value) }
%w[s p c].product(['', '-', '0', '#'], ['', '5', '.2', '5.2'], ['a', 'é', 'héllo', '', true, nil]) do |letter, flags, size, value|
  row("%#{flags}#{size}#{letter}|", value)
end
%w[d i u f e x c s p].product(['12', ' 12 ', '0x1f', '0b11', '0o17', '017', '1_000', '1__0', '_1', '1_', '+5', '-5', '- 5', '0x', '08', '1.5', '1e3',
                               '.5', '5.', '1e', '0x1p3', '0x1.8p1', "1\n", '', ' ', 'abc', '1 2', '9' * 40, '-0', '0b12', '0d9', '1_0.5_0e1_0', 'Infinity', nil, true, false]) { |letter, value| row("%#{letter}", value) }
INTEGERS.each { |value| row('%f|%.0f|%+.2f|%010.1f|%-12.1f|% f', *[value] * 6) }
FLOATS.each { |value| row('%d', value); row('%x', value); row('%s %p', value, value); row('%c', value) }
[1e20, -1e20, 1e38, 1e39, 1.7976931348623157e308, -1.9, 1.9].each { |value| row('%d', value); row('%x', value); row('%b', value) }
['%', 'abc%', "%\n", "%\0", '%%', '%5%', '%-%', '%y', '%1$s %s', '%s %1$s', '%s', '%2$s', '%2$s %1$s', '%1$*2$d', '%*d', '%-*d|', '%.*f',
 '%.-2f', '%5 d', '%.2+d', '%5.2.1d', '%5 5d', '%99999999999d', '%0$s', '%10$s', '%s%s', '%<a>d', '%{a}', '%1$s%1$s', '%1$1$s', '%d%', 'é%sé',
 '%5*d', '%.1*d', '%*1$d', '%$d', '%<a', '% ', '%.', '%#', '%1', '%1$', '%c%c'].each { |format| row(format, 5, 7); row(format); row(format, -3) }
['%<a>d', '%{a}x', '%-5{a}|', '%<a>5.2f|', '%5<a>d|', '%<b>d', '%{b}', '%<a>s%s', '%s%<a>s', '%<a>s%1$s', '%1$s%<a>s', '%{a', '%<a', '%{a}%<a>d', '%<a><b>d',
 '%<a>{a}', '%.5{s}|', '%<s>.2s|', '%<a>', '%{a}%{s}', '%<a>p%<s>p', '%<é>s', '%0{a}', '%<a>*d'].each { |format| row(format, { a: 12, s: 'abcdefgh', é: 1 }) }
# Floats whose shortest digits end in a 5 directly after the last digit that is kept.
[0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.85, 0.95, 1.005, 1.255, 1.45, 2.675, 8.345, 9.995, 99.45, 99.55, 0.0005, 5e-06, 1.5e-07, 12345.5, 0.5, 1.5, 9.5,
 1e15 + 0.5, 4503599627370497.5, 123456789.125, 8172008254702.45, 6.5e20, 1.25e-10].each do |value|
  %w[%.0f %.1f %.2f %.3f %.5f %.0e %.1e %.2e %.3e %.1g %.2g %.3g %.5g %#.3g].each { |format| row(format, value); row(format, -value) }
end
[-0.5, 0.5, '-0', '-0x0', '-00'].each { |value| row('%d', value); row('%+d', value); row('%x', value) }
