# Model of `Pathname` for the evaluator, limited to methods that do not access the file system. It is evaluated when code first
# names the class. It is never executed by Ruby and contains no code of Ruby's library.

class Pathname
  def initialize(path)
    path = path.to_s if path.is_a?(Pathname)
    raise TypeError, 'path must be a string' unless path.is_a?(String)
    raise ArgumentError, 'path must not contain a null byte' if path.include?("\0")

    @path = path
  end

  def to_s
    @path
  end

  def to_str
    @path
  end

  def to_path
    @path
  end

  def absolute?
    @path.start_with?('/')
  end

  def relative?
    !absolute?
  end

  def root?
    !@path.empty? && @path.delete('/').empty?
  end

  def basename(*suffix)
    Pathname.new(File.basename(@path, *suffix))
  end

  def dirname
    Pathname.new(File.dirname(@path))
  end

  def extname
    File.extname(@path)
  end

  def join(*parts)
    parts.reduce(self) { |path, part| path + part }
  end

  def +(other)
    other = other.to_s
    return Pathname.new(other) if other.start_with?('/')

    # Resolution of `..` is not modeled.
    Puppet::Evaluator.give_up if @path.empty? || other.empty? || other.split('/').any? { |it| ['', '.', '..'].include?(it) }
    Pathname.new(@path.end_with?('/') ? @path + other : "#{@path}/#{other}")
  end

  def /(other)
    self + other
  end

  def method_missing(*_arguments)
    Puppet::Evaluator.give_up
  end
end
