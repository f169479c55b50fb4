# frozen_string_literal: true

require 'json'

# @summary Converts a value to JSON.
Puppet::Functions.create_function(:'stdlib::to_json') do
  # @param data The value to convert.
  # @return [String] The JSON document.
  dispatch :to_json do
    param 'Any', :data
    return_type 'String'
  end

  def to_json(data)
    data.to_json
  end
end
