import { isDeepStrictEqual } from "node:util";
import { EventEmitter } from "vscode";
import type { Range } from "vscode-languageclient/node";

import type { Server } from "./server";

/** Environment as described by the server. */
export interface Environment {
  /** Absent for files that are in no environment. */
  name?: string;
  uri?: string;
  puppetVersion: number;
  modules: Module[];
  missingModules: string[];
  puppetfile?: { uri: string; modules: { name: string; version: string; range: Range }[] };
  nodes: string[];
  factSets: string[];
}

export interface Module {
  name: string;
  uri?: string;
  version?: string;
  dependencies: { name: string; requirement?: string }[];
}

/** Fact, or an element of one. */
export interface Fact {
  name: string;
  expression: string;
  value: string;
  elements?: Fact[];
}

/** Delay in milliseconds before the environments are requested again, so that a busy server is left alone. */
const PAUSE = 1_500;

/** Environments of the workspace, requested after the server has finished its work. */
export class Environments {
  private readonly changed = new EventEmitter<Environment[]>();
  private timer: NodeJS.Timeout | undefined;
  private known: Environment[] = [];
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Pick<Server, "request">) {}

  get all(): Environment[] {
    return this.known;
  }

  /** Requests the environments after a pause. */
  refreshLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), PAUSE);
  }

  async refresh(): Promise<Environment[]> {
    clearTimeout(this.timer);
    this.set((await this.server.request<Environment[]>("puppet-analyzer/environments", undefined)) ?? []);
    return this.known;
  }

  /** Drops the environments of a server that has stopped. */
  clear(): void {
    clearTimeout(this.timer);
    this.set([]);
  }

  facts(environment: Environment, factSet: string): Promise<Fact[] | undefined> {
    return this.server.request<Fact[]>("puppet-analyzer/facts", { environment: environment.uri, factSet });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  private set(environments: Environment[]): void {
    if (!isDeepStrictEqual(environments, this.known)) {
      this.known = environments;
      this.changed.fire(environments);
    }
  }
}

/** Returns the name of an environment for display. */
export function label(environment: Environment): string {
  return environment.name ?? "no environment";
}

/** Returns the number of something with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
