/**
 * Draws one of Parley's messages and updates it in place. A block that did not change keeps its element: nothing
 * flickers, a selection stays, and a screen reader reads an answer once. That is why progress and result are two boxes:
 * only the result is a live region, and it must exist, empty, before the result arrives.
 */
import { element, icon, timeText } from "./element.js";
import { codeBlock, copyButton, drawMarkdown, leadsTo, outLink, scrollBox } from "./markdown.js";
import { passageButton } from "./passage.js";
import { thumbOf } from "./vote.js";

const stepIcons = { done: "check", failed: "cross" };
const listIcons = { done: "check", failed: "cross", waiting: "clock" };
const settleMs = 100;
const inProgress = new Set(["running", "waiting"]);

export function drawInline(spans) {
  return spans.map(({ text, style, url }) => {
    const tag = { bold: "strong", italic: "em", code: "code" }[style];
    const words = tag === undefined ? document.createTextNode(text) : element(tag, {}, text);
    return url === undefined ? words : outLink(url, words);
  });
}

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

function drawTable({ table, caption }) {
  const omitted = table.omittedRows ?? 0;
  return element(
    "figure.table",
    {},
    caption && element("figcaption", {}, ...drawInline(caption)),
    scrollBox(
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...table.columns.map((name) => element("th", { scope: "col" }, name)))),
        element(
          "tbody",
          {},
          ...table.rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))),
        ),
      ),
      "Table",
    ),
    omitted > 0 ? element("p.quiet", {}, `${omitted} more ${omitted === 1 ? "row" : "rows"} not shown`) : undefined,
  );
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

/** "refunds · example.com": a title made of its address. */
function endsWithHost(title, url) {
  const words = title.replace(/ \(from [^()]*\)$/, "");
  return words === leadsTo(url) || words.endsWith(` · ${leadsTo(url)}`);
}

function drawSources({ sources }) {
  return element(
    "div.sources",
    { role: "group", "aria-label": "Sources" },
    element("span.sources-name", { "aria-hidden": "true" }, "Sources"),
    element(
      "ol",
      { role: "list" },
      ...sources.map(({ number, title, url, from, excerpt }) =>
        element(
          "li",
          {},
          excerpt === undefined ? element("span.number", {}, `[${number}]`) : passageButton(`[${number}]`, excerpt),
          " ",
          url === undefined ? title : outLink(url, title),
          url === undefined || endsWithHost(title, url) ? undefined : element("span.leads", {}, leadsTo(url)),
          from === undefined ? undefined : element("span.said-by", {}, ` · ${from}`),
        ),
      ),
    ),
  );
}

export function drawBlock(block, { tone, sources, press }) {
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
    case "code":
      return codeBlock(block.text, block.language);
    case "list":
      return drawList(block);
    case "sources":
      return drawSources(block);
    case "quiet":
      return element("p.quiet", {}, ...drawInline(block.text));
    case "actions":
      return element(`div.actions.is-${block.layout}`, {}, ...drawActions(block, press));
    case "divider":
      return element("hr");
    default:
      return element("p.quiet", {}, "Reload the page to see this part.");
  }
}

/** Shows the blocks in `box`, keeping the elements of those that did not change. */
function fill(box, blocks, context) {
  const kept = [...box.children];
  const wanted = blocks.map((block) => {
    // A citation depends on the sources, a headline on the tone.
    const key = JSON.stringify([block, block.kind === "markdown" ? context.sources : context.tone]);
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
  if (list !== undefined) list.dataset.key = JSON.stringify([steps, context.tone]);
  if (list !== undefined && list.parentElement === null) box.append(list);
  fill(box, blocks, context);
}

// Drawn, because not every system has a font with these characters.
const actionIcons = { stop: "stop", "thumb-up": "up", "thumb-down": "bad" };

function drawActions(payload, press) {
  // A private note has a Hide of its own, which needs no server.
  const shown = payload.actions.filter(({ id }) => id !== "hide");
  return shown.map((action) => {
    const isThumb = thumbOf(action) !== undefined;
    const shape = actionIcons[action.id];
    return element(
      `button.action.is-${action.style}${isThumb ? ".is-thumb" : ""}`,
      {
        type: "button",
        "data-action": action.id,
        "aria-label": action.accessibleLabel,
        "aria-pressed": isThumb ? "false" : undefined,
        click: (event) => press(action, event.currentTarget),
      },
      shape && icon(shape),
      isThumb ? element("span.hidden", {}, action.label) : action.label,
    );
  });
}

/** The answer as it was written, with its tables and sources. */
function textOf({ blocks }) {
  const cells = (row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  const parts = blocks.flatMap((block) => {
    switch (block.kind) {
      case "markdown":
        return [block.text];
      case "table": {
        const { columns, rows } = block.table;
        return [[cells(columns), cells(columns.map(() => "---")), ...rows.map(cells)].join("\n")];
      }
      case "sources":
        return [block.sources.map(sourceText).join("\n")];
      default:
        return [];
    }
  });
  return parts.join("\n\n");
}

function sourceText({ number, title, url, from }) {
  const said = from === undefined ? "" : ` (${from})`;
  return `[${number}] ${title}${said}${url === undefined ? "" : ` ${new URL(url, location.origin).href}`}`;
}

/**
 * Shows the payload in `article`. Calls `press(action, button)` for its buttons.
 * With `onNews`, screen readers read it even if it was never in progress; `onNews` is called once it is drawn.
 * Returns whether it has just changed from progress to a result.
 */
export function updatePayload(article, payload, press, onNews) {
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
    sources: payload.blocks.flatMap((block) => (block.kind === "sources" ? block.sources : [])),
    press,
  };
  if (isInProgress) {
    fillProgress(progress, payload.blocks, context);
    result.replaceChildren();
  } else {
    progress.replaceChildren();
    // Screen readers skip a live region that is inserted with its text, but read one that is filled a moment later.
    const show = () => {
      if (article.payload !== payload) return;
      fill(result, payload.blocks, context);
      onNews?.();
    };
    if (isFirst && onNews !== undefined) setTimeout(show, settleMs);
    else fill(result, payload.blocks, context);
  }

  const key = JSON.stringify(payload.actions);
  if (actions.dataset.key !== key) {
    const focused = actions.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
    actions.dataset.key = key;
    const copy = payload.actions.some(({ id }) => id === "thumb-up")
      ? [copyButton("action.is-plain", () => textOf(article.payload))]
      : [];
    actions.replaceChildren(...drawActions(payload, press), ...copy);
    // When the focused button disappears, focus moves to the message, not to the top of the page.
    if (focused !== undefined) (actions.querySelector(`[data-action="${focused}"]`) ?? article).focus();
  }
  return !isFirst && wasInProgress && !isInProgress;
}

/** Author and time above a message. */
export function drawByline(name, atMs, ...more) {
  return element(
    "div.byline",
    {},
    element("span.who", {}, name),
    atMs === undefined ? undefined : element("time", { datetime: new Date(atMs).toISOString() }, timeText(atMs)),
    ...more,
  );
}
