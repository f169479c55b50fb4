/** Graph of a catalog as the server sends it. */
export interface CatalogGraph {
  title: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  platforms?: string[];
}

export interface GraphNode {
  id: string;
  /** Name of the resource type, such as `File`. */
  type: string;
  /** Reference, such as `File[/etc/motd]`. */
  label: string;
  kind: "class" | "definedType" | "resource";
  /** Id of the container. */
  container?: string;
  exported?: boolean;
  /** True if the resource may be absent. */
  possible?: boolean;
  uri?: string;
  range?: { start: { line: number; character: number }; end: { line: number; character: number } };
}

/** A relationship, from the earlier resource to the later one. */
export interface GraphEdge {
  from: string;
  to: string;
  notifies?: boolean;
}

/** Choices of the user. */
export interface ViewState {
  /** Ids of containers whose contents are hidden. */
  collapsed: Set<string>;
  hiddenTypes: Set<string>;
  /** Words that all shown resources contain; empty for no restriction. */
  filter: string;
  /** Resource whose neighborhood is shown, up to a number of relationships. */
  focus?: { id: string; depth: number };
}

/** A shown resource. */
export interface Box {
  node: GraphNode;
  /** Shown contents. */
  children: Box[];
  isContainer: boolean;
  isCollapsed: boolean;
  /** Number of resources inside, on all levels, that the box stands for. */
  hidden: number;
}

/** All relationships between two shown resources, including those of their hidden contents. */
export interface ViewEdge {
  from: string;
  to: string;
  count: number;
  notifies: boolean;
}

export interface View {
  roots: Box[];
  edges: ViewEdge[];
  /** Number of boxes. */
  shown: number;
}

/** Number of boxes up to which a graph is shown expanded at first. */
const READABLE = 60;

/** A catalog's graph with what views of it need. */
export class GraphModel {
  readonly nodes: Map<string, GraphNode>;
  readonly contents = new Map<string, string[]>();
  readonly roots: string[] = [];
  /** Names of all types with the numbers of their resources, the most frequent ones first. */
  readonly types: { name: string; count: number }[];
  private readonly related = new Map<string, Set<string>>();
  private readonly searched: Map<string, string>;

  constructor(readonly graph: CatalogGraph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    this.searched = new Map(graph.nodes.map((node) => [node.id, node.label.toLowerCase()]));
    for (const { id, container } of graph.nodes) {
      if (container !== undefined && this.nodes.has(container)) {
        listIn(this.contents, container).push(id);
      } else {
        this.roots.push(id);
      }
    }
    for (const { from, to } of graph.edges) {
      setIn(this.related, from).add(to);
      setIn(this.related, to).add(from);
    }
    const counts = new Map<string, number>();
    for (const { type } of graph.nodes) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    const types = [...counts].map(([name, count]) => ({ name, count }));
    this.types = types.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  }

  /** Returns the state in which the graph is readable: a large one only shows the contents of the requested class. */
  initialState(): ViewState {
    const state: ViewState = { collapsed: new Set(), hiddenTypes: new Set(), filter: "" };
    if (this.nodes.size > READABLE) {
      state.collapsed = this.containers();
      const name = this.graph.title.split(" ")[0]?.toLowerCase();
      const requested = this.roots.find((id) => this.searched.get(id) === `class[${name}]`) ?? this.roots[0];
      const inside = requested === undefined ? 0 : (this.contents.get(requested)?.length ?? 0);
      if (requested !== undefined && this.roots.length + inside <= READABLE) {
        state.collapsed.delete(requested);
      }
    }
    return state;
  }

  /** Returns the ids of all resources that contain others. */
  containers(): Set<string> {
    return new Set(this.contents.keys());
  }

  /** Returns the ids of the containers of a resource, from the inside out. */
  ancestors(id: string): string[] {
    const found: string[] = [];
    let at = this.nodes.get(id)?.container;
    while (at !== undefined && this.nodes.has(at) && !found.includes(at)) {
      found.push(at);
      at = this.nodes.get(at)?.container;
    }
    return found;
  }

