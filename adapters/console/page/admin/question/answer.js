/** What was answered, or what went wrong: a question's first panels. */
import { element, plain } from "../../drawing/element.ts";
import { drawMarkdown, outLink } from "../../drawing/markdown.ts";
import { root } from "../kit/address.js";
import { dateText } from "../kit/dates.js";
import { countText, numberText } from "../kit/numbers.js";
import { panel } from "../kit/parts.js";
import { platformName } from "../kit/where.js";

export function errorPanel({ listed, texts }) {
  if (listed.code === undefined && texts?.error === undefined) return [];
  const what = texts?.error?.what ?? listed.what ?? "It failed.";
  return [
    panel(
      { title: "What went wrong", kind: "is-bad" },
      element("p", { dir: "auto" }, plain(what)),
      texts?.error?.hint ? element("p.soft", { dir: "auto" }, plain(texts.error.hint)) : undefined,
      listed.code === undefined
        ? undefined
        : element(
            "p",
            {},
            element("span.code", {}, listed.code),
            " ",
            element("a", { href: new URL("docs/errors.md", root).href }, "Where it comes from"),
          ),
    ),
  ];
}

export function privatePanel({ listed, stepCount, sourceCount }) {
  const { kind, platform, isOff } = listed.askedIn;
  const where =
    kind === "direct"
      ? "in a direct message"
      : isOff
        ? `on ${platformName(platform)}, which is off, and Parley can't tell who may read it there`
        : "where not everyone can read it";
  return panel(
    { title: "Answer and steps" },
    element(
      "p",
      {},
      `This was asked ${where}, so its question, answer and steps aren't shown here. `,
      `Set LOG_PRIVATE=true to show them.`,
    ),
    element("p.soft", {}, `${countText(stepCount, "step")}, ${countText(sourceCount, "source")}`),
  );
}

export function answerPanel(texts, { state }) {
  const { answer, table, sources, isPartial, answerOmittedChars } = texts;
  if (answer === undefined && table === undefined) {
    return state === "ended" ? [] : [panel({ title: "Answer" }, element("p.soft", {}, "Not yet."))];
  }
  const numbered = sources.map(({ url }, index) => ({ number: index + 1, url }));
  const body = answer ? drawMarkdown(answer, numbered) : undefined;
  const cut =
    answerOmittedChars === undefined ? [] : [`${numberText(answerOmittedChars)} more characters are not stored.`];
  const partial = isPartial ? ["The stream broke, so this may be incomplete."] : [];
  return [
    panel(
      { title: "Answer" },
      body,
      table === undefined ? undefined : tableNode(table),
      ...[...partial, ...cut].map((text) => element("p.soft", {}, text)),
      sources.length === 0 ? undefined : sourcesLine(sources),
    ),
  ];
}

function tableNode({ columns, rows: lines, omittedRows }) {
  const more = omittedRows === undefined ? undefined : element("p.soft", {}, `${countText(omittedRows, "more row")}`);
  const cells = (tag, values) => values.map((value) => element(tag, { dir: "auto" }, plain(value)));
  return element(
    "div.result",
    { tabindex: 0, role: "group", "aria-label": "Result" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...cells("th", columns))),
      element("tbody", {}, ...lines.map((line) => element("tr", {}, ...cells("td", line)))),
    ),
    more,
  );
}

function sourcesLine(sources) {
  return element(
    "div.sources",
    {},
    element("b", {}, "Sources"),
    element(
      "ol",
      {},
      ...sources.map((source) =>
        element("li", { dir: "auto" }, sourceTitle(source), element("span.soft", {}, sourceAge(source))),
      ),
    ),
  );
}

export function sourceTitle({ title, url }) {
  const label = plain(title) || "Untitled";
  return url === undefined ? element("span", {}, label) : outLink(url, label);
}

function sourceAge({ updatedAtMs, addedBy }) {
  const by = addedBy === undefined ? "" : ` · added by ${plain(addedBy.name)}`;
  return `${updatedAtMs === undefined ? "" : ` · from ${dateText(updatedAtMs)}`}${by}`;
}
