import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { workspace } from "vscode";

const NAME = process.platform === "win32" ? "puppet-analyzer.exe" : "puppet-analyzer";

/** A server's process. */
export interface ServerProcess {
  command: string;
  /** When it runs; rejected where it cannot be started. */
  started: Promise<ChildProcessWithoutNullStreams>;
  hasEnded(): boolean;
}

/** Starts the server that the settings name: the one that came with the extension if they name none. */
export function launch(): ServerProcess {
  const settings = workspace.getConfiguration("puppet-analyzer");
  const command = settings.get<string>("server.path", "").trim() || bundled();
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
  const cwd = folder !== undefined && existsSync(folder) ? folder : undefined;
  let hasEnded = false;
  const started = new Promise<ChildProcessWithoutNullStreams>((resolve, reject) => {
    const process = spawn(command, ["lsp", ...settings.get<string[]>("server.arguments", [])], { cwd });
    process.once("spawn", () => resolve(process));
    process.on("error", reject);
    process.once("exit", () => (hasEnded = true));
  });
  // Whoever waits for it hears of the failure, and there may be nobody yet.
  started.catch(() => {});
  return { command, started, hasEnded: () => hasEnded };
}

/** The server in the extension; where it has none, the one that the system finds. */
function bundled(): string {
  const own = path.join(__dirname, "..", "server", NAME);
  return existsSync(own) ? own : NAME;
}
