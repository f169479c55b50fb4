import { type Disposable, type LanguageStatusItem, languages, type Memento, type QuickPickItem, QuickPickItemKind, window } from "vscode";

import { type Environment, type Environments, label } from "./environments";

/** Node and platform that catalogs are compiled for. */
export interface Choice {
  node?: string;
  platform?: string;
}

const KEY = "catalogNode";
const ASK = "Ask for the platform each time";

type Item = QuickPickItem & { choice?: Choice };

/** Selection of the node or platform for catalogs, kept for the workspace. */
export class CatalogNode implements Disposable {
  private readonly item: LanguageStatusItem;

  constructor(
    private readonly state: Memento,
    private readonly environments: Environments,
  ) {
    this.item = languages.createLanguageStatusItem("puppet-analyzer.catalogs", { language: "puppet" });
    this.item.name = "Catalogs";
    this.item.command = { title: "Select", command: "puppet-analyzer.selectNode" };
    this.show();
  }

  get choice(): Choice {
    return this.state.get<Choice>(KEY, {});
  }

  get label(): string {
    const { node, platform } = this.choice;
    return node === undefined ? (platform ?? ASK) : platform === undefined ? node : `${node} (${platform})`;
  }

  /** Prompts for a platform or a node. A node without a fact file gets the facts of a platform. */
  async select(): Promise<void> {
    const environments = await this.environments.refresh();
    const items: Item[] = [{ label: ASK, choice: {} }];
    const separate = (title: string, found: Item[]) => found.length > 0 && items.push({ label: title, kind: QuickPickItemKind.Separator }, ...found);
    separate("Platforms and fact files", distinct(environments, (it) => it.factSets).map(([platform]) => ({ label: platform, choice: { platform } })));
    separate("Nodes", distinct(environments, (it) => it.nodes).map(([node, environment]) => ({ label: node, description: label(environment), choice: { node } })));
    const chosen = await window.showQuickPick(items, { title: "Node or platform for catalogs", placeHolder: this.label });
    if (chosen?.choice !== undefined) {
      await this.state.update(KEY, chosen.choice);
      this.show();
    }
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(): void {
    this.item.text = `Catalogs: ${this.label}`;
  }
}

/** Returns each name once, with the first environment that has it. */
function distinct(environments: Environment[], names: (environment: Environment) => string[]): [string, Environment][] {
  const found = new Map<string, Environment>();
  for (const environment of environments) {
    for (const name of names(environment)) {
      if (!found.has(name)) {
        found.set(name, environment);
      }
    }
  }
  return [...found];
}
