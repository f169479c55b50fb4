# Counts.
Puppet::Functions.create_function(:depot_count) do
  # @param x X
  # @param y Y
  # @param rest Rest
  def depot_count(x, y = nil, *rest, &block)
  end
end
