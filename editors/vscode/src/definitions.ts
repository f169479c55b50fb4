/** A kind of definition that can be made: where its file belongs, and what stands in it. */
export interface Definition {
  title: string;
  /** The path below the module's folder. */
  path(name: string): string;
  text(name: string): string;
  /** What is wrong with a name. */
  check(name: string, module: string): string | undefined;
  /** A name in the case that this kind is written in. */
  fold(name: string): string;
}

const lower = (name: string) => name.toLowerCase();
const capitalised = (name: string) => name.replace(/(^|::)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

function filePath(folder: string, name: string, own?: string): string {
  const rest = name.toLowerCase().split("::").slice(1);
  return `${folder}/${rest.length === 0 ? (own ?? "init") : rest.join("/")}.pp`;
}

function checked(pattern: RegExp, example: string, needsTwoParts: boolean) {
  return (name: string, module: string) => {
    if (!pattern.test(name)) {
      return `A name looks like ${example}.`;
    }
    const parts = name.toLowerCase().split("::");
    if (parts[0] !== module) {
      return `Puppet looks for it here only if its name begins with ${module}.`;
    }
    return needsTwoParts && parts.length < 2 ? `A name looks like ${example}.` : undefined;
  };
}

const NAME = /^[a-z]\w*(::[a-z]\w*)*$/;
const TYPE = /^[A-Z]\w*(::[A-Z]\w*)*$/;

export const DEFINITIONS: Record<string, Definition> = {
  newClass: {
    title: "New class",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary What this class manages.\nclass ${name} {\n}\n`,
    check: checked(NAME, "apache::mod::ssl", false),
    fold: lower,
  },
  newDefinedType: {
    title: "New defined type",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary What one of these manages.\ndefine ${name} (\n) {\n}\n`,
    check: checked(NAME, "apache::vhost", false),
    fold: lower,
  },
  newFunction: {
    title: "New function",
    path: (name) => filePath("functions", name),
    text: (name) => `# @summary What it gives.\nfunction ${name}() >> Any {\n}\n`,
    check: checked(NAME, "apache::port_of", true),
    fold: lower,
  },
  newTypeAlias: {
    title: "New type alias",
    path: (name) => filePath("types", name),
    text: (name) => `# @summary What values it has.\ntype ${name} = Any\n`,
    check: checked(TYPE, "Apache::Port", true),
    fold: capitalised,
  },
};
