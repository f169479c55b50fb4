#!/usr/bin/env node
// The server with catalogs made up: what `puppet-analyzer/catalog` and `puppet-analyzer/catalogGraph` answer is written
// here, everything else is the real server's. So the client's side is tried whatever the server can do.
//
//   REAL_SERVER=… catalog-server.mjs lsp
import { spawn } from "node:child_process";

const PLATFORMS = ["debian-12-x86_64", "redhat-9-x86_64"];
const server = spawn(process.env.REAL_SERVER ?? "puppet-analyzer", process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
server.on("exit", (code) => process.exit(code ?? 1));
let initialize;

/** Calls `take` with each message of a stream. */
function read(stream, take) {
  let buffer = Buffer.alloc(0);
  stream.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
      if (buffer.length < end + 4 + length) return;
      const body = buffer.subarray(end + 4, end + 4 + length);
      buffer = buffer.subarray(end + 4 + length);
      take(JSON.parse(body.toString()));
    }
  });
}

function write(stream, message) {
  const body = Buffer.from(JSON.stringify(message));
  stream.write(`Content-Length: ${body.length}\r\n\r\n`);
  stream.write(body);
}

function catalog({ class: name = "profile::base", platform = PLATFORMS[0] }) {
  const title = `${name} on ${platform}`;
  return { uri: `puppet-catalog:/${name.replaceAll("::", "/")}.pp`, title, text: `# ${title}\nclass { '${name}': }\n`, platforms: PLATFORMS };
}

function graph({ textDocument, class: name = "profile::base", platform = PLATFORMS[0] }) {
  const box = (id, x, label) =>
    `<g data-node="${id}"><rect x="${x}" y="40" width="140" height="40" rx="6" fill="#4a7bd0"/><text x="${x + 70}" y="65" fill="#fff" font-size="13" text-anchor="middle">${label}</text></g>`;
  const arrow = '<path d="M160 60 L240 60" stroke="#999" stroke-width="2"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120">${box("a", 20, "Package[chrony]")}${arrow}${box("b", 240, "Service[chrony]")}</svg>`;
  const node = (id, line) => ({ id, uri: textDocument.uri, range: { start: { line, character: 4 }, end: { line, character: 11 } } });
  return { svg, title: `${name} on ${platform}`, nodes: [node("a", 23), node("b", 30)], platforms: PLATFORMS };
}

const OWN = { "puppet-analyzer/catalog": catalog, "puppet-analyzer/catalogGraph": graph };
read(process.stdin, (message) => {
  if (message.method === "initialize") initialize = message.id;
  const own = OWN[message.method];
  if (own === undefined) write(server.stdin, message);
  else write(process.stdout, { jsonrpc: "2.0", id: message.id, result: own(message.params) });
});
process.stdin.on("end", () => server.stdin.end());
read(server.stdout, (message) => {
  if (message.id === initialize && message.result?.capabilities) {
    message.result.capabilities.experimental = { ...message.result.capabilities.experimental, catalog: true };
  }
  write(process.stdout, message);
});
