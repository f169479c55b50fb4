#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the results of module functions written in Ruby with real Puppet.
#
#   ruby functions.rb CORPUS [MODULE...]     writes functions.tsv.gz and functions_kept.tsv.gz next to this script
#
# Prints the rows, too. CORPUS is the output of fetch-corpus.sh. Arguments come from the types of signatures, from examples
# in the function's file, from boundary values, and from wrong types; calls with different outcomes are kept. README.md
# describes the rows.

require_relative 'recorder'
require_relative 'values'

TRIED = 240
WANTED = 92
# Functions that would wait for input or end the process.
LEFT_OUT = %w[pry].freeze
# Addresses of objects, and paths below the corpus, which are specific to this process.
ACCIDENTAL = /0x\h{8}|\(eval\)|ruby_executable_hooks|not done in \d+ seconds/.freeze
LONGEST = 400
# Time limit of a call in seconds.
LIMIT = 4

class FunctionRecorder
  attr_reader :rows

  def initialize(corpus, only)
    @corpus = File.realpath(corpus)
    @only = only
    @rows = []
    @environment = PuppetCompiler::Environment.new(["#{@corpus}/modules"])
    @facts = JSON.generate(RubyRecorder::FACTS.merge(RubyRecorder::LEGACY_FACTS))
    @pool = values_of(Values::ALL)
  end

  # Returns [source, value] for each source that evaluates to a value.
  def values_of(sources)
    pairs = nil
    Puppet.override(PuppetCompiler.prepare('', @environment, @facts, {}, PuppetCompiler::NODE).last, 'values') do
      parser = Puppet::Pops::Parser::EvaluatingParser.new
      compiler = Puppet::Parser::Compiler.new(PuppetCompiler.prepare('', @environment, @facts, {}, PuppetCompiler::NODE).first)
      scope = Puppet::Parser::Scope.new(compiler)
      Puppet.override(global_scope: scope) do
        pairs = sources.map { |source| [source, parser.evaluate_string(scope, source)] }
      end
    end
    pairs
  end

  def run
    RubyRecorder.modules(@corpus).each do |name, version, folder|
      next unless @only.empty? || @only.include?(name)

      functions(folder).each { |function, api, path| record(name, version, function, api, path) }
    end
  end

  # Returns [name, :v3 or :v4, path]; a legacy function only if no new one hides it.
  def functions(folder)
    new = Dir["#{folder}/lib/puppet/functions/**/*.rb"].sort.map do |path|
      [path.delete_prefix("#{folder}/lib/puppet/functions/").delete_suffix('.rb').gsub('/', '::'), :v4, path]
    end
    old = Dir["#{folder}/lib/puppet/parser/functions/*.rb"].sort.map { |path| [File.basename(path, '.rb'), :v3, path] }
    names = new.map(&:first)
    core = Dir["#{Gem.loaded_specs['puppet']&.full_gem_path || '/usr/lib/ruby/vendor_ruby'}/puppet/functions/*.rb"].map { |it| File.basename(it, '.rb') }
    (new + old.reject { |name, *| names.include?(name) || core.include?(name) }).reject { |name, *| LEFT_OUT.include?(name) }
  end

  def record(from, version, name, api, path)
    random = Random.new(Digest::SHA256.hexdigest(name)[0, 12].hex)
    text = File.read(path, encoding: 'UTF-8')
    calls = examples(name, text) + Array.new(TRIED) { call(name, api, text, random) }.compact
    results = calls.uniq.map { |source| [source, *ask(source, path)] }.reject { |_, outcome,| outcome.match?(ACCIDENTAL) }
    keep(results, random).each do |source, outcome, effect|
      @rows << RubyRecorder.line(from, version, name, source, outcome, effect)
      puts @rows.last
    end
    values = results.count { |_, outcome| outcome.start_with?('=>') }
    warn "#{from} #{name}: #{results.size} calls, #{values} values" if ENV['TALK']
  end

  # Returns example calls in the file itself or in the module's manifests that fit on one line.
  def examples(name, text)
    found = text.scan(/(?<![\w:])#{Regexp.escape(name)}\((?:[^()\n]|\([^()\n]*\))*\)/).first(25)
    found.reject { |it| it.match?(/\$\w|#\{/) }
  end

  def call(name, api, text, random)
    arguments = api == :v4 ? typed(name, random) : guessed(name, text, random)
    return unless arguments

    arguments, block = arguments
    "#{name}(#{arguments.join(', ')})#{" #{block}" if block}"
  end

  def typed(name, random)
    dispatchers = (@dispatchers ||= {})[name] ||= load_dispatchers(name)
    return if dispatchers.empty?

    dispatch = dispatchers[random.rand(dispatchers.size)]
    types = dispatch[:types]
    max = [dispatch[:max], types.size + 2].min
    count = dispatch[:min] + random.rand([max - dispatch[:min] + 1, 1].max)
    count = [count + random.rand(3) - 1, 0].max if random.rand < 0.05
    arguments = Array.new(count) do |index|
      sources = dispatch[:sources][[index, types.size - 1].min]
      random.rand < 0.88 && sources && !sources.empty? ? sources[random.rand(sources.size)] : Values::ALL[random.rand(Values::ALL.size)]
    end
    wants_block = dispatch[:block] == :required ? random.rand < 0.95 : dispatch[:block] ? random.rand < 0.7 : random.rand < 0.01
    [arguments, wants_block ? Values::LAMBDAS[random.rand(Values::LAMBDAS.size)] : nil]
  end

  def load_dispatchers(name)
    typed = Puppet::Pops::Loader::TypedName.new(:function, name)
    function = @environment.loaders.private_environment_loader.load_typed(typed)&.value
    Puppet.override(loaders: @environment.loaders) do
      return function.class.dispatcher.dispatchers.reject(&:argument_mismatch_handler?).map do |it|
        parameters = it.type.param_types
        sizes = parameters.size_range || [parameters.types.size, parameters.types.size]
        { types: parameters.types, min: sizes[0].to_i, max: sizes[1] == :default || sizes[1].nil? || sizes[1].infinite? ? 99 : sizes[1],
          sources: parameters.types.map { |type| Values.of_type(type, @pool) },
          block: it.block_name && (it.type.block_type.is_a?(Puppet::Pops::Types::POptionalType) ? :optional : :required) }
      end
    end
  rescue StandardError, ScriptError => e
    warn "#{name}: #{e.message[0, 100]}"
    []
  end

  # Strings and patterns in the code of a legacy function reach more of its branches than others.
  def guessed(name, text, random)
    mentioned = text.scan(/'([^'\\\n]{1,30})'/).flatten.uniq.map { |it| Values.quoted(it) }
    arity = (@arities ||= {})[name] ||= arity_of(name)
    count = arity >= 0 ? arity : -arity - 1 + random.rand(3)
    count = [count + random.rand(3) - 1, 0].max if random.rand < (arity >= 0 ? 0.04 : 0.15)
    kinds = kinds_for(text)
    arguments = Array.new(count) do |index|
      roll = random.rand
      list = roll < 0.1 && !mentioned.empty? ? mentioned : roll < 0.85 ? kinds[index % kinds.size] : Values::ALL
      list[random.rand(list.size)]
    end
    # The other arguments often refer to the first one.
    arguments[1] = arguments[0] if count > 1 && random.rand < 0.05
    [arguments, nil]
  end

  def kinds_for(text)
    @kinds ||= @pool.group_by { |_, value| value.class }.transform_values { |pairs| pairs.map(&:first) }
    wanted = []
    wanted << @kinds[String] if text.match?(/String|string|to_s|=~/)
    wanted << @kinds[Array] if text.match?(/Array|\.each|\.map|flatten/)
    wanted << @kinds[Hash] if text.match?(/Hash|\.keys|\.merge/)
    wanted << @kinds[Integer] if text.match?(/Integer|Numeric|to_i\b/)
    wanted << (@kinds[TrueClass] + @kinds[FalseClass]) if text.match?(/TrueClass|Bool/)
    wanted = [@kinds[String], @kinds[Array]] if wanted.empty?
    all = wanted.flatten
    # Any value at any position, with more positions than kinds.
    Array.new(3) { all }
  end

  def arity_of(name)
    environment = @environment.puppet
    Puppet::Parser::Functions.autoloader.load(name, environment) unless Puppet::Parser::Functions.function(name, environment)
    Puppet::Parser::Functions.arity(name, environment) || -1
  rescue StandardError, ScriptError
    -1
  end

  # Returns the outcome as a string, and the queries about the machine.
  def ask(call, path)
    RubyRecorder::Effects.seen = nil
    RubyRecorder::Effects.folder = "#{@corpus}/modules"
    answer = PuppetCompiler.ask("notify { 'result': message => String(#{call}, '%p') }", @environment, @facts, { strict: 'warning', strict_variables: false }, limit: LIMIT)
    RubyRecorder::Effects.folder = nil
    outcome =
      if answer[:error] then "=! #{answer[:error][:message].lines.first.to_s.strip[0, 240]}"
      else shortened("#{answer[:catalog].resource('Notify', 'result')[:message]}#{others(answer[:catalog])}")
      end
    [outcome.gsub(@corpus, '/corpus'), RubyRecorder::Effects.seen.to_s]
  end

  # Replaces a long value with its digest.
  def shortened(text)
    text.size <= LONGEST ? "=> #{text}" : "=# #{Digest::SHA256.hexdigest(text.dup.force_encoding(Encoding::UTF_8).scrub)}"
  end

  # Returns the other resources that the call has declared.
  def others(catalog)
    made = catalog.resources.reject { |it| it.ref == 'Notify[result]' || it.ref =~ /\A(?:Class\[Main\]|Class\[Settings\]|Stage\[main\])\z/i }
    return '' if made.empty?

    shown = made.map { |it| "#{it.ref} #{it.to_h.sort_by { |name, _| name.to_s }.map { |name, value| "#{name}=#{value.inspect}" }.join(' ')}".strip }
    " || #{shown.sort.join(' | ')}"
  end

  # Keeps different outcomes first; two thirds are values if there are enough.
  def keep(results, random)
    values, errors = results.shuffle(random: random).partition { |_, outcome,| outcome.start_with?('=>') }
    values = different(values).first(WANTED * 2 / 3)
    values + different(errors).first(WANTED - values.size)
  end

  def different(results)
    results.group_by { |_, outcome,| outcome }.values.flat_map { |same| same.each_with_index.map { |it, index| [index, it] } }
           .sort_by.with_index { |(index, _), place| [index, place] }.map(&:last)
  end
end

corpus, *only = ARGV
abort "usage: #{$PROGRAM_NAME} CORPUS [MODULE...]" unless corpus
Dir.mktmpdir do |work|
  PuppetCompiler.start(work, ["#{File.realpath(corpus)}/modules"])
  recorder = FunctionRecorder.new(corpus, only)
  RubyRecorder::Effects.start(nil)
  recorder.run
  RubyRecorder.write('functions', recorder.rows) if only.empty?
end
