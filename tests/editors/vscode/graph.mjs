// Uses the page of the catalog graph in Chromium, without VS Code, with the theme variables of VS Code's default themes:
//
//   node graph.mjs EXTENSION SCREENSHOTS [GRAPH]
//
// EXTENSION is the folder of the extension, built. GRAPH is a file with the response to `puppet-analyzer/catalogGraph`; only
// pictures of it are taken. Chromium is at /usr/bin/chromium or $CHROMIUM.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

import { chromium } from "playwright-core";

const [extension, screenshots, recorded] = process.argv.slice(2);
const { buildSync } = createRequire(path.resolve(extension, "package.json"))("esbuild");
const bundle = buildSync({ entryPoints: [path.join(extension, "src/graph/html.ts")], bundle: true, write: false, format: "esm" });
const { html } = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

const THEMES = {
  dark: {
    "editor-background": "#1f1f1f", "editor-foreground": "#cccccc", foreground: "#cccccc", descriptionForeground: "#9d9d9d", focusBorder: "#0078d4",
    "charts-blue": "#59a4f9", "charts-purple": "#b180d7", "charts-orange": "#d18616", "panel-border": "#2b2b2b",
    "button-background": "#0078d4", "button-foreground": "#ffffff", "button-secondaryBackground": "#313131", "button-secondaryForeground": "#cccccc", "button-secondaryHoverBackground": "#3c3c3c",
    "input-background": "#313131", "input-foreground": "#cccccc", "input-border": "#3c3c3c", "input-placeholderForeground": "#989898",
    "dropdown-background": "#313131", "dropdown-foreground": "#cccccc", "dropdown-border": "#3c3c3c", "editorWidget-background": "#202020", "editorWidget-border": "#454545",
  },
  light: {
    "editor-background": "#ffffff", "editor-foreground": "#3b3b3b", foreground: "#3b3b3b", descriptionForeground: "#3b3b3b", focusBorder: "#005fb8",
    "charts-blue": "#0063d3", "charts-purple": "#652d90", "charts-orange": "#d18616", "panel-border": "#e5e5e5",
    "button-background": "#005fb8", "button-foreground": "#ffffff", "button-secondaryBackground": "#e5e5e5", "button-secondaryForeground": "#3b3b3b", "button-secondaryHoverBackground": "#cccccc",
    "input-background": "#ffffff", "input-foreground": "#3b3b3b", "input-border": "#cecece", "input-placeholderForeground": "#767676",
    "dropdown-background": "#ffffff", "dropdown-foreground": "#3b3b3b", "dropdown-border": "#cecece", "editorWidget-background": "#f8f8f8", "editorWidget-border": "#c8c8c8",
  },
  contrast: {
    "editor-background": "#000000", "editor-foreground": "#ffffff", foreground: "#ffffff", descriptionForeground: "rgba(255, 255, 255, 0.7)", focusBorder: "#f38518", contrastBorder: "#6fc3df",
    "charts-blue": "#59a4f9", "charts-purple": "#b180d7", "charts-orange": "#d18616", "button-secondaryForeground": "#ffffff", "input-background": "#000000", "input-foreground": "#ffffff", "dropdown-background": "#000000", "dropdown-foreground": "#ffffff",
  },
};

/** Returns the graph of an application with 12 modules, in stages from installation to service: 254 resources. */
function application() {
  const [nodes, edges] = [[], []];
  const add = (type, title, kind, container) => {
    const id = `n${nodes.length}`;
    const range = { start: { line: nodes.length, character: 2 }, end: { line: nodes.length, character: 20 } };
    nodes.push({ id, type, label: `${type}[${title}]`, kind, ...(container ? { container } : {}), uri: "file:///site.pp", range });
    return id;
  };
  const role = add("Class", "Role::Web", "class");
  let before;
  for (const name of ["apache", "mysql", "redis", "nginx", "tomcat", "haproxy", "postfix", "ntp", "ssh", "sudo", "users", "motd"]) {
    const module = add("Class", name[0].toUpperCase() + name.slice(1), "class");
    const [install, config, service] = ["Install", "Config", "Service"].map((it) => add("Class", `${name[0].toUpperCase()}${name.slice(1)}::${it}`, "class", module));
    add("Package", name, "resource", install);
    const files = Array.from({ length: 12 }, (_, it) => add("File", `/etc/${name}/conf.d/${it}-${"settings".repeat(it % 3)}.conf`, "resource", config));
    const vhost = add("Apache::Vhost", `${name}.example.com`, "definedType", config);
    add("Concat", `25-${name}.conf`, "resource", vhost);
    const daemon = add("Service", name, "resource", service);
    add("Exec", `reload ${name}`, "resource", service);
    edges.push({ from: install, to: config }, { from: config, to: service, notifies: true }, { from: files[0], to: daemon, notifies: true }, { from: files[1], to: files[2] });
    if (before) edges.push({ from: before, to: module });
    if (["apache", "nginx", "users"].includes(name)) before = module;
  }
  add("Notify", "finished", "resource", role);
  return { title: "role::web on Debian 12", nodes, edges, platforms: ["Debian 12", "RedHat 9"] };
}

