use super::*;

/// Returns what is found, as source text: `whole(name=value …)`, `merged(…)`, `read(…)`, `stub(…)`.
fn found(text: &str) -> String {
    let source = |range: TextRange| &text[range.start as usize..range.end as usize];
    let facts = test_facts(text);
    let entry = |it: &FactEntry| format!("{}={}", it.name, source(it.value));
    let hash = |it: &FactHash| {
        let kind = if it.is_whole { "whole" } else { "merged" };
        format!("{kind}({})", it.entries.iter().map(entry).collect::<Vec<_>>().join(" "))
    };
    let read = |it: &FactRead| format!("read({} {})", it.name, source(it.index.unwrap_or(it.name_range)));
    let stub = |it: &TextRange| format!("stub({})", source(*it));
    let all = facts.hashes.iter().map(hash).chain(facts.reads.iter().map(read));
    all.chain(facts.stubs.iter().map(stub)).collect::<Vec<_>>().join(" ")
}

#[test]
fn facts_of_tests() {
    let cases = [
        ("let(:facts) { { osfamily: 'x', :a => 1 } }", "whole(osfamily='x' a=1)"),
        ("let(:node_facts) do\n  { 'fqdn' => x }\nend", "whole(fqdn=x)"),
        ("let(:facts) { super().merge(id: 1) }", "merged(id=1)"),
        ("let(:facts) { os_facts.merge({ id: 1 }) }", "merged(id=1)"),
        ("let(:facts) { { a: 1 }.merge(id: 2) }", "whole(a=1) merged(id=2)"),
        ("let(:params) { { id: 1 } }", ""),
        ("c.default_facts = { id: 1 }", "whole(id=1)"),
        ("FACTS = { id: 1 }", "whole(id=1)"),
        ("run(facts: { id: 1 })", "whole(id=1)"),
        ("case facts[:osfamily]\nwhen 1\nend", "read(osfamily [:osfamily])"),
        ("os_facts.dig('id')", "read(id 'id')"),
        ("add_custom_fact :id, 1", "read(id :id)"),
        ("params[:id]", ""),
        ("allow(File).to receive(:exists?).with(1).and_return(true)", "stub(:exists?)"),
        ("File.stubs(:exists?)", "stub(:exists?)"),
        ("allow(provider).to receive(:exists?)", ""),
        ("let(:facts) { { a: 1, **b } }", ""),
        ("let(:facts) {", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text), expected, "{text}");
    }
}
