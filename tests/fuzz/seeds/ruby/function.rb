Puppet::Functions.create_function(:'a::f') do
  dispatch :one do
    required_param 'Variant[String, Array[Integer, 1]]', :x
    optional_repeated_param 'Hash', :rest
    block_param 'Callable[1, 2]', :b
    return_type 'String'
  end
  def one(x, *rest) x.each { |y| call_function('b', y) } end
end
