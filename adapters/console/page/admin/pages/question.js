/** One question: its answer, what the agent did for it, how long each part took, and what people think of it. */
import { element, plain } from "../../drawing/element.js";
import { codeBlock, drawMarkdown, outLink } from "../../drawing/markdown.js";
import { href, root } from "../kit/address.js";
import { dateText, durationText, momentText, relativeText, timeNode } from "../kit/dates.js";
import { icon } from "../kit/icons.js";
import { countText, numberText } from "../kit/numbers.js";
import { button, chip, copyButton, emptyState, facts, panel, row, rows } from "../kit/parts.js";
import { Problem, read } from "../kit/request.js";
import { platformName } from "../kit/where.js";
import { outcomeChips, outcomeText, questionHref, questionNode, whereText } from "./asked.js";

const whileRunningMs = 3_000;
const reasons = {
  wrong: "Wrong",
  incomplete: "Incomplete",
  outdated: "Outdated",
  "not-what-i-asked": "Not what I asked",
};
const gapStates = { open: "Open", answered: "Answered", dismissed: "Dismissed" };

const percent = (relevance) => `${Math.round(relevance * 100)}%`;

export async function showQuestion(view, asked) {
  const crumb = { title: "Questions", href: href("questions") };
  view.setTitle(plain(asked).slice(0, 40), crumb);
  const seen = await read(`api/admin/questions/${encodeURIComponent(asked)}`, {}, view.signal).catch((thrown) => {
    if (!(thrown instanceof Problem) || thrown.status !== 404) throw thrown;
    view.setTools();
    view.body.replaceChildren(
      emptyState({
        icon: "search",
        title: thrown.what,
        text: thrown.hint,
        action: element("a.action", { href: crumb.href }, "All questions"),
      }),
    );
  });
  if (seen === undefined || view.signal.aborted) return;
  if (seen.texts?.answer) await loadPurify();
  const { listed } = seen;
  view.setTitle(element("span.code", {}, listed.ref), crumb);
  view.setTools(...(seen.url === undefined ? [] : [openLink(seen)]));
  view.body.replaceChildren(
    head(seen),
    element(
      "div.columns",
      {},
      element("div.column", {}, ...mainPanels(view, seen)),
      element("div.column", {}, ...sidePanels(seen)),
    ),
  );
  // A question that runs changes.
  if (listed.state !== "ended") view.every(whileRunningMs, () => view.reload());
}

/** Answers are drawn with it; the chat page has it from its beginning. */
function loadPurify() {
  if (window.DOMPurify !== undefined) return Promise.resolve();
  return new Promise((resolve) => {
    // Without it, answers are shown as plain text.
    const script = element("script", { src: new URL("vendor/purify.js", root).href, load: resolve, error: resolve });
    document.head.append(script);
  });
}

function openLink({ url, listed }) {
  const { platform } = listed.askedIn;
  const text = platform === "console" ? "Open the conversation" : `Open in ${platformName(platform)}`;
  return element(
    "a.action",
    { href: url, target: "_blank", rel: "noopener noreferrer" },
    icon("out"),
    element("span.label", {}, text),
  );
}

function head({ listed, texts }) {
  const who = texts === undefined ? [] : [element("bdi", {}, plain(texts.by)), " in "];
  const answered =
    listed.agent === undefined ? [] : [" · answered by ", element("b", { dir: "auto" }, agentText(listed))];
  const [first] = outcomeChips(listed);
  return element(
    "header.question-head",
    {},
    element(
      `h2.question${texts === undefined ? ".is-private" : ""}`,
      { dir: "auto" },
      ...(texts === undefined ? [icon("lock"), "Asked in private"] : [plain(texts.question) || "(empty)"]),
    ),
    element(
      "p.question-line",
      {},
      first,
      listed.isScheduled ? chip("Asked by a schedule") : undefined,
      element(
        "span",
        {},
        ...who,
        element("b", { dir: "auto" }, whereText(listed.askedIn)),
        " · ",
        timeNode(listed.askedAtMs, momentText(listed.askedAtMs)),
        ...answered,
      ),
    ),
  );
}

function agentText({ agent }) {
  return `${plain(agent.name)}${agent.isGone ? " (deleted)" : ""}`;
}

function mainPanels(view, seen) {
  const { listed, texts } = seen;
  const error = errorPanel(seen);
  if (texts === undefined) return [...error, privatePanel(seen)];
  const answer = answerPanel(texts, listed);
  const votes = feedbackPanel(seen);
  return [...error, ...answer, stepsPanel(view, seen), ...votes];
}

