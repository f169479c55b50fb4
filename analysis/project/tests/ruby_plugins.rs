//! Ruby plugins that other files of their module complete.

use project::ruby_file;
use project::testing::TestWorkspace;

const MODULE: &str = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/modules/shop/lib/puppet/type/goods.rb
require 'puppet_x/shop/parameters'
Puppet::Type.newtype(:goods) do
  extend PuppetX::Shop::Parameters
  create_parameters
end
//- /repo/modules/shop/lib/puppet_x/shop/parameters.rb
require_relative 'more'
module PuppetX::Shop::Parameters
  def create_parameters
    newparam(:name, :namevar => true)
    create_more
  end
end
//- /repo/modules/shop/lib/puppet_x/shop/more.rb
module PuppetX::Shop::More
  def create_more
    newproperty(:price)
  end
end
//- /repo/modules/shop/lib/puppet/type/goods/colour.rb
Puppet::Type.type(:goods).newproperty(:colour)
//- /repo/modules/shop/lib/puppet/type/lonely.rb
require 'puppet_x/elsewhere'
Puppet::Type.newtype(:lonely) { create_parameters }
"#;

#[test]
fn types_are_complete() {
    let workspace = TestWorkspace::new(MODULE);
    for (name, is_incomplete, expected) in
        [("goods", false, "name price provider colour"), ("lonely", true, "provider")]
    {
        let file = workspace.file(&format!("/repo/modules/shop/lib/puppet/type/{name}.rb"));
        let found = ruby_file(&workspace.db, file);
        let [resource_type] = found.resource_types.as_slice() else { panic!("{found:?}") };
        let attributes: Vec<&str> = resource_type.attributes.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(
            (resource_type.is_incomplete, attributes.join(" ").as_str()),
            (is_incomplete, expected),
            "{name}"
        );
    }
}
