#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Generates `named_types.txt`: the named types that Puppet predefines in addition to those of the language.
#
#     ruby analysis/types/data/generate.rb
#
# An entry begins with an unindented line:
#     object NAME [< PARENT]          an object type, and below it, indented:
#       parameter NAME TYPE             a type parameter
#       attribute NAME [WORDS] TYPE [= VALUE]     WORDS: final, override, or the kind
#       constant NAME TYPE = VALUE
#       function NAME [WORDS] TYPE
#       equality NAME ...
#       new NAME ...                    the constructor parameters in order, unless it follows from the
#                                       attributes
#     alias NAME TYPE
#     typeset NAME VERSION
#       type NAME TYPE
# `⏎` denotes a line break in a regular expression.
require 'tmpdir'
require 'puppet'
require 'puppet_pal'

Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir], false)
Puppet[:tasks] = true
Types = Puppet::Pops::Types
OF_THE_LANGUAGE = %w[data richdata richdatakey].freeze

def text(type)
  Types::TypeFormatter.singleton.string(type).gsub("\n", '⏎')
end

def value_text(value)
  Types::StringConverter.convert(value, '%p')
end

def words(member)
  list = []
  list << 'final' if member.final? && !member.constant?
  list << 'override' if member.override?
  list << member.kind if member.respond_to?(:kind) && member.kind && !member.constant?
  list.map { |word| "#{word} " }.join
end

# Returns the parameter names in the order of the constructor, or nil if it follows from the attributes.
def constructor(type)
  by_attributes = type.init_hash_type.elements.partition { |element| !element.key_type.is_a?(Types::POptionalType) }
                      .flatten.map(&:name)
  names = type.parameter_info(type.implementation_class)[0]
  names == by_attributes ? nil : names
rescue StandardError
  nil
end

def object_lines(type)
  lines = [type.parent.nil? ? "object #{type.name}" : "object #{type.name} < #{text(type.parent)}"]
  type.type_parameters.each_value { |it| lines << "  parameter #{it.name} #{text(it.type)}" }
  type.attributes.each_value do |it|
    word = it.constant? ? 'constant' : 'attribute'
    value = it.value? ? " = #{value_text(it.value)}" : ''
    lines << "  #{word} #{it.name} #{words(it)}#{text(it.type)}#{value}"
  end
  type.functions.each_value { |it| lines << "  function #{it.name} #{words(it)}#{text(it.type)}" }
  lines << "  equality #{type.equality.join(' ')}" unless type.equality.nil?
  names = constructor(type)
  lines << "  new #{names.join(' ')}" unless names.nil?
  lines
end

def type_set_lines(set)
  ["typeset #{set.name} #{set.version}".rstrip] + set.types.map { |name, type| "  type #{name} #{text(type)}" }
end

def lines_of(type)
  case type
  when Types::PObjectType then object_lines(type)
  when Types::PTypeAliasType then ["alias #{type.name} #{text(type.resolved_type)}"]
  when Types::PTypeSetType then type_set_lines(type)
  else []
  end
end

Puppet::Pal.in_tmp_environment('generate', modulepath: [], facts: {}) do |pal|
  pal.with_script_compiler do |_compiler|
    language = Types::TypeParser.type_map
    loaders = Puppet.lookup(:loaders)
    loaders.puppet_system_loader.load(:type, 'error')
    types = [loaders.static_loader, loaders.puppet_system_loader, loaders.private_environment_loader].flat_map do |it|
      found = it.instance_variable_get(:@loaded) || {}
      found = found.merge(it.instance_variable_get(:@named_values) || {})
      found = found.select { |name, _| name.type == :type }
      found.map { |name, entry| [name.name, entry.respond_to?(:value) ? entry.value : entry] }
    end
    types = types.reject { |name, type| type.nil? || language.include?(name) || OF_THE_LANGUAGE.include?(name) }
    types.each { |_, type| type.resolve(loaders.private_environment_loader) }
    lines = types.uniq(&:first).sort_by(&:first).flat_map { |_, type| lines_of(type) }
    File.write(File.join(__dir__, 'named_types.txt'), lines.join("\n") + "\n")
  end
end
