// Uses the HTML report of `diff` in Chromium, opened from disk, with a generated comparison of 10,000 nodes:
//
//   node report.mjs PAGE_FOLDER SCREENSHOTS [REPORT]
//
// PAGE_FOLDER has the parts of the page (server/fleet/src/page). REPORT is a page that `diff --format html` wrote; it is only
// opened, and pictures of it are taken. Chromium is at /usr/bin/chromium or $CHROMIUM.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const [folder, screenshots, written] = process.argv.slice(2);
fs.mkdirSync(screenshots, { recursive: true });
const HOSTILE = `</script><img src=x onerror="window.hacked=1"><!-- <script> ' " & {script} %00`;

/** Assembles the page as `page::render` does. */
function page(report) {
  const [script, style] = ["page.js", "page.css"].map((it) => fs.readFileSync(path.join(folder, it), "utf8"));
  const hash = (text) => `sha256-${crypto.createHash("sha256").update(text).digest("base64")}`;
  const json = JSON.stringify(report).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const parts = { script, style, report: json, "script-hash": hash(script), "style-hash": hash(style) };
  const template = fs.readFileSync(path.join(folder, "page.html"), "utf8");
  return template.replace(/\{([a-z-]+)\}/g, (whole, name) => (name in parts ? parts[name] : whole));
}

/**
 * Returns a comparison of 10,000 nodes: 30 roles in 10 regions with 400 resources, 812 nodes whose contents differ by name, and
 * titles that try to leave the page's data.
 */
