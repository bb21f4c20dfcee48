/** Markdown, and code with a Copy button, as components. */
import { h } from "preact";
import { useMemo } from "preact/hooks";
import { type Cited, codeBlock, drawMarkdown } from "./markdown.ts";

/** It has its content before it is inserted: a screen reader would read what comes into a live region later once more. */
class DrawnBox extends HTMLElement {
  set nodes(nodes: readonly Node[]) {
    this.replaceChildren(...nodes);
  }
}

customElements.define("drawn-box", DrawnBox);

type BoxProps = { readonly nodes: readonly Node[]; readonly class?: string; readonly dir?: string };

/** An agent's Markdown. */
export function Markdown({ text, sources }: { readonly text: string; readonly sources?: readonly Cited[] }) {
  const nodes = useMemo(() => [...drawMarkdown(text, sources).childNodes], [text, JSON.stringify(sources)]);
  return h<BoxProps>("drawn-box", { class: "markdown", dir: "auto", nodes });
}

/** Fixed-width text. */
export function Code({ name, text }: { readonly name?: string | undefined; readonly text: string }) {
  const nodes = useMemo(() => [codeBlock(text, name)], [name, text]);
  return h<BoxProps>("drawn-box", { nodes });
}
