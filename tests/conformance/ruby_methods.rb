#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the methods of the objects in a template: writes analysis/ruby/src/ruby_methods.txt.
#
#   ruby tests/conformance/ruby_methods.rb
#
# A line is a class, a colon, and the names of its methods, including private ones of the template object, which are called
# without a receiver. Methods added by later versions of Ruby are in LATER. Methods added by Ruby's standard library count,
# too (`'a b'.shellescape`): other code in the rendering process may have loaded it.
require 'erb'
require 'json'
require 'yaml'
require 'set'
require 'time'
require 'ipaddr'
require 'puppet'
require 'puppet/parser/templatewrapper'

%w[
  abbrev base64 benchmark bigdecimal bigdecimal/util cgi csv date delegate digest English etc expect fiddle find forwardable io/console
  io/wait ipaddr json/add/core matrix monitor net/http objspace open3 open-uri optparse/uri ostruct pathname pp prettyprint prime pstore
  psych racc/parser random/formatter rexml/document ripper securerandom shellwords singleton socket stringio strscan tempfile timeout tmpdir
  tsort uri weakref zlib
].each do |library|
  require library
rescue LoadError => e
  warn "#{library}: #{e.message}"
end

LATER = {
  'Array' => %i[fetch_values product],
  'Hash' => %i[except deconstruct_keys],
  'Integer' => %i[ceildiv],
  'String' => %i[byteindex byterindex bytesplice dedup append_as_bytes],
  'Range' => %i[overlap? reverse_each],
  'MatchData' => %i[deconstruct deconstruct_keys named_captures byteoffset bytebegin byteend],
  'Regexp' => %i[timeout],
  'Enumerator' => %i[product],
}.freeze

TEXT = File.expand_path('../../analysis/ruby/src/ruby_methods.txt', __dir__)
CLASSES = [NilClass, TrueClass, FalseClass, Integer, Float, Symbol, String, Array, Hash, Range, Regexp, MatchData, Enumerator].freeze

lines = CLASSES.map do |klass|
  names = klass.public_instance_methods | LATER.fetch(klass.name, [])
  "#{klass.name}: #{names.sort.join(' ')}"
end
template = Puppet::Parser::TemplateWrapper
names = template.public_instance_methods | template.private_instance_methods | template.protected_instance_methods
lines << "Template: #{names.sort.join(' ')}"
# Methods of Puppet's own value classes, for values without a Ruby equivalent.
types = Puppet::Pops::Types.constants.map { |it| Puppet::Pops::Types.const_get(it) }.grep(Class)
others = [Puppet::Resource, Puppet::Pops::Time::Timespan, Puppet::Pops::Time::Timestamp, SemanticPuppet::Version, SemanticPuppet::VersionRange,
          Puppet::Pops::Types::PBinaryType::Binary, Puppet::Pops::Types::PSensitiveType::Sensitive, URI::Generic, Puppet::Pops::Types::PuppetObject,
          Puppet::Pops::Evaluator::DeferredValue, Puppet::Parser::Resource]
all = (types + others).flat_map { |it| it.public_instance_methods }.uniq
lines << "Puppet: #{all.sort.join(' ')}"
File.write(TEXT, "#{lines.join("\n")}\n")

# Arity of methods that do not take any number of arguments: `name=arity`, as Ruby counts.
ARITIES = File.expand_path('../../analysis/ruby/src/ruby_arities.txt', __dir__)
OBJECTS = [nil, true, false, 1, 1.5, :a, '', [], {}, (1..2), /a/, 'a'.match(/a/), [].each].freeze
arities = OBJECTS.map do |object|
  known = object.public_methods.uniq.sort.map { |name| [name, object.method(name).arity] }
  known = known.reject { |_, arity| arity == -1 }
  "#{object.class.name}: #{known.map { |name, arity| "#{name}=#{arity}" }.join(' ')}"
end
File.write(ARITIES, "#{arities.join("\n")}\n")