function fleet() {
  const changes = [];
  const groups = [];
  const add = (change) => changes.push(change) - 1;
  const at = (file, line, code) => ({ file, line, code, base: { file, line: line - 2, code: code.replace("new", "old") } });
  const common = add({
    resource: "File[/etc/motd]", change: "changed", file: "modules/base/manifests/init.pp", line: 12, base: { file: "modules/base/manifests/init.pp", line: 10 },
    parameters: [{ name: "content", before: '"Welcome\\nto the old machine\\nof example.com\\n"', after: '"Welcome\\nto the new machine\\nof example.com\\nand\\tmore\\n"', ...at("modules/base/manifests/init.pp", 14, "    content => epp('base/new_motd.epp'),") }],
  });
  const resources = Array.from({ length: 400 }, (_, it) => {
    const kind = ["changed", "added", "removed"][it % 3];
    const [before, after] = [kind === "added" ? null : `'value ${it}'`, kind === "removed" ? null : `'value ${it + 1}'`];
    const title = it === 7 ? HOSTILE : `/etc/app/${it}.conf`;
    return add({ resource: `File[${title}]`, change: kind, file: `modules/app/manifests/c${it}.pp`, line: it + 1, parameters: [{ name: "content", before, after, file: `modules/app/manifests/c${it}.pp`, line: it + 2, code: `  content => ${after ?? before},` }] });
  });
  for (let kind = 0; kind < 300; kind += 1) {
    const [role, region] = [kind % 30, Math.floor(kind / 30)];
    const size = Math.floor(9188 / 300) + (kind < 9188 % 300 ? 1 : 0);
    const nodes = Array.from({ length: size }, (_, it) => `role${role}-${it}.region${region}.example.com`);
    const own = resources.filter((_, it) => ((it * 7 + role * 13 + region) % 11 < 2 || (it < 60 && (it * 5 + role) % 4 === 0)) || it === kind);
    groups.push({ nodes, changes: [common, ...own] });
  }
  for (let it = 0; it < 812; it += 1) {
    const name = `web${it}.example.com`;
    const own = add({ resource: "File[/etc/issue]", change: "changed", file: "modules/base/manifests/issue.pp", line: 3, parameters: [{ name: "content", before: `'old ${name}'`, after: `'new ${name}'`, ...at("modules/base/manifests/issue.pp", 5, "    content => \"new ${facts['networking']['fqdn']}\",") }] });
    groups.push({ nodes: [name], changes: [own, ...resources.slice(0, 5)] });
  }
  const failures = [];
  for (let it = 0; it < 40; it += 1) failures.push({ node: `db${it}.example.com`, side: "head", status: "failed", reason: `could not find class ::profile::${HOSTILE}` });
  failures.push({ node: "lost.example.com", side: "both", status: "open", reason: "no facts" });
  for (let it = 0; it < 5; it += 1) failures.push({ node: `open${it}.example.com`, side: "both", status: "open", reason: "module `apache` is missing" });
  return { base: "origin/main", summary: { same: 2000, changed: 10000, failed: 40, open: 6 }, changes, groups, failures, limitations: ["submodule `modules/x` is not checked out"] };
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const problems = [];
let failed = 0;

async function step(name, action) {
  try {
    const detail = await action();
    console.log(`ok: ${name}${typeof detail === "string" ? `: ${detail}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}: ${error.message.split("\n").slice(0, 8).join(" ")}`);
  }
}

/** Opens a page from disk, without network, and measures until it is usable. */
async function opened(file, { scheme = "light", size = { width: 1280, height: 800 }, hash = "" } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, offline: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => !request.url().startsWith("file:") && problems.push(`request of ${request.url()}`));
  const started = Date.now();
  await page.goto(`${pathToFileURL(file)}${hash}`);
  await page.waitForSelector("nav [aria-selected=true]");
  page.took = Date.now() - started;
  return page;
}

async function session(file) {
  const page = await opened(file);
  const tab = () => page.locator("nav [aria-selected=true]").textContent();
  const visible = (selector) => page.locator(`${selector}:visible`);
  const detail = () => visible(".detail").textContent();
  const status = () => page.locator("#status").textContent();
  const press = (key) => page.keyboard.press(key);
  const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  await step("a report of 10,000 nodes opens from disk without network", async () => {
    assert.equal(await page.locator("#summary").textContent(), "10,000 changed2,000 same40 failed6 open");
    assert.match(await tab(), /^Groups 1,112$/);
    return `${page.took} ms, ${Math.round(fs.statSync(file).size / 1024)} KiB`;
  });
  await step("lists render only what is visible", async () => {
    assert.ok((await visible(".option").count()) < 40);
    assert.match(await detail(), /^\d+ changes on 31 nodes/);
  });
  await step("arrow keys, Page Down, Home, and End move in the list", async () => {
    await press("ArrowDown");
    await press("j");
    assert.equal(await visible("[role=option][aria-selected=true]").getAttribute("aria-posinset"), "3");
    await press("End");
    assert.equal(await visible("[role=option][aria-selected=true]").getAttribute("aria-posinset"), "1112");
    assert.match(page.url(), /#groups\/1111$/);
    await press("PageUp");
    await press("Home");
    assert.equal(await visible("[role=option][aria-selected=true]").getAttribute("aria-posinset"), "1");
  });
  await step("values are side by side, with the source lines of both sides", async () => {
    const card = visible(".change").filter({ hasText: "File[/etc/motd]" }).first();
    const [before, after] = [await card.locator("td.before").innerText(), await card.locator("td.after").innerText()];
    assert.match(before, /init\.pp:12\s+content => epp\('base\/old_motd\.epp'\),/);
    assert.match(after, /init\.pp:14\s+content => epp\('base\/new_motd\.epp'\),/);
    assert.equal(await card.locator("td.before mark").first().textContent(), "old");
    assert.equal(await card.locator("td.after mark").first().textContent(), "new");
    const [left, right] = [await card.locator("td.before").boundingBox(), await card.locator("td.after").boundingBox()];
    assert.ok(left.x + left.width <= right.x + 1 && Math.abs(left.y - right.y) < 1);
  });
  await step("Enter goes to the details, Escape back to the list", async () => {
    await press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("detail")));
    await press("Escape");
    assert.ok(await page.evaluate(() => document.activeElement.getAttribute("role") === "listbox"));
  });
  await step("a change is listed once, with all of its nodes and variants", async () => {
    await press("2");
    assert.match(await tab(), /^Changes 402$/);
    assert.match(await visible(".option").first().textContent(), /^File\[\/etc\/motd\]changed on 9,188 nodes$/);
    await page.locator("#search").fill("/etc/issue");
    await press("Enter");
    assert.equal(await visible(".option").count(), 1);
    assert.match(await detail(), /File\[\/etc\/issue\] on 812 nodes, 812 variants/);
    assert.equal(await visible(".change").count(), 100);
    await visible(".more").last().click();
    assert.equal(await visible(".change").count(), 812);
    assert.match(await status(), /^812 of 10,000 nodes, 1 of 402 resources match$/);
  });
  await step("search combines names of nodes and changes", async () => {
    await page.locator("#search").fill("web77 /etc/issue");
    await press("Enter");
    assert.match(await status(), /^11 of 10,000 nodes, 1 of 402 resources match$/);
    await press("y");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(copied.trim().split("\n"), ["web77.example.com", ...Array.from({ length: 10 }, (_, it) => `web77${it}.example.com`)]);
    await press("/");
    await press("Escape");
    assert.equal(await page.locator("#search").inputValue(), "");
    assert.equal(await status(), "");
  });
  await step("the search finds nodes; its time", async () => {
    const took = await page.evaluate(() => {
      const field = document.getElementById("search");
      const started = performance.now();
      field.value = "region3 content value";
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", cancelable: true }));
      document.querySelector(".list").getBoundingClientRect();
      const took = performance.now() - started;
      field.value = "";
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", cancelable: true }));
      return took;
    });
    return `${Math.round(took)} ms`;
  });
  await step("the matrix has all nodes and resources, and few elements", async () => {
    await press("3");
    const grid = page.locator("[role=grid]");
    assert.equal(await grid.getAttribute("aria-rowcount"), "10001");
    assert.equal(await grid.getAttribute("aria-colcount"), "403");
    assert.ok((await page.locator("[role=grid] *").count()) < 3000);
    assert.ok((await page.locator(".cell.changed").count()) > 10);
    return `${await page.locator("[role=grid] *").count()} elements`;
  });
  await step("a jump in the matrix; its CPU time", async () => {
    // The time of the page's thread does not depend on other programs.
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const busy = async () => (await session.send("Performance.getMetrics")).metrics.find((it) => it.name === "TaskDuration").value * 1000;
    const before = await busy();
    await page.evaluate(async () => {
      const grid = document.querySelector("[role=grid]");
      for (let at = 0; at < 60; at += 1) {
        grid.scrollTop = (at * 4001) % 230000;
        grid.scrollLeft = (at * 331) % 8000;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
    });
    const took = ((await busy()) - before) / 60;
    assert.ok(took > 0);
    await page.evaluate(() => document.querySelector("[role=grid]").scrollTo(0, 0));
    await settle();
    return `${took.toFixed(1)} ms`;
  });
  await step("the keyboard reaches every cell, and Enter shows it", async () => {
    await press("3");
    const active = () => page.locator("[role=grid]").getAttribute("aria-activedescendant");
    assert.equal(await active(), "cell-0-0");
    await press("ArrowDown");
    await press("ArrowRight");
    assert.equal(await active(), "cell-1-1");
    await press("Control+End");
    await press("End");
    assert.equal(await active(), "cell-9999-401");
    assert.equal(await page.locator("#cell-9999-401").count(), 1, "the active cell is rendered");
    const [cell, grid] = [await page.locator("#cell-9999-401").boundingBox(), await page.locator("[role=grid]").boundingBox()];
    assert.ok(cell.y + cell.height <= grid.y + grid.height && cell.x + cell.width <= grid.x + grid.width, "it is in view");
    await press("Control+Home");
    await press("Home");
    await press("Enter");
    assert.match(await visible(".side").textContent(), /File\[\/etc\/motd\]changed/);
    assert.match(await status(), /^role\d+-\d+\.region\d\.example\.com – File\[\/etc\/motd\]: changed$/);
    await press("Escape");
    assert.equal(await visible(".side").count(), 0);
    await press("ArrowLeft");
    await press("Enter");
    assert.match(await visible(".side h2").textContent(), /region\d\.example\.com: \d+ changes/);
    await press("Escape");
    await press("ArrowUp");
    await press("ArrowRight");
    await press("Enter");
    assert.match(await visible(".side h2").textContent(), /^File\[\/etc\/motd\] on 9,188 nodes/);
    await press("Escape");
  });
  await step("a click on a cell shows its change", async () => {
    await page.evaluate(() => document.querySelector("[role=grid]").scrollTo(3000, 100000));
    await settle();
    const cells = page.locator(".cell.removed");
    const cell = cells.nth(Math.floor((await cells.count()) / 2));
    const label = await cell.getAttribute("aria-label");
    const box = await cell.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(label.split(",")[0], await visible(".side h2").textContent());
    await settle();
    await page.screenshot({ path: path.join(screenshots, "report-cell.png") });
    await press("Escape");
  });
  await step("failures and open nodes are listed with reasons", async () => {
    await press("4");
    assert.match(await tab(), /^Failed and open 4$/);
    assert.match(await detail(), /^40 nodes: fails after the change/);
    await page.locator("#search").fill("lost");
    await press("Enter");
    assert.match(await detail(), /^1 node: openno factsCopy nameslost\.example\.com$/);
    await press("/");
    await press("Escape");
  });
  await step("text from the repository is inert", async () => {
    await press("2");
    await page.locator("#search").fill("onerror");
    await press("Enter");
    assert.ok((await detail()).includes(HOSTILE));
    assert.equal(await page.locator("main img").count(), 0);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // Code that did get into the page would not run.
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 2";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.match(problems.pop() ?? "", /Content Security Policy/);
    await press("/");
    await press("Escape");
  });
  await step("the color scheme follows the system, or the user's choice", async () => {
    const dark = await opened(file, { scheme: "dark" });
    const color = () => dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await color(), "rgb(13, 17, 23)");
    await dark.keyboard.press("d");
    assert.equal(await color(), "rgb(255, 255, 255)");
    await dark.reload();
    assert.equal(await color(), "rgb(255, 255, 255)");
    await dark.context().close();
  });
  await step("a link opens the same view", async () => {
    const linked = await opened(file, { hash: "#changes/3" });
    assert.equal(await linked.locator("[role=option][aria-selected=true]:visible").getAttribute("aria-posinset"), "4");
    await linked.context().close();
  });
  await step("text has the contrast that WCAG AA requires", async () => {
    for (const scheme of ["light", "dark"]) {
      const other = await opened(file, { scheme });
      const low = await other.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const parse = (name) => style.getPropertyValue(`--${name}`).trim().slice(1).match(/../g).map((it) => Number.parseInt(it, 16) / 255);
        const luminance = (name) => parse(name).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)).reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
        const ratio = (a, b) => {
          const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
          return (high + 0.05) / (low + 0.05);
        };
        const pairs = [["text", "background"], ["text", "surface"], ["text", "selected"], ["dim", "background"], ["dim", "surface"], ["dim", "selected"], ["text", "added-part"], ["text", "removed-part"], ["text", "added-surface"], ["text", "removed-surface"], ["changed", "changed-surface"], ["added", "added-surface"], ["removed", "removed-surface"], ["open", "open-surface"], ["added", "surface"], ["removed", "surface"], ["changed", "surface"]];
        return pairs.map(([a, b]) => [a, b, ratio(a, b)]).filter(([, , it]) => it < 4.5).map(([a, b, it]) => `${a} on ${b}: ${it.toFixed(2)}`);
      });
      assert.deepEqual(low, [], scheme);
      await other.context().close();
    }
  });
  await page.context().close();
}

/** Opens a report without differences. */
async function clean(file) {
  const page = await opened(file);
  await step("a report without differences says so", async () => {
    assert.equal(await page.locator("#summary").textContent(), "0 changed12 same0 failed0 open");
    for (const key of ["1", "2", "3", "4"]) await page.keyboard.press(key);
    assert.match(await page.locator(".detail:visible").textContent(), /Nothing/);
  });
  await page.context().close();
}

async function pictures(file, name) {
  for (const scheme of ["light", "dark"]) {
    const page = await opened(file, { scheme });
    for (const [key, view] of [["1", "groups"], ["2", "changes"], ["3", "matrix"], ["4", "failures"]]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
      await page.screenshot({ path: path.join(screenshots, `${name}-${view}-${scheme}.png`) });
    }
    await page.context().close();
  }
}

if (written) await pictures(path.resolve(written), "written");
else {
  const [large, empty] = ["large.html", "empty.html"].map((it) => path.resolve(screenshots, it));
  fs.writeFileSync(large, page(fleet()));
  fs.writeFileSync(empty, page({ base: "HEAD", summary: { same: 12, changed: 0, failed: 0, open: 0 }, changes: [], groups: [], failures: [] }));
  await session(large);
  await clean(empty);
  await pictures(large, "report");
}
await step("no errors in the console, and no requests", () => assert.deepEqual(problems, []));
await browser.close();
console.log(failed === 0 ? "all steps passed" : `${failed} steps failed`);
process.exit(failed === 0 ? 0 : 1);
