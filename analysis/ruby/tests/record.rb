#!/usr/bin/env ruby
# frozen_string_literal: true

# Records Ruby's results for the expressions in `expressions.txt` and for generated method calls on plain objects with arguments of
# all kinds. Writes `expressions.tsv` with one line per expression: the expression, then `= ` and the result of `inspect`, or `! ` and
# the class of the exception. Does not require Puppet.

require 'set'
require 'timeout'

RECEIVERS = [
  '"Hello, World"', '""', '" a b\n"', '"12.5x"', '"a/b/c"', '"äö"', ':sym', '0', '7', '-3', '2.5', '-0.0', 'true', 'nil',
  '[3, 1, 2]', '[]', '["b", nil, "a"]', '[[1, 2], [3, 4]]', '{ "a" => 1, :b => [2] }', '{}', '(1..4)', '("a".."c")', '/a(b)?/'
].freeze
ARGUMENTS = [
  '', '1', '-1', '0', '2.5', '"a"', '""', '"l"', ':a', 'nil', '[1]', '["a", "b"]', '{ "a" => 2 }', '/[a-c]/', '1, 2', '"l", "L"',
  '/l/, "<\\\\0>"', '1..2', '0, "x"', '"%s"'
].freeze
BLOCKS = ['{ |x| x }', '{ |x, y| [y, x] }', '{ |x| x.to_s }'].freeze
# Methods that depend on the machine, the time or the run, or that do not terminate.
SKIPPED = %i[
  hash object_id __id__ instance_exec instance_eval display method methods public_methods singleton_methods private_methods
  protected_methods public_method singleton_method singleton_class define_singleton_method extend enum_for to_enum freeze taint untaint
  trust untrust crypt cycle sample shuffle shuffle! rand pry irb binding instance_variable_set instance_variables pack unpack unpack1
  encode encode! force_encoding unicode_normalize unicode_normalize! unicode_normalized? encoding b scrub scrub! valid_encoding?
  lazy chunk slice_when chunk_while slice_before slice_after each_entry step % each_grapheme_cluster grapheme_clusters dump undump
  combination permutation repeated_combination repeated_permutation product bsearch bsearch_index sum itself then yield_self tap
  instance_variable_get instance_variable_defined? remove_instance_variable respond_to? send public_send __send__ class instance_of?
  compare_by_identity rehash to_proc timeout
].freeze

def outcome(code)
  value = Timeout.timeout(2) { TOPLEVEL_BINDING.dup.eval("Class.new { def f; #{code}\nend }.new.f") }
  shown = value.inspect
  return nil if shown =~ /#<|0x0/ && shown !~ /\A#<Set/

  "= #{shown.gsub('\\', '\\\\\\\\').gsub("\n", '\\n').gsub("\t", '\\t')}"
rescue SyntaxError
  nil
rescue Exception => e # rubocop:disable Lint/RescueException
  "! #{e.class}"
end

def whole_program(code)
  value = Timeout.timeout(2) { eval(code, TOPLEVEL_BINDING) }
  "= #{value.inspect.gsub('\\', '\\\\\\\\').gsub("\n", '\\n').gsub("\t", '\\t')}"
rescue SyntaxError
  nil
rescue Exception => e # rubocop:disable Lint/RescueException
  "! #{e.class}"
end

folder = __dir__
text = File.read(File.join(folder, 'expressions.txt')).lines.reject { |line| line.start_with?('#') }.join
# Heredocs are the only expressions that span several lines.
by_hand = text.scan(/<<~T\n.*?^T\n|[^\n]+\n/m).flat_map { |part| part.start_with?('<<~T') ? [part] : part.lines }.map(&:chomp)

lines = []
by_hand.each do |code|
  result = Process.respond_to?(:fork) && begin
    reader, writer = IO.pipe
    child = fork do
      $stderr.reopen(File::NULL)
      writer.write(whole_program(code).to_s)
      exit!(0)
    end
    writer.close
    Process.wait(child)
    reader.read
  end
  lines << "#{code.gsub("\n", '\\n')}\t#{result}" unless result.to_s.empty?
end

random = Random.new(1)
generated = RECEIVERS.flat_map do |receiver|
  object = eval(receiver)
  names = object.public_methods.uniq - SKIPPED
  names -= Kernel.instance_methods(false) - %i[to_s inspect is_a? nil? == != === =~ !~ <=> dup frozen? eql?]
  names.sort.flat_map do |name|
    calls = ARGUMENTS.map { |arguments| arguments.empty? ? '' : "(#{arguments})" }
    calls = [''] + calls.drop(1).sample(4, random: random) + BLOCKS.sample(1, random: random).map { |block| " #{block}" }
    calls.filter_map do |call|
      code = if name =~ /\A[a-z_]+[?!]?\z/
               "#{receiver}.#{name}#{call}"
             elsif call.start_with?('(') && !call.include?(',') && name !~ /\A[+\-!~]@?\z|=\z|\[\]/ || %i[+ - == != === <=].include?(name) && call.start_with?('(') && !call.include?(',')
               "#{receiver} #{name} #{call}"
             elsif name == :[] && call.start_with?('(')
               "#{receiver}[#{call[1..-2]}]"
             end
      code && [receiver, code]
    end
  end
end
generated.each do |_, code|
  result = outcome(code)
  # A third of the errors suffices.
  next if result.nil? || result.length > 300 || result.start_with?("!") && random.rand(3) > 0

  lines << "#{code}\t#{result}"
end
File.write(File.join(folder, 'expressions.tsv'), lines.uniq.join("\n") << "\n")
puts "#{lines.length} expressions"
