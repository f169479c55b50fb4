# Points in time as Puppet reads and writes them. Run: LANG=C.UTF-8 TZ=UTC ruby -W0 tests/record/timestamp.rb > tests/recorded/timestamp.jsonl
# Each line: what was asked, about what, and the outcome (nanoseconds as text).
require 'json'
require 'puppet'
STAMP = Puppet::Pops::Time::Timestamp
def row(question, subject, outcome) = puts(JSON.generate([question, subject, outcome]))
def tried
  yield
rescue StandardError
  nil
end
VALUES = [0, 1, -1, 10**9, 1_479_914_662_123_456_789, -10**18, 951_782_400 * 10**9, 1_609_459_199 * 10**9 + 5 * 10**8, 4_102_444_800 * 10**9, -62_167_219_200 * 10**9, -62_135_596_800 * 10**9, 253_402_300_799 * 10**9, 253_402_300_800 * 10**9, 1_230_768_000 * 10**9 + 120_000_000, 1_000_000_000_000, -2_208_988_800 * 10**9]
FORMATS = %w[%Y %C %y %m %B %b %h %d %e %j %H %k %I %l %M %S %L %N %z %:z %::z %Z %A %a %u %w %G %g %V %U %W %s %n %t %% %c %D %F %T %R %r %v %x %X %p %P %+ %^a %^B %#p %#Z %#b %-d %-m %_m %05d %10Y %_10Y %-y %3N %6N %9N %12N %1N %3L %6L %-H %_H %0e %-e %^10b %10A %-10A %010A %Q %E %Ey %Od %EY %f %i %10% %-l %010z %_10z %-z %_:z %10:z %:::z %s%L %10s %-s %10F %10T %^F %010c %-I:%M %_5S %^p %#a %#B %#A %^Z %-j %_j %010j %1Y %2C %15N %0N %24N %x%] + ['%FT%T.%N %Z', 'a %Y-%m-%d b', '', 'é%Y', '%', '%Y%', '%-', '%5', '%:', '%::', '%:Y', '%^%Y', '%5%', "%\n", '%J', '%é', '%-%', '%T%', '%10n', '%3%%']
ZONES = [nil, '+01:00', '-05:30', 'EST', '+0200']
VALUES.each_with_index do |value, index|
  stamp = STAMP.new(value)
  row('text', value.to_s, [stamp.to_s, stamp.to_int.to_s, [stamp.to_f].pack('G').unpack1('H*')])
  FORMATS.each { |format| row('format', [value.to_s, format, nil], tried { stamp.format(format) }) }
  next if index > 5
  FORMATS.each_with_index { |format, number| zone = ZONES[number % 4 + 1]; row('format', [value.to_s, format, zone], tried { stamp.format(format, zone) }) }
end
NAMES = ['UTC', 'utc', 'GMT', 'Z', 'z', 'EST', 'EDT', 'CST', 'CDT', 'MST', 'MDT', 'PST', 'PDT', 'CET', 'CEST', 'EET', 'EEST', 'WET', 'WEST', 'BST', 'MSK', 'JST', 'IST', 'NZST', 'NZDT', 'A', 'M', 'N', 'Y', 'J', 'K', 'AKST', 'HST', 'BRT', 'NST', 'AST', 'ADT', 'CAT', 'ACST', 'AEST', 'CCT', 'ZP4', 'E', 'Pacific Standard Time', 'Eastern Daylight Time', 'est dst', 'EST Standard Time', 'W. Europe Standard Time', 'Romance', 'romance standard time', 'pacific', 'tokyo', 'india',
         '+01:00', '-01:00', '+0100', '+1', '+01', '+1:30', '+130', '+01:30:15', '+013015', '+24:00', '+25:00', '+99', '+1.5', '-1,5', '+1.25', 'GMT+1', 'UTC-2:30', 'gmt+01:00', 'UTC+0', 'GMT', 'UTC+', '+', '-', '01:00', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'XYZ', 'current', '', ' UTC', 'UTC ', 'EST5EDT', '+0130 ', '+12345', '+123456', '+1234567', 'bogus', 'Etc/UTC', 'US/Pacific', '+00:60', '+0:5', '+1:2:3', '−01:00', '+1.', 'UT', 'MEZ', 'MESZ', 'SGT', 'SAST', 'IDLE', 'IDLW', 'MSD', 'GST', 'EAST', 'EADT', 'SST', 'CLT', 'CLST', 'ART', 'AMT', 'PKT', 'NPT', 'HKT', 'KST', 'FST', 'FWT', 'SWT', 'SWT', 'MEWT', 'MEST', 'MET', 'YST', 'YDT', 'HDT', 'CAST', 'CADT', 'NT', 'AT', 'WAT', 'EAT', 'BT', 'ICT', 'WAST', 'WADT', 'Mountain Daylight Time', 'mst dst']
NAMES.each do |zone|
  next if zone == 'current'
  row('parse', ['2016-11-23 15:24:22', nil, zone], tried { STAMP.parse('2016-11-23 15:24:22', :default, zone) }&.nsecs&.to_s)
  row('parse', ["2016-11-23 15:24:22 #{zone}", nil, nil], tried { STAMP.parse("2016-11-23 15:24:22 #{zone}") }&.nsecs&.to_s)
  row('format', ['1479914662000000000', '%F %T %z %Z', zone], tried { STAMP.new(1479914662000000000).format('%F %T %z %Z', zone) })
end
TEXTS = ['2016-11-23', '2016-11-23 15:24:22', '2016-11-23T15:24:22', '2016-11-23T15:24:22.123', '2016-11-23 15:24:22.123456789', '2016-11-23 15:24:22.1234567899', '2016-11-23 15:24:22 UTC', '2016-11-23 15:24:22.5 EST', '2016-11-23T15:24:22Z', '2016-11-23 UTC', '2016-11-23 15:24', '2016-02-30', '2016-02-29', '2015-02-29', '2016-13-01', '2016-00-10', '2016-1-2', '16-1-2', '0000-01-01', '-001-01-01', '-0001-01-01', '+2016-01-01', '10000-01-01', '99999-12-31', '2016-11-23 24:00:00', '2016-11-23 23:59:60', '2016-11-23 25:00:00', '2016-11-23 12:60:00',
         ' 2016-11-23', '2016-11-23 ', '2016-11-23x', '2016/11/23', '', 'abc', '20161123', '2016-11-23  15:24:22', '2016-11-23t15:24:22', '2016-11-23 1:2:3', '2016-11-23 15:24:22.', '2016-11-23 15:24:22.abc', '2016-11-31', '2016-12-31 23:59:59.999999999']
TEXTS.each { |text| row('parse', [text, nil, nil], tried { STAMP.parse(text) }&.nsecs&.to_s); row('parse', [text, nil, '+02:00'], tried { STAMP.parse(text, :default, '+02:00') }&.nsecs&.to_s) }
[['%Y', '2016'], ['%Y', '20161'], ['%Y%m', '201611'], ['%Y%m%d', '20161123'], ['%Y-%m-%d %H', '2016-11-23 15'], ['%y-%m-%d', '16-11-23'], ['%y-%m-%d', '69-11-23'], ['%y-%m-%d', '68-11-23'], ['%d/%m/%Y', '23/11/2016'], ['%e %b %Y', ' 3 Nov 2016'], ['%d %B %Y', '23 November 2016'], ['%d %B %Y', '23 nov 2016'], ['%A %d %B %Y', 'Wednesday 23 November 2016'], ['%a %d %b %Y', 'Mon 23 Nov 2016'],
 ['%Y-%j', '2016-328'], ['%Y-%j', '2016-1'], ['%Y-%m-%d %I:%M %p', '2016-11-23 03:24 PM'], ['%Y-%m-%d %I:%M %p', '2016-11-23 12:24 AM'], ['%Y-%m-%d %I:%M %P', '2016-11-23 12:24 p.m.'], ['%Y-%m-%d %l', '2016-11-23  3'], ['%Y-%m-%d %k', '2016-11-23  3'], ['%s', '1479914662'], ['%s', '-5'], ['%Q', '1479914662123'], ['%Y-%m-%d %H:%M:%S %z', '2016-11-23 15:24:22 +0100'], ['%Y-%m-%d %H:%M:%S%z', '2016-11-23 15:24:22+01:00'], ['%Y-%m-%d %Z', '2016-11-23 EST'],
 ['%c', 'Wed Nov 23 15:24:22 2016'], ['%D', '11/23/16'], ['%x', '11/23/16'], ['%F %R', '2016-11-23 15:24'], ['%F %r', '2016-11-23 03:24:22 PM'], ['%v', '23-Nov-2016'], ['%+', 'Wed Nov 23 15:24:22 UTC 2016'], ['%F %T.%L', '2016-11-23 15:24:22.123'], ['%F %T.%3N', '2016-11-23 15:24:22.123456'], ['%F %T.%N', '2016-11-23 15:24:22.-5'], ['%F%n%T', "2016-11-23\n15:24:22"], ['%F%t%T', '2016-11-23 15:24:22'], ['%F %T', "2016-11-23\n15:24:22"], ['%F  %T', '2016-11-23 15:24:22'], ['%F%T', '2016-11-2315:24:22'],
 ['%%%Y', '%2016'], ['Year %Y', 'Year 2016'], ['%C%y-%m-%d', '2016-11-23'], ['%G-W%V-%u', '2016-W47-3'], ['%Y-%U-%w', '2016-47-3'], ['%Y %W %a', '2016 47 Wed'], ['%H:%M', '15:24'], ['%m-%d', '11-23'], ['%Y-%m-%d', '2016-11-23 extra'], ['%Y-%m-%d%H', '2016-11-2315'], ['%Y%m%d%H%M%S', '20161123152422'], ['%Y%m%dT%H%M%S%z', '20161123T152422+0000'], ['%Y%j', '2016328'], ['%-d.%-m.%Y', '3.1.2016'], ['%_d', ' 3'], ['%Ey', '16'], ['%Od', '23'], ['%EY', '2016'], ['%:z', '+01:00'], ['%F %::z', '2016-11-23 +01:00:00'],
 ['%Y-%m-%d', '2016-11-023'], ['%Y-%m', '2016-11'], ['%Y-%m', '-5-11'], ['%Y %m', '12345 11'], ['%b %Y', 'Foo 2016'], ['%S', '60'], ['%Y %S', '2016 61'], ['%Y %H', '2016 24'], ['%Y %M', '2016 7'], ['%Y %L', '2016 5'], ['%Y %N', '2016 123456789123'], ['%Y %p', '2016 AM'], ['%Y %I', '2016 13'], ['%Y %d', '2016 32'], ['%Y %d', '2016 0'], ['%q', 'q'], ['%Y %q', '2016 %q'], ['%Y%', '2016%'], ['é%Y', 'é2016'], ['%F %Z', '2016-11-23 Eastern Standard Time'], ['%F %Z', '2016-11-23 Europe/Berlin'], ['%F %Z', '2016-11-23 foo'], ['%F %z', '2016-11-23 GMT+2'], ['%F %z x', '2016-11-23 UTC x'], ['%h %Y', 'dec 2016'], ['%B%Y', 'May2016'], ['%d%b%Y', '23Nov2016'], ['%s.%N', '5.5'], ['%s %z', '5 +01:00'], ['%Q', '-1500'], ['%Y-%m-%d %H:%M:%S', '2016-11-23 24:00:00'], ['%F %H:%M:%S.%L %z', '2016-11-23 15:24:22.5 -01:30'], ['%X', '15:24:22'], ['%F %X', '2016-11-23 15:24:22'], ['%w %F', '7 2016-11-23'], ['%u %F', '0 2016-11-23'], ['%V %F', '54 2016-11-23'], ['%U %F', '53 2016-11-23']].each do |format, text|
  row('parse', [text, [format], nil], tried { STAMP.parse(text, format) }&.nsecs&.to_s)
  row('parse', [text, [format, '%F'], nil], tried { STAMP.parse(text, [format, '%F']) }&.nsecs&.to_s)
  row('parse', [text, [format], 'EST'], tried { STAMP.parse(text, format, 'EST') }&.nsecs&.to_s)
end
