# frozen_string_literal: true

# @summary
#   Sum
#
# Text here
#   indented
#
# @note watch out
Puppet::Functions.create_function(:'depot::weigh') do
  # First dispatch
  # @param a The a
  # @param b
  #   The b
  # @return [String] x
  # @example Title
  #   f(1)
  dispatch :one do
    param 'String', :a
    optional_param 'Hash[String,
      Integer]', :b
    return_type 'Integer'
  end

  # Second
  #
  # @param cs all

  dispatch :two do
    repeated_param 'Any', :cs
    block_param 'Callable[1]', :blk
  end
  dispatch(:three) { param "Array", :z }
end
