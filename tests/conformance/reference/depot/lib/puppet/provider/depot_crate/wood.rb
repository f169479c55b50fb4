Puppet::Type.type(:depot_crate).provide(:wood, parent: Puppet::Provider) do
  desc 'Crates of wood.'
  commands saw: 'saw', nail: '/usr/bin/nail'
  confine osfamily: :debian, 'kernel' => 'Linux'
  defaultfor operatingsystem: 'debian'
  defaultfor operatingsystem: 'ubuntu', operatingsystemmajrelease: '20'
  has_feature :foo
end
