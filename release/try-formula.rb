# frozen_string_literal: true

# Runs a Homebrew formula with a mock of Homebrew: `try-formula.rb FORMULA SOURCE PREFIX` builds in the folder SOURCE,
# installs below PREFIX, and runs the formula's test.

require 'fileutils'
require 'open3'
require 'pathname'

FORMULA, SOURCE, PREFIX = ARGV.map { |it| Pathname.new(it).expand_path }

# Homebrew's extensions of Pathname.
class Pathname
  alias / join

  def write(text)
    dirname.mkpath
    File.write(to_s, text)
  end
end

module Utils
  def self.safe_popen_read(*command)
    output, status = Open3.capture2(*command.map(&:to_s))
    abort "#{command.join(' ')} fails" unless status.success?
    output
  end
end

class Formula
  class << self
    attr_reader :tried

    def desc(text)
      abort 'a description has at most 80 letters' if text.length > 80
    end

    def homepage(_address) end
    def url(_address) end
    def license(_name) end
    def depends_on(_needed) end

    def test(&block)
      @tried = block
    end
  end

  def bin
    PREFIX / 'bin'
  end

  def man1
    PREFIX / 'share/man/man1'
  end

  def std_cargo_args(path: '.')
    ['--locked', "--root=#{PREFIX}", "--path=#{path}"]
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s), chdir: SOURCE.to_s) || abort("#{command.join(' ')} fails")
  end

  def generate_completions_from_executable(*command)
    %w[bash zsh fish].each { |shell| abort "no completions for #{shell}" if Utils.safe_popen_read(*command, shell).empty? }
  end

  def shell_output(command)
    Utils.safe_popen_read('sh', '-c', command)
  end

  def assert_equal(expected, found)
    abort "#{expected.inspect} was expected, found #{found.inspect}" if expected != found
  end
end

load FORMULA.to_s
formula = PuppetAnalyzer.new
formula.install
formula.instance_eval(&PuppetAnalyzer.tried)
