# Adds an element to an array, or an entry to a hash, in place.
Puppet::Functions.create_function(:'changes::add') do
  dispatch :add do
    param 'Any', :collection
    param 'Any', :value
  end

  def add(collection, value)
    collection.is_a?(Hash) ? collection.merge!(value) : collection.push(value)
    collection.size
  end
end