const types = { ".js": "text/javascript", ".css": "text/css" };
const server = http.createServer((request, response) => {
  const file = request.url === "/" ? undefined : path.join(extension, request.url);
  const address = `http://${request.headers.host}`;
  const page = () => html({ source: address, script: `${address}/dist/graph.js`, style: `${address}/media/graph.css`, nonce: "abc" });
  response.setHeader("Content-Type", file ? (types[path.extname(file)] ?? "text/plain") : "text/html");
  response.end(file === undefined ? page() : fs.existsSync(file) ? fs.readFileSync(file) : "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
fs.mkdirSync(screenshots, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** Opens the page with a graph. */
async function opened(theme, graph, size = { width: 1100, height: 800 }) {
  const context = await browser.newContext({ viewport: size });
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && !message.text().includes("favicon") && problems.push(message.text()));
  await page.addInitScript(() => {
    window.sent = [];
    window.acquireVsCodeApi = () => ({ postMessage: (it) => window.sent.push(it), getState: () => window.saved, setState: (it) => (window.saved = it) });
  });
  await page.goto(address);
  const variables = Object.entries({ ...THEMES[theme], "font-family": "sans-serif", "font-size": "13px" });
  await page.addStyleTag({ content: `:root { ${variables.map(([name, value]) => `--vscode-${name}: ${value};`).join(" ")} }` });
  await page.waitForFunction(() => window.sent.some((it) => it.kind === "ready"));
  const started = Date.now();
  await page.evaluate((graph) => window.postMessage({ kind: "show", graph, platform: graph.platforms?.[0] }), graph);
  await page.waitForSelector("#picture svg");
  page.took = Date.now() - started;
  return page;
}

const problems = [];
let failed = 0;
async function step(name, action) {
  try {
    const detail = await action();
    console.log(`ok: ${name}${typeof detail === "string" ? `: ${detail}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}: ${error.message.split("\n").slice(0, 6).join(" ")}`);
  }
}

async function pictures(graph, name) {
  for (const theme of Object.keys(THEMES)) {
    const page = await opened(theme, graph);
    await page.screenshot({ path: path.join(screenshots, `${name}-${theme}.png`) });
    await page.locator("#expand").click();
    await page.screenshot({ path: path.join(screenshots, `${name}-${theme}-expanded.png`) });
    await page.context().close();
  }
}

async function session() {
  const graph = application();
  const page = await opened("dark", graph);
  const count = (selector) => page.locator(selector).count();
  const box = (label) => page.locator(`[data-node]:has(> title:text-is("${label}"))`);
  const labels = () => page.locator("[data-node] > title").allTextContents();
  const status = () => page.locator("#status").textContent();
  const sent = (kind) => page.evaluate((kind) => window.sent.filter((it) => it.kind === kind), kind);
  const text = async (selector) => page.locator(selector).evaluate((it) => ({ height: it.getBoundingClientRect().height }));

  await step("a large graph starts with its classes, at a readable size", async () => {
    assert.equal(graph.nodes.length, 254);
    assert.ok((await count("[data-node]")) <= 20, `${await count("[data-node]")} boxes`);
    const title = await page.locator("[data-node] .title").first().evaluate((it) => it.getBoundingClientRect().height);
    assert.ok(title >= 9, `titles are ${title} pixels high`);
    return `${await status()} (${page.took} ms)`;
  });
  await step("a click on the triangle expands a class in place", async () => {
    const before = await box("Class[Apache]").boundingBox();
    await box("Class[Apache]").locator("[data-toggle]").click();
    assert.ok((await labels()).includes("Class[Apache::Config]"));
    const after = await box("Class[Apache]").boundingBox();
    assert.ok(Math.abs(before.x - after.x) < 2 && Math.abs(before.y - after.y) < 2, JSON.stringify([before, after]));
    assert.equal((await sent("open")).length, 0);
  });
  await step("a click on a box goes to its declaration", async () => {
    await box("Class[Apache::Install]").locator(".title").click();
    const [{ id }] = await sent("open");
    assert.equal(graph.nodes.find((it) => it.id === id).label, "Class[Apache::Install]");
    assert.equal(await count("[data-node].selected"), 1);
  });
  await step("the keyboard reaches, collapses, and opens boxes", async () => {
    await page.keyboard.press("ArrowRight");
    assert.match(await status(), /Class\[Apache::Config\]/);
    await page.keyboard.press("Space");
    assert.ok((await labels()).includes("Apache::Vhost[apache.example.com]"));
    await page.keyboard.press("Space");
    assert.ok(!(await labels()).includes("Apache::Vhost[apache.example.com]"));
    await page.keyboard.press("Enter");
    assert.equal((await sent("open")).length, 2);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false");
    await page.keyboard.press("c");
    assert.ok(!(await labels()).includes("Class[Apache::Install]"));
    await page.keyboard.press("e");
    assert.equal(await count("[data-node]"), graph.nodes.length);
    await page.screenshot({ path: path.join(screenshots, "graph-expanded.png") });
    await page.keyboard.press("c");
  });
  await step("search finds hidden resources and shows them", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("reload");
    assert.equal(await page.locator("#matches").textContent(), "12");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#matches").textContent(), "2 of 12");
    assert.match(await status(), /Exec\[reload mysql\]/);
    const place = await box("Exec[reload mysql]").boundingBox();
    const area = await page.locator("#picture").boundingBox();
    assert.ok(Math.abs(place.x + place.width / 2 - (area.x + area.width / 2)) < 60, "it is in the middle");
    await page.keyboard.press("Shift+Enter");
    assert.equal(await page.locator("#matches").textContent(), "1 of 12");
    await page.screenshot({ path: path.join(screenshots, "graph-search.png") });
    await page.locator("#only").check();
    assert.ok((await labels()).every((it) => /reload|Class/.test(it)));
    await page.locator("#search").fill("nothing like this");
    assert.equal(await page.locator("#matches").textContent(), "no match");
    assert.equal(await count("[data-node]"), 0);
    await page.locator("#search").fill("");
    await page.locator("#only").uncheck();
  });
  await step("types can be hidden", async () => {
    await page.locator("#expand").click();
    await page.locator("#picture").click({ position: { x: 3, y: 3 } });
    await page.keyboard.press("t");
    await page.locator("#type-list label", { hasText: "File" }).click();
    assert.equal(await count("[data-node]"), graph.nodes.length - 144);
    await page.screenshot({ path: path.join(screenshots, "graph-types.png") });
    await page.locator("#all-types").click();
    assert.equal(await count("[data-node]"), graph.nodes.length);
    await page.keyboard.press("Escape");
    assert.equal(await count("details[open]"), 0);
    await page.locator("#collapse").click();
  });
  await step("the neighborhood of a resource grows and ends", async () => {
    await page.locator("#search").fill("Service[redis]");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    const first = await labels();
    assert.ok(first.includes("File[/etc/redis/conf.d/0-.conf]") && !first.includes("Class[Mysql]"), first.join(" "));
    await page.locator("#search").fill("");
    await page.screenshot({ path: path.join(screenshots, "graph-neighborhood.png") });
    await page.locator("#near").selectOption("2");
    assert.ok((await labels()).length > first.length);
    await page.locator("#near").selectOption("");
    assert.ok((await labels()).includes("Class[Mysql]"));
  });
  await step("exports are complete files", async () => {
    for (const format of ["svg", "png", "dot"]) {
      await page.locator("#export summary").click();
      await page.locator(`#save-${format}`).click();
      await page.waitForFunction((format) => window.sent.some((it) => it.kind === "save" && it.format === format), format);
      const { data } = (await sent("save")).find((it) => it.format === format);
      fs.writeFileSync(path.join(screenshots, `exported.${format}`), data, format === "png" ? "base64" : "utf8");
      if (format === "svg") assert.ok(data.startsWith("<svg ") && !data.includes("var(") && data.includes("#59a4f9"));
      if (format === "png") assert.equal(Buffer.from(data, "base64").subarray(1, 4).toString(), "PNG");
      if (format === "dot") assert.ok(data.startsWith('digraph "role::web on Debian 12" {') && data.endsWith("}\n"));
    }
  });
  await step("zoom, pan, and fit", async () => {
    const zoom = async () => Number(await page.locator("#picture").getAttribute("data-zoom"));
    await page.locator("#whole").click();
    assert.equal(await zoom(), 1);
    await page.locator("#larger").click();
    assert.ok((await zoom()) > 1);
    await page.locator("#smaller").click();
    await page.locator("#smaller").click();
    assert.ok((await zoom()) < 1);
    await page.locator("#picture").click({ position: { x: 3, y: 3 } });
    const before = await page.locator("#picture svg").getAttribute("viewBox");
    await page.keyboard.press("Shift+ArrowLeft");
    assert.notEqual(await page.locator("#picture svg").getAttribute("viewBox"), before);
    await page.keyboard.press("0");
    assert.equal(await zoom(), 1);
  });
  await step("another platform keeps what is expanded", async () => {
    await page.locator("#platform").selectOption("RedHat 9");
    assert.equal((await sent("platform"))[0].name, "RedHat 9");
    await page.locator("#collapse").click();
    await box("Class[Mysql]").locator("[data-toggle]").click();
    const other = { ...application(), title: "role::web on RedHat 9" };
    other.nodes = other.nodes.map((it) => ({ ...it, id: `x${it.id}`, ...(it.container ? { container: `x${it.container}` } : {}) }));
    other.edges = other.edges.map((it) => ({ ...it, from: `x${it.from}`, to: `x${it.to}` }));
    await page.evaluate((graph) => window.postMessage({ kind: "show", graph, platform: "RedHat 9" }), other);
    await page.waitForSelector('[data-node^="xn"]');
    const shown = await labels();
    assert.ok(shown.includes("Class[Mysql::Install]") && !shown.includes("Class[Apache::Install]"), shown.join(" "));
    assert.equal(await page.locator("#platform").inputValue(), "RedHat 9");
  });
  await step("a narrow panel keeps its tools", async () => {
    const narrow = await opened("light", graph, { width: 420, height: 700 });
    await narrow.screenshot({ path: path.join(screenshots, "graph-narrow.png") });
    for (const id of ["larger", "collapse", "search", "types", "near", "export", "help"]) {
      const { x, width } = await narrow.locator(`#${id}`).boundingBox();
      assert.ok(x >= 0 && x + width <= 420, id);
    }
    await narrow.locator("#help summary").click();
    await narrow.screenshot({ path: path.join(screenshots, "graph-keys.png") });
    const { x, width } = await narrow.locator("#help .panel").boundingBox();
    assert.ok(x >= 0 && x + width <= 420, `the list of keys is from ${x} to ${x + width}`);
  });
  await step("hostile titles are text", async () => {
    const nodes = ['File[<img src=x onerror="window.broken = true">]', "File[]]>]", "File[\u202e\u0000]"].map((label, index) => ({ id: `n"${index}`, type: "File", label, kind: "resource" }));
    const hostile = await opened("dark", { title: "<b>x</b> on y", nodes, edges: [{ from: 'n"0', to: 'n"1' }], platforms: ["<i>"] });
    assert.equal(await hostile.locator("[data-node]").count(), 3);
    assert.equal(await hostile.evaluate(() => window.broken), undefined);
    await hostile.locator("[data-node] .title").first().click();
    assert.equal((await hostile.evaluate(() => window.sent.filter((it) => it.kind === "open"))).length, 1);
  });
  await pictures(graph, "graph");
}

if (recorded === undefined) {
  await session();
} else {
  await pictures(JSON.parse(fs.readFileSync(recorded, "utf8")), path.basename(recorded, ".json"));
}
await step("the page has no errors", async () => assert.deepEqual(problems, []));
await browser.close();
server.close();
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
