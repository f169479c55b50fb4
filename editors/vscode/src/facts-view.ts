import { commands, type Disposable, env, EventEmitter, MarkdownString, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, window } from "vscode";

import { type Environment, type Environments, type Fact, label } from "./environments";

type Node = { kind: "environment"; environment: Environment } | { kind: "set"; environment: Environment; name: string } | { kind: "fact"; fact: Fact };

/** View of the facts that catalogs are compiled with, by platform or fact file. */
export class FactsView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly view: Disposable;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly environments: Environments) {
    this.view = window.createTreeView("puppet-analyzer.facts", { treeDataProvider: this, showCollapseAll: true });
    environments.onDidChange(() => this.changed.fire());
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.kind) {
      case "environment":
        return new TreeItem(label(node.environment), TreeItemCollapsibleState.Expanded);
      case "set": {
        const item = new TreeItem(node.name, TreeItemCollapsibleState.Collapsed);
        item.contextValue = "factSet";
        return item;
      }
      case "fact":
        return factItem(node.fact);
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    switch (node?.kind) {
      case undefined: {
        const all = this.environments.all;
        return all.length === 1 ? setsOf(all[0] as Environment) : all.map((environment) => ({ kind: "environment", environment }));
      }
      case "environment":
        return setsOf(node.environment);
      case "set":
        return ((await this.environments.facts(node.environment, node.name)) ?? []).map(factNode);
      case "fact":
        return (node.fact.elements ?? []).map(factNode);
    }
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

/** Copies the expression with the value of a fact, such as `$facts['os']['family']`. */
export async function copyExpression(node: Node | undefined): Promise<void> {
  if (node?.kind === "fact") {
    await env.clipboard.writeText(node.fact.expression);
  }
}

/** Copies the value of a fact. */
export async function copyValue(node: Node | undefined): Promise<void> {
  if (node?.kind === "fact") {
    await env.clipboard.writeText(node.fact.value);
  }
}

/** Opens the view. */
export async function showFacts(): Promise<void> {
  await commands.executeCommand("puppet-analyzer.facts.focus");
}

const factNode = (fact: Fact): Node => ({ kind: "fact", fact });
const setsOf = (environment: Environment): Node[] => environment.factSets.map((name) => ({ kind: "set", environment, name }));

function factItem(fact: Fact): TreeItem {
  const isStructured = fact.elements !== undefined;
  const item = new TreeItem(fact.name, isStructured ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.contextValue = "fact";
  if (!isStructured) {
    item.description = fact.value;
  }
  item.tooltip = new MarkdownString().appendCodeblock(`${fact.expression} = ${fact.value}`, "puppet");
  return item;
}
