module Puppet::Parser::Functions
  newfunction(:depot_old, :type => :rvalue, :doc => <<-EOS
    @summary Does it.
    Returns it.

    @param a the a
    @param [Integer] b the b
    @return [String] the value
    EOS
  ) do |args|
  end
  newfunction(:depot_bare, :type => :rvalue) do |args|
  end
  Puppet::Parser::Functions.newfunction(:depot_older, doc: 'One liner.') { |args| }
end
