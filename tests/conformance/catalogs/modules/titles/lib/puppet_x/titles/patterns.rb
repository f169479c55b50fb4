# frozen_string_literal: true

module PuppetX
  module Titles
    # Title patterns.
    module Patterns
      def self.part
        Regexp.new(/(?:[^:]|:[^:])+/)
      end

      def self.two_parts(first, second, separator = '::')
        left = part
        right = left
        [
          [/^(#{left})#{separator}(#{right})$/, [[first], [second]]],
          [/^(#{left})$/, [[first]]],
        ]
      end
    end
  end
end
