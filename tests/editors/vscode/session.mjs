// node session.mjs WORK EXTENSION SCREENSHOTS: what a person does on their first morning with the extension.
import fs from "node:fs";
import path from "node:path";
import { startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
const MANIFESTS = "site-modules/profile/manifests";

let failed = 0;
let window;
const started = Date.now();

async function step(what, action) {
  const before = Date.now();
  try {
    const said = await action();
    console.log(`ok: ${what}${said ? `: ${said}` : ""} (${((Date.now() - before) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${what}: ${error.message}`);
    await window?.screenshot(`failed-${failed}`).catch(() => {});
    await window?.press("Escape", "Escape").catch(() => {});
  }
}

const server = await startServer(work, path.resolve(extension));
try {
  window = await Window.open(folder, screenshots);
  const shown = Date.now();
  const broken = `${MANIFESTS}/broken_values.pp`;
  await step("the first diagnostic, with no setting touched", async () => {
    await window.openFile(broken);
    await until("a squiggle", async () => (await window.squiggles()) > 0);
    return `${((Date.now() - shown) / 1000).toFixed(1)} s after the window has shown`;
  });
  await step("the Problems panel has its entry", async () => {
    await window.press("Control+Shift+m");
    const rows = await until("an entry", async () => {
      const rows = await window.problems();
      return rows.some((row) => row.includes("puppet-analyzer")) && rows;
    });
    await window.screenshot("problems");
    await window.press("Control+Shift+m");
    return rows.find((row) => row.includes("puppet-analyzer")).replaceAll("\n", " ");
  });
  await step("the status bar says that it is ready", () =>
    until("ready", async () => /Puppet/.test(await window.status())).then(() => ""));

  await step("a mistake is underlined as it is typed, and gone when it is taken back", async () => {
    await window.openFile(`${MANIFESTS}/base.pp`);
    await until("no squiggle", async () => (await window.squiggles()) === 0);
    await window.goTo(10, 4);
    await window.press("End", "Enter");
    await window.type("$broken = 1 + 'a'");
    await until("a squiggle", async () => (await window.squiggles()) > 0);
    await window.screenshot("mistake");
    for (let count = 0; count < 3; count += 1) await window.press("Backspace");
    await window.type("2");
    await until("no squiggle", async () => (await window.squiggles()) === 0);
    await window.command("File: Revert File");
  });
  await step("hover shows a type", async () => {
    await window.goTo(18, 6);
    await window.press("Control+k", "Control+i");
    const text = await until("a hover", async () => (await window.texts(".monaco-hover:not(.hidden)")).find((it) => /chronyd|String|Enum/.test(it)));
    await window.screenshot("hover");
    await window.press("Escape");
    return text.split("\n")[0];
  });
  await step("completion is accepted by keyboard", async () => {
    await window.goTo(10, 4);
    await window.press("End", "Enter");
    await window.type("$joined = $packages.joi");
    await until("join is offered", async () => (await window.texts(".suggest-widget .monaco-list-row.focused")).some((it) => it.startsWith("join")));
    await window.screenshot("completion");
    await window.press("Enter");
    await until("it is there", async () => (await window.text()).includes("$packages.join"));
    await window.command("File: Revert File");
  });
  await step("a definition is gone to in another file", async () => {
    await window.goTo(38, 16);
    await window.press("F12");
    await until("the other file", async () => (await window.activeTab()).startsWith("init.pp"));
    await window.screenshot("definition");
    await window.openFile(`${MANIFESTS}/base.pp`);
  });
  await step("a misspelt name is corrected by a code action", async () => {
    await window.goTo(10, 4);
    await window.press("End", "Enter");
    await window.type("include motdd");
    await until("a squiggle", async () => (await window.marks()) > 0);
    await window.press("Control+.");
    const titles = await until("the action", async () => {
      const titles = await window.texts(".action-widget .monaco-list-row");
      return titles.some((it) => it.includes("Did you mean")) && titles;
    });
    await window.screenshot("code-action");
    await window.press("Enter");
    await until("it is corrected", async () => /include motd$/m.test(await window.text()));
    await window.command("File: Revert File");
    return titles.find((it) => it.includes("Did you mean"));
  });
  await step("a parameter is renamed in manifest and data", async () => {
    await window.goTo(8, 35);
    await window.press("F2");
    await window.page.waitForSelector(".rename-box input");
    await window.page.keyboard.insertText("ntp_servers");
    await window.press("Enter");
    await until("it is renamed", async () => (await window.text()).includes("$ntp_servers"));
    const data = path.join(folder, "data/common.yaml");
    await window.command("File: Save All");
    await until("the data have the new name", () => fs.readFileSync(data, "utf8").includes("profile::base::ntp_servers"));
  });
  await step("the outline shows the class", async () => {
    await window.command("Explorer: Focus on Outline View");
    const rows = await until("the class", async () => {
      const rows = await window.texts(".outline-pane .monaco-list-row, .outline-tree .monaco-list-row");
      return rows.some((row) => row.includes("profile::base")) && rows;
    });
    return `${rows.length} rows`;
  });
} finally {
  await window?.close();
  server.kill();
}
console.log(`${failed === 0 ? "all passed" : `${failed} failed`} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
fs.rmSync(path.join(work, "home"), { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
