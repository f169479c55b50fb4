// First session of a user with the extension: node session.mjs WORK EXTENSION SCREENSHOTS [WORDS...]
//
// With WORDS, only the steps whose names contain one of them are run. Some need earlier ones.
import fs from "node:fs";
import path from "node:path";
import { actUntil, machineSettings, startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots, ...words] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
const MANIFESTS = "site-modules/profile/manifests";

let failed = 0;
let window;
const started = Date.now();
const seconds = (from, to = Date.now()) => ((to - from) / 1000).toFixed(1);

async function step(what, action) {
  if (words.length > 0 && !words.some((it) => what.includes(it))) return;
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

/** Returns the command line of a process. */
function processArguments(id) {
  try {
    return fs.readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
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
    await window.press("Escape");
    return text.split("\n")[0];
  });
  await step("completion opens while typing and is accepted by keyboard", async () => {
    const offered = (rows) => window.texts(`.suggest-widget.visible .monaco-list-row${rows}`);
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.addLine(10, "$joined = $packages.");
    await until("functions are offered", async () => (await offered("")).length > 5);
    await window.screenshot("completion");
    await window.type("joi");
    await until("join is offered", async () => (await offered(".focused")).some((it) => it.startsWith("join")));
    await window.press("Enter");
    await until("it is there", async () => (await window.text()).includes("$packages.join"));
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
  await step("the expression around the cursor is evaluated, over several lines", async () => {
    await window.addLine(10, "$sum = [1, 2, 3].reduce |$memo, $it| {");
    await window.press("Enter");
    await window.type("$memo + $it");
    await window.goTo(11, 12);
    const said = await window.commandUntil("the value", "Puppet: Evaluate Selection", async () => (await window.behindText()).find((it) => it.includes("⇒ 6")));
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
  await step("a lens above a class shows how it compiles, or why that is unknown, and opens its catalog for a platform", async () => {
    const lens = (text) => until("the lens", async () => (await window.texts(".codelens-decoration")).find((it) => it.includes(text)));
    await window.openFile(`${MANIFESTS}/database.pp`);
    await lens("✓ compiles on 6 of 6 platforms");
    await window.openFile(`${MANIFESTS}/base.pp`);
    // The data in data/nodes takes precedence over the rest.
    const status = await lens("? data for `profile::base::packages` depends on the name of the node");
    await window.goTo(12, 3);
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
    await window.screenshot("hover");
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
    await until("all of it is shown at first", async () => (await zoom()) === 1);
    await window.clickUntil("it is larger", page.locator("#larger"), async () => (await zoom()) > 1);
    await window.clickUntil("all of it", page.locator("#whole"), async () => (await zoom()) === 1);
    await window.screenshot("graph");
    const pointAt = async () => {
      await page.locator("#search").hover();
      await page.locator(box("Service[chrony]")).hover();
    };
    await actUntil("only its arrow stands out", pointAt, async () => (await page.locator("[data-from]:not(.other)").count()) === 1);
    await window.clickUntil("only the classes", page.locator("#collapse"), async () => (await page.locator("[data-node]").count()) === 2);
    await window.clickUntil("their contents", page.locator("#expand"), async () => (await page.locator("[data-node]").count()) > 2);
    const search = async () => {
      await page.locator("#search").fill("motd");
      await page.locator("#search").press("Enter");
    };
    await actUntil("what was searched is in the middle", search, async () => (await zoom()) > 1 && (await page.locator("[data-node]:not(.other)").count()) === 2);
    await window.clickUntil("all of it again", page.locator("#whole"), async () => (await zoom()) === 1);
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
  await step("definitions are created at their autoload paths", async () => {
    const module = path.join(folder, "site-modules/profile");
    const create = async (command, name, files, language) => {
      await window.openFile(`${MANIFESTS}/base.pp`);
      await window.command(`Puppet: ${command}`, { asks: true });
      await until("the question for the name", async () => /^(profile::|Profile::|profile_)$/.test((await window.asked()) ?? ""));
      await window.answer(name, { asks: language !== undefined });
      if (language !== undefined) await window.choose(language);
      for (const [file, text] of Object.entries(files)) {
        await until(`${file} has its text`, () => fs.readFileSync(path.join(module, file), "utf8").includes(text));
      }
      const [first] = Object.keys(files);
      await until("it is open", async () => (await window.activeTab()) === path.basename(first));
      await until("it has no mistakes", async () => (await window.count(".tabs-container .tab.active.dirty")) === 0 && (await window.squiggles()) === 0);
    };
    await create("New Class", "profile::mail::relay", { "manifests/mail/relay.pp": "class profile::mail::relay {\n" });
    await window.screenshot("new-class");
    await create("New Defined Type", "profile::mail::alias", { "manifests/mail/alias.pp": "define profile::mail::alias (\n" });
    await create("New Function", "profile::mail_host", { "functions/mail_host.pp": "function profile::mail_host() >> Any {\n" });
    await create("New Type Alias", "Profile::Address", { "types/address.pp": "type Profile::Address = Any\n" });
    await create("New Plan", "profile::relocate", { "plans/relocate.pp": "plan profile::relocate (\n  TargetSpec $targets,\n" });
    await create("New Fact", "profile_mailer", { "lib/facter/profile_mailer.rb": "Facter.add(:profile_mailer) do\n" });
    await create("New Task", "profile::flush", { "tasks/flush.sh": 'echo "$PT_message"\n', "tasks/flush.json": '"description"' }, "Shell");
    const text = fs.readFileSync(path.join(module, "manifests/mail/relay.pp"), "utf8");
    if (text.split("class profile::mail::relay").length !== 2) throw new Error(`the server has filled the file, too: ${text}`);
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
  await step("the status item lists the modules, and stops and starts the server", async () => {
    const puppetfile = "mod 'puppetlabs-stdlib', '9.0.0'\nmod 'puppetlabs-apache', '12.0.0'\n";
    fs.writeFileSync(path.join(folder, "Puppetfile"), puppetfile);
    const open = () => window.page.locator('.statusbar-item[aria-label^="Puppet Analyzer"] a').click();
    const rows = async () => (await window.texts(".quick-input-list .monaco-list-row")).join("\n");
    const asking = (what, text) => actUntil(what, open, async () => (await rows()).includes(text) && rows());
    const menu = await asking("the missing module", "1 module missing: apache");
    if (!/Environment control-repo \(Puppet 8\): 4 modules/.test(menu)) throw new Error(`the modules: ${menu}`);
    await window.screenshot("status");
    await window.choose("Stop");
    await until("it has stopped", async () => (await window.state()).endsWith(": stopped") && serverProcesses().length === 0);
    await asking("start", "Start");
    await window.choose("Start");
    await until("it is ready", async () => (await window.state()).endsWith(": ready") && serverProcesses().length === 1);
    return menu.split("\n").slice(0, 3).join(" ");
  });
  await step("the log has what a bug report needs", async () => {
    await window.commandUntil("the log", "Puppet: Show Server Log", async () => (await window.count(".output-view .view-line, .panel .view-line")) > 3);
    const logs = path.join(work, "home/code/logs");
    const file = fs.readdirSync(logs, { recursive: true }).find((it) => it.endsWith("/Puppet Analyzer.log"));
    const wanted = [/Extension 0\.1\.0, .*linux/, /Server: .*puppet-analyzer lsp/, /Folders: .*control-repo/, /Settings: defaults/, /The server \d\S* is running/, /Environment control-repo: Puppet 8, 4 modules, missing: apache/];
    const log = await until("the lines", () => {
      const text = fs.readFileSync(path.join(logs, file), "utf8");
      return wanted.every((it) => it.test(text)) && text;
    });
    await window.screenshot("log");
    await window.commandUntil("the panel is gone", "View: Hide Panel", async () => (await window.count(".output-view")) === 0);
    return log.split("\n").find((line) => line.includes("Environment"));
  });
  await step("views show the modules of the Puppetfile and the facts of a platform", async () => {
    const rows = () => window.texts(".pane-body .monaco-list-row");
    const expanded = (label) => window.page.locator(".pane-body .monaco-list-row", { hasText: label }).first();
    await window.commandUntil("the modules", "Puppet: Show Modules", async () => (await rows()).some((it) => /^apache\s*missing/.test(it)));
    const [stdlib, apache] = ["stdlib", "apache"].map((name) => async () => (await rows()).find((it) => it.startsWith(name)));
    const found = [await stdlib(), await apache()];
    await window.clickUntil("the line of the Puppetfile", expanded("apache"), async () => (await window.activeTab()) === "Puppetfile" && (await window.status()).includes("Ln 2"));
    await window.commandUntil("the platforms", "Puppet: Show Facts", async () => (await rows()).some((it) => it.startsWith("Debian 12")));
    await window.clickUntil("the facts", expanded("Debian 12"), async () => (await rows()).some((it) => it.startsWith("augeas")));
    await window.clickUntil("the elements", expanded(/^augeas$/), async () => (await rows()).some((it) => it.startsWith("version")));
    await window.screenshot("views");
    await window.commandUntil("the files", "Explorer: Focus on Folders View", async () => (await window.count(".explorer-folders-view")) > 0);
    return found.join("; ");
  });
  await step("snippets and the schema help with Puppetfile and metadata", async () => {
    const row = (label) => async () => (await window.texts(".suggest-widget.visible .monaco-list-row")).some((it) => it.startsWith(label));
    await window.openFile("Puppetfile");
    await window.addLine(2, "modgit");
    await until("the snippet", row("modgittag"));
    await window.revert();
    await window.openFile("modules/motd/metadata.json");
    const line = fs.readFileSync(path.join(folder, "modules/motd/metadata.json"), "utf8").split("\n").findIndex((it) => it.includes('"dependencies": []'));
    await window.goTo(line + 1, '  "dependencies": ['.length + 1);
    // VS Code completes the elements of JSON arrays on request only. In an open list, the key only toggles its details.
    await window.pressUntil("a dependency", ["Escape", "Control+Space"], row("Dependency"));
    await window.press("Enter");
    await until("it is inserted", async () => (await window.text()).includes('"version_requirement": ">= 9.0.0 < 10.0.0"'));
    await window.revert();
  });
  await step("a selected platform is used for catalogs without a question", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await window.command("Puppet: Select Node or Platform for Catalogs", { asks: true });
    await window.choose("RedHat 9");
    await window.goTo(12, 3);
    const title = window.page.locator('.editor-actions [aria-label^="Show Catalog of This Class"]').first();
    await window.clickUntil("the catalog", title, async () => (await window.allTexts()).includes("Service[chronyd]"));
    await window.screenshot("title-menu");
    await window.closeOthers();
    await window.command("Puppet: Select Node or Platform for Catalogs", { asks: true });
    const nodes = (await window.texts(".quick-input-list .monaco-list-row")).join(" ").replaceAll("\n", " ");
    await window.choose("Ask for the platform each time");
    return nodes;
  });
  await step("the workspace is checked as a task", async () => {
    const toast = async () => (await window.texts(".notifications-toasts .notification-list-item")).find((it) => it.includes("The workspace has errors."));
    const said = await window.commandUntil("the result", "Puppet: Check Workspace", toast);
    await window.screenshot("check");
    await window.commandUntil("the mistakes of all files", "Problems: Focus on Problems View", async () => (await window.problems()).some((row) => row.includes("broken_rules.pp")));
    await window.screenshot("check-problems");
    const places = async () => (await window.problems()).filter((row) => row.includes("illegal-definition-location")).length;
    if ((await places()) !== 1) throw new Error("a finding is listed twice");
    await window.openFile(`${MANIFESTS}/broken_place.pp`);
    await until("its squiggles", async () => (await window.squiggles()) > 0);
    await until("the finding is still listed once", async () => (await places()) === 1);
    await window.screenshot("check-opened");
    await window.commandUntil("no notification", "Notifications: Clear All Notifications", async () => (await window.count(".notifications-toasts.visible .notification-list-item")) === 0);
    await window.commandUntil("the panel is gone", "View: Hide Panel", async () => (await window.problems()).length === 0);
    return said.replaceAll("\n", " ");
  });
  await step("a check is canceled, and ends at once", async () => {
    // A server whose checks take a minute.
    const slow = path.join(work, "slow");
    const own = fs.readlinkSync(`/proc/${serverProcesses()[0]}/exe`);
    fs.writeFileSync(slow, `#!/bin/sh\nif [ "$1" = check ]; then exec sleep 61.5; fi\nexec '${own}' "$@"\n`, { mode: 0o755 });
    const settings = (server) => fs.writeFileSync(machineSettings(work), JSON.stringify({ "puppet-analyzer.server.path": server }));
    const checks = () => fs.readdirSync("/proc").filter((id) => /^\d+$/.test(id) && processArguments(id).includes("61.5")).length;
    const toasts = async () => (await window.texts(".notifications-toasts .notification-list-item")).join();
    fs.mkdirSync(path.dirname(machineSettings(work)), { recursive: true });
    settings(slow);
    await window.openFile(`${MANIFESTS}/broken_values.pp`);
    await window.commandUntil("the progress", "Puppet: Check Workspace", async () => (await toasts()).includes("Checking the workspace") && checks() === 1);
    const cancel = window.page.locator(".notifications-toasts .monaco-button", { hasText: "Cancel" }).first();
    await window.clickUntil("the message", cancel, async () => (await toasts()).includes("The check was canceled."));
    await window.screenshot("check-canceled");
    await until("no check", () => checks() === 0);
    if ((await toasts()).includes("Checking the workspace")) throw new Error("the progress is still shown");
    settings("");
    await window.commandUntil("no notification", "Notifications: Clear All Notifications", async () => (await window.count(".notifications-toasts.visible .notification-list-item")) === 0);
    await until("it is ready", async () => (await window.state()).endsWith(": ready") && (await window.squiggles()) > 0);
  });
  await step("the page of the extension shows its commands and changes", async () => {
    const item = window.page.locator(".extensions-list .monaco-list-row", { hasText: "Puppet Analyzer" }).first();
    await window.commandUntil("the extension", "Extensions: Show Installed Extensions", () => item.isVisible());
    await actUntil("the page", () => item.dblclick({ timeout: 6_000 }), () => window.frameWith('h2:has-text("Commands")'));
    await window.screenshot("gallery");
    const tab = window.page.locator(".extension-editor .action-label", { hasText: "Changelog" }).first();
    await window.clickUntil("the changes", tab, () => window.frameWith('h2:has-text("Unreleased")'));
    await window.commandUntil("the files", "Explorer: Focus on Folders View", async () => (await window.count(".explorer-folders-view")) > 0);
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
    const toasts = () => window.texts(".notifications-toasts .notification-list-item");
    await until("the message", async () => (await toasts()).join().includes("/no/such/server` could not be started"));
    await window.screenshot("no-server");
    const shown = await toasts();
    if (shown.length !== 1) throw new Error(`${shown.length} notifications: ${shown.join("; ")}`);
    const button = window.page.locator(".notifications-toasts .monaco-button", { hasText: "Open Settings" }).first();
    await window.clickUntil("the setting", button, async () => (await window.texts(".settings-editor")).join().includes("Path of the server binary"));
    await window.screenshot("settings");
    await window.pressUntil("the settings are closed", ["Escape"], async () => (await window.count(".settings-editor")) === 0);
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
