import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from "vscode-languageclient/node";

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** Status bar item with the activity and version of the server. */
export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("puppet-analyzer", StatusBarAlignment.Left);
  /** Running tasks by token, with title and progress. */
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