function errorPanel({ listed, texts }) {
  if (listed.code === undefined && texts?.error === undefined) return [];
  const what = texts?.error?.what ?? listed.what ?? "It failed.";
  return [
    panel(
      { title: "What went wrong", kind: "is-bad" },
      element("p", { dir: "auto" }, plain(what)),
      texts?.error?.hint ? element("p.soft", { dir: "auto" }, plain(texts.error.hint)) : undefined,
      listed.code === undefined ? undefined : element("p", {}, element("span.code", {}, listed.code)),
    ),
  ];
}

function privatePanel({ listed, stepCount, sourceCount }) {
  const where = listed.askedIn.kind === "direct" ? "in a direct message" : "where not everyone can read it";
  return panel(
    { title: "Asked in private" },
    element(
      "p",
      {},
      `This was asked ${where}, so its question, answer and steps aren't shown here. `,
      `Set LOG_PRIVATE=true to show them.`,
    ),
    element("p.soft", {}, `${countText(stepCount, "step")}, ${countText(sourceCount, "source")}`),
  );
}

function answerPanel(texts, { state }) {
  const { answer, table, sources, isPartial, answerOmittedChars } = texts;
  if (answer === undefined && table === undefined) {
    return state === "ended" ? [] : [panel({ title: "Answer" }, element("p.soft", {}, "Not yet."))];
  }
  const body = answer ? drawMarkdown(answer) : undefined;
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

function sourceTitle({ title, url }) {
  const label = plain(title) || "Untitled";
  return url === undefined ? element("span", {}, label) : outLink(url, label);
}

function sourceAge({ updatedAtMs, addedBy }) {
  const by = addedBy === undefined ? "" : ` · added by ${plain(addedBy.name)}`;
  return `${updatedAtMs === undefined ? "" : ` · from ${dateText(updatedAtMs)}`}${by}`;
}

function stepsPanel(view, { listed, texts }) {
  const { steps, omittedSteps } = texts;
  const empty = listed.state === "ended" ? "The agent used no tools." : "None yet.";
  return panel(
    { title: "Steps", note: steps.length === 0 ? undefined : countText(steps.length + omittedSteps, "step") },
    steps.length === 0 ? element("p.soft", {}, empty) : undefined,
    element("ol.steps", {}, ...steps.map((step, at) => stepNode(view, listed.id, step, at))),
    omittedSteps === 0 ? undefined : element("p.soft", {}, `${countText(omittedSteps, "further step")} not stored.`),
  );
}

const stepMarks = { done: "check", failed: "cross", running: "refresh" };
const stepSays = { done: "Done", failed: "Failed", running: "Running" };

function stepNode(view, id, step, at) {
  return element(
    `li.step.is-${step.state}`,
    {},
    element("span.step-mark", {}, icon(stepMarks[step.state]), element("span.hidden", {}, stepSays[step.state])),
    element(
      "div.step-body",
      {},
      element(
        "p.step-title",
        { dir: "auto" },
        ...step.title.map(({ text, style }) => element(style === "bold" ? "b" : "span", {}, plain(text))),
        step.found === undefined ? undefined : element("span.soft", {}, `: ${plain(step.found)}`),
      ),
      step.tookMs === undefined ? undefined : element("span.step-time", {}, durationText(step.tookMs)),
      ...step.passages.map(passageNode),
      step.hasRaw ? rawNode(view, id, at) : undefined,
    ),
  );
}

function passageNode(source) {
  return element(
    "div.found",
    { dir: "auto" },
    element(
      "p.found-title",
      {},
      sourceTitle(source),
      source.relevance === undefined ? undefined : element("span.soft", {}, percent(source.relevance)),
    ),
    source.excerpt ? element("p", {}, plain(source.excerpt)) : undefined,
    source.updatedAtMs === undefined ? undefined : element("p.soft", {}, `From ${dateText(source.updatedAtMs)}`),
  );
}

/** What the service sent, only once someone asks for it. */
function rawNode(view, id, at) {
  const box = element("div.raw", { id: `raw-${at}` });
  const toggle = button("Raw", async (node) => {
    const isOpen = node.getAttribute("aria-expanded") === "true";
    node.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) return box.replaceChildren();
    try {
      const raw = await read(`api/admin/questions/${encodeURIComponent(id)}/steps/${at}`, {}, view.signal);
      const parts = [
        ["Reason", raw.reason],
        ["Input", raw.input],
        ["Output", raw.output],
      ].filter(([, text]) => text.trim() !== "");
      box.replaceChildren(...parts.map(([name, text]) => codeBlock(text, name)));
    } catch (thrown) {
      box.replaceChildren(element("p.is-failure", { role: "alert" }, thrown.what ?? "That step can't be read now."));
    }
  });
  toggle.classList.add("is-small");
  toggle.setAttribute("aria-expanded", "false");
  toggle.setAttribute("aria-controls", box.id);
  return element("div.raw-part", {}, toggle, box);
}

