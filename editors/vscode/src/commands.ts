import { commands, type ExtensionContext, Location, Position, Range, Uri } from "vscode";
import type { Location as ProtocolLocation, Position as ProtocolPosition } from "vscode-languageclient/node";

import { Catalogs, type CatalogTarget } from "./catalog";
import { CatalogNode } from "./catalog-node";
import { create, DEFINITIONS } from "./definitions";
import { Evaluator } from "./evaluation";
import { copyExpression, copyValue, FactsView, showFacts } from "./facts-view";
import { ModulesView, openModule, showModules } from "./modules-view";
import type { Server } from "./server";
import { showStatus } from "./status-menu";
import { SyntaxTrees } from "./syntax-tree";
import { CheckTasks } from "./tasks";

export function registerCommands(context: ExtensionContext, server: Server): void {
  const evaluator = new Evaluator(server);
  const trees = new SyntaxTrees(server);
  const node = new CatalogNode(context.workspaceState, server.environments);
  const catalogs = new Catalogs(context.extensionUri, server, node);
  const checks = new CheckTasks(server);
  const register = <Arguments extends unknown[]>(name: string, run: (...args: Arguments) => unknown) =>
    context.subscriptions.push(commands.registerCommand(`puppet-analyzer.${name}`, run));
  context.subscriptions.push(evaluator, trees, catalogs, node, checks, new FactsView(server.environments), new ModulesView(server.environments));
  register("start", () => (server.isRunning ? undefined : server.restart()));
  register("stop", () => server.stop());
  register("restart", () => server.restart());
  register("showStatus", () => showStatus(server, node));
  register("checkWorkspace", () => checks.checkWorkspace());
  register("selectNode", () => node.select());
  register("refresh", () => server.environments.refresh());
  register("showFacts", showFacts);
  register("showModules", showModules);
  register("openModule", openModule);
  register("copyFactExpression", copyExpression);
  register("copyFactValue", copyValue);
  register("showLogs", () => server.showLog());
  register("showReferences", showReferences);
  register("evaluateSelection", () => evaluator.evaluateSelection());
  register("upgradeFile", () => commands.executeCommand("editor.action.codeAction", { kind: "source.upgrade", apply: "first" }));
  register("showSyntaxTree", () => trees.showActive());
  register("showCatalog", (target?: CatalogTarget) => catalogs.showCatalog(target));
  register("showGraph", (target?: CatalogTarget) => catalogs.showGraph(target));
  for (const [command, definition] of Object.entries(DEFINITIONS)) {
    register(command, () => create(definition));
  }
}

/** Command of the lens "3 references": shows the locations in the editor's references view. */
async function showReferences(uri: string, position: ProtocolPosition, locations: ProtocolLocation[]): Promise<void> {
  const at = ({ line, character }: ProtocolPosition) => new Position(line, character);
  const places = locations.map(({ uri, range }) => new Location(Uri.parse(uri), new Range(at(range.start), at(range.end))));
  await commands.executeCommand("editor.action.showReferences", Uri.parse(uri), at(position), places);
}
