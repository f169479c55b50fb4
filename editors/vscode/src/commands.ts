import { commands, type ExtensionContext, Location, Position, Range, Uri } from "vscode";
import type { Location as ProtocolLocation, Position as ProtocolPosition } from "vscode-languageclient/node";

import { Catalogs, type CatalogTarget } from "./catalog";
import { create, DEFINITIONS } from "./definitions";
import { Evaluator } from "./evaluation";
import type { Server } from "./server";
import { SyntaxTrees } from "./syntax-tree";

export function registerCommands(context: ExtensionContext, server: Server): void {
  const evaluator = new Evaluator(server);
  const trees = new SyntaxTrees(server);
  const catalogs = new Catalogs(context.extensionUri, server);
  const register = <Arguments extends unknown[]>(name: string, run: (...args: Arguments) => unknown) =>
    context.subscriptions.push(commands.registerCommand(`puppet-analyzer.${name}`, run));
  context.subscriptions.push(evaluator, trees, catalogs);
  register("restart", () => server.restart());
  register("showLogs", () => server.showLog());
  register("showReferences", showReferences);
  register("evaluateSelection", () => evaluator.evaluateSelection());
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
