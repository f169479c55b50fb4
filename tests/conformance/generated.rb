#!/usr/bin/env ruby
# frozen_string_literal: true

# Generates programs from generated/grammar.txt and compares the results of real Puppet with ours: acceptance, line of the
# error, resources, parameters, containment, logged messages.
#
#   ruby generated.rb OUR_CONFORMANCE_BINARY [--programs 1000] [--seed 1]         prints the differences as lines of JSON
#   ruby generated.rb --ask ANSWERS [--programs 1000] [--seed 1]                   saves Puppet's answers as lines of JSON
#   ruby generated.rb OUR_CONFORMANCE_BINARY --answers ANSWERS [--only SEED,...]   prints the differences from saved answers
#   ruby generated.rb --record generated/programs.tsv [--programs 4000]            records Puppet's answers to short programs
#
# A seed always gives the same program. Programs that take Puppet longer than LIMIT seconds are skipped. The version is
# that of the Puppet that Ruby finds: `ruby -rset -I OPENVOX/lib generated.rb ...` uses another one. `--modules FOLDER`
# adds modules and the productions of generated/stdlib.txt.

require 'digest'
require 'optparse'
require 'tmpdir'
require_relative 'catalog_json'

# Results that say nothing about the language: Puppet is too slow, or its stack overflows.
LEFT_OUT = /\Anot done in|stack level too deep/
# Text that differs in each run: the address of an object of Puppet, the time.
ADDRESS = /#<[\w:]+:0x\h{8}|#{Time.now.utc.strftime('%Y-%m-%dT')}/
LONGEST_ROW = 1200
# Small environment with a module, data, and resource types whose titles have several parts.
ENVIRONMENT = File.join(__dir__, 'generated', 'environment')
MODULES = [File.join(ENVIRONMENT, 'modules'), File.join(__dir__, 'catalogs', 'modules')]

# Every fourth program is compiled with the defaults of version 8.
def settings(seed)
  (seed % 4).zero? ? { strict: :error, strict_variables: true } : { strict: :warning, strict_variables: false }
end

# Generator of sources from the productions of a grammar.
class Generator
  Production = Struct.new(:text, :ends)

  def initialize(files)
    @productions = Hash.new { |hash, kind| hash[kind] = [] }
    files.flat_map { |file| File.readlines(file, chomp: true) }.each do |line|
      match = /\A(\w+)(?:\*(\d+))?(\.)?: (.*)\z/.match(line) or next
      production = Production.new(match[4].gsub('\n', "\n"), !match[3].nil?)
      Integer(match[2] || 1).times { @productions[match[1]] << production }
    end
  end

  def program(seed)
    @random = Random.new(seed)
    @scopes = [Hash.new { |hash, kind| hash[kind] = [] }]
    @count = @titles = @length = 0
    @deepest = 3 + @random.rand(5)
    @longest = 100 + @random.rand(@random.rand(10).zero? ? 5000 : 1000)
    text = expand('program', 0)
    @random.rand < 0.03 ? broken(text) : text
  end

  private

  def expand(kind, depth)
    kind = 'any' if %w[int str bool arr hash strs].include?(kind) && @random.rand < 0.006
    all = @productions.fetch(kind)
    ending = all.select(&:ends)
    # Statements are nested only as deep as the source allows.
    depth = [depth, 2].min if %w[stmts stmt resource].include?(kind)
    is_late = depth > @deepest || @length > @longest
    text = (is_late && ending.any? ? ending : all).sample(random: @random).text
    @length += text.length
    waiting = []
    made = text.gsub(/<([{}]|\w+(?: \w+){0,2})>/) { act(Regexp.last_match(0), Regexp.last_match(1).split, depth, waiting) }
    waiting.each { |name, of| @scopes.last[of] << name }
    made
  end

  def act(written, words, depth, waiting)
    case words
    in ['{'] then open_scope
    in ['}'] then close_scope
    in ['bind', name, kind] then bind(name, kind)
    in ['let', kind] then fresh.tap { |name| bind(name.delete('$'), kind) }
    in ['new', kind] then fresh.tap { |name| waiting << [name, kind] }
    in ['var', kind] then variable(kind, depth)
    in ['title'] then "'n#{@titles += 1}'"
    in ['old'] then "'n#{1 + @random.rand([@titles, 1].max)}'"
    in [kind] if @productions.key?(kind) then expand(kind, depth + 1)
    else written
    end
  end

  def open_scope
    @scopes << Hash.new { |hash, kind| hash[kind] = [] }
    ''
  end

  def close_scope
    @scopes.pop
    ''
  end

  def bind(name, kind)
    @scopes.last[kind] << "$#{name}"
    ''
  end

  def fresh
    "$v#{@count += 1}"
  end

  def variable(kind, depth)
    visible = @scopes.flat_map { |scope| kind == 'any' ? scope.values.flatten : scope[kind] }
    return visible.sample(random: @random) if visible.any?

    @productions[kind].select { |it| it.ends && !it.text.include?("<var #{kind}>") }.sample(random: @random).text
                      .gsub(/<(\w+)>/) { expand(Regexp.last_match(1), depth + 1) }
  end

  # Returns the source with one token deleted, doubled, or swapped with the next.
  def broken(text)
    tokens = text.scan(/\s+|\w+|[^\w\s]/)
    at = @random.rand(tokens.size)
    case @random.rand(3)
    when 0 then tokens.delete_at(at)
    when 1 then tokens.insert(at, tokens[at])
    else tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    end
    tokens.compact.join
  end
