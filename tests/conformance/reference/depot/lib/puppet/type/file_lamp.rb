Puppet::Type.type(:depot_crate).newparam(:lamp) do
  desc 'Added elsewhere.'
  defaultto 'none'
end
