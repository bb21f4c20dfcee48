/**
 * Writes the tree of a page as Markdown, with its words unchanged. Models and searches read them, and people in excerpts,
 * so only the bars in a table are escaped.
 */
import type { Element, Parents } from "hast";
import { toMdast } from "hast-util-to-mdast";
import type { Nodes, PhrasingContent, Table } from "mdast";
import type { Handle, Info, State } from "mdast-util-to-markdown";
import { toMarkdown } from "mdast-util-to-markdown";
import { maxUrlChars } from "../../foreign/content-limits.ts";
import { attribute, lineOf, oneLine } from "./nodes.ts";
import { webAddress } from "./page-facts.ts";

export function markdownOf(part: Parents, base: string): string {
  const tree = toMdast({ type: "root", children: part.children as Element[] }, { handlers: elementsTo(base) });
  const options = { bullet: "-", rule: "-", fences: true, listItemIndent: "one", handlers: written } as const;
  return toMarkdown(tree as Nodes, options).trim();
}

type Handlers = NonNullable<NonNullable<Parameters<typeof toMdast>[1]>["handlers"]>;

function elementsTo(base: string): Handlers {
  const inside: Handlers[string] = (state, node) => state.all(node as Element);
  const nothing: Handlers[string] = () => undefined;
  return {
    ...Object.fromEntries(["mark", "u", "var"].map((tag) => [tag, inside])),
    ...Object.fromEntries(
      ["input", "select", "textarea", "iframe", "audio", "video", "rp"].map((tag) => [tag, nothing]),
    ),
    // For search, only a picture's description matters.
    img: (_state, node) => ({ type: "text", value: oneLine(attribute(node as Element, "alt")) }),
    rt: (_state, node) => ({ type: "text", value: `(${lineOf(node as Element)})` }),
    a: (state, node) => {
      const link = node as Element;
      const href = attribute(link, "href");
      const url = webAddress(href, base);
      // Links within the page lead nowhere in a passage.
      const isUseful = url !== undefined && url.length <= maxUrlChars && !href.startsWith("#") && lineOf(link) !== "";
      const children = state.all(link) as PhrasingContent[];
      return isUseful ? { type: "link", url, title: null, children } : children;
    },
  };
}

/** Bars and line ends would end a cell. */
function cellText(words: string): string {
  return oneLine(words).replaceAll("|", "\\|");
}

const written: Record<string, Handle> = {
  text: (node: { value: string }) => node.value,
  break: () => "\n",
  strong: (node, _parent, state, info) => marked(node, "**", state, info),
  emphasis: (node, _parent, state, info) => marked(node, "_", state, info),
  delete: (node, _parent, state, info) => marked(node, "~~", state, info),
  heading: (node, _parent, state, info) => `${"#".repeat(node.depth)} ${oneLine(phrases(node, state, info))}`,
  link: (node, _parent, state, info) => {
    const words = oneLine(phrases(node, state, info));
    return words === ""
      ? ""
      : `[${words}](${node.url.replace(/[()]/g, (one: string) => (one === "(" ? "%28" : "%29"))})`;
  },
  table: (node: Table, _parent, state, info) => {
    const [head, ...body] = node.children.map(
      ({ children }) => `| ${children.map((cell) => cellText(phrases(cell, state, info))).join(" | ")} |`,
    );
    const line = `| ${(node.children[0]?.children ?? []).map(() => "---").join(" | ")} |`;
    return [head, line, ...body].join("\n");
  },
};

/** Marks belong to the words, not to the spaces around them. */
function marked(node: Parameters<State["containerPhrasing"]>[0], mark: string, state: State, info: Info): string {
  const whole = phrases(node, state, info);
  const words = whole.trim();
  if (words === "") return whole;
  const at = whole.indexOf(words);
  return `${whole.slice(0, at)}${mark}${words}${mark}${whole.slice(at + words.length)}`;
}

function phrases(node: Parameters<State["containerPhrasing"]>[0], state: State, info: Info): string {
  return state.containerPhrasing(node, { ...info, before: "", after: "" });
}
