# What `Pathname` does with the text of a path, as far as no disk is looked at. It is evaluated where code names the class, by the
# same evaluator: nothing of it ever runs. Written for it alone; it is none of Ruby's code.

class Pathname
  def initialize(path)
    path = path.to_s if path.is_a?(Pathname)
    raise TypeError, 'a path is a text' unless path.is_a?(String)
    raise ArgumentError, 'a path has no null byte' if path.include?("\0")

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

    # What two points do is another question.
    Puppet::Nobody.knows if @path.empty? || other.empty? || other.split('/').any? { |it| ['', '.', '..'].include?(it) }
    Pathname.new(@path.end_with?('/') ? @path + other : "#{@path}/#{other}")
  end

  def /(other)
    self + other
  end

  def method_missing(*_arguments)
    Puppet::Nobody.knows
  end
end
