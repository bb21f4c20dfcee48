/** What is known about a question beside its answer: its gap, its reference, its asker, and its conversation. */
import { element, plain } from "../../drawing/element.ts";
import { href } from "../kit/address.js";
import { dateText, momentText, relativeText, timeNode } from "../kit/dates.js";
import { countText, numberText } from "../kit/numbers.js";
import { copyButton, facts, linkButton, panel, row, rows } from "../kit/parts.js";
import { outcomeText, questionHref, questionNode, whereText } from "../pages/asked.js";
import { gapActions, gapHref } from "../pages/gaps.js";

const gapStates = { open: "Open", answered: "Answered", dismissed: "Dismissed" };

export function agentText({ agent }) {
  return `${plain(agent.name)}${agent.isGone ? " (deleted)" : ""}`;
}

/** What can be done about the gap is done from here as from its own page. */
export function gapPanel(gap, onDone) {
  const people = `${countText(gap.people, "person", "people")} asked this since ${dateText(gap.createdAtMs)}.`;
  return panel(
    { title: "Gap", link: { text: "Show", href: gapHref(gap) } },
    element("p", {}, people),
    element("p.soft", {}, `${gapStates[gap.state]} · last asked ${relativeText(gap.lastAtMs)}`),
    gap.place && element("p.panel-actions", {}, ...gapActions(gap, onDone, { isOpen: true })),
  );
}

export function detailsPanel({ listed, attempt, traceId, stepCount, texts }) {
  const agent =
    listed.agent === undefined
      ? undefined
      : element(
          "a",
          { href: href("questions", { query: { agent: listed.agent.key } }), dir: "auto" },
          agentText(listed),
        );
  const known = [
    ["Reference", element("span.code", {}, listed.ref)],
    ["Outcome", outcomeText(listed)],
    ["Asked", timeNode(listed.askedAtMs, momentText(listed.askedAtMs))],
    ["Asked by", texts === undefined ? undefined : element("bdi", {}, plain(texts.by))],
    ["Where", element("span", { dir: "auto" }, whereText(listed.askedIn))],
    ["Agent", agent],
    ["Steps", numberText(stepCount)],
    ["Attempts", attempt > 1 ? numberText(attempt) : undefined],
    ["Stopped by", texts?.stoppedBy === undefined ? undefined : element("bdi", {}, plain(texts.stoppedBy))],
    ["Trace", traceId === undefined ? undefined : element("span.code", {}, plain(traceId))],
  ];
  return panel(
    { title: "Details" },
    facts(known.filter(([, value]) => value !== undefined)),
    element(
      "p.panel-actions",
      {},
      copyButton(listed.ref, "Copy reference"),
      texts && linkButton("Asker's data", href("system", { query: { person: texts.person } })),
    ),
  );
}

export function othersPanel({ others, moreOthers }) {
  if (others.length === 0) return [];
  const lines = others.map((other) =>
    row({
      title: element("a", { href: questionHref(other) }, questionNode(other)),
      line: element("span", {}, outcomeText(other), " · ", timeNode(other.askedAtMs)),
    }),
  );
  const more = moreOthers === 0 ? undefined : element("p.soft", {}, `${numberText(moreOthers)} more`);
  return [
    panel(
      { title: "Same conversation", note: countText(others.length + moreOthers, "question") },
      rows(...lines),
      more,
    ),
  ];
}
