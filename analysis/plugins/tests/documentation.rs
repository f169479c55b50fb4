//! Parsing and rendering of puppet-strings comments.

use expect_test::{Expect, expect};
use plugins::documentation::{parse, to_markdown};

fn check(comment: &str, expected: Expect) {
    let comment = comment.strip_prefix('\n').unwrap_or(comment);
    let doc = parse(comment);
    for param in &doc.params {
        assert_eq!(&comment[param.range.as_range()], param.name);
    }
    expected.assert_eq(&to_markdown(&doc));
}

#[test]
fn complete_comment() {
    check(
        r#"
@summary Keeps a shop.

It sells *things*.

    and keeps code

@param goods
  What is sold:

  - apples
  - pears
@param [Hash[String, Array[Integer]]] prices what it costs
@param $till [Boolean] is there one?
@option prices [Integer] :apple for one
@option prices :pear
  for two
@enum till true There is.
@return [Boolean] is it open?
@raise [Puppet::Error] when there is nothing
@note Closed
  on Sundays.
@example One shop
  class { 'shop':
    goods => ['apple'],
  }

  notice('open')
@example
  include shop
@see https://example.com/shop The shop
@see other_shop
@api private
@since 1.0
@!visibility public
"#,
        expect![[r#"
            Keeps a shop.

            *Private: for use inside the module only.*

            It sells *things*.

                and keeps code

            > **Note:** Closed
            > on Sundays.

            **Parameters**

            - `goods`: What is sold:

              - apples
              - pears
            - `prices` (`Hash[String, Array[Integer]]`): what it costs
              - `apple` (`Integer`): for one
              - `pear`: for two
            - `till` (`Boolean`): is there one?
              - `true`: There is.

            **Returns**

            - `Boolean`: is it open?

            **Raises**

            - `Puppet::Error`: when there is nothing

            **Example:** One shop

            ```puppet
            class { 'shop':
              goods => ['apple'],
            }

            notice('open')
            ```

            **Example**

            ```puppet
            include shop
            ```

            **@since** 1.0

            **See also**

            - [The shop](https://example.com/shop)
            - other_shop"#]],
    );
}

#[test]
fn tag_ends() {
    check(
        "@param a\n  one\nnot of a\n",
        expect![[r#"
        not of a

        **Parameters**

        - `a`: one"#]],
    );
    check(
        "@param a one\n    two\n  three\n",
        expect![[r#"
          three

        **Parameters**

        - `a`: one
          two"#]],
    );
    check(
        "text\n@param a\n\n\n  one\n\nmore text\n",
        expect![[r#"
        text

        more text

        **Parameters**

        - `a`: one"#]],
    );
    check(
        "mail@example.com\n  @param is text\n@ nothing\n@-x\n",
        expect![[r#"
        mail@example.com
          @param is text
        @ nothing
        @-x"#]],
    );
    check(
        "@param\n@param a\r\n  windows\r\n@param b, \n",
        expect![[r#"
        **Parameters**

        - `a`: windows
        - `b`"#]],
    );
}

#[test]
fn unusual_comments() {
    check("", expect![[r#""#]]);
    check(
        "@param [Array[String a",
        expect![[r#"
        **Parameters**

        - `[Array[String`: a"#]],
    );
    // A title that is code, and one without code.
    check(
        "@example include shop\n@example Basic usage",
        expect![[r#"
        **Example**

        ```puppet
        include shop
        ```"#]],
    );
    check("@return\n@raise\n@option\n@option a\n@see\n@note\n@api\n@summary", expect![""]);
    check(
        "@deprecated Use\n  another.\n@example É\n  ```ruby\n  x\n  ```",
        expect![[r#"
        > **Deprecated:** Use
        > another.

        **Example:** É

        ```ruby
        x
        ```"#]],
    );
    check(
        "@param naïve [Ü] ß",
        expect![[r#"
        **Parameters**

        - `naïve` (`Ü`): ß"#]],
    );
    check(
        "@option o [String] :a one",
        expect![[r#"
        **Parameters**

        - `o[a]` (`String`): one"#]],
    );
}
