import { commands, type QuickPickItem, QuickPickItemKind, window } from "vscode";

import type { CatalogNode } from "./catalog-node";
import type { Server } from "./server";
import { missingOf, modulesOf } from "./status";

type Item = QuickPickItem & { command?: string };

const separator = (label: string): Item => ({ label, kind: QuickPickItemKind.Separator });
const action = (icon: string, title: string, name: string, description?: string): Item => ({ label: `$(${icon}) ${title}`, command: `puppet-analyzer.${name}`, ...(description === undefined ? {} : { description }) });

/** Menu of the status bar item: what the server knows, and what can be done. */
export async function showStatus(server: Server, node: CatalogNode): Promise<void> {
  const items: Item[] = [];
  for (const environment of server.isRunning ? await server.environments.refresh() : []) {
    items.push(separator(modulesOf(environment)));
    items.push(action("package", "Modules", "showModules", environment.modules.map((it) => it.name).join(", ") || "none"));
    if (environment.missingModules.length > 0) {
      items.push(action("warning", "Missing modules", "showModules", missingOf(environment)));
    }
  }
  items.push(separator("Server"));
  if (server.isRunning) {
    items.push(action("debug-stop", "Stop", "stop"), action("debug-restart", "Restart", "restart"));
  } else {
    items.push(action("play", "Start", "start"));
  }
  items.push(action("output", "Show Log", "showLogs"));
  items.push(separator("Workspace"));
  items.push(action("checklist", "Check Workspace", "checkWorkspace"));
  if (server.isRunning) {
    items.push(action("server-environment", "Select Node or Platform for Catalogs", "selectNode", node.label));
  }
  const chosen = await window.showQuickPick(items, { title: server.status.summary, matchOnDescription: true });
  if (chosen?.command !== undefined) {
    await commands.executeCommand(chosen.command);
  }
}
