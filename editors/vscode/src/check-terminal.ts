import { type ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";
import { Diagnostic, DiagnosticSeverity, EventEmitter, type Pseudoterminal, Range, Uri } from "vscode";

/** Finding in the format `concise` of `puppet-analyzer check`: `path:line:column: level[rule] message`. */
const FINDING = /^(.+?):(\d+):(\d+): (error|warning|hint)\[([^\]]+)\] (.*)$/;

const SEVERITIES = new Map([["error", DiagnosticSeverity.Error], ["warning", DiagnosticSeverity.Warning]]);

/** Exit code if the program could not be run. */
const NOT_RUN = 127;

/** Terminal of a task that runs `puppet-analyzer check`, and collects the findings. */
export class CheckTerminal implements Pseudoterminal {
  private readonly written = new EventEmitter<string>();
  private readonly closed = new EventEmitter<number>();
  private child: ChildProcess | undefined;
  private hasEnded = false;
  private rest = "";
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;
  readonly found = new Map<string, Diagnostic[]>();

  constructor(
    private readonly command: string,
    private readonly args: string[],
    private readonly folder: string,
    /** Called with the exit code; `undefined` if the program was ended. */
    private readonly ended: (code: number | undefined, found: Map<string, Diagnostic[]>) => void,
  ) {}

  open(): void {
    if (this.hasEnded) {
      return;
    }
    this.written.fire(`${[path.basename(this.command), ...this.args].join(" ")}\r\n`);
    const child = spawn(this.command, this.args, { cwd: this.folder });
    this.child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.read(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.written.fire(text.replaceAll("\n", "\r\n")));
    child.on("error", (error) => {
      this.written.fire(`${error.message}\r\n`);
      this.end(NOT_RUN);
    });
    child.on("close", (code) => this.end(code ?? undefined));
  }

  /** Ends the program. The check has ended even if it has not been started yet. */
  close(): void {
    this.child?.kill();
    this.end(undefined);
  }

  private end(code: number | undefined): void {
    if (this.hasEnded) {
      return;
    }
    this.hasEnded = true;
    this.child = undefined;
    this.ended(code, this.found);
    this.closed.fire(code ?? NOT_RUN);
  }

  private read(text: string): void {
    this.written.fire(text.replaceAll("\n", "\r\n"));
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      this.add(line);
    }
  }

  private add(line: string): void {
    const [, file, row, column, level, rule, message] = FINDING.exec(line) ?? [];
    if (file === undefined || message === undefined || level === undefined) {
      return;
    }
    const [at, character] = [Number(row) - 1, Number(column) - 1];
    const diagnostic = new Diagnostic(new Range(at, character, at, character), message, SEVERITIES.get(level) ?? DiagnosticSeverity.Hint);
    diagnostic.source = "puppet-analyzer";
    diagnostic.code = rule;
    const uri = Uri.file(path.resolve(this.folder, file)).toString();
    this.found.set(uri, [...(this.found.get(uri) ?? []), diagnostic]);
  }
}
