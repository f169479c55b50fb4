use expect_test::expect;

use super::check;

#[test]
fn interfaces() {
    check(
        "lib/puppet/datatypes/shop/goods.rb",
        r#"
# Goods.
Puppet::DataTypes.create_type('Shop::Goods') do
  interface <<-PUPPET
    attributes => {
      name => String[1],
    },
    PUPPET

  require_relative '../../shop'
  implementation_class Shop::Goods
end
"#,
        expect![[r#"
            data type Shop::Goods at "Shop::Goods" "Goods."
              interface "attributes => {\n  name => String[1],\n},"
        "#]],
    );
}
