Facter.add(:a, :type => :aggregate) do
  confine :os do |os| os['family'] == 'Debian' end
  setcode { {'k' => [1, 'x'.upcase, `ls`]} }
end
