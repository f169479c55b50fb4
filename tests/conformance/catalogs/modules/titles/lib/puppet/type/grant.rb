# frozen_string_literal: true

# Patterns with what is done to the parts, and a name variable that is a property.
Puppet::Type.newtype(:grant) do
  newparam(:name) { desc 'All of it' }
  newparam(:user) { isnamevar }
  newparam(:table) { isnamevar }
  newproperty(:level) { isnamevar }

  def self.title_patterns
    identity = lambda { |part| part }
    [
      [/^((\w+)@(\w+):(\w+))$/m, [[:name, identity], [:user, identity], [:table, identity], [:level]]],
      [/^((\w+)@(\w+))$/m, [[:name], [:user], [:table, lambda { |part| part.downcase }]]],
      [/(.*)/m, [[:name]]],
    ]
  end
end
