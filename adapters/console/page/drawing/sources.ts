/** Draws what an answer rests on: numbered sources, and the passages that a step found. */
import type { Block } from "../../../../src/core/document.ts";
import type { Source } from "../../../../src/core/model/turn.ts";
import { type Children, element } from "./element.ts";
import { leadsTo, outLink } from "./markdown.ts";
import { passageButton } from "./passage.ts";

type SourcesBlock = Extract<Block, { readonly kind: "sources" }>;
type Numbered = SourcesBlock["sources"][number];

/** "refunds · example.com": a title made of its address. */
function endsWithHost(title: string, url: string): boolean {
  const words = title.replace(/ \(from [^()]*\)$/, "");
  return words === leadsTo(url) || words.endsWith(` · ${leadsTo(url)}`);
}

function titleOf({ title, url }: Pick<Source, "title" | "url">): Children {
  if (url === undefined) return [title];
  return [outLink(url, title), endsWithHost(title, url) ? undefined : element("span.leads", {}, leadsTo(url))];
}

/** `isUnfolded`: there is room for the passages, so nobody has to point at a number. */
export function drawSources({ sources }: SourcesBlock, isUnfolded: boolean): HTMLElement {
  const number = ({ number, excerpt }: Numbered) =>
    excerpt === undefined || isUnfolded
      ? element("span.number", {}, `[${number}]`)
      : passageButton(`[${number}]`, excerpt);
  return element(
    `div.sources${isUnfolded ? ".is-unfolded" : ""}`,
    { role: "group", "aria-label": "Sources" },
    element("span.sources-name", { "aria-hidden": "true" }, "Sources"),
    element(
      "ol",
      { role: "list" },
      ...sources.map((source) =>
        element(
          "li",
          {},
          number(source),
          " ",
          titleOf(source),
          source.from === undefined ? undefined : element("span.said-by", {}, ` · ${source.from}`),
          isUnfolded ? drawExcerpt(source) : undefined,
        ),
      ),
    ),
  );
}

function drawExcerpt({ excerpt }: Numbered): HTMLElement | undefined {
  return excerpt === undefined ? undefined : element("blockquote.excerpt", { dir: "auto" }, excerpt);
}

/** Titles alone: the passages stand with the sources of the answer. */
export function drawStepSources(sources: readonly Source[] = []): HTMLElement | undefined {
  if (sources.length === 0) return undefined;
  return element(
    "ul.step-sources",
    { role: "list", "aria-label": "Found" },
    ...sources.map((source) =>
      element(
        "li",
        {},
        titleOf(source),
        source.addedBy === undefined ? undefined : element("span.said-by", {}, ` · from ${source.addedBy.name}`),
      ),
    ),
  );
}
