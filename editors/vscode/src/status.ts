import { type Disposable, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface Progress {
  token: string | number;
  value: { kind: "begin" | "report" | "end"; title?: string; message?: string };
}

/** The item in the status bar: what the server is doing, and its version. */
export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("puppet-analyzer", StatusBarAlignment.Left);
  private readonly running = new Map<string | number, string>();
  private version = "";

  constructor() {
    this.item.name = "Puppet Analyzer";
    this.item.command = "puppet-analyzer.showLogs";
    this.show("$(sync~spin)", "starting");
    this.item.show();
  }

  /** Watches what the server says about its work. */
  follow(client: LanguageClient): void {
    client.onNotification("$/progress", ({ token, value }: Progress) => {
      if (value.kind === "begin") {
        this.running.set(token, value.title ?? "working");
      } else if (value.kind === "end") {
        this.running.delete(token);
      }
      const doing = [...this.running.values()].at(-1);
      this.show(doing === undefined ? "$(check)" : "$(sync~spin)", doing ?? "ready");
    });
  }

  ready(version: string | undefined): void {
    this.version = version ?? "";
    this.item.backgroundColor = undefined;
    this.show("$(check)", "ready");
  }

  stopped(): void {
    this.running.clear();
    this.item.backgroundColor = new ThemeColor("statusBarItem.errorBackground");
    this.show("$(error)", "stopped");
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(icon: string, state: string): void {
    this.item.text = `${icon} Puppet`;
    this.item.tooltip = `Puppet Analyzer ${this.version}: ${state}`;
  }
}
