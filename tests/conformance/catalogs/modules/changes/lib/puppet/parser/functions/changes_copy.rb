module Puppet::Parser::Functions
  newfunction(:changes_copy, type: :rvalue) do |args|
    args[0] << 'copied'
    args[0].size
  end
end
