import { accessSync, constants, existsSync, statSync } from "node:fs";
import * as path from "node:path";

const NAME = process.platform === "win32" ? "puppet-analyzer.exe" : "puppet-analyzer";

/** Returns the server to run: that of the settings, the bundled one, or the one on the `PATH`. */
export function serverCommand(chosen: string): string {
  const bundled = path.join(__dirname, "..", "server", NAME);
  return chosen.trim() || (existsSync(bundled) ? bundled : NAME);
}

/** Returns the reason why a command cannot be run; `undefined` for an executable file, given by its path or found on the `PATH`. */
export function problemWith(command: string): string | undefined {
  if (isRunnable(command)) {
    return undefined;
  }
  if (path.basename(command) === command) {
    return "it is not on the PATH";
  }
  return existsSync(command) ? "it is not an executable file" : "the file does not exist";
}

function isRunnable(command: string): boolean {
  if (path.basename(command) !== command) {
    return isExecutable(command);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((it) => it !== "");
  const suffixes = process.platform === "win32" ? ["", ...(process.env.PATHEXT ?? ".EXE;.CMD").split(";")] : [""];
  return folders.some((folder) => suffixes.some((suffix) => isExecutable(path.join(folder, command + suffix))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
