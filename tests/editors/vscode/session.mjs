// First session of a user with the extension: node session.mjs WORK EXTENSION SCREENSHOTS
import fs from "node:fs";
import path from "node:path";
import { actUntil, machineSettings, startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
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

/** Returns the processes that run a program of the extension. */
function serverProcesses() {
  const runs = (id) => {
    try {
      return fs.readlinkSync(`/proc/${id}/exe`).startsWith(path.join(work, "home/extensions"));
    } catch {
      return false;
    }
  };
  return fs.readdirSync("/proc").filter((id) => /^\d+$/.test(id) && runs(id)).map(Number);
}

const address = await startServer(work, path.resolve(extension));
console.log(`VS Code has started (${seconds(started)} s)`);
try {
  window = await Window.open(address, folder, `${MANIFESTS}/broken_values.pp`, screenshots);
  await step("the first diagnostic, with default settings", async () => {
    const shown = await window.whenSeen("shown");
    const after = async (what) => ((await window.whenSeen(what)) - shown) / 1000;
    const marked = await after("readyAndMarked");
    return `${marked} s after the window has shown (the extension was there after ${await after("active")} s, its server after ${await after("ready")} s)`;
  });
  if (failed > 0) throw new Error("no server; skipping the remaining steps");
  await step("the Problems panel has its entry", async () => {
    const entry = await window.commandUntil("an entry", "Problems: Focus on Problems View", async () => (await window.problems()).find((row) => row.includes("puppet-analyzer")));
    await window.screenshot("problems");
    await window.commandUntil("the panel is gone", "View: Hide Panel", async () => (await window.problems()).length === 0);
    return entry.replaceAll("\n", " ");
  });

  await step("a mistake is underlined while typing, and cleared when it is undone", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await until("no squiggle", async () => (await window.squiggles()) === 0);
    await window.addLine(10, "$broken = 1 + 'a'");
    await until("a squiggle", async () => (await window.squiggles()) > 0);
    await window.screenshot("mistake");
    await window.press("Backspace", "Backspace", "Backspace");
    await window.type("2");
    await until("no squiggle", async () => (await window.text()).includes("+ 2") && (await window.squiggles()) === 0);
    await window.revert();
  });
  await step("hover shows a type", async () => {
    await window.goTo(17, 6);
    const text = await window.hoverUntil((it) => /chronyd/.test(it));
    await window.screenshot("hover");
    await window.press("Escape");
    return text.split("\n")[0];
  });
  await step("completion is accepted by keyboard", async () => {
    const isOffered = async () => (await window.texts(".suggest-widget.visible .monaco-list-row.focused")).some((it) => it.startsWith("join"));
    const complete = async () => {
      await window.revert();
      await window.addLine(10, "$joined = $packages.joi");
      // A busy VS Code drops completion requests triggered by typing; a user would retry.
      await window.orPress("join is offered", ["Control+Space"], isOffered);
      await window.screenshot("completion");
      await window.press("Enter");
    };
    await actUntil("it is there", complete, async () => (await window.text()).includes("$packages.join"));
    await window.revert();
  });
  await step("go to definition opens another file", async () => {
    await window.goTo(38, 16);
    await window.pressUntil("the other file", ["F12"], async () => (await window.activeTab()) === "init.pp");
    await window.screenshot("definition");
    await window.openFile(`${MANIFESTS}/base.pp`);
  });
  await step("a misspelled name is corrected by a code action", async () => {
    await window.addLine(10, "include motdd");
    await window.press("Escape");
    await until("a mark", async () => (await window.marks()) > 0);
    const offered = async () => (await window.texts(".action-widget .monaco-list-row")).find((it) => it.includes("Replace with"));
    const title = await window.pressUntil("the action", ["Escape", "Control+."], offered);
    await window.screenshot("code-action");
    const takeIt = async () => {
      if (await offered()) await window.press("Enter");
    };
    await actUntil("it is corrected", takeIt, async () => /include motd$/m.test(await window.text()));
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
  await step("the value of a line is shown after it", async () => {
    await window.addLine(10, "$roles = ['www1', 'db1'].map |$name| { profile::role_name($name) }");
    await window.press("Escape", "Escape");
    const said = await window.commandUntil("the value", "Puppet: Evaluate Selection", async () => (await window.behindText()).find((it) => it.includes("⇒ ['web server', 'database']")));
    await window.screenshot("evaluation");
    await window.revert();
    return said;
  });
  await step("the syntax tree is shown beside the file and updated", async () => {
    const trees = async () => (await window.allTexts()).split("\n").filter((line) => line.includes("SOURCE_FILE")).length;
    await window.commandUntil("the tree", "Puppet: Show Syntax Tree", async () => (await trees()) > 0);
    await window.goTo(1, 1);
    await window.type("# followed ");
    await until("what was typed, in both", async () => (await window.allTexts()).split("# followed ").length === 3);
    await window.revert();
    await window.closeOthers();
  });
  await step("a lens above a class shows how it compiles, and opens its catalog for a platform", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.goTo(12, 3);
    const status = await until("the lens", async () => (await window.texts(".codelens-decoration")).find((it) => /compiles on \d of 6 platforms/.test(it)));
    await window.command("Puppet: Show Catalog of This Class", { asks: true });
    await window.choose("RedHat 9");
    await until("the catalog", async () => (await window.allTexts()).includes("Service[chronyd]"));
    await window.screenshot("catalog");
    await window.closeOthers();
    return status;
  });
  await step("a lens shows the catalog of another platform", async () => {
    await window.goTo(6, 1);
    const lens = window.page.locator(".codelens-decoration a", { hasText: "Show catalog" }).first();
    await window.clickUntil("the question for the platform", lens, () => window.isAsking());
    await window.choose("Debian 12");
    await until("the catalog", async () => (await window.allTexts()).includes("Service[chrony]"));
    await window.closeOthers();
  });
  await step("hover shows the values of a variable by platform", async () => {
    await window.goTo(17, 6);
    const text = await window.hoverUntil((it) => it.includes("By platform: 'chrony' (Debian 12"));
    await window.press("Escape");
    return text.split("\n").at(-1);
  });
  await step("the graph can be zoomed, shows another platform, and links to the source", async () => {
    await window.goTo(6, 1);
    const lens = window.page.locator(".codelens-decoration a", { hasText: "Show graph" }).first();
    await window.clickUntil("the question for the platform", lens, () => window.isAsking());
    await window.choose("Debian 12");
    const box = (title) => `[data-node]:has(title:text-is("${title}"))`;
    let page = await until("the picture", () => window.frameWith(box("Service[chrony]")));
    const zoom = async () => Number(await page.locator("#picture").getAttribute("data-zoom"));
    // The boxes appear before the page's script has run.
    await until("all of it is shown at first", async () => (await zoom()) === 1);
    await window.clickUntil("it is larger", page.locator("#larger"), async () => (await zoom()) > 1);
    await window.clickUntil("all of it", page.locator("#whole"), async () => (await zoom()) === 1);
    await window.screenshot("graph");
    const pointAt = async () => {
      await page.locator("#search").hover();
      await page.locator(box("Service[chrony]")).hover();
    };
    await actUntil("only its arrows stand out", pointAt, async () => (await page.locator("[data-from]:not(.other)").count()) === 2);
    const search = async () => {
      await page.locator("#search").fill("motd");
      await page.locator("#search").press("Enter");
    };
    await actUntil("what was searched is in the middle", search, async () => (await zoom()) > 1 && (await page.locator("[data-node]:not(.other)").count()) === 2);
    await window.clickUntil("all of it again", page.locator("#whole"), async () => (await zoom()) === 1);
    // The page is replaced.
    page = await actUntil("the picture for the other platform", () => page.locator("#platform").selectOption("RedHat 9"), () => window.frameWith(box("Service[chronyd]")));
    await window.clickUntil("the declaration", page.locator(box("Service[chronyd]")), async () => (await window.status()).includes("Ln 34, Col 6 (77 selected)"));
    return window.status();
  });
  await step("a parameter is renamed in manifest and data", async () => {
    await window.goTo(8, 35);
    const input = ".rename-box input";
    const rename = async () => {
      await window.pressUntil("the input for the new name", ["F2"], () => window.hasFocus(input));
      await window.page.locator(input).fill("ntp_servers");
      await window.screenshot("rename");
      await window.press("Enter");
    };
    await actUntil("it is renamed", rename, async () => (await window.text()).includes("$ntp_servers"));
    const data = path.join(folder, "data/common.yaml");
    const manifest = path.join(folder, MANIFESTS, "base.pp");
    await window.commandUntil("data and manifest have the new name only", "File: Save All Files", () => {
      const texts = [data, manifest].map((it) => fs.readFileSync(it, "utf8"));
      return texts.every((it) => it.includes("ntp_servers")) && !texts[1].includes("time_servers");
    });
  });
  await step("the outline shows the class", async () => {
    const rows = await window.commandUntil("the class", "Explorer: Focus on Outline View", async () => {
      const rows = await window.texts(".outline-pane .monaco-list-row, .outline-tree .monaco-list-row");
      return rows.some((row) => row.includes("profile::base")) && rows;
    });
    return `${rows.length} rows`;
  });
  await step("a class is created at its autoload path", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.command("Puppet: New Class", { asks: true });
    await until("the question for the name", async () => (await window.asked()) === "profile::");
    await window.answer("profile::mail::relay");
    const file = path.join(folder, MANIFESTS, "mail/relay.pp");
    await until("the file", () => fs.readFileSync(file, "utf8").includes("class profile::mail::relay {"));
    await until("it is open", async () => (await window.activeTab()) === "relay.pp");
  });
  await step("a manifest is formatted on save", async () => {
    const settings = path.join(folder, ".vscode");
    fs.mkdirSync(settings);
    fs.writeFileSync(path.join(settings, "settings.json"), JSON.stringify({ "[puppet]": { "editor.formatOnSave": true } }));
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.addLine(10, "$layout={'a'=>1,'long'=>[2,3]}");
    await window.press("Escape");
    const manifest = path.join(folder, MANIFESTS, "base.pp");
    const saved = () => fs.readFileSync(manifest, "utf8");
    // VS Code may read the setting a little later.
    const save = async () => {
      await window.press("Escape", "Control+s");
      await until("it is saved", () => saved().includes("$layout"), 10_000);
    };
    await actUntil("the layout", save, () => saved().includes("$layout = { 'a' => 1, 'long' => [2, 3] }"));
    await until("the same in the editor", async () => (await window.text()).includes("$layout = {"));
    await window.screenshot("format-on-save");
    fs.rmSync(settings, { recursive: true });
    return saved().split("\n").find((line) => line.includes("$layout")).trim();
  });
  await step("the server runs again after a restart and after a crash", async () => {
    await window.openFile(`${MANIFESTS}/broken_values.pp`);
    const isBack = (old) => async () => {
      const processes = serverProcesses();
      return processes.length === 1 && processes[0] !== old && (await window.state()).endsWith(": ready") && (await window.squiggles()) > 0;
    };
    await until("one server", isBack(undefined));
    const [first] = serverProcesses();
    await window.commandUntil("another server", "Puppet: Restart Server", isBack(first));
    const [second] = serverProcesses();
    process.kill(second, "SIGKILL");
    await until("a third server", isBack(second));
  });
  await step("workspace settings do not choose the server, user settings do, and a failed start is reported", async () => {
    const write = (file, server) => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify({ "puppet-analyzer.server.path": server }));
    };
    const ofFolder = path.join(folder, ".vscode/settings.json");
    write(ofFolder, "/no/such/server");
    const [running] = serverProcesses();
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.openFile(`${MANIFESTS}/broken_values.pp`);
    await until("it is ready", async () => (await window.state()).endsWith(": ready") && (await window.squiggles()) > 0);
    const now = serverProcesses();
    if (!now.includes(running)) throw new Error(`the settings of the folder have chosen another server: ${now} runs, and not ${running}`);
    fs.rmSync(ofFolder);
    write(machineSettings(work), "/no/such/server");
    await until("the message", async () => (await window.texts(".notifications-toasts")).join().includes("/no/such/server` could not be started"));
    await until("no server", async () => (await window.state()).endsWith(": stopped") && serverProcesses().length === 0);
    write(machineSettings(work), "");
    await until("it is ready", async () => (await window.state()).endsWith(": ready") && (await window.squiggles()) > 0);
  });
  await step("phases of the window's startup", async () => {
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
