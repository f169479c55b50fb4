# frozen_string_literal: true

# How the recorders write values.

require 'puppet'

# In Puppet's notation, also what Puppet shows as a Ruby object where it is nested: as a call that makes it.
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
