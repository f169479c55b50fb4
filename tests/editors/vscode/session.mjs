// node session.mjs WORK EXTENSION SCREENSHOTS: what a person does on their first morning with the extension.
import fs from "node:fs";
import path from "node:path";
import { startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
const READY = /Puppet Analyzer \d\S*: ready/;
const MANIFESTS = "site-modules/profile/manifests";

let failed = 0;
let window;
const started = Date.now();
const seconds = (from, to = Date.now()) => ((to - from) / 1000).toFixed(1);

async function step(what, action) {
  const before = Date.now();
  try {
    const said = await action();
    console.log(`ok: ${what}${said ? `: ${said.replaceAll(/\s+/g, " ")}` : ""} (${seconds(before)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${what}: ${error.message}`);
    await window?.screenshot(`failed-${failed}`).catch(() => {});
    await window?.revert().catch(() => {});
  }
}

await startServer(work, path.resolve(extension));
console.log(`VS Code has started (${seconds(started)} s)`);
try {
  window = await Window.open(folder, `${MANIFESTS}/broken_values.pp`, screenshots);
  const shown = Date.now();
  await step("the first diagnostic, with no setting touched", async () => {
    const seen = {};
    await until("a squiggle of a server that is ready", async () => {
      const state = await window.state();
      const now = { active: state !== "", ready: READY.test(state), marked: (await window.squiggles()) > 0 };
      for (const what of Object.keys(now)) if (now[what]) seen[what] ??= (Date.now() - shown) / 1000;
      return now.ready && now.marked;
    });
    const { active, ready, marked } = seen;
    return `${marked} s after the window has shown (the extension was there after ${active} s, everything was read after ${ready} s)`;
  });
  if (failed > 0) throw new Error("there is no server: nothing else is tried");
  await step("the Problems panel has its entry", async () => {
    const entry = await window.pressUntil("an entry", ["Control+Shift+m"], async () => (await window.problems()).find((row) => row.includes("puppet-analyzer")));
    await window.screenshot("problems");
    await window.command("View: Hide Panel");
    return entry.replaceAll("\n", " ");
  });

  await step("a mistake is underlined as it is typed, and gone when it is taken back", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await until("no squiggle", async () => (await window.squiggles()) === 0);
    await window.addLine(10, "$broken = 1 + 'a'");
    await until("a squiggle", async () => (await window.squiggles()) > 0);
    await window.screenshot("mistake");
    await window.press("Backspace", "Backspace", "Backspace");
    await window.type("2");
    await until("no squiggle", async () => (await window.squiggles()) === 0);
    await window.revert();
  });
  await step("hover shows a type", async () => {
    await window.goTo(17, 6);
    const text = await window.pressUntil("a hover", ["Control+k", "Control+i"], async () =>
      (await window.texts(".monaco-hover:not(.hidden)")).find((it) => /chronyd/.test(it)),
    );
    await window.screenshot("hover");
    await window.press("Escape");
    return text.split("\n")[0];
  });
  await step("completion is accepted by keyboard", async () => {
    await window.addLine(10, "$joined = $packages.joi");
    const isOffered = async () => (await window.texts(".suggest-widget.visible .monaco-list-row.focused")).some((it) => it.startsWith("join"));
    // VS Code drops what was asked for by typing when it is busy; a person asks again.
    await window.orPress("join is offered", ["Control+Space"], isOffered);
    await window.screenshot("completion");
    await window.press("Enter");
    await until("it is there", async () => (await window.text()).includes("$packages.join"));
    await window.revert();
  });
  await step("a definition is gone to in another file", async () => {
    await window.goTo(38, 16);
    await window.pressUntil("the other file", ["F12"], async () => (await window.activeTab()) === "init.pp");
    await window.screenshot("definition");
    await window.openFile(`${MANIFESTS}/base.pp`);
  });
  await step("a misspelt name is corrected by a code action", async () => {
    await window.addLine(10, "include motdd");
    await window.press("Escape");
    await until("a mark", async () => (await window.marks()) > 0);
    const title = await window.pressUntil("the action", ["Control+."], async () =>
      (await window.texts(".action-widget .monaco-list-row")).find((it) => it.includes("Did you mean")),
    );
    await window.screenshot("code-action");
    await window.press("Enter");
    await until("it is corrected", async () => /include motd$/m.test(await window.text()));
    await window.revert();
    return title;
  });
  await step("a lens shows references", async () => {
    await window.goTo(6, 1);
    const lens = window.page.locator(".codelens-decoration a", { hasText: /references?$/ }).first();
    await window.clickUntil("the peek", lens, async () => (await window.count(".peekview-widget .monaco-list-row")) > 0);
    await window.screenshot("references");
    const title = await lens.innerText();
    await window.pressUntil("the peek is gone", ["Escape"], async () => (await window.count(".peekview-widget")) === 0);
    return title;
  });
  await step("what a line is worth stands behind it", async () => {
    await window.addLine(10, "$roles = ['www1', 'db1'].map |$name| { profile::role_name($name) }");
    await window.press("Escape", "Escape");
    await window.command("Puppet: Evaluate Selection");
    const said = await until("the value", async () => (await window.behindText()).find((it) => it.includes("⇒ ['web server', 'database']")));
    await window.screenshot("evaluation");
    await window.revert();
    return said;
  });
  await step("the syntax tree is shown beside the file, and follows it", async () => {
    await window.command("Puppet: Show Syntax Tree");
    await until("the tree", async () => (await window.allTexts()).includes("CLASS_DEFINITION") || (await window.allTexts()).includes("SOURCE_FILE"));
    await window.command("View: Close Editors in Other Groups");
  });
  await step("how a class compiles stands above it, and what it compiles to on a platform is shown", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.goTo(12, 3);
    const status = await until("the lens", async () => (await window.texts(".codelens-decoration")).find((it) => /compiles on 6 of 6 platforms/.test(it)));
    await window.command("Puppet: Show Catalog of This Class", { asks: true });
    await window.choose("RedHat 9");
    await until("the catalog", async () => (await window.allTexts()).includes("Service[chronyd]"));
    await window.screenshot("catalog");
    await window.command("View: Close Editors in Other Groups");
    return status;
  });
  await step("a lens shows the catalog of another platform", async () => {
    await window.goTo(6, 1);
    const lens = window.page.locator(".codelens-decoration a", { hasText: "show catalog" }).first();
    await window.clickUntil("the question for the platform", lens, () => window.isAsking());
    await window.choose("Debian 12");
    await until("the catalog", async () => (await window.allTexts()).includes("Service[chrony]"));
    await window.command("View: Close Editors in Other Groups");
  });
  await step("hover tells what a variable is worth by platform", async () => {
    await window.goTo(17, 6);
    const text = await window.pressUntil("a hover", ["Control+k", "Control+i"], async () =>
      (await window.texts(".monaco-hover:not(.hidden)")).find((it) => it.includes("By platform: 'chrony' (Debian 12")),
    );
    await window.press("Escape");
    return text.split("\n").at(-1);
  });
  await step("the graph can be zoomed, shows another platform, and leads to the source", async () => {
    await window.goTo(6, 1);
    const lens = window.page.locator(".codelens-decoration a", { hasText: "show graph" }).first();
    await window.clickUntil("the question for the platform", lens, () => window.isAsking());
    await window.choose("Debian 12");
    const box = (title) => `[data-node]:has(title:text-is("${title}"))`;
    let page = await until("the picture", () => window.frameWith(box("Service[chrony]")));
    const zoom = async () => Number(await page.locator("#picture").getAttribute("data-zoom"));
    // The boxes are there before the page's script is.
    await until("all of it is shown at first", async () => (await zoom()) === 1);
    await window.clickUntil("it is larger", page.locator("#larger"), async () => (await zoom()) > 1);
    await window.clickUntil("all of it", page.locator("#whole"), async () => (await zoom()) === 1);
    await window.screenshot("graph");
    await page.locator(box("Service[chrony]")).hover();
    await until("only its arrows stand out", async () => (await page.locator("[data-from]:not(.other)").count()) === 2);
    await page.locator("#search").fill("motd");
    await window.pressUntil("what was searched is in the middle", ["Enter"], async () => (await zoom()) > 1 && (await page.locator("[data-node]:not(.other)").count()) === 2);
    await window.clickUntil("all of it again", page.locator("#whole"), async () => (await zoom()) === 1);
    await page.locator("#platform").selectOption("RedHat 9");
    page = await until("the picture for the other platform", () => window.frameWith(box("Service[chronyd]")));
    await window.clickUntil("the declaration", page.locator(box("Service[chronyd]")), async () => (await window.status()).includes("Ln 34, Col 6 (77 selected)"));
    return window.status();
  });
  await step("a parameter is renamed in manifest and data", async () => {
    await window.goTo(8, 35);
    const input = window.page.locator(".rename-box input");
    await window.pressUntil("the input for the new name", ["F2"], () => input.evaluate((it) => it.ownerDocument.activeElement === it));
    await input.fill("ntp_servers");
    await window.screenshot("rename");
    await window.press("Enter");
    await until("it is renamed", async () => (await window.text()).includes("$ntp_servers"));
    await window.command("File: Save All Files");
    const data = path.join(folder, "data/common.yaml");
    await until("the data have the new name", () => fs.readFileSync(data, "utf8").includes("profile::base::ntp_servers"));
    const manifest = path.join(folder, MANIFESTS, "base.pp");
    await until("the manifest has the new name only", () => !fs.readFileSync(manifest, "utf8").includes("time_servers"));
  });
  await step("the outline shows the class", async () => {
    await window.command("Explorer: Focus on Outline View");
    const rows = await until("the class", async () => {
      const rows = await window.texts(".outline-pane .monaco-list-row, .outline-tree .monaco-list-row");
      return rows.some((row) => row.includes("profile::base")) && rows;
    });
    return `${rows.length} rows`;
  });
  await step("a class is made where Puppet looks for it", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.command("Puppet: New Class", { asks: true });
    const input = window.page.locator(".quick-input-widget .quick-input-box input");
    await until("the question for the name", async () => (await input.inputValue()) === "profile::");
    await input.fill("profile::mail::relay");
    await window.press("Enter");
    const file = path.join(folder, MANIFESTS, "mail/relay.pp");
    await until("the file", () => fs.readFileSync(file, "utf8").includes("class profile::mail::relay {"));
    await until("it is open", async () => (await window.activeTab()) === "relay.pp");
  });
  await step("what the window's start consisted of", async () => {
    const report = await window.startReport();
    const milliseconds = (name) => Number(report.find(([what]) => what === name)?.[1]);
    const own = report.find(([extension]) => extension === "puppet-analyzer.puppet-analyzer");
    if (own === undefined) throw new Error("the report does not name the extension");
    const [, , load, call, finish, event] = own;
    const host = milliseconds("extensions registered") - milliseconds("workbench ready");
    return `VS Code itself: ${host} ms from the window until extensions may start; ours: ${load} ms to load, ${Number(call) + Number(finish)} ms to start the server (${event})`;
  });
} finally {
  await window?.close();
}
console.log(`${failed === 0 ? "all passed" : `${failed} failed`} in ${seconds(started)} s`);
process.exit(failed === 0 ? 0 : 1);
