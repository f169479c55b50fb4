import { graphlib, layout as arrange } from "@dagrejs/dagre";

import type { Box, View, ViewEdge } from "./model";

export interface Point {
  x: number;
  y: number;
}

export interface Rectangle extends Point {
  width: number;
  height: number;
}

/** A box with its place in the whole graph. */
export interface PlacedBox extends Rectangle {
  box: Box;
  depth: number;
}

/** An arrow between two boxes of the same container, for all relationships between them and their contents. */
export interface PlacedArrow {
  from: string;
  to: string;
  edges: ViewEdge[];
  count: number;
  notifies: boolean;
  points: Point[];
}

export interface GraphLayout {
  width: number;
  height: number;
  /** Containers come before their contents. */
  boxes: PlacedBox[];
  arrows: PlacedArrow[];
}

export const BOX_HEIGHT = 40;
/** Height of the first line of an expanded container. */
export const HEADER_HEIGHT = 40;
export const TOGGLE_WIDTH = 22;
const PADDING = 12;
const GAP = 14;
/** Ratio of width to height that groups of unconnected boxes approach. */
const ASPECT = 1.7;
const MAX_TITLE_LENGTH = 44;
/** Number of connected boxes from which a faster, less compact algorithm ranks them. */
const MANY = 250;

/** Returns the two lines of a box: the type and the shortened title. */
export function linesOf(box: Box): [string, string] {
  const { type, label, exported, possible } = box.node;
  const title = label.startsWith(`${type}[`) ? label.slice(type.length + 1, -1) : label;
  const count = box.isCollapsed ? ` · ${box.hidden} inside` : "";
  return [`${exported ? "@@" : ""}${shortened(type)}${possible ? " (possibly)" : ""}${count}`, shortened(title)];
}

