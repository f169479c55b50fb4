// Tests the logic of the catalog graph: node --test test/graph.mjs
import assert from "node:assert/strict";
import test from "node:test";

import { build } from "esbuild";

const sources = { stdin: { contents: 'export * from "./model"; export * from "./layout"; export * from "./drawing"; export * from "./dot"; export * from "./html";', resolveDir: new URL("../src/graph", import.meta.url).pathname, loader: "ts" } };
const { outputFiles } = await build({ ...sources, bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"], conditions: ["import"] });
const { GraphModel, layout, linesOf, draw, dot, html, curve } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

/** Builds a graph from lines such as `Class[A] > File[x]` (containment), `A -> B`, and `A ~> B`. */
function graph(text, title = "a on Debian 12") {
  const [nodes, edges] = [new Map(), []];
  const node = (label) => {
    const type = label.replace(/\[.*/s, "");
    const kind = type === "Class" ? "class" : type.includes("::") ? "definedType" : "resource";
    if (!nodes.has(label)) nodes.set(label, { id: `n${nodes.size}`, type, label, kind });
    return nodes.get(label);
  };
  for (const line of text.trim().split("\n")) {
    const [, from, sign, to] = /^\s*(\S+)(?: (>|->|~>) (.+))?$/.exec(line);
    const first = node(from);
    if (sign === ">") for (const label of to.split(", ")) node(label).container = first.id;
    else if (sign) edges.push({ from: first.id, to: node(to).id, ...(sign === "~>" ? { notifies: true } : {}) });
  }
  return { title, nodes: [...nodes.values()], edges };
}

/** A graph of classes with resources in each, in a chain. */
function large(classes, resources) {
  const lines = [];
  for (let index = 0; index < classes; index += 1) {
    const inside = Array.from({ length: resources }, (_, it) => `File[/etc/${index}/${it}]`);
    lines.push(`Class[A::C${index}] > ${inside.join(", ")}`, `${inside[0]} ~> ${inside[1]}`);
    if (index > 0) lines.push(`File[/etc/${index - 1}/1] -> File[/etc/${index}/0]`);
  }
  return graph(`Class[A]\n${lines.join("\n")}`);
}

const SMALL = graph(`
Class[A] > Package[x], A::Config[c]
A::Config[c] > File[/etc/x], File[/etc/y]
Class[B] > Service[x]
Package[x] -> File[/etc/x]
File[/etc/x] ~> Service[x]
File[/etc/y] ~> Service[x]
Class[A] -> Class[B]
`);

const state = (more = {}) => ({ collapsed: new Set(), hiddenTypes: new Set(), filter: "", ...more });
const id = (model, label) => model.graph.nodes.find((it) => it.label === label).id;
const label = (model, at) => model.nodes.get(at).label;
/** Returns the boxes of a view as nested text, and its edges. */
function shown(model, view) {
  const box = (it) => it.node.label + (it.isCollapsed ? `+${it.hidden}` : "") + (it.children.length > 0 ? `(${it.children.map(box).join(" ")})` : "");
  const edges = view.edges.map((it) => `${label(model, it.from)} ${it.notifies ? "~>" : "->"} ${label(model, it.to)}${it.count > 1 ? ` x${it.count}` : ""}`);
  return [view.roots.map(box).join(" "), edges.sort()];
}

test("everything is shown", () => {
  const model = new GraphModel(SMALL);
  const [boxes, edges] = shown(model, model.view(state()));
  assert.equal(boxes, "Class[A](Package[x] A::Config[c](File[/etc/x] File[/etc/y])) Class[B](Service[x])");
  assert.deepEqual(edges, ["Class[A] -> Class[B]", "File[/etc/x] ~> Service[x]", "File[/etc/y] ~> Service[x]", "Package[x] -> File[/etc/x]"]);
  assert.equal(model.view(state()).shown, 7);
});

test("a collapsed container has the relationships of its contents", () => {
  const model = new GraphModel(SMALL);
  const collapsed = (...labels) => state({ collapsed: new Set(labels.map((it) => id(model, it))) });
  assert.deepEqual(shown(model, model.view(collapsed("A::Config[c]"))), [
    "Class[A](Package[x] A::Config[c]+2) Class[B](Service[x])",
    ["A::Config[c] ~> Service[x] x2", "Class[A] -> Class[B]", "Package[x] -> A::Config[c]"],
  ]);
  assert.deepEqual(shown(model, model.view(collapsed("Class[A]", "Class[B]", "A::Config[c]"))), ["Class[A]+4 Class[B]+1", ["Class[A] ~> Class[B] x3"]]);
});

test("types can be hidden", () => {
  const model = new GraphModel(SMALL);
  assert.deepEqual(model.types.map((it) => `${it.name} ${it.count}`), ["Class 2", "File 2", "A::Config 1", "Package 1", "Service 1"]);
  assert.deepEqual(shown(model, model.view(state({ hiddenTypes: new Set(["File", "Service"]) }))), ["Class[A](Package[x] A::Config[c]) Class[B]", ["Class[A] -> Class[B]"]]);
  // The contents of a hidden container move up.
  assert.equal(shown(model, model.view(state({ hiddenTypes: new Set(["Class"]) })))[0], "Package[x] A::Config[c](File[/etc/x] File[/etc/y]) Service[x]");
  assert.equal(model.view(state({ hiddenTypes: new Set(model.types.map((it) => it.name)) })).shown, 0);
});

test("the filter keeps the containers of what it finds", () => {
  const model = new GraphModel(SMALL);
  assert.deepEqual(shown(model, model.view(state({ filter: "ETC/x" }))), ["Class[A](A::Config[c](File[/etc/x]))", []]);
  assert.deepEqual(shown(model, model.view(state({ filter: "file y" })))[0], "Class[A](A::Config[c](File[/etc/y]))");
  assert.equal(model.view(state({ filter: "nothing" })).shown, 0);
  assert.deepEqual(shown(model, model.view(state({ filter: "service", collapsed: new Set([id(model, "Class[B]")]) })))[0], "Class[B]+1");
  assert.deepEqual(model.matches("  "), []);
  assert.deepEqual(model.matches("x]").map((it) => label(model, it)), ["Package[x]", "File[/etc/x]", "Service[x]"]);
});

test("neighborhoods follow relationships of the resource and its containers", () => {
  const model = new GraphModel(SMALL);
  const around = (of, depth) => [...model.neighborhood(id(model, of), depth)].map((it) => label(model, it)).sort();
  assert.deepEqual(around("Package[x]", 0), ["Package[x]"]);
  // Class[A] is before Class[B], and so is its contents.
  assert.deepEqual(around("Package[x]", 1), ["Class[B]", "File[/etc/x]", "Package[x]"]);
  assert.deepEqual(around("Service[x]", 1), ["Class[A]", "File[/etc/x]", "File[/etc/y]", "Service[x]"]);
  assert.deepEqual(around("A::Config[c]", 1), ["A::Config[c]", "Class[B]", "File[/etc/x]", "File[/etc/y]", "Package[x]", "Service[x]"]);
  assert.equal(around("Package[x]", Infinity).length, 6);
  const focus = { id: id(model, "File[/etc/y]"), depth: 1 };
  assert.deepEqual(shown(model, model.view(state({ focus })))[0], "Class[A](A::Config[c](File[/etc/y])) Class[B](Service[x])");
  assert.equal(model.view(state({ focus: { id: "gone", depth: 1 } })).shown, 7);
});

test("a large graph starts collapsed", () => {
  const model = new GraphModel(large(20, 12));
  assert.equal(model.nodes.size, 261);
  const first = model.initialState();
  assert.equal(model.view(first).shown, 21);
  assert.ok(model.view(first).edges.every((it) => it.count === 1));
  assert.equal(new GraphModel(SMALL).initialState().collapsed.size, 0);
  // The requested class is expanded if it is small enough.
  const requested = large(20, 12);
  requested.title = "a::c3 on Debian 12";
  const view = new GraphModel(requested).view(new GraphModel(requested).initialState());
  assert.equal(view.roots.find((it) => it.node.label === "Class[A::C3]").children.length, 12);
});

test("broken containment does not hang", () => {
  const broken = { title: "a", edges: [{ from: "a", to: "gone" }], nodes: ["a", "b"].map((it, index) => ({ id: it, type: "Class", label: `Class[${it}]`, kind: "class", container: ["b", "a"][index] })) };
  assert.equal(new GraphModel(broken).view(state()).shown, 0);
  const missing = { ...broken, nodes: [{ ...broken.nodes[0], container: "gone" }] };
  assert.equal(new GraphModel(missing).view(state()).shown, 1);
  assert.deepEqual(new GraphModel({ title: "", nodes: [], edges: [] }).view(state()), { roots: [], edges: [], shown: 0 });
});

const measure = (text, size) => text.length * size * 0.6;

test("boxes do not overlap, and contents are inside of their containers", () => {
  for (const it of [SMALL, large(20, 12), large(3, 80), graph("File[a] -> File[b]\nFile[b] -> File[a]\nFile[c]")]) {
    const model = new GraphModel(it);
    for (const view of [model.view(model.initialState()), model.view(state())]) {
      const { boxes, arrows, width, height } = layout(view, measure);
      assert.equal(boxes.length, view.shown);
      const parent = new Map();
      const visit = (box) => box.children.forEach((child) => (parent.set(child.node.id, box.node.id), visit(child)));
      view.roots.forEach(visit);
      const places = new Map(boxes.map((box) => [box.box.node.id, box]));
      for (const [index, a] of boxes.entries()) {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= width + 0.5 && a.y + a.height <= height + 0.5);
        const outer = places.get(parent.get(a.box.node.id));
        assert.ok(!outer || (a.x > outer.x && a.y > outer.y && a.x + a.width < outer.x + outer.width && a.y + a.height < outer.y + outer.height), a.box.node.label);
        for (const b of boxes.slice(index + 1).filter((b) => parent.get(b.box.node.id) === parent.get(a.box.node.id))) {
          assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y, `${a.box.node.label} ${b.box.node.label}`);
        }
      }
      const drawn = arrows.flatMap((arrow) => arrow.edges);
      assert.equal(drawn.length, view.edges.length);
      assert.ok(arrows.every((arrow) => arrow.points.length >= 2 && arrow.points.every((p) => Number.isFinite(p.x) && Number.isFinite(p.y))));
    }
  }
});

test("unconnected boxes fill a readable rectangle", () => {
  for (const count of [1, 5, 50, 200]) {
    const model = new GraphModel(graph(`Class[A] > ${Array.from({ length: count }, (_, it) => `Package[${it}]`).join(", ")}`));
    const { width, height } = layout(model.view(state()), measure);
    assert.ok(width / height < 4 && height / width < 2, `${width} x ${height}`);
  }
});

test("long titles are shortened in the middle", () => {
  const box = (node) => ({ node, children: [], isContainer: false, isCollapsed: false, hidden: 0 });
  const long = { id: "n0", type: "Exec", label: `Exec[${"a".repeat(50)}${"b".repeat(50)}]`, kind: "resource" };
  assert.deepEqual(linesOf(box(long)), ["Exec", `${"a".repeat(22)}…${"b".repeat(22)}`]);
  assert.deepEqual(linesOf(box({ ...long, label: "Exec[x]", exported: true, possible: true })), ["@@Exec (possibly)", "x"]);
  assert.deepEqual(linesOf({ ...box({ ...long, label: "Exec[x]" }), isCollapsed: true, hidden: 3 }), ["Exec · 3 inside", "x"]);
});

test("drawings are escaped and have no theme if exported", () => {
  const hostile = graph('File[<script>"&\u0001] ~> Service[</svg>]');
  const model = new GraphModel(hostile);
  const placed = layout(model.view(state()), measure);
  const text = draw(placed);
  assert.ok(!text.includes("<script>") && !text.includes("[</svg>]") && !text.includes("\u0001"));
  assert.ok(text.includes("&lt;script&gt;&quot;&amp; ") && text.includes("var(--vscode-charts-orange"));
  const exported = draw(placed, () => "#123456", { background: true, font: "sans-serif" });
  assert.ok(!exported.includes("var(") && exported.includes('fill="#123456"'));
  assert.match(draw(layout({ roots: [], edges: [], shown: 0 }, measure)), /^<svg /);
  assert.equal(curve([{ x: 0, y: 0 }]), "");
});

test("the page only runs its own script", () => {
  const page = html({ source: "https://here", script: "graph.js", style: "graph.css", nonce: "abc" });
  assert.ok(page.includes("default-src 'none'") && page.includes("script-src 'nonce-abc'") && page.includes('<script nonce="abc" src="graph.js">'));
});

test("Graphviz gets what is shown", () => {
  const model = new GraphModel(SMALL);
  const text = dot("a on Debian 12", model.view(state({ collapsed: new Set([id(model, "A::Config[c]")]) })));
  assert.equal(
    text,
    `digraph "a on Debian 12" {
  rankdir=LR;
  compound=true;
  node [shape=box];
  subgraph "cluster n0" {
    "n0" [label="Class[A]", style=rounded];
    "n1" [label="Package[x]"];
    "n2" [label="A::Config[c] (2 inside)"];
  }
  subgraph "cluster n5" {
    "n5" [label="Class[B]", style=rounded];
    "n6" [label="Service[x]"];
  }
  "n1" -> "n2";
  "n2" -> "n6" [style=bold, label=2];
  "n0" -> "n5";
}
`,
  );
  assert.ok(dot('a"b\\c', { roots: [], edges: [], shown: 0 }).startsWith('digraph "a\\"b\\\\c" {'));
});
