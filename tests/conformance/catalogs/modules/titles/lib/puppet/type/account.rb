# frozen_string_literal: true

require 'puppet_x/titles/patterns'

# Patterns that another file makes.
Puppet::Type.newtype(:account) do
  newparam(:name, namevar: true)
  newparam(:domain) { isnamevar }
  newproperty(:enabled)

  def self.title_patterns
    PuppetX::Titles::Patterns.two_parts(:name, :domain)
  end
end
