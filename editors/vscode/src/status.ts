import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from "vscode-languageclient/node";

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** The item in the status bar: what the server is doing, and its version. */
export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("puppet-analyzer", StatusBarAlignment.Left);
  /** What is under way, by token: its title and how far it is. */
  private readonly running = new Map<ProgressToken, { title: string; message: string }>();
  private version = "";

  constructor() {
    this.item.name = "Puppet Analyzer";
    this.item.command = "puppet-analyzer.showLogs";
    this.item.show();
    this.starting();
  }

  starting(): void {
    this.running.clear();
    this.show("$(sync~spin)", "starting");
  }

  /** Takes in what the server says about work that takes time. */
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

  private showWork(): void {
    const doing = [...this.running.values()].at(-1);
    if (doing === undefined) {
      this.show("$(check)", "ready");
    } else {
      this.show("$(sync~spin)", [doing.title, doing.message].filter((it) => it !== "").join(": "));
    }
  }

  private show(icon: string, state: string, background?: ThemeColor): void {
    this.item.text = `${icon} Puppet`;
    this.item.backgroundColor = background;
    const name = `Puppet Analyzer ${this.version}`.trim();
    this.item.accessibilityInformation = { label: `${name}: ${state}` };
    const tooltip = new MarkdownString(`${name}: ${state}\n\n[Log](command:puppet-analyzer.showLogs) · [Restart](command:puppet-analyzer.restart)`);
    tooltip.isTrusted = { enabledCommands: ["puppet-analyzer.showLogs", "puppet-analyzer.restart"] };
    this.item.tooltip = tooltip;
  }
}
