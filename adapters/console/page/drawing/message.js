/**
 * Draws one of Parley's messages and updates it in place. A block that did not change keeps its element: nothing
 * flickers, a selection stays, and a screen reader reads an answer once. That is why progress and result are two boxes:
 * only the result is a live region, and it must exist, empty, before the result arrives.
 */

import { dotted, partsOf } from "../look/dotted.js";
import { chartsIn, drawChart } from "./chart.js";
import { drawCopy } from "./copying/copy-answer.js";
import { element, icon } from "./element.js";
import { drawInline } from "./inline.js";
import { codeBlock, drawMarkdown } from "./markdown.js";
import { drawSources, drawStepSources } from "./sources.js";
import { drawTable } from "./table.js";
import { timeNode } from "./times.js";
import { thumbOf } from "./vote.js";

const stepIcons = { done: "check", failed: "cross" };
const listIcons = { done: "check", failed: "cross", waiting: "clock" };
const debounceMs = 100;
const inProgress = new Set(["running", "waiting"]);

function mark(name, words) {
  const drawing = name === undefined ? element("span.spinner", { "aria-hidden": "true" }) : icon(name);
  return element("span.mark", {}, drawing, element("span.hidden", {}, `${words}: `));
}

function drawSteps({ earlier, steps }) {
  const words = { done: "Done", running: "Now", failed: "Failed" };
  const lines = steps.map((step) =>
    element(
      `li.step.is-${step.state}`,
      {},
      mark(stepIcons[step.state], words[step.state]),
      element(
        "div",
        {},
        element("div.step-title", {}, ...drawInline(step.title)),
        step.detail && element("div.step-detail", {}, ...drawInline(step.detail)),
        drawStepSources(step.sources),
      ),
    ),
  );
  const folded =
    earlier > 0
      ? element(
          "li.step.is-earlier",
          {},
          element("span.mark"),
          `${earlier} earlier ${earlier === 1 ? "step" : "steps"}`,
        )
      : undefined;
  return element("ol.steps", { role: "list" }, folded, ...lines);
}

function drawList({ items }) {
  const words = { done: "Done", failed: "Failed", waiting: "Waiting", running: "Now" };
  return element(
    "ul.lines",
    { role: "list" },
    ...items.map((item) =>
      element(
        `li.is-${item.mark ?? "plain"}`,
        {},
        item.mark !== undefined && item.mark !== "bullet"
          ? mark(listIcons[item.mark], words[item.mark])
          : element("span.mark.dot"),
        element("span", {}, ...drawInline(item.text)),
      ),
    ),
  );
}

/** Details that a person unfolds, with everything to read there and nothing to point at. */
function drawFold({ title, blocks, actions }, context) {
  const inside = { ...context, isUnfolded: true };
  return element(
    "details.fold",
    {},
    element("summary", {}, icon("unfold"), element("span", {}, ...drawInline(title))),
    element(
      "div.folded",
      {},
      ...blocks.map((block) => drawBlock(block, inside)),
      actions.length > 0 ? element("div.actions", {}, ...drawActions(actions, context.press)) : undefined,
    ),
  );
}

export function drawBlock(block, context) {
  const { tone, sources, press } = context;
  switch (block.kind) {
    case "headline":
      return element(
        "p.headline",
        {},
        tone === "failed" ? icon("warning") : undefined,
        element("strong", {}, ...drawInline(block.text)),
      );
    case "text":
      return element("p", {}, ...drawInline(block.text));
    case "markdown":
      return drawMarkdown(block.text, sources);
    case "steps":
      return drawSteps(block);
    case "table":
      return drawTable(block);
    case "chart":
      return drawChart(block, context);
    case "fold":
      return drawFold(block, context);
    case "code":
      return codeBlock(block.text, block.language);
    case "list":
      return drawList(block);
    case "sources":
      return drawSources(block, context.isUnfolded === true);
    case "quiet":
      return element("p.quiet", {}, dotted(partsOf(block.text).map(drawInline)));
    case "actions":
      return element(`div.actions.is-${block.layout}`, {}, ...drawActions(block.actions, press));
    case "divider":
      return element("hr");
    default:
      return element("p.quiet", {}, "Reload the page to see this part.");
  }
}

/** Changes with everything that a block's element shows. */
function keyOf(block, { sources, tone, charts }) {
  // A citation depends on the sources, a picture on its number, a headline on the tone.
  const other = { markdown: sources, chart: charts.indexOf(block) }[block.kind] ?? tone;
  return JSON.stringify([block, other]);
}

/** Shows the blocks in `box`, keeping the elements of those that did not change. */
function fill(box, blocks, context) {
  const kept = [...box.children];
  const wanted = blocks.map((block) => {
    const key = keyOf(block, context);
    const index = kept.findIndex((child) => child.dataset.key === key);
    if (index >= 0) return kept.splice(index, 1)[0];
    const drawn = drawBlock(block, context);
    drawn.dataset.key = key;
    return drawn;
  });
  for (const child of kept) child.remove();
  wanted.forEach((child, index) => {
    if (box.children[index] !== child) box.insertBefore(child, box.children[index] ?? null);
  });
}

