Puppet::Type.newtype(:depot_crate) do
  @doc = <<~DOC
    First line of squiggly.

      Indented code
    Last line with 'quotes' and #{1 + 1} interp.
  DOC

  newparam(:dash) do
    desc <<-EOS
      Dash heredoc
        more
      end.
    EOS
    newvalues(*[:a, :b], :one, 'two', /^th"ree/, true)
    defaultto { :one }
  end
  newparam(:raw) do
    desc <<-'EOS'
      Raw heredoc \n with escapes
    EOS
    defaultto 'x y'
  end
  newparam(:dq) do
    desc "Double \"quoted\" with #{1} interp and more"
    defaultto :sym
  end
  newparam(:sq, namevar: true) do
    desc 'Single
      multi line'
    defaultto false
  end
  newparam(:cat) do
    desc "one " \
      "two"
    defaultto lambda { |x| x }
  end
  newparam(:plus) do
    desc "one " + "two"
    defaultto nil
  end
  newparam(:pq) do
    desc %q{percent q}
    defaultto 12
  end
  newparam(:pQ) do
    desc %Q{
      percent Q
      second
    }
    munge { |x| x }
  end
  newparam(:pp2) do
    desc %(
      percent paren
    )
  end
  newproperty(:nodesc) do
    newvalue(:aa) { x }
    newvalue(:bb)
    aliasvalue(:cc, :bb)
  end
  newproperty(:strip) do
    desc <<~EOS.strip
      stripped
    EOS
    isnamevar
  end
  newproperty(:ret, parent: Puppet::Property::Boolean, required_features: :foo) do
    desc "Array #{
      x }"
  end
  newparam(:bool, boolean: true, parent: Puppet::Parameter::Boolean) do
    desc <<~'EOS'
      Squiggly raw
      second
    EOS
  end
  ensurable
  ensurable do
    desc 'Ens.'
    defaultvalues
    newvalue(:held)
  end
  feature :foo, 'A feature.'
end
