# Records what octocatalog-diff prints for pairs of catalogs.
#
#   ruby tests/conformance/octocatalog/record.rb octocatalog-diff
#
# Fills in `output` and `code` of each line of `cases.jsonl`, which has `options`, `from`, and `to`.

require 'json'
require 'open3'
require 'tmpdir'

program = ARGV.fetch(0)
file = File.join(__dir__, 'cases.jsonl')
cases = File.readlines(file).map { |line| JSON.parse(line) }
Dir.mktmpdir do |folder|
  cases.each do |one|
    %w[from to].each { |side| File.write(File.join(folder, side), one[side].to_json) }
    arguments = ['--from-catalog', 'from', '--to-catalog', 'to', '-n', 'n1', '--from', 'from', '--to', 'to', '-q', '--output-format', 'json']
    output, status = Open3.capture2(program, *arguments, *one['options'], chdir: folder)
    one.update('output' => output, 'code' => status.exitstatus)
  end
end
File.write(file, cases.map { |one| "#{one.to_json}\n" }.join)
puts "#{cases.size} cases recorded"
