import type { CatalogGraph } from "./model";

/** Message of the page to the extension. */
export type PageMessage =
  | { kind: "ready" }
  | { kind: "open"; id: string }
  | { kind: "platform"; name: string }
  | { kind: "save"; format: "svg" | "png" | "dot"; data: string };

/** Message of the extension to the page. */
export interface ShowMessage {
  kind: "show";
  graph: CatalogGraph;
  platform?: string;
}