function feedbackPanel({ listed, texts }) {
  const { up = 0, down = 0 } = listed;
  if (up + down === 0) return [];
  const note = [up > 0 ? `👍 ${numberText(up)}` : "", down > 0 ? `👎 ${numberText(down)}` : ""]
    .filter(Boolean)
    .join(" · ");
  const votes = texts.votes.map((vote) =>
    element(
      "li.opinion",
      {},
      element("span", { "aria-hidden": "true" }, vote.thumb === "up" ? "👍" : "👎"),
      element(
        "div",
        {},
        element("p.opinion-title", {}, reasons[vote.reason] ?? (vote.thumb === "up" ? "Helpful" : "Not helpful")),
        vote.comment ? element("p", { dir: "auto" }, `“${plain(vote.comment)}”`) : undefined,
        element(
          "p.soft",
          {},
          element("bdi", {}, plain(vote.by) || "Someone"),
          vote.atMs === undefined ? undefined : [", ", timeNode(vote.atMs)],
          vote.wantsToKnow ? " · wants to know when it is fixed" : "",
        ),
      ),
    ),
  );
  return [panel({ title: "Feedback", note }, element("ul.opinions", { role: "list" }, ...votes))];
}

function sidePanels(seen) {
  return [timePanel(seen), ...gapPanel(seen), detailsPanel(seen), ...othersPanel(seen)];
}

function timePanel({ times, listed }) {
  const parts = [
    ["Waited", times.waitedMs, "wait"],
    ["Steps", times.stepsMs, "steps"],
    ["Answer", times.answerMs, "answer"],
    [`Shown in ${platformName(listed.askedIn.platform)}`, times.shownMs, "shown"],
  ].filter(([, ms]) => ms !== undefined);
  if (times.totalMs === undefined)
    return panel({ title: "Time" }, element("p.soft", {}, `Asked ${relativeText(listed.askedAtMs)}.`));
  const namespace = "http://www.w3.org/2000/svg";
  const bar = document.createElementNS(namespace, "svg");
  bar.setAttribute("class", "time-bar");
  bar.setAttribute("viewBox", "0 0 1000 10");
  bar.setAttribute("preserveAspectRatio", "none");
  bar.setAttribute("aria-hidden", "true");
  const sum = parts.reduce((all, [, ms]) => all + ms, 0) || 1;
  const gap = 6;
  let from = 0;
  for (const [, ms, kind] of parts) {
    const width = (ms / sum) * 1_000;
    const rect = document.createElementNS(namespace, "rect");
    rect.setAttribute("class", `is-${kind}`);
    rect.setAttribute("x", String(from));
    rect.setAttribute("width", String(Math.max(4, width - gap)));
    rect.setAttribute("height", "10");
    bar.append(rect);
    from += width;
  }
  return panel(
    { title: "Time" },
    parts.length > 1 ? bar : undefined,
    facts([
      ...parts.map(([name, ms, kind]) => [
        element("span", {}, element(`i.key.is-${kind}`, {}), name),
        durationText(ms),
      ]),
      [element("b", {}, "Total"), element("b", {}, durationText(times.totalMs))],
    ]),
  );
}

function gapPanel({ gap, listed }) {
  if (gap === undefined) return [];
  const { platform, workspace } = listed.askedIn;
  const people = `${countText(gap.people, "person", "people")} asked this since ${dateText(gap.firstAtMs)}.`;
  return [
    panel(
      { title: "Gap" },
      element("p", {}, people),
      element("p.soft", {}, `${gapStates[gap.state] ?? gap.state} · last asked ${relativeText(gap.lastAtMs)}`),
      element(
        "p.panel-actions",
        {},
        element("a.action", { href: href("gaps", { parts: [platform, workspace, gap.id] }) }, "Open the gap"),
      ),
    ),
  ];
}

function detailsPanel({ listed, attempt, traceId, stepCount, texts }) {
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
    element("p.panel-actions", {}, copyButton(listed.ref, "Copy reference")),
  );
}

function othersPanel({ others, moreOthers }) {
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
