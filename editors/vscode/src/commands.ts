import * as path from "node:path";
import { commands, type ExtensionContext, Uri, window, workspace, WorkspaceEdit } from "vscode";

import type { Server } from "./server";
import { type Definition, DEFINITIONS } from "./definitions";

export function registerCommands(context: ExtensionContext, server: Server): void {
  const register = (name: string, run: () => unknown) =>
    context.subscriptions.push(commands.registerCommand(`puppet-analyzer.${name}`, run));
  register("restart", () => server.restart());
  register("showLogs", () => server.showLog());
  for (const [command, definition] of Object.entries(DEFINITIONS)) {
    register(command, () => create(definition));
  }
}

/** Asks for a name, and makes the file where Puppet's autoloader looks for it. */
async function create(definition: Definition): Promise<void> {
  const module = await chosenModule();
  if (module === undefined) {
    void window.showErrorMessage("There is no module here to put it into: no folder with a metadata.json or manifests.");
    return;
  }
  const moduleName = path.basename(module.path).split("-").at(-1) ?? "";
  const name = await window.showInputBox({
    title: definition.title,
    prompt: "The full name",
    value: definition.fold(`${moduleName}::`),
    valueSelection: [moduleName.length + 2, moduleName.length + 2],
    validateInput: (text) => definition.check(text, moduleName),
  });
  if (name === undefined) {
    return;
  }
  const file = Uri.joinPath(module, definition.path(name));
  const edit = new WorkspaceEdit();
  edit.createFile(file, { ignoreIfExists: true, contents: Buffer.from(definition.text(name)) });
  await workspace.applyEdit(edit);
  await window.showTextDocument(file);
}

/** The folder of the module that is being worked on: that of the active file, else one that the user picks. */
async function chosenModule(): Promise<Uri | undefined> {
  const active = window.activeTextEditor?.document.uri;
  const around = active?.path.match(/^(.*)\/(?:manifests|functions|types|plans|templates|lib|spec|data|files)\//);
  if (active && around?.[1] !== undefined) {
    return active.with({ path: around[1] });
  }
  const found = await workspace.findFiles("**/metadata.json", "**/{node_modules,fixtures,vendor}/**");
  const folders = found.map((file) => Uri.joinPath(file, ".."));
  if (folders.length <= 1) {
    return folders[0] ?? workspace.workspaceFolders?.[0]?.uri;
  }
  const items = folders.map((folder) => ({ label: path.basename(folder.path), description: folder.fsPath, folder }));
  return (await window.showQuickPick(items, { title: "In which module?" }))?.folder;
}