end

# Real Puppet.
class Original
  LIMIT = 5
  LOGS = []
  FACTS = JSON.generate('count' => 3, 'fqdn' => PuppetCompiler::NODE, 'os' => { 'family' => 'Debian', 'name' => 'Debian' })

  def initialize(work)
    PuppetCompiler.start(work, MODULES)
    Puppet::Util::Log.level = :info
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(LOGS))
    PuppetCompiler.send(:remove_const, :LIMIT)
    PuppetCompiler.const_set(:LIMIT, LIMIT)
  end

  def ask(seed, code)
    LOGS.clear
    answer = PuppetCompiler.ask(code, PuppetCompiler::Environment.new(MODULES, folder: ENVIRONMENT), FACTS, settings(seed))
    answer = { error: answer[:error].slice(:message, :file, :line) } if answer[:error]
    answer = { catalog: canonical(answer[:catalog], '') } if answer[:catalog]
    answer[:catalog]&.fetch(:resources)&.each { |resource| resource.delete(:file) }
    # Message of servers without a database for exported resources.
    return nil if LOGS.any? { |it| it.message.match?(ADDRESS) } || JSON.generate(answer, max_nesting: 300).match?(ADDRESS)

    logs = LOGS.reject { |it| %i[debug err].include?(it.level) || it.message.include?('without storeconfigs') }
    logs = logs.map { |it| [it.level.to_s, (it.level == :warning && !ENV['RAW']) ? '' : said(it.message)] }
    JSON.parse(JSON.generate(answer.merge(logs: logs), max_nesting: 300), max_nesting: 300)
  rescue JSON::NestingError, ArgumentError
    nil # what is too deep for JSON, and what Puppet fails to print, is left out
  end

  # Only the presence of a warning is compared, since our wording differs.
  def said(message)
    PuppetCompiler.text(message).sub(/\s+\((?:file & line not available|(?:file: [^,)]*(?:, )?)?(?:line: \d+)?(?:, column: \d+)?)\)\z/, '')
  end
end

# Real Puppet in a fresh process: some of its errors leave state that changes later output.
class Fresh
  def initialize(original)
    @pipe = IO.popen('-', 'r+') || answer(original)
  end

  def ask(seed, code)
    @pipe.puts JSON.generate([seed, code])
    @pipe.flush
    JSON.parse(@pipe.gets, max_nesting: 300)
  end

  private

  def answer(original)
    $stdin.each_line do |line|
      Process.wait(fork { puts JSON.generate(original.ask(*JSON.parse(line)), max_nesting: 300) })
    end
    exit!
  end
end

