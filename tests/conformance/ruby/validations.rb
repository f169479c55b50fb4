#!/usr/bin/env ruby
# frozen_string_literal: true

# Records how resource types of real Puppet change or reject the values of attributes.
#
#   ruby validations.rb CORPUS [TYPE...]     writes validations.tsv.gz and validations_kept.tsv.gz next to this script
#
# Prints the rows, too. CORPUS is the output of fetch-corpus.sh; Puppet's own types are included. README.md describes the
# rows.

require_relative 'recorder'
require_relative 'values'

OWN = '/usr/lib/ruby/vendor_ruby'
# Types that no manifest declares.
LEFT_OUT = %w[component whit].freeze
TRIED = 70
# Number of rows for an attribute with validation, for one without, and for resources with several attributes.
WANTED = 11
WANTED_OF_PLAIN = 3
WHOLE = 16
ACCIDENTAL = /0x\h{8}|Errno::|No such file/.freeze

# Records the attributes before the resource as a whole is validated.
module Stages
  class << self
    attr_accessor :reached
  end

  def validate_resource
    Stages.reached = @parameters.transform_values { |it| it.is_a?(Puppet::Property) ? it.instance_variable_get(:@should) : it.value }
    super
  end
end

class ValidationRecorder
  attr_reader :rows

  def initialize(corpus, only)
    @corpus = File.realpath(corpus)
    @only = only
    @rows = []
  end

  def run
    modules = RubyRecorder.modules(@corpus)
    modules.each { |_, _, folder| $LOAD_PATH << "#{folder}/lib" }
    [['puppet', Puppet.version, "#{OWN}/.."], *modules].each do |from, version, folder|
      lib = from == 'puppet' ? OWN : "#{folder}/lib"
      Dir["#{lib}/puppet/type/*.rb"].sort.each do |path|
        name = File.basename(path, '.rb')
        next if LEFT_OUT.include?(name) || !(@only.empty? || @only.include?(name))

        type = load_type(name) or next
        record(from, version, type, path)
      end
    end
  end

  def load_type(name)
    Puppet::Type.type(name.to_sym)
  rescue StandardError, ScriptError => e
    warn "#{name}: #{e.message.lines.first}"
    nil
  end

  def record(from, version, type, path)
    text = File.read(path, encoding: 'UTF-8')
    random = Random.new(Digest::SHA256.hexdigest(type.name.to_s)[0, 12].hex)
    title = title_of(type, text)
    attributes = (type.validproperties + type.parameters).uniq.sort
    before = @rows.size
    accepted = attributes.to_h { |it| [it, attribute_rows(from, version, type, it, title, text, random)] }
    whole_rows(from, version, type, title, accepted, random)
    puts @rows.drop(before)
    warn "#{from} #{type.name}: #{@rows.size - before} rows, title #{title}" if ENV['TALK']
  end

  # Returns a title that the type accepts, as source.
  def title_of(type, text)
    mentioned = text.scan(/#{type.name} \{ ?['"]([^'"$]+)['"]:/).flatten
    candidates = mentioned + Values::TEXTS.values_at(3, 9, 10) + ['a/b', 'a b', 'section/setting', 'a:b', '100 test', 'a@b', 'db1.t', 'DEFAULT/x', '/x/y'] + Values::TEXTS
    found = candidates.find do |it|
      outcome, = ask(type, Values.quoted(it), {})
      outcome.start_with?('=>') || outcome.start_with?('=! -')
    end
    Values.quoted(found || 'x')
  end

  # Writes rows for values of one attribute; returns the sources of accepted values.
  def attribute_rows(from, version, type, attribute, title, text, random)
    klass = type.attrclass(attribute)
    sources = sources_for(klass, attribute, text, random)
    results = sources.map { |it| [it, *ask(type, title, { attribute => it })] }.reject { |_, outcome,| outcome.match?(ACCIDENTAL) }
    taken = results.reject { |_, outcome,| outcome.start_with?("=! #{attribute} ") }.map(&:first)
    plain = plain?(klass) && results.size == taken.size
    different(results).first(plain ? WANTED_OF_PLAIN : WANTED).each do |source, outcome, effect|
      @rows << RubyRecorder.line(from, version, type.name, title, "#{attribute} => #{source}", outcome, effect)
    end
    taken
  end

  # Returns true if the attribute only stores its value.
  def plain?(klass)
    own = %i[unsafe_validate unsafe_munge validate munge value=].map { |it| klass.instance_method(it).owner }
    klass.value_collection.empty? && (own - [Puppet::Parameter, Puppet::Property]).empty?
  end

  def sources_for(klass, attribute, text, random)
    listed = klass.value_collection.instance_variable_get(:@strings).flat_map { |it| [it.name, *it.aliases] }.map { |it| Values.quoted(it.to_s) }
    # Code near the attribute's name in the file.
    place = text.index(/new(?:param|property)\(:?['"]?#{Regexp.escape(attribute.to_s)}['"]?[,)]/) || text.index(":#{attribute}") || 0
    mentioned = text[place, 2500].scan(/'([^'\\\n]{1,24})'|"([^"\\\n#]{1,24})"|`([^`\n]{1,24})`|\/\^([\w :.-]+)\$\//).flatten.compact.uniq.first(25).map { |it| Values.quoted(it) }
    (listed + mentioned + Values::ALL.sample(TRIED, random: random) + %w[true false 0 1 443]).uniq.reject { |it| it.match?(/File\[|Package|Class\[|Timespan|default\z|\Aundef\z/) }
  end

  # Writes rows for resources with several attributes that are each accepted alone: the validation of the resource as a
  # whole.
  def whole_rows(from, version, type, title, accepted, random)
    return unless type.method_defined?(:validate)

    names = accepted.reject { |_, sources| sources.empty? }.keys
    return if names.empty?

    results = Array.new(WHOLE * 5) do
      given = names.sample(1 + random.rand([names.size, 6].min), random: random)
      given |= [:ensure] if names.include?(:ensure) && random.rand < 0.6
      attributes = given.to_h { |it| [it, accepted[it].sample(random: random)] }
      [attributes.map { |name, source| "#{name} => #{source}" }.join(', '), *ask(type, title, attributes)]
    end
    different(results.uniq.reject { |_, outcome,| outcome.match?(ACCIDENTAL) }).first(WHOLE).each do |attributes, outcome, effect|
      @rows << RubyRecorder.line(from, version, type.name, title, attributes, outcome, effect)
    end
  end

  def different(results)
    results.group_by { |_, outcome,| outcome.sub(/'[^']*'|"[^"]*"/, '') }.values.flat_map { |same| same.each_with_index.map { |it, index| [index, it] } }
           .sort_by.with_index { |(index, _), place| [index, place] }.map(&:last)
  end

  # Returns `=>` and the resulting values of the attributes; `=! ATTRIBUTE MESSAGE`; `=! - MESSAGE` for an error of the
  # whole resource.
  def ask(type, title, attributes)
    RubyRecorder::Effects.seen = nil
    Stages.reached = nil
    values = attributes.transform_values { |it| Marshal.load(Marshal.dump(value_of(it))) rescue value_of(it) }.compact
    RubyRecorder::Effects.folder = "#{@corpus}/modules"
    begin
      resource = Puppet::Resource.new(type.name.to_s, value_of(title), parameters: values)
      type.new(resource)
      outcome = "=> #{shown(values.keys)}"
    rescue Puppet::Error, ArgumentError, TypeError, StandardError => e
      outcome = refusal(e, values.keys)
    end
    RubyRecorder::Effects.folder = nil
    [outcome.gsub(@corpus, '/corpus'), RubyRecorder::Effects.seen.to_s]
  end

  def refusal(error, names)
    message = error.message.lines.first.to_s.strip
    return "=! - #{message[0, 200]}" if Stages.reached
    return "=! #{Regexp.last_match(1)} #{Regexp.last_match(2)[0, 200]}" if message =~ /\AParameter (\S+) failed on .*?\]: (.*)\z/m

    "=! #{names.size == 1 ? names.first : '?'} #{message[0, 200]}"
  end

  def shown(names)
    names.map { |name| Stages.reached.key?(name) ? "#{name}=#{text_of(Stages.reached[name])}" : "#{name} not managed" }.join(', ')
  end

  def text_of(value)
    case value
    when String, Symbol, Integer, Float, true, false, nil then value.inspect
    when Array then "[#{value.map { |it| text_of(it) }.join(', ')}]"
    when Hash then "{#{value.map { |key, it| "#{text_of(key)}=>#{text_of(it)}" }.join(', ')}}"
    else "?#{value.class}"
    end
  end

  # Returns values in the form that a catalog has.
  def value_of(source)
    @values ||= {}
    @values[source] ||= [evaluate(source)]
    @values[source].first
  end

  def evaluate(source)
    @environment ||= PuppetCompiler::Environment.new([])
    found = nil
    node, context = PuppetCompiler.prepare('', @environment, '{}', {}, PuppetCompiler::NODE)
    Puppet.override(context, 'values') do
      scope = Puppet::Parser::Scope.new(Puppet::Parser::Compiler.new(node))
      Puppet.override(global_scope: scope) { found = Puppet::Pops::Parser::EvaluatingParser.new.evaluate_string(scope, source) }
    end
    found.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive) ? found.unwrap : plain(found)
  end

  # Returns values as the agent reads them: strings where a type does not expect rich data.
  def plain(value)
    case value
    when Array then value.map { |it| plain(it) }
    when Hash then value.to_h { |key, it| [plain(key), plain(it)] }
    when String, Integer, Float, true, false, nil then value
    else value.to_s
    end
  end
end

corpus, *only = ARGV
abort "usage: #{$PROGRAM_NAME} CORPUS [TYPE...]" unless corpus
Dir.mktmpdir do |work|
  PuppetCompiler.start(work, [])
  # Facts of an agent, always the same.
  RubyRecorder::FACTS.merge(RubyRecorder::LEGACY_FACTS).each { |name, value| Facter.add(name, weight: 10_000) { setcode { value } } }
  Puppet::Type.prepend(Stages)
  recorder = ValidationRecorder.new(corpus, only)
  RubyRecorder::Effects.start(nil)
  recorder.run
  RubyRecorder.write('validations', recorder.rows) if only.empty?
end
