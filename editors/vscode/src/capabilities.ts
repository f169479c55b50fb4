import type { ClientCapabilities, InitializeResult, StaticFeature } from "vscode-languageclient/node";

/** Client commands that the server's code lenses may call. */
export const LENS_COMMANDS = ["showReferences", "showCatalog", "showGraph"].map((name) => `puppet-analyzer.${name}`);

/** Announces the supported commands to the server, and the grammar, whose details semantic tokens must not hide. */
export const experimentalFeatures: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: LENS_COMMANDS }, grammar: true };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

/** Returns true if the server can compile catalogs. */
export function hasCatalogs(result: InitializeResult | undefined): boolean {
  const experimental: unknown = result?.capabilities.experimental;
  return typeof experimental === "object" && experimental !== null && (experimental as { catalog?: unknown }).catalog === true;
}