/** Steps arrive one by one: unchanged lines keep their element, so that only the new one is animated. */
function fillSteps(box, block) {
  const drawn = drawSteps(block);
  const list = box.querySelector(":scope > ol.steps");
  if (list === null) return drawn;
  const kept = [...list.children];
  // Copied: its own list shrinks while lines move out of it.
  const lines = [...drawn.children];
  lines.forEach((line, index) => {
    if (kept[index]?.outerHTML === line.outerHTML) return;
    if (kept[index] === undefined) list.append(line);
    else kept[index].replaceWith(line);
  });
  for (const line of kept.slice(lines.length)) line.remove();
  return list;
}

function fillProgress(box, blocks, context) {
  const steps = blocks.find((block) => block.kind === "steps");
  const list = steps === undefined ? undefined : fillSteps(box, steps);
  if (list !== undefined) list.dataset.key = keyOf(steps, context);
  if (list !== undefined && list.parentElement === null) box.append(list);
  fill(box, blocks, context);
}

// Drawn, because not every system has a font with these characters.
const actionIcons = { stop: "stop", "thumb-up": "up", "thumb-down": "bad" };

function drawActions(actions, press) {
  // A private note has a Hide of its own, which needs no server.
  const shown = actions.filter(({ id }) => id !== "hide");
  return shown.map((action) => {
    const isThumb = thumbOf(action) !== undefined;
    const shape = actionIcons[action.id];
    return element(
      `button.action.is-${action.style}${isThumb ? ".is-thumb" : ""}`,
      {
        type: "button",
        "data-action": action.id,
        "data-asker": action.asker,
        "aria-label": action.accessibleLabel,
        "aria-pressed": isThumb ? "false" : undefined,
        click: (event) => press(action, event.currentTarget),
      },
      shape && icon(shape),
      isThumb ? element("span.hidden", {}, action.label) : action.label,
    );
  });
}

/** Also those that are folded. */
function sourcesIn(blocks) {
  return blocks.flatMap((block) => {
    if (block.kind === "sources") return block.sources;
    return block.kind === "fold" ? sourcesIn(block.blocks) : [];
  });
}

/** Small print of a fold is a block of its own here: votes change it, and what is unfolded stays so. */
function shownBlocks(blocks) {
  return blocks.flatMap((block) => {
    if (block.kind !== "fold") return [block];
    const { quiet, ...fold } = block;
    return quiet.length === 0 ? [fold] : [fold, { kind: "quiet", text: quiet }];
  });
}

/** Without those that a fold holds. */
function actionsBelow({ blocks, actions }) {
  const folded = blocks.flatMap((block) => (block.kind === "fold" ? block.actions : []));
  return actions.filter(({ id }) => !folded.some((action) => action.id === id));
}

/** A pressed Chart becomes Table, and the other way round. */
const otherForm = { chart: "table", table: "chart" };

/**
 * Shows the payload in `article`. Calls `press(action, button)` for its buttons; `pictureOf(number, look)` is the URL of
 * a chart's picture, where there is one. With `onNews`, screen readers read it even if it was never in progress; `onNews`
 * is called once it is drawn. Returns whether it has just changed from progress to a result.
 */
export function updatePayload(article, payload, { press, pictureOf, onNews }) {
  const wasInProgress = inProgress.has(article.dataset.tone);
  const isInProgress = inProgress.has(payload.tone);
  const isFirst = article.dataset.tone === undefined;
  article.dataset.tone = payload.tone;
  article.payload = payload;

  let card = article.querySelector(":scope > .card");
  if (card === null) {
    card = element(
      "div.card",
      {},
      element("div.progress"),
      // Polite: a screen reader finishes its current sentence first.
      element("div.result", { "aria-live": "polite", "aria-atomic": "false" }),
    );
    article.append(card, element("div.actions"));
  }
  const [progress, result] = card.children;
  const actions = article.querySelector(":scope > .actions");
  const context = {
    tone: payload.tone,
    sources: sourcesIn(payload.blocks),
    charts: chartsIn(payload.blocks),
    press,
    pictureOf,
  };
  if (isInProgress) {
    fillProgress(progress, shownBlocks(payload.blocks), context);
    result.replaceChildren();
  } else {
    progress.replaceChildren();
    // Screen readers skip a live region that is inserted with its text, but read one that is filled a moment later.
    const show = () => {
      if (article.payload !== payload) return;
      fill(result, shownBlocks(payload.blocks), context);
      onNews?.();
    };
    if (isFirst && onNews !== undefined) setTimeout(show, debounceMs);
    else fill(result, shownBlocks(payload.blocks), context);
  }

  const below = actionsBelow(payload);
  const key = JSON.stringify(below);
  if (actions.dataset.key !== key) {
    const focused = actions.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
    actions.dataset.key = key;
    const copy = payload.actions.some(({ id }) => id === "thumb-up") ? drawCopy(article) : [];
    actions.replaceChildren(...drawActions(below, press), ...copy);
    // When the focused button disappears, focus moves to the message, not to the top of the page.
    if (focused !== undefined) {
      const next = [focused, otherForm[focused]].map((id) => actions.querySelector(`[data-action="${id}"]`));
      (next.find((button) => button !== null) ?? article).focus();
    }
  }
  return !isFirst && wasInProgress && !isInProgress;
}

/** Author and time above a message. */
export function drawByline(name, atMs, ...more) {
  return element(
    "div.byline",
    {},
    element("span.who", {}, name),
    atMs === undefined ? undefined : timeNode(atMs),
    ...more,
  );
}
