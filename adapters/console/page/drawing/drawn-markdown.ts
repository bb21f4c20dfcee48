/** Markdown, and code with a Copy button, as components. */
import { h } from "preact";
import { useMemo } from "preact/hooks";
import { lookOfWords } from "./long-words.ts";
import { type Cited, codeBlock, drawMarkdown } from "./markdown.ts";

/**
 * It has its content before it is inserted: a screen reader would read what comes into a live region later once more.
 * And before it has a direction (`dir` comes last), which a browser looks for in the whole text with each child that comes: 8,000 rules
 * took 8 s.
 */
class DrawnBox extends HTMLElement {
  set nodes(nodes: readonly Node[]) {
    const { dir } = this;
    this.removeAttribute("dir");
    this.replaceChildren(...nodes);
    if (dir !== "") this.dir = dir;
  }
}

customElements.define("drawn-box", DrawnBox);

type BoxProps = { readonly nodes: readonly Node[]; readonly class?: string; readonly dir?: string };

/** An agent's Markdown. */
export function Markdown({ text, sources }: { readonly text: string; readonly sources?: readonly Cited[] }) {
  const nodes = useMemo(() => [...drawMarkdown(text, sources).childNodes], [text, JSON.stringify(sources)]);
  return h<BoxProps>("drawn-box", { class: `markdown${lookOfWords(text)}`, nodes, dir: "auto" });
}

/** Fixed-width text. */
export function Code({ name, text }: { readonly name?: string | undefined; readonly text: string }) {
  const nodes = useMemo(() => [codeBlock(text, name)], [name, text]);
  return h<BoxProps>("drawn-box", { nodes });
}
