# frozen_string_literal: true

# Notation in which the recorders write values.

require 'puppet'

# Returns Puppet's notation, where nested values that Puppet prints as Ruby objects become constructor calls.
def with_constructors(value)
  plain = Puppet::Pops::Types::StringConverter
  case value
  when Array then "[#{value.map { |it| with_constructors(it) }.join(', ')}]"
  when Hash then "{#{value.map { |pair| pair.map { |it| with_constructors(it) }.join(' => ') }.join(', ')}}"
  when Puppet::Pops::Time::Timestamp then "Timestamp('#{value}')"
  when Puppet::Pops::Time::Timespan then "Timespan('#{value}')"
  when SemanticPuppet::Version then "SemVer('#{value}')"
  when SemanticPuppet::VersionRange then "SemVerRange('#{value}')"
  when Puppet::Pops::Types::PBinaryType::Binary then "Binary('#{value}')"
  when URI then "URI('#{value}')"
  when Puppet::Pops::Types::PSensitiveType::Sensitive then 'Sensitive [value redacted]'
  else plain.convert(value, '%p')
  end
end
