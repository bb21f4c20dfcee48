/** Draws what an answer rests on: numbered sources, and the passages that a step found. */
import { element } from "./element.js";
import { leadsTo, outLink } from "./markdown.js";
import { passageButton } from "./passage.js";

/** "refunds · example.com": a title made of its address. */
function endsWithHost(title, url) {
  const words = title.replace(/ \(from [^()]*\)$/, "");
  return words === leadsTo(url) || words.endsWith(` · ${leadsTo(url)}`);
}

function titleOf({ title, url }) {
  if (url === undefined) return [title];
  return [outLink(url, title), endsWithHost(title, url) ? undefined : element("span.leads", {}, leadsTo(url))];
}

/** `isUnfolded`: there is room for the passages, so nobody has to point at a number. */
export function drawSources({ sources }, isUnfolded) {
  const number = ({ number, excerpt }) =>
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

function drawExcerpt({ excerpt }) {
  return excerpt === undefined ? undefined : element("blockquote.excerpt", { dir: "auto" }, excerpt);
}

/** Titles alone: the passages stand with the sources of the answer. */
export function drawStepSources(sources = []) {
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
