# Records how Ruby and Puppet print and parse numbers. Run: LANG=C.UTF-8 ruby -W0 tests/record/numbers.rb > tests/recorded/numbers.jsonl
# Each line: question, subject, and outcome.
require 'puppet'
require_relative 'rows'

srand(7)
floats = [0.0, -0.0, 1.0, -1.0, 0.1, 0.2 + 0.1, 1e15, 1e16, 1.5e16, 123456789012345.6, 1234567890123456.7, 12345678901234567.0, 9007199254740993.0,
          1e17, 1e20, 1e22, 1e23, 1e100, 1e-1, 1e-3, 1e-4, 0.00012, 0.0001234, 1e-5, 1.5e-5, 1e-10, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 100.0, 1e2, 3.14]
floats += Array.new(200) { [rand(0xffffffffffffffff)].pack('Q').unpack1('D') }.reject { |it| it.nan? || it.infinite? }
floats += Array.new(100) { rand * 10**rand(-8..18) }
floats.each { |it| row('float_text', [it].pack('G').unpack1('H*'), it.to_s) }

TEXTS = ['0', '1', '-1', '+1', ' 1 ', "\t1\n", "\v1", '1 2', '- 1', '+ 1', '--1', '0x1F', '0X1f', '0x', '0xg', '0b101', '0B1', '0b2', '0o17', '0O7', '0o8', '0d19', '017', '08', '09', '00', '0_7',
         '1_000', '1__000', '_1', '1_', '0x_1', '0x1_f', '12abc', 'abc', '', ' ', '1.0', '1.5', '.5', '5.', '1.5.', '1e3', '1E3', '1e+3', '1e-3', '1e', '1e3.5', '1.5e3', '1_0.5', '1._5', '1.5_', '1.5_5', '1e1_0', '1e_1',
         '0e1', '0.0e1', '0.e1', '0000.0e1', '00.5', '09.5', '08e1', '017.5', '1e400', '-1e400', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '0x7fffffffffffffff', '0xffffffffffffffff',
         'Infinity', 'NaN', 'nil', 'true', '::1', '::0x1F', '::-1', '-::1', "1\n", "\u00a01", '-0x1F', '+0x1F', '- 0x1F', '-017', '-1.5', '+1.5', '- 1.5', '-0', '-0.0', '0.0', '0x1.8', '0x1p3', '0x1.8p1', '0x1.p1', '0x.8p1', '0xap-2',
         '0b101.1', '0777', '0778', '1,5', '１', '1e99', '0.1', '000', '0b', '0o', '0d', '0_', '0_1', '0__1', '1e0', '1.0e0', '0.5e1', '7f', '1 ', ' -5', '-5 ', '+-5', '1e-400', '-0x_1', '0x-1', '0x+1', '0x 1', "0x1\u0000", '1e++3']
TEXTS.each do |text|
  row('integer', text, tried { Integer(text) }&.to_s)
  [2, 8, 10, 16].each { |radix| row('integer', [text, radix], tried { Integer(text, radix) }&.to_s) }
  row('float', text, tried { Float(text) }&.then { |it| [it].pack('G').unpack1('H*') })
  number, radix = Puppet::Pops::Utils.to_n_with_radix(text)
  row('number', text, number && [number.is_a?(Float) ? "float #{[number].pack('G').unpack1('H*')}" : number.to_s, radix])
end