# Our answers.
class Ours
  SECONDS = 20

  def initialize(binary)
    @binary = binary
    start
  end

  def start
    @pipe = IO.popen([@binary], 'r+')
  end

  def ask(seed, code)
    wanted = settings(seed).merge(puppet_version: Puppet.version.to_i)
    @pipe.puts JSON.generate(kind: 'catalog', code: code, facts: JSON.parse(Original::FACTS), node: PuppetCompiler::NODE,
                             environment: ENVIRONMENT, modulepath: MODULES, settings: wanted)
    @pipe.flush
    raise IOError, 'no answer' unless @pipe.wait_readable(SECONDS)

    answer = JSON.parse(@pipe.gets || raise(IOError, 'the process ended'), max_nesting: 300)
    logs = (answer['logs'] || []).map { |it| [it['level'], it['level'] == 'warning' ? '' : it['message']] }.reject { |(level, _)| %w[debug err].include?(level) }
    { 'catalog' => answer['catalog'], 'error' => answer['error'], 'logs' => logs }
  rescue IOError, Errno::EPIPE => e
    Process.kill('KILL', @pipe.pid)
    @pipe.close
    start
    { 'failed' => e.message }
  end
end

# Omits a `name` that repeats the title, even if the title was not a string.
def parameters_of(catalog)
  catalog['resources'].to_h do |it|
    [[it['type'], it['title'], it['exported'] || false], it['params'].reject { |name, value| name == 'name' && value == it['title'] }]
  end
end

# Puppet reports the location of the declaration, and in the message the location inside the declared definition, if known;
# for a `case` it reports the expression instead of the failing option. The line of a syntax error is a matter of choice,
# and so are that of an unterminated construct and that of an expression without effect (its start or its operator).
LINE_OF_TASTE = %r{\A(?:Syntax\ error|Unclosed\ quote|Heredoc\ without\ end-tagged\ line)|Syntax\ error\ at|has\ no\ effect|Invalid\ tag|
                   Use\ of\ an\ Iterator\ is\ not\ supported\ here|evaluating\ a\ 'case'\ statement}x
# Failures of Hiera have no location: Puppet reports the resource of the defined type in which they occur.
WITHOUT_PLACE = /Resource Statement, (?:Function lookup\(\) did not find|Lookup of key|Unknown interpolation method)/
def same_line?(error, ours)
  return true if error['line'].nil? || LINE_OF_TASTE.match?(error['message'])

  # `create_resources` calls the manifest `unknown`.
  named = error['message'].scan(/\((?:file: ([^,)]*), )?line: (\d+)/) << [error['file'].to_s, error['line'].to_s]
  named.map! { |file, line| [file.to_s.delete_prefix('unknown'), line] }
  named.intersect?(places(ours || {}, WITHOUT_PLACE.match?(error['message'])))
end

# Returns the locations that we report; for a template given as a string, its line in that string counts.
def places(ours, with_calls)
  return [['inlined-epp-text', Regexp.last_match(1)]] if /\Aline (\d+) of the template: / =~ ours['message']

  places = [ours] + (with_calls ? ours['calls'].to_a : [])
  places.map { |it| [it['file'].to_s, it['line'].to_s] }
end

# Returns the first difference, or nil.
def difference(puppet, ours)
  return ours['failed'] if ours['failed']
  return puppet['error'] ? 'missed' : 'false alarm' if puppet['error'].nil? != ours['error'].nil?

  if puppet['error']
    return 'line' unless same_line?(puppet['error'], ours['error'])
  else
    theirs, own = [puppet, ours].map { |it| parameters_of(it['catalog']) }
    return 'resources' if theirs.keys.sort != own.keys.sort
    return 'parameters' if theirs != own
    return 'edges' if puppet['catalog']['edges'].sort != ours['catalog']['edges'].sort
  end
  # The warnings logged before a syntax error are a matter of choice, too.
  is_placed = puppet['error'].nil? || !same_line?(puppet['error'], nil)
  'logs' if is_placed && puppet['logs'] != ours['logs']
end

# Yields Puppet's answer to each program: [seed, code, answer].
def answers(original, generator, seeds)
  seeds.lazy.map do |seed|
    code = generator.program(seed)
    puppet = original.ask(seed, code)
    [seed, code, puppet.nil? || puppet.dig('error', 'message')&.match?(LEFT_OUT) ? nil : puppet]
  end
end

