Puppet::Type.newtype(:a) do
  @doc = <<-EOS
    text
  EOS
  ensurable
  [:p, :q].each { |n| newparam(n) { desc 'd'; newvalues(:x, /y+/); defaultto { :x } } }
  newproperty(:r, :array_matching => :all) do
    munge { |v| v.to_i }
  end
  def self.title_patterns; [[/^(.*)$/m, [[:name]]]]; end
end
