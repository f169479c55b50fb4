require 'digest' # trailing
# First line
# Second line

Puppet::Functions.create_function(:depot_near) do
  dispatch :a do
    param 'A', :x
  end
end