# Reads saved answers.
def kept(file, only)
  File.foreach(file).lazy.map { |line| JSON.parse(line, max_nesting: 400) }.select { |(seed, _)| only.nil? || only.include?(seed) }
end

def compare(fresh, answers, ours)
  tally = Hash.new(0)
  answers.each do |(seed, code, puppet)|
    next tally['left out'] += 1 if puppet.nil?

    answer = ours.ask(seed, code)
    different = difference(puppet, answer)
    puppet = fresh.ask(seed, code) if different
    next tally['left out'] += 1 if puppet.nil?

    different &&= difference(puppet, answer)
    tally[different || (puppet['error'] ? 'both refuse' : 'both accept')] += 1
    next unless different

    $stdout.puts JSON.generate({ seed: seed, what: different, code: code, puppet: puppet, ours: answer }, max_nesting: 400)
    $stdout.flush
  end
  warn tally.sort_by { |_, count| -count }.map { |what, count| "#{count} #{what}" }.join(', ')
end

# Formats a value in a way that does not depend on a JSON library: strings with their length, floats by their bits, hashes
# sorted by key.
def plain(value)
  case value
  when Integer, true, false then value.to_s
  when nil then 'null'
  when Float then "f#{[value].pack('G').unpack1('H*')}"
  when String then "#{value.bytesize}:#{value}"
  when Array then "[#{value.map { |it| plain(it) }.join(',')}]"
  when Hash then "{#{value.sort.map { |key, it| "#{plain(key)}=#{plain(it)}" }.join(',')}}"
  end
end

# Returns a row of generated/programs.tsv.
def outcome(puppet)
  error = puppet['error']
  logs = plain(puppet['logs'])
  return "ok #{digest(catalog_text(puppet['catalog']) + logs)}" unless error

  lines = same_line?(error, nil) ? [] : [error['line']] + error['message'].scan(/line: (\d+)/).flatten.map(&:to_i)
  "error #{lines.empty? ? '-' : lines.uniq.join(',')} #{digest(logs)}"
end

def catalog_text(catalog)
  resources = parameters_of(catalog).map { |(type, title, exported), parameters| [type, title, exported, parameters] }
  [resources, catalog['edges']].map { |list| list.map { |it| plain(it) }.sort.join("\n") }.join("\n")
end

def digest(text)
  Digest::SHA256.hexdigest(text)[0, 16]
end

def record(answers, file)
  File.open(file, 'w') do |out|
    answers.each do |(seed, code, puppet)|
      out.puts [seed, JSON.generate(code), outcome(puppet)].join("\t") unless code.length > LONGEST_ROW || puppet.nil?
    end
  end
end

def keep(answers, file)
  File.open(file, 'w') { |out| answers.each { |it| out.puts JSON.generate(it, max_nesting: 400) } }
end

options = { programs: 1000, seed: 1 }
OptionParser.new do |parser|
  parser.on('--programs N', Integer) { |it| options[:programs] = it }
  parser.on('--seed N', Integer) { |it| options[:seed] = it }
  parser.on('--record FILE') { |it| options[:record] = it }
  parser.on('--ask FILE') { |it| options[:ask] = it }
  parser.on('--answers FILE') { |it| options[:answers] = it }
  parser.on('--only SEEDS') { |it| options[:only] = it.split(',').map(&:to_i) }
  parser.on('--modules FOLDER') { |it| options[:modules] = it }
  parser.on('--print') { options[:print] = true }
end.parse!
grammars = ['grammar.txt']
if options[:modules]
  MODULES << options[:modules]
  grammars << 'stdlib.txt'
end
generator = Generator.new(grammars.map { |it| File.join(__dir__, 'generated', it) })
seeds = options[:seed]...(options[:seed] + options[:programs])
Dir.mktmpdir do |work|
  if options[:print]
    seeds.each { |seed| puts generator.program(seed), '' }
    next
  end
  original = Original.new(work)
  asked = options[:answers] ? kept(options[:answers], options[:only]) : answers(original, generator, seeds)
  if options[:record]
    record(asked, options[:record])
  elsif options[:ask]
    keep(asked, options[:ask])
  else
    compare(Fresh.new(original), asked, Ours.new(ARGV.fetch(0)))
  end
end
