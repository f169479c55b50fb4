#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the definitions that real Puppet loads from Ruby plugins: functions, resource types, providers, and facts of the
# corpus and of Puppet itself.
#
#   ruby plugins.rb DIR     writes plugins.tsv next to this script; DIR is the output of fetch-corpus.sh
#
# Each module is loaded in a separate process. Lines, with tabs between the fields; MODULE is `puppet` for Puppet itself,
# and PATH is relative to the module's folder:
#
#   function4  MODULE PATH NAME              followed by its `dispatch` lines, or by `error` and a message
#   dispatch   names of parameters, name of the block, type
#   function3  MODULE PATH NAME KIND ARITY
#   type       MODULE NAME                   its features, and `title_patterns` if it has some
#   attribute  NAME kind and flags; values, aliases, patterns, required features
#   provider   MODULE PATH TYPE NAME
#   fact       MODULE PATH NAME
#   open       MODULE PATH                   Puppet cannot load the file here

require 'puppet'
require 'puppet/pops'
require 'facter'

HERE = __dir__
OWN = '/usr/lib/ruby/vendor_ruby'
# Fact named after the hardware of the machine.
OF_MACHINE = /\Apci_address_driver_/

# Facts and providers with their defining files, recorded by hooks in their loaders.
MADE = []

module RecordProviders
  def provide(name, options = {}, &block)
    file = caller_locations(1, 1).first.path
    MADE << ['provider', file, self.name, name.to_s.downcase]
    super
  end
end

module RecordFacts
  def add(name, options = {}, &block)
    MADE << ['fact', caller_locations.map(&:path).find { |it| it.include?('/facter/') && it.start_with?($lib) }, name.to_s.downcase]
  end
end

def pattern(regexp)
  regexp.options.zero? ? regexp.source : regexp.to_s
end

def plain(text)
  text.to_s.gsub(/\s+/, ' ')
end

# Returns true if the list alone decides which values are valid, without custom validation or munging.
def closed?(attribute)
  own = %i[unsafe_validate validate value=].map { |it| attribute.instance_method(it).owner }
  own << attribute.instance_method(:should=).owner if attribute < Puppet::Property
  (own - [Puppet::Parameter, Puppet::Property]).empty?
end

# Values may contain spaces.
def list(values)
  values.map { |it| it.to_s.empty? ? "''" : plain(it) }.join(' | ')
end

def attribute_row(type, attribute)
  values = attribute.value_collection
  literals = values.instance_variable_get(:@strings)
  patterns = values.instance_variable_get(:@regexes)
  is_property = type.attrtype(attribute.name) == :property
  flags = [is_property ? 'property' : 'parameter']
  flags << 'namevar' if attribute.isnamevar? || (attribute.name == :name && !is_property)
  flags << 'array' if is_property && attribute.array_matching == :all
  flags << 'closed' if !values.empty? && closed?(attribute)
  aliases = literals.flat_map { |value| (value.aliases || []).map { |other| "#{other}=#{value.name}" } }
  fields = [literals.map(&:name), aliases, patterns.map { |it| pattern(it.name) }, attribute.required_features || []]
  ['attribute', attribute.name, flags.join(' '), *fields.map { |it| list(it) }].join("\t")
end

def type_rows(from, name)
  type = Puppet::Type.type(name.to_sym) or return []
  words = ["features #{type.features.sort.join(' ')}"]
  words << 'title_patterns' if type.singleton_methods(false).include?(:title_patterns)
  attributes = (type.validproperties + type.parameters - [:provider]).sort
  [['type', from, name, *words].join("\t"), *attributes.map { |it| attribute_row(type, type.attrclass(it)) }]
end

def function4_rows(from, lib, path, loader)
  name = path.delete_prefix('puppet/functions/').delete_suffix('.rb').gsub('/', '::')
  typed = Puppet::Pops::Loader::TypedName.new(:function, name)
  begin
    function = Puppet::Pops::Loader::RubyFunctionInstantiator.create(loader, typed, "#{lib}/#{path}", File.read("#{lib}/#{path}"))
  rescue StandardError, ScriptError => e
    return ["open\t#{from}\tlib/#{path}", "# #{plain(e.message)}"]
  end
  dispatches = function.class.dispatcher.dispatchers.reject(&:argument_mismatch_handler?)
  ["function4\t#{from}\tlib/#{path}\t#{name}"] + dispatches.map do |it|
    "dispatch\t#{it.param_names.join(' ')}\t#{it.block_name}\t#{plain(it.type)}"
  end
end

def function3_rows(from, lib, path)
  functions = Puppet::Parser::Functions
  environment = Puppet.lookup(:current_environment)
  before = functions.environment_module(environment).all_function_info.keys
  load("#{lib}/#{path}")
  made = functions.environment_module(environment).all_function_info.reject { |name, _| before.include?(name) }
  made.map { |name, info| "function3\t#{from}\tlib/#{path}\t#{name}\t#{info[:type]}\t#{info[:arity]}" }
rescue StandardError, ScriptError => e
  ["open\t#{from}\tlib/#{path}", "# #{plain(e.message)}"]
end

def load_quietly(from, lib, path)
  load("#{lib}/#{path}")
  []
rescue StandardError, ScriptError => e
  ["open\t#{from}\tlib/#{path}", "# #{plain(e.message)}"]
end

def look(from, lib, libs)
  $lib = lib
  $LOAD_PATH.replace([lib, *libs.reject { |it| it == lib }, *$LOAD_PATH])
  files = Dir["#{lib}/{puppet,facter}/**/*.rb"].map { |it| it.delete_prefix("#{lib}/") }.sort
  loader = Puppet.lookup(:loaders).private_environment_loader
  rows = []
  files.each do |path|
    case path
    when %r{\Apuppet/functions/} then rows.concat(function4_rows(from, lib, path, loader))
    when %r{\Apuppet/parser/functions/[^/]+\z} then rows.concat(function3_rows(from, lib, path))
    when %r{\Apuppet/type/([^/]+)\.rb\z} then rows.concat(type_rows(from, $1))
    when %r{\Apuppet/provider/[^/]+/[^/]+\z} then rows.concat(load_quietly(from, lib, path))
    when %r{\Afacter/}
      next if from == 'puppet'
      Facter.singleton_class.prepend(RecordFacts)
      rows.concat(load_quietly(from, lib, path))
    end
  end
  made = MADE.select { |_, file, name| file&.start_with?("#{lib}/") && name !~ OF_MACHINE }
  rows + made.map { |word, file, *names| [word, from, "lib/#{file.delete_prefix("#{lib}/")}", *names].join("\t") }.uniq.sort
end

corpus = File.realpath(ARGV.fetch(0) { abort("usage: #{$PROGRAM_NAME} DIR") })
libs = Dir["#{corpus}/modules/*/lib"].map { |it| File.realpath(it) }.sort
Puppet.initialize_settings(%w[--confdir=/nonexistent --vardir=/nonexistent --log_level=crit], false)
environment = Puppet::Node::Environment.create(:plugins, ["#{corpus}/modules"])
Puppet.push_context(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment))
Puppet::Type.singleton_class.prepend(RecordProviders)
rows = [['puppet', OWN], *libs.map { |lib| [File.basename(File.dirname(lib)), lib] }].flat_map do |from, lib|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen($stderr)
    writer.write(Marshal.dump(look(from, lib, libs)))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(child)
  text.empty? ? ["# #{from} could not be loaded"] : Marshal.load(text)
end
File.write("#{HERE}/plugins.tsv", "#{rows.join("\n")}\n")
