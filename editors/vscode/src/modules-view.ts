import { commands, type Disposable, EventEmitter, Range, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, Uri, window } from "vscode";
import type { Range as ProtocolRange } from "vscode-languageclient/node";

import { type Environment, type Environments, label, type Module } from "./environments";

interface Listed {
  environment: Environment;
  name: string;
  /** Version in the `Puppetfile`, or version range in the `metadata.json` above. */
  wanted?: string;
  /** Location in the `Puppetfile`. */
  place?: { uri: string; range: ProtocolRange };
  /** Names of the modules above this one, so that cycles end. */
  above: string[];
}

type Node = { kind: "environment"; environment: Environment } | { kind: "module"; module: Listed };

/** View of the modules of the `Puppetfile` and of those they depend on; without a `Puppetfile`, of all modules. */
export class ModulesView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly view: Disposable;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly environments: Environments) {
    this.view = window.createTreeView("puppet-analyzer.modules", { treeDataProvider: this, showCollapseAll: true });
    environments.onDidChange(() => this.changed.fire());
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === "environment") {
      return new TreeItem(label(node.environment), TreeItemCollapsibleState.Expanded);
    }
    return moduleItem(node.module);
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      const all = this.environments.all;
      return all.length === 1 ? modulesOf(all[0] as Environment) : all.map((environment) => ({ kind: "environment", environment }));
    }
    return node.kind === "environment" ? modulesOf(node.environment) : dependenciesOf(node.module);
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

/** Opens the view. */
export async function showModules(): Promise<void> {
  await commands.executeCommand("puppet-analyzer.modules.focus");
}

/** Opens the line of a module in the `Puppetfile`, or the `metadata.json` of an installed module. */
export async function openModule(node: Node | undefined): Promise<void> {
  if (node?.kind !== "module") {
    return;
  }
  const { place } = node.module;
  const folder = installed(node.module)?.uri;
  if (place !== undefined) {
    const { start, end } = place.range;
    await window.showTextDocument(Uri.parse(place.uri), { selection: new Range(start.line, start.character, end.line, end.character) });
  } else if (folder !== undefined) {
    await commands.executeCommand("vscode.open", Uri.joinPath(Uri.parse(folder), "metadata.json"));
  }
}

function modulesOf(environment: Environment): Node[] {
  const { puppetfile } = environment;
  const listed: Listed[] = puppetfile === undefined
    ? environment.modules.map(({ name }) => ({ environment, name, above: [] }))
    : puppetfile.modules.map(({ name, version, range }) => ({ environment, name, wanted: version, place: { uri: puppetfile.uri, range }, above: [] }));
  const names = new Set(listed.map((it) => it.name));
  // Modules of the environment itself are not in its Puppetfile; missing ones may be nowhere.
  const missing = environment.missingModules.filter((name) => !names.has(name)).map((name) => ({ environment, name, above: [] }));
  return [...listed, ...missing].map((module) => ({ kind: "module", module }));
}

function dependenciesOf(module: Listed): Node[] {
  const above = [...module.above, module.name];
  const dependencies = installed(module)?.dependencies ?? [];
  return dependencies.filter(({ name }) => !above.includes(name)).map(({ name, requirement }) => ({
    kind: "module",
    module: { environment: module.environment, name, above, ...(requirement === undefined ? {} : { wanted: requirement }) },
  }));
}

function installed({ environment, name }: Listed): Module | undefined {
  return environment.modules.find((it) => it.name === name);
}

function moduleItem(module: Listed): TreeItem {
  const found = installed(module);
  const hasDependencies = dependenciesOf(module).length > 0;
  const item = new TreeItem(module.name, hasDependencies ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  const state = found === undefined ? "missing" : (found.version ?? "installed");
  const source = module.place === undefined ? "requires" : "Puppetfile:";
  item.description = module.wanted === undefined || module.wanted === state ? state : `${state} (${source} ${module.wanted})`;
  item.iconPath = new ThemeIcon(found === undefined ? "warning" : "package");
  item.tooltip = `${module.name}: ${item.description}`;
  if (module.place !== undefined || found !== undefined) {
    item.command = { title: "Open", command: "puppet-analyzer.openModule", arguments: [{ kind: "module", module }] };
  }
  return item;
}
