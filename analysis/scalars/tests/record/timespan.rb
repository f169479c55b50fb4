# Records how Puppet parses and formats timespans. Run: LANG=C.UTF-8 ruby -W0 tests/record/timespan.rb > tests/recorded/timespan.jsonl
# Each line: question, subject, and outcome (nanoseconds as a string).
require 'puppet'
require_relative 'rows'
SPAN = Puppet::Pops::Time::Timespan
VALUES = [0, 1, 999, 1000, 1_000_000, 1_500_000, 999_999_999, 10**9, 10**9 + 1, 61 * 10**9, 3600 * 10**9, 86_400 * 10**9, 90_061_001_002_003, -1, -90_061_120_000_000, 123_456_789_012_345_678, 5 * 10**8, 100_000_000, 10_000_000, 10**17, -10**9, 86_399_999_999_999]
FORMATS = ['%D', '%H', '%M', '%S', '%L', '%N', '%D-%H:%M:%S.%N', '%D-%H:%M:%S.%-N', '%H:%M:%S.%L', '%-D %-H %-M %-S %-L %-N', '%_D|%_H|%_M|%_S|%_L|%_N', '%_5D|%5H|%05M|%-5S|%5L|%5N', '%S.%N', '%S.%3N', '%S.%6N', '%S.%9N', '%S.%12N', '%S.%-3N', '%S.%_3N', '%S.%L', '%S.%-L', '%S.%_L', '%S.%5L', '%3N', '%6N', '%-3N', '%5L', '%-L', '%_L',
           '%%', 'a%Hb%%c', '%H%M', '%M %H', '%H %H', '%S %D', 'plain', '', '%1H', '%10D', '%_10H', '%Hé', '%-', '%', '%Q', '%_-H', '%-_H', '%5', '%5%', '%0H', '%00H', '%-0H', '%-05H', '%050H', '%5-H', '%h', '%DD', '%H:%M:%S.%-N', '%M:%S.%-N', '%S.%-N', '%0%', '%-5%', '%_L%_N', '%S.%_9N', '%M:%3S', '%_3D-%H']
VALUES.each do |value|
  span = SPAN.new(value)
  row('text', value.to_s, [span.to_s, span.to_int.to_s, [span.to_f].pack('G').unpack1('H*'), span.days, span.hours, span.minutes, span.seconds, span.milliseconds, span.nanoseconds, span.to_hash.to_a, span.to_hash(true).to_a])
  FORMATS.each { |format| row('format', [value.to_s, format], tried { span.format(format) }) }
end
TEXTS = ['0', '1', '5', '59', '61', '100', '1.5', '1.05', '1.123456789', '1.1234567891', '10:20', '1:2', '10:20.5', '10:20:30', '1:2:3', '10:20:30.123', '1-10:20:30', '1-10:20:30.5', '1-10:20', '2-0:0', '-1', '-1-10:20:30.5', '-10:20:30', '--1', '+1', ' 1', '1 ', "1\n", '', '-', 'abc', '1-', '1:', ':1', '100:00:00', '99:99:99', '1-99:99:99', '0.0', '00', '1 2', '12', '123', '1234', '007', ' 7', '7  ', '5%', '1.', '.5', '1.5.5', '1,5', "1\u00a0", '１', '9' * 20, '1-24:60:60.999999999']
TEXTS.each do |text|
  row('parse', [text, nil], tried { SPAN.parse(text) }&.nsecs&.to_s)
  FORMATS.each { |format| row('parse', [text, [format]], tried { SPAN.parse(text, format) }&.nsecs&.to_s) }
  row('parse', [text, ['%H', '%M:%S', '%D-%H:%M']], tried { SPAN.parse(text, ['%H', '%M:%S', '%D-%H:%M']) }&.nsecs&.to_s)
end
