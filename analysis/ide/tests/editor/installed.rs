//! Documentation and source locations of built-ins from an installed Puppet.

use crate::at_cursor;

const INSTALLED: &str = "
//- environment: installed_puppet=/ruby module_path=/m
//- /ruby/puppet/functions/each.rb
# Walks over things.
#
# @since 4.0.0
Puppet::Functions.create_function(:each) do
  dispatch :walk do
    param 'Any', :x
  end
end
//- /ruby/puppet/parser/functions/template.rb
Puppet::Parser::Functions.newfunction(:template, :type => :rvalue, :arity => -2, :doc => \"Renders.\") do |args|
end
//- /ruby/puppet/type/file.rb
Puppet::Type.newtype(:file) do
  @doc = 'Keeps files in shape.'
  newparam(:path) do
    desc 'The way there.'
  end
end
//- /ruby/puppet/type/file/mode.rb
module Puppet
  Puppet::Type.type(:file).newproperty(:mode) do
    desc 'Who may do what.'
  end
end
//- /ruby/puppet/provider/package/apt.rb
Puppet::Type.type(:package).provide :apt do
  desc 'Debian and its kin.'
end
//- /ruby/puppet/type.rb
class Puppet::Type
  newmetaparam(:noop) do
    desc 'Only says what it would do.'
  end
end
//- /m/a/manifests/init.pp
class a {
  file { '/x': path => '/x', mode => '0644', owner => 'root', noop => true }
  [1].each |$x| { notice(template('a/x')) }
  package { 'x': provider => apt }
}
";

#[test]
fn hovers_and_definitions_know_the_installed_puppet() {
    for (before, said, place) in [
        ("].|each", "Walks over things.", "/ruby/puppet/functions/each.rb:4"),
        ("notice(|template", "Renders.", "/ruby/puppet/parser/functions/template.rb:1"),
        ("  |file {", "Keeps files in shape.", "/ruby/puppet/type/file.rb:1"),
        ("|path =>", "The way there.", "/ruby/puppet/type/file.rb:3"),
        ("|mode =>", "Who may do what.", "/ruby/puppet/type/file/mode.rb:2"),
        // A function missing in the installed files keeps our own documentation.
        ("|owner =>", "owner", ""),
        ("|noop =>", "Only says what it would do.", "/ruby/puppet/type.rb:2"),
        ("provider => |apt", "Debian and its kin.", "/ruby/puppet/provider/package/apt.rb:1"),
    ] {
        let (head, word) = before.split_once('|').expect("a bar where the cursor is");
        let manifest = INSTALLED.find("//- /m/a").expect("the manifest");
        let found = INSTALLED[manifest..].find(&format!("{head}{word}")).expect("the word");
        let at = manifest + found + head.len();
        let text = format!("{}$0{}", &INSTALLED[..at], &INSTALLED[at..]);
        let (hover, made) = at_cursor(&text, |analysis, file, offset, _| {
            let hover = analysis.hover(file, offset).expect("not cancelled").expect("a hover");
            let made = analysis.definition(file, offset).expect("not cancelled");
            let place = |it: &ide::NavigationTarget| {
                let text = analysis.text(it.file).expect("not cancelled").unwrap_or_default();
                let line = text[..it.focus.start as usize].matches('\n').count() + 1;
                format!("{}:{line}", analysis.path(it.file))
            };
            let made: Vec<String> = made.iter().flat_map(|it| it.targets.iter().map(place)).collect();
            (hover.markdown, made.join(", "))
        });
        assert!(hover.contains(said), "{before}: {hover}");
        assert_eq!(made, place, "{before}");
    }
}

/// The files of an installed Puppet are not part of the workspace: searches do not find them, and they have
/// no diagnostics.
#[test]
fn installed_files_are_not_part_of_the_workspace() {
    let files = at_cursor(&INSTALLED.replace("class a", "$0class a"), |analysis, _, _, _| {
        analysis.all_files().into_iter().map(|it| analysis.path(it).to_string()).collect::<Vec<_>>()
    });
    assert_eq!(files, ["/m/a/manifests/init.pp"]);
}