  /** Returns the ids of all resources inside of a resource. */
  descendants(id: string): string[] {
    const found: string[] = [];
    const waiting = [...(this.contents.get(id) ?? [])].reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      found.push(next);
      waiting.push(...[...(this.contents.get(next) ?? [])].reverse());
    }
    return found;
  }

  /** Returns the resources whose references contain all words of a text, in the order of the catalog. */
  matches(text: string): string[] {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) {
      return [];
    }
    return [...this.searched].filter(([, label]) => words.every((word) => label.includes(word))).map(([id]) => id);
  }

  /**
   * Returns a resource and those within a number of relationships, in either direction. The relationships of a container are
   * also those of its contents. A container comes with its contents.
   */
  neighborhood(id: string, depth: number): Set<string> {
    const found = new Set([id, ...this.descendants(id)]);
    let outer = [...found];
    for (let step = 0; step < depth && outer.length > 0; step += 1) {
      const next: string[] = [];
      const visited = new Set<string>();
      for (const at of outer.flatMap((it) => [it, ...this.ancestors(it)])) {
        if (visited.has(at)) {
          continue;
        }
        visited.add(at);
        for (const other of this.related.get(at) ?? []) {
          if (!found.has(other)) {
            found.add(other);
            next.push(other);
          }
        }
      }
      outer = next;
    }
    return found;
  }

  /** Returns what is visible in a state. */
  view(state: ViewState): View {
    const wanted = this.wanted(state);
    const roots = this.roots.flatMap((id) => this.boxes(id, state, wanted));
    const drawn = new Map<string, string>();
    let shown = 0;
    const visit = (box: Box) => {
      shown += 1;
      drawn.set(box.node.id, box.node.id);
      if (box.isCollapsed) {
        for (const inside of this.descendants(box.node.id)) {
          if (wanted.has(inside)) {
            drawn.set(inside, box.node.id);
          }
        }
      }
      box.children.forEach(visit);
    };
    roots.forEach(visit);
    return { roots, edges: this.edgesBetween(drawn), shown };
  }

  /** Returns the resources that pass the filters, without the containers around them. */
  private wanted(state: ViewState): Set<string> {
    const near = state.focus && this.nodes.has(state.focus.id) ? this.neighborhood(state.focus.id, state.focus.depth) : undefined;
    const matching = state.filter.trim() === "" ? undefined : new Set(this.matches(state.filter));
    const passes = ({ id, type }: GraphNode) => !state.hiddenTypes.has(type) && near?.has(id) !== false && matching?.has(id) !== false;
    return new Set(this.graph.nodes.filter(passes).map((node) => node.id));
  }

  /** Returns the box of a resource, or those of its contents if its type is hidden; none if nothing inside is wanted. */
  private boxes(id: string, state: ViewState, wanted: Set<string>): Box[] {
    const node = this.nodes.get(id);
    if (node === undefined) {
      return [];
    }
    const inside = this.contents.get(id) ?? [];
    const isHidden = state.hiddenTypes.has(node.type);
    if (!isHidden && state.collapsed.has(id) && inside.length > 0) {
      const hidden = this.descendants(id).filter((it) => wanted.has(it)).length;
      const isContainer = hidden > 0;
      return wanted.has(id) || isContainer ? [{ node, children: [], isContainer, isCollapsed: isContainer, hidden }] : [];
    }
    const children = inside.flatMap((it) => this.boxes(it, state, wanted));
    if (isHidden) {
      return children;
    }
    if (!wanted.has(id) && children.length === 0) {
      return [];
    }
    return [{ node, children, isContainer: children.length > 0, isCollapsed: false, hidden: 0 }];
  }

  /** Combines the relationships between boxes; `drawn` maps resources to their boxes. */
  private edgesBetween(drawn: Map<string, string>): ViewEdge[] {
    const edges = new Map<string, ViewEdge>();
    for (const edge of this.graph.edges) {
      const [from, to] = [drawn.get(edge.from), drawn.get(edge.to)];
      if (from === undefined || to === undefined || from === to || this.ancestors(from).includes(to) || this.ancestors(to).includes(from)) {
        continue;
      }
      const known = edges.get(`${from} ${to}`);
      if (known === undefined) {
        edges.set(`${from} ${to}`, { from, to, count: 1, notifies: edge.notifies === true });
      } else {
        known.count += 1;
        known.notifies ||= edge.notifies === true;
      }
    }
    return [...edges.values()];
  }
}

function listIn(map: Map<string, string[]>, key: string): string[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

function setIn(map: Map<string, Set<string>>, key: string): Set<string> {
  const set = map.get(key) ?? new Set<string>();
  map.set(key, set);
  return set;
}
