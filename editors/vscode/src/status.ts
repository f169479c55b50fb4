import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from "vscode-languageclient/node";

import { counted, type Environment, type Environments, label } from "./environments";

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** Commands that the tooltip links to. */
const COMMANDS = { start: "puppet-analyzer.start", stop: "puppet-analyzer.stop", restart: "puppet-analyzer.restart", log: "puppet-analyzer.showLogs" };

/** Maximum number of missing modules that the tooltip names. */
const MAX_MISSING = 12;

/** Status bar item with the activity and version of the server, and the modules of the environments. */
export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("puppet-analyzer", StatusBarAlignment.Left);
  /** Running tasks by token, with title and progress. */
  private readonly running = new Map<ProgressToken, { title: string; message: string }>();
  private version = "";
  private state = "starting";
  private isStopped = false;

  constructor(private readonly environments: Environments) {
    this.item.name = "Puppet Analyzer";
    this.item.command = "puppet-analyzer.showStatus";
    this.item.show();
    environments.onDidChange(() => this.describe());
    this.starting();
  }

  /** Name and version of the server, and what it does. */
  get summary(): string {
    return `${this.name}: ${this.state}`;
  }

  starting(): void {
    this.running.clear();
    this.show("$(sync~spin)", "starting");
  }

  /** Handles a progress notification of the server. */
  progress(token: ProgressToken, value: Progress): void {
    if (value.kind === "end") {
      this.running.delete(token);
    } else {
      const title = value.kind === "begin" ? value.title : (this.running.get(token)?.title ?? "working");
      this.running.set(token, { title, message: value.message ?? "" });
    }
    this.showWork();
  }

  ready(version: string | undefined): void {
    this.version = version ?? "";
    this.showWork();
  }

  stopped(): void {
    this.running.clear();
    this.show("$(error)", "stopped", new ThemeColor("statusBarItem.errorBackground"));
  }

  dispose(): void {
    this.item.dispose();
  }

  private get name(): string {
    return `Puppet Analyzer ${this.version}`.trim();
  }

  private showWork(): void {
    const doing = [...this.running.values()].at(-1);
    if (doing === undefined) {
      this.show("$(check)", "ready");
    } else {
      this.show("$(sync~spin)", [doing.title, doing.message].filter((it) => it !== "").join(": "));
    }
  }

  private show(icon: string, state: string, background?: ThemeColor): void {
    this.state = state;
    this.isStopped = background !== undefined;
    this.item.text = `${icon} Puppet`;
    this.item.backgroundColor = background;
    this.describe();
  }

  private describe(): void {
    this.item.accessibilityInformation = { label: this.summary };
    const tooltip = new MarkdownString(undefined, true);
    tooltip.appendMarkdown(`**${this.name}**: `).appendText(this.state);
    for (const environment of this.environments.all) {
      tooltip.appendMarkdown("\n\n").appendText(modulesOf(environment));
      if (environment.missingModules.length > 0) {
        tooltip.appendMarkdown("\n\n$(warning) ").appendText(missingOf(environment));
      }
    }
    const links = this.isStopped ? [["Start", COMMANDS.start]] : [["Stop", COMMANDS.stop], ["Restart", COMMANDS.restart]];
    links.push(["Log", COMMANDS.log]);
    tooltip.appendMarkdown(`\n\n${links.map(([title, command]) => `[${title}](command:${command})`).join(" · ")}`);
    tooltip.isTrusted = { enabledCommands: Object.values(COMMANDS) };
    this.item.tooltip = tooltip;
  }
}

/** Describes the modules of an environment: `Environment production (Puppet 8): 12 modules`. */
export function modulesOf(environment: Environment): string {
  const name = environment.name === undefined ? "Files in no environment" : `Environment ${label(environment)}`;
  return `${name} (Puppet ${environment.puppetVersion}): ${counted(environment.modules.length, "module")}`;
}

/** Describes the missing modules of an environment. */
export function missingOf({ missingModules }: Environment): string {
  const shown = missingModules.slice(0, MAX_MISSING).join(", ");
  const more = missingModules.length > MAX_MISSING ? `, and ${missingModules.length - MAX_MISSING} more` : "";
  return `${counted(missingModules.length, "module")} missing: ${shown}${more}`;
}
