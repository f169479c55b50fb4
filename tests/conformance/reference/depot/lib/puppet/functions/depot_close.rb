require 'digest'
# First line
# Second line
Puppet::Functions.create_function(:depot_close) do
  dispatch :a do
    param 'A', :x
  end
  # one
  # two
  dispatch :b do
    param 'B', :y
  end
end
