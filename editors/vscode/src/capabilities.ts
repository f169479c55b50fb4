import type { ClientCapabilities, InitializeResult, StaticFeature } from "vscode-languageclient/node";

/** The commands of ours that code lenses of the server may call. */
export const LENS_COMMANDS = ["showReferences", "showCatalog", "showGraph"].map((name) => `puppet-analyzer.${name}`);

/** Tells the server which commands there are. */
export const lensCommands: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: LENS_COMMANDS } };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

/** Can the server compile catalogs? */
export function hasCatalogs(result: InitializeResult | undefined): boolean {
  const experimental: unknown = result?.capabilities.experimental;
  return typeof experimental === "object" && experimental !== null && (experimental as { catalog?: unknown }).catalog === true;
}
