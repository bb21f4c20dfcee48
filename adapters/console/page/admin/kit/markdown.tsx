/** What is drawn by the chat page's own modules: Markdown, and code with a Copy button. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Cited, codeBlock, drawMarkdown } from "../../drawing/markdown.ts";

/** An agent's Markdown. */
export function Markdown({ text, sources }: { readonly text: string; readonly sources?: readonly Cited[] }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.replaceChildren(...drawMarkdown(text, sources).childNodes);
  }, [text, JSON.stringify(sources)]);
  return <div class="markdown" dir="auto" ref={box} />;
}

/** Fixed-width text. */
export function Code({ name, text }: { readonly name: string; readonly text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(codeBlock(text, name)), [name, text]);
  return <div ref={box} />;
}
