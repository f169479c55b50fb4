# frozen_string_literal: true

# Several of them may have one name.
Puppet::Type.newtype(:marker) do
  @isomorphic = false
  newparam(:path, namevar: true)
end
