use super::*;

/// Adds comments for the rule `x` to lines and compares the result, after the lines without a place for a
/// comment.
#[track_caller]
fn check(name: &str, text: &str, lines: &[usize], expected: &str) {
    let path = Path::new(name);
    let language = if name.ends_with(".epp") { Language::Epp } else { Language::Manifest };
    let commenter = Commenter::new(path, text, language);
    let plan = |form| LinePlan { rules: BTreeSet::from(["x"]), form };
    let mut plans: Plans = lines.iter().map(|it| (*it, plan(CommentForm::Trailing))).collect();
    let mut refused = Vec::new();
    let text = loop {
        let commented = commenter.commented(&plans);
        if commented.refused.is_empty() {
            let lines = commented.text.split('\n').count();
            assert!(commented.original_lines.len() >= lines, "{:?}", commented.original_lines);
            break commented.text;
        }
        for line in commented.refused {
            match plans.get_mut(&line) {
                Some(plan) if plan.form == CommentForm::Trailing => plan.form = CommentForm::Surrounding,
                _ => {
                    plans.remove(&line);
                    refused.push(line);
                }
            }
        }
    };
    let refused: String = refused.iter().map(|it| format!("refused: {it}\n")).collect();
    assert_eq!(refused + &text, expected, "{name}");
}

#[test]
fn comments_follow_the_code_of_a_line() {
    check("a.pp", "$a = 1\n$b = 2\n", &[0], "$a = 1 # lint:ignore:x\n$b = 2\n");
    check("a.pp", "$a = 1", &[0], "$a = 1 # lint:ignore:x");
    check("a.pp", "$a = 1\r\n", &[0], "$a = 1 # lint:ignore:x\r\n");
    check("a.pp", "$a = 1  \n", &[0], "$a = 1  # lint:ignore:x\n");
    check(
        "a.pp",
        "f { 'a':\n  b => 1,\n}\n",
        &[0, 1],
        "f { 'a': # lint:ignore:x\n  b => 1, # lint:ignore:x\n}\n",
    );
}

#[test]
fn existing_comments_are_kept() {
    check("a.pp", "$a = 1 # why\n", &[0], "$a = 1 # lint:ignore:x why\n");
    check("a.pp", "$a = 1 #why\n", &[0], "$a = 1 # lint:ignore:x why\n");
    check("a.pp", "$a = '#' # lint:ignore:y why\n", &[0], "$a = '#' # lint:ignore:x lint:ignore:y why\n");
}

#[test]
fn lines_without_code_are_surrounded() {
    check("a.pp", "# a\n", &[0], "# lint:ignore:x\n# a\n# lint:endignore\n");
    check("a.pp", "{\n   \n}\n", &[1], "{\n   # lint:ignore:x\n   \n   # lint:endignore\n}\n");
    check("a.pp", "# a", &[0], "# lint:ignore:x\n# a\n# lint:endignore\n");
}

#[test]
fn strings_and_heredocs_are_surrounded() {
    check("a.pp", "$a = 'b\nc'\n", &[0], "# lint:ignore:x\n$a = 'b\nc'\n# lint:endignore\n");
    check("a.pp", "$a = 'b\nc'\n", &[1], "$a = 'b\nc' # lint:ignore:x\n");
    let heredoc = "class a {\n  $b = @(\"END\"/L)\n    c ${d}\n    | END\n  $e = 1\n}\n";
    check("a.pp", heredoc, &[1], &heredoc.replace("/L)", "/L) # lint:ignore:x"));
    let surrounded = "class a {\n  # lint:ignore:x\n  $b = @(\"END\"/L)\n    c ${d}\n    | END\n  # lint:endignore\n  $e = 1\n}\n";
    check("a.pp", heredoc, &[2], surrounded);
    check("a.pp", heredoc, &[2, 3], surrounded);
    check(
        "a.pp",
        "$a = \"b ${\n  c\n} d\"\n",
        &[1],
        "# lint:ignore:x\n$a = \"b ${\n  c\n} d\"\n# lint:endignore\n",
    );
}

#[test]
fn templates_keep_their_output() {
    check("a.epp", "a <%= $b %>\nc\n", &[0], "a <%= $b %><%# lint:ignore:x %>\nc\n");
    check(
        "a.epp",
        "<% if $b\n  { -%>\nc\n<% } %>\n",
        &[0],
        "<% if $b # lint:ignore:x\n  { -%>\nc\n<% } %>\n",
    );
    check(
        "a.epp",
        "a\n<% if $b { -%>\nc\n<% } %>\n",
        &[1],
        "a\n<%# lint:ignore:x -%>\n<% if $b { -%>\n<%# lint:endignore -%>\nc\n<% } %>\n",
    );
    check(
        "a.erb",
        "a <%= @b %>\n<% c -%>\n",
        &[0, 1],
        "refused: 1\na <%= @b %><%# lint:ignore:x %>\n<% c -%>\n",
    );
}

#[test]
fn data_keeps_its_values() {
    check("data/a.yaml", "a: 1\nb: '#2'\n", &[0], "a: 1 # lint:ignore:x\nb: '#2'\n");
    check("data/a.yaml", "a: 1 # why\n", &[0], "a: 1 # lint:ignore:x why\n");
    check("data/a.yaml", "b: '#2'\n", &[0], "# lint:ignore:x\nb: '#2'\n# lint:endignore\n");
    check(
        "data/a.yaml",
        "a:\n  b: |\n    c\n    d\n  e: 1\n",
        &[2],
        "a:\n  # lint:ignore:x\n  b: |\n    c\n    d\n  # lint:endignore\n  e: 1\n",
    );
    check("metadata.json", "{}\n", &[0], "refused: 0\n{}\n");
}

#[test]
fn ruby_code_keeps_its_strings() {
    check("a.rb", "a = 1\nb\n", &[0], "a = 1 # lint:ignore:x\nb\n");
    check("a.rb", "a = \"#{b}\" # why\n", &[0], "a = \"#{b}\" # lint:ignore:x why\n");
    check("a.rb", "a = '#'\n", &[0], "a = '#' # lint:ignore:x\n");
    check("Puppetfile", "mod \"a#{b}\"\n", &[0], "mod \"a#{b}\" # lint:ignore:x\n");
    let heredoc = "def a\n  b(<<~X)\n    #{c}\n  X\nend\n";
    check("a.rb", heredoc, &[1], &heredoc.replace("X)", "X) # lint:ignore:x"));
    let surrounded = "def a\n  # lint:ignore:x\n  b(<<~X)\n    #{c}\n  X\n  # lint:endignore\nend\n";
    check("a.rb", heredoc, &[2], surrounded);
    check("a.rb", "a = b \\\n  + c\nd\n", &[0], "# lint:ignore:x\na = b \\\n  + c\n# lint:endignore\nd\n");
    check(
        "a.rb",
        "a = %w[\n  b\n].map\n  .c(d)\ne\n",
        &[1],
        "# lint:ignore:x\na = %w[\n  b\n].map\n  .c(d)\n# lint:endignore\ne\n",
    );
    check("a.rb", "=begin\na\n=end\n", &[1], "# lint:ignore:x\n=begin\na\n=end\n# lint:endignore\n");
    let large = "!".repeat(1_000);
    check("a.rb", &large, &[0], &format!("refused: 0\n{large}"));
}