function shortened(text: string): string {
  const characters = [...text];
  const half = MAX_TITLE_LENGTH / 2;
  return characters.length <= MAX_TITLE_LENGTH ? text : `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** Returns the width of a text in pixels, by its font size. */
export type Measure = (text: string, size: number) => number;

/** Arranges the boxes of a view, each container on its own. */
export function layout(view: View, measure: Measure): GraphLayout {
  const paths = new Map<string, string[]>();
  const remember = (box: Box, path: string[]) => {
    const own = [...path, box.node.id];
    paths.set(box.node.id, own);
    box.children.forEach((child) => remember(child, own));
  };
  view.roots.forEach((box) => remember(box, []));
  // Each relationship is drawn in the innermost container that has both ends.
  const edgesIn = new Map<string, { from: string; to: string; edge: ViewEdge }[]>();
  for (const edge of view.edges) {
    const [from, to] = [paths.get(edge.from) ?? [], paths.get(edge.to) ?? []];
    let common = 0;
    while (common < from.length && from[common] === to[common]) {
      common += 1;
    }
    const [first, second] = [from[common], to[common]];
    if (first !== undefined && second !== undefined) {
      const key = from[common - 1] ?? "";
      edgesIn.set(key, [...(edgesIn.get(key) ?? []), { from: first, to: second, edge }]);
    }
  }
  const result: GraphLayout = { width: 0, height: 0, boxes: [], arrows: [] };
  const whole = arranged("", view.roots, edgesIn, measure);
  emit(whole, { x: 0, y: 0 }, 0, result);
  return { ...result, width: whole.width, height: whole.height };
}

/** Contents of a container, with places relative to it. */
interface Arranged {
  width: number;
  height: number;
  items: { box: Box; place: Rectangle; inside?: Arranged }[];
  arrows: PlacedArrow[];
}

type EdgesIn = Map<string, { from: string; to: string; edge: ViewEdge }[]>;
type Item = Arranged["items"][number];

function arranged(container: string, boxes: Box[], edgesIn: EdgesIn, measure: Measure): Arranged {
  const items = boxes.map((box): Item => {
    const lines = linesOf(box);
    const text = Math.max(measure(lines[0], 10), measure(lines[1], 12));
    const width = Math.max(Math.ceil(text) + 20 + (box.isContainer ? TOGGLE_WIDTH : 0), 64);
    if (!box.isContainer || box.isCollapsed) {
      return { box, place: { x: 0, y: 0, width, height: BOX_HEIGHT } };
    }
    const inside = arranged(box.node.id, box.children, edgesIn, measure);
    const place = { x: 0, y: 0, width: Math.max(width, inside.width + 2 * PADDING), height: HEADER_HEIGHT + inside.height + PADDING };
    return { box, place, inside };
  });
  const arrows = bundled(edgesIn.get(container) ?? []);
  const parts = components(items, arrows);
  const connected = parts.filter((part) => part.length > 1).map((part) => ranked(part, arrows));
  const single = parts.filter((part) => part.length === 1).flat();
  const large = single.filter((item) => item.inside !== undefined).map((item): Block => ({ ...sizeOf(item.place), items: [item], arrows: [] }));
  const small = single.filter((item) => item.inside === undefined);
  const blocks = [...connected, ...large, ...(small.length > 0 ? [grid(small)] : [])];
  return pack(blocks);
}

function sizeOf({ width, height }: Rectangle): { width: number; height: number } {
  return { width, height };
}

/** Combines the relationships between the same two boxes. */
function bundled(edges: { from: string; to: string; edge: ViewEdge }[]): PlacedArrow[] {
  const arrows = new Map<string, PlacedArrow>();
  for (const { from, to, edge } of edges) {
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, edges: [], count: 0, notifies: false, points: [] };
    arrow.edges.push(edge);
    arrow.count += edge.count;
    arrow.notifies ||= edge.notifies;
    arrows.set(`${from} ${to}`, arrow);
  }
  return [...arrows.values()];
}

/** Splits boxes into groups that arrows connect, directly or not. */
function components(items: Item[], arrows: PlacedArrow[]): Item[][] {
  const leader = new Map(items.map((item) => [item.box.node.id, item.box.node.id]));
  const find = (id: string): string => {
    let at = id;
    while (leader.get(at) !== at) {
      at = leader.get(at) as string;
    }
    leader.set(id, at);
    return at;
  };
  for (const { from, to } of arrows) {
    leader.set(find(from), find(to));
  }
  const parts = new Map<string, Item[]>();
  for (const item of items) {
    const key = find(item.box.node.id);
    parts.set(key, [...(parts.get(key) ?? []), item]);
  }
  return [...parts.values()];
}

/** A rectangle of arranged boxes. */
interface Block {
  width: number;
  height: number;
  items: Item[];
  arrows: PlacedArrow[];
}

/** Arranges connected boxes in columns, with arrows from left to right. */
function ranked(items: Item[], all: PlacedArrow[]): Block {
  const graph = new graphlib.Graph({ multigraph: false, compound: false });
  const ranker = items.length > MANY ? "longest-path" : "network-simplex";
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: 44, edgesep: 8, ranker });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(items.map((item) => item.box.node.id));
  for (const { box, place } of items) {
    graph.setNode(box.node.id, { width: place.width, height: place.height });
  }
  const arrows = all.filter((arrow) => ids.has(arrow.from));
  for (const { from, to } of arrows) {
    graph.setEdge(from, to, {});
  }
  arrange(graph);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (x: number, y: number) => {
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  };
  for (const item of items) {
    const center = graph.node(item.box.node.id) as unknown as Point;
    item.place.x = center.x - item.place.width / 2;
    item.place.y = center.y - item.place.height / 2;
    include(item.place.x, item.place.y);
    include(item.place.x + item.place.width, item.place.y + item.place.height);
  }
  const places = new Map(items.map((item) => [item.box.node.id, item.place]));
  const place = (id: string) => places.get(id) as Rectangle;
  for (const arrow of arrows) {
    arrow.points = route((graph.edge(arrow.from, arrow.to) as unknown as { points: Point[] }).points, place(arrow.from), place(arrow.to));
    arrow.points.forEach(({ x, y }) => include(x, y));
  }
  for (const point of [...items.map((item) => item.place), ...arrows.flatMap((arrow) => arrow.points)]) {
    point.x -= left;
    point.y -= top;
  }
  return { width: right - left, height: bottom - top, items, arrows };
}

/** Lets an arrow leave a box on the right and reach the next one on the left, unless it goes backward. */
function route(points: Point[], from: Rectangle, to: Rectangle): Point[] {
  const copied = points.map(({ x, y }) => ({ x, y }));
  if (from.x + from.width > to.x) {
    return copied;
  }
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  // The middle point of an arrow to the next column only makes room for a label.
  const between = copied.length <= 3 ? [] : copied.slice(1, -1).filter(({ x }) => x > start.x && x < end.x);
  return [start, ...between, end];
}

/** Arranges unconnected boxes in columns of equal width, by type and title. */
function grid(items: Item[]): Block {
  const key = (item: Item) => `${item.box.node.kind === "class" ? 0 : 1} ${item.box.node.label.toLowerCase()}`;
  const sorted = [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const width = Math.max(...sorted.map((item) => item.place.width));
  const columns = Math.max(1, Math.round(Math.sqrt((sorted.length * (BOX_HEIGHT + GAP) * ASPECT) / (width + GAP))));
  const rows = Math.ceil(sorted.length / columns);
  sorted.forEach((item, index) => {
    item.place.x = Math.floor(index / rows) * (width + GAP);
    item.place.y = (index % rows) * (BOX_HEIGHT + GAP);
    item.place.width = width;
  });
  const used = Math.ceil(sorted.length / rows);
  return { width: used * (width + GAP) - GAP, height: Math.min(rows, sorted.length) * (BOX_HEIGHT + GAP) - GAP, items: sorted, arrows: [] };
}

/** Places blocks in rows. */
function pack(blocks: Block[]): Arranged {
  const gap = 2 * GAP;
  const area = blocks.reduce((sum, block) => sum + (block.width + gap) * (block.height + gap), 0);
  const limit = Math.max(Math.sqrt(area * ASPECT), ...blocks.map((block) => block.width), 0);
  const sorted = [...blocks].sort((a, b) => b.height - a.height);
  const result: Arranged = { width: 0, height: 0, items: [], arrows: [] };
  let [x, y, rowHeight] = [0, 0, 0];
  for (const block of sorted) {
    if (x > 0 && x + block.width > limit) {
      [x, y, rowHeight] = [0, y + rowHeight + gap, 0];
    }
    for (const place of [...block.items.map((item) => item.place), ...block.arrows.flatMap((arrow) => arrow.points)]) {
      place.x += x;
      place.y += y;
    }
    result.items.push(...block.items);
    result.arrows.push(...block.arrows);
    result.width = Math.max(result.width, x + block.width);
    result.height = Math.max(result.height, y + block.height);
    rowHeight = Math.max(rowHeight, block.height);
    x += block.width + gap;
  }
  return result;
}

/** Converts places relative to a container to places in the whole graph. */
function emit(contents: Arranged, origin: Point, depth: number, result: GraphLayout): void {
  for (const { box, place, inside } of contents.items) {
    const at = { x: origin.x + place.x, y: origin.y + place.y };
    result.boxes.push({ box, depth, ...at, width: place.width, height: place.height });
    if (inside !== undefined) {
      emit(inside, { x: at.x + PADDING, y: at.y + HEADER_HEIGHT }, depth + 1, result);
    }
  }
  for (const arrow of contents.arrows) {
    const points = arrow.points.map(({ x, y }) => ({ x: origin.x + x, y: origin.y + y }));
    result.arrows.push({ ...arrow, points });
  }
}
