/**
 * Draws one of Parley's messages and updates it in place. A block that did not change keeps its element: nothing
 * flickers, a selection stays, and a screen reader reads an answer once. That is why progress and result are two boxes:
 * only the result is a live region, and it must exist, empty, before the result arrives.
 */

import type { Action, Block, Fold } from "../../../../src/core/document.ts";
import type { ConsolePayload } from "../../writing/messages.ts";
import { dotted, partsOf } from "../look/dotted.ts";
import { chartsIn, drawChart, type PictureOf } from "./chart.ts";
import { drawCopy } from "./copying/copy-answer.ts";
import { type Children, element, icon, type Shape } from "./element.ts";
import { drawInline } from "./inline.ts";
import { codeBlock, drawMarkdown } from "./markdown.ts";
import { drawSources, drawStepSources } from "./sources.ts";
import { drawTable } from "./table.ts";
import { timeNode } from "./times.ts";
import { thumbOf } from "./vote.ts";

/** A button was pressed. */
export type Press = (action: Action, button: HTMLButtonElement) => unknown;

/** A fold's small print is a block of its own here: see `shownBlocks`. */
type ShownBlock = Exclude<Block, Fold> | Omit<Fold, "quiet">;

export type Context = {
  readonly tone: ConsolePayload["tone"];
  readonly sources: readonly { readonly number: number; readonly url?: string; readonly excerpt?: string }[];
  readonly charts: ReturnType<typeof chartsIn>;
  readonly press: Press;
  readonly pictureOf?: PictureOf | undefined;
  /** Inside a fold. */
  readonly isUnfolded?: boolean;
};

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { readonly kind: Kind }>;

const stepIcons = { done: "check", failed: "cross", running: undefined } as const;
const listIcons = { done: "check", failed: "cross", waiting: "clock", running: undefined } as const;
const debounceMs = 100;
const inProgress: ReadonlySet<string | undefined> = new Set(["running", "waiting"]);

function mark(name: Shape | undefined, words: string): HTMLElement {
  const drawing = name === undefined ? element("span.spinner", { "aria-hidden": "true" }) : icon(name);
  return element("span.mark", {}, drawing, element("span.hidden", {}, `${words}: `));
}

function drawSteps({ earlier, steps }: BlockOf<"steps">): HTMLElement {
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
        step.detail === undefined ? undefined : element("div.step-detail", {}, ...drawInline(step.detail)),
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

function drawList({ items }: BlockOf<"list">): HTMLElement {
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
function drawFold({ title, blocks, actions }: Omit<Fold, "quiet">, context: Context): HTMLElement {
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

export function drawBlock(block: ShownBlock, context: Context): HTMLElement {
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
function keyOf(block: ShownBlock, { sources, tone, charts }: Context): string {
  // A citation depends on the sources, a picture on its number, a headline on the tone.
  if (block.kind === "markdown") return JSON.stringify([block, sources]);
  return JSON.stringify([block, block.kind === "chart" ? charts.indexOf(block) : tone]);
}

/** Shows the blocks in `box`, keeping the elements of those that did not change. */
function fill(box: Element, blocks: readonly ShownBlock[], context: Context): void {
  const kept = [...box.children] as HTMLElement[];
  const wanted = blocks.map((block) => {
    const key = keyOf(block, context);
    const index = kept.findIndex((child) => child.dataset["key"] === key);
    const [same] = index >= 0 ? kept.splice(index, 1) : [];
    if (same !== undefined) return same;
    const drawn = drawBlock(block, context);
    drawn.dataset["key"] = key;
    return drawn;
  });
  for (const child of kept) child.remove();
  wanted.forEach((child, index) => {
    if (box.children[index] !== child) box.insertBefore(child, box.children[index] ?? null);
  });
}

/** Steps arrive one by one: unchanged lines keep their element, so that only the new one is animated. */
function fillSteps(box: Element, block: BlockOf<"steps">): HTMLElement {
  const drawn = drawSteps(block);
  const list = box.querySelector<HTMLElement>(":scope > ol.steps");
  if (list === null) return drawn;
  const kept = [...list.children];
  // Copied: its own list shrinks while lines move out of it.
  const lines = [...drawn.children];
  lines.forEach((line, index) => {
    const before = kept[index];
    if (before?.outerHTML === line.outerHTML) return;
    if (before === undefined) list.append(line);
    else before.replaceWith(line);
  });
  for (const line of kept.slice(lines.length)) line.remove();
  return list;
}

function fillProgress(box: Element, blocks: readonly ShownBlock[], context: Context): void {
  const steps = blocks.find((block) => block.kind === "steps");
  if (steps !== undefined) {
    const list = fillSteps(box, steps);
    list.dataset["key"] = keyOf(steps, context);
    if (list.parentElement === null) box.append(list);
  }
  fill(box, blocks, context);
}

// Drawn, because not every system has a font with these characters.
const actionIcons: Readonly<Record<string, Shape>> = { stop: "stop", "thumb-up": "up", "thumb-down": "bad" };

function drawActions(actions: readonly Action[], press: Press): HTMLElement[] {
  // A private note has a Hide of its own, which needs no server.
  const shown = actions.filter(({ id }) => id !== "hide");
  return shown.map((action) => {
    const isThumb = thumbOf(action) !== undefined;
    const shape = actionIcons[action.id];
    const button: HTMLButtonElement = element(
      "button",
      {
        type: "button",
        class: `action is-${action.style}${isThumb ? " is-thumb" : ""}`,
        "data-action": action.id,
        "data-asker": action.asker,
        "aria-label": action.accessibleLabel,
        "aria-pressed": isThumb ? "false" : undefined,
        click: () => press(action, button),
      },
      shape === undefined ? undefined : icon(shape),
      isThumb ? element("span.hidden", {}, action.label) : action.label,
    );
    return button;
  });
}

/** Also those that are folded. */
function sourcesIn(blocks: readonly Block[]): Context["sources"] {
  return blocks.flatMap((block) => {
    if (block.kind === "sources") return [...block.sources];
    return block.kind === "fold" ? [...sourcesIn(block.blocks)] : [];
  });
}

/** Small print of a fold is a block of its own here: votes change it, and what is unfolded stays so. */
function shownBlocks(blocks: readonly Block[]): readonly ShownBlock[] {
  return blocks.flatMap((block): ShownBlock[] => {
    if (block.kind !== "fold") return [block];
    const { quiet, ...fold } = block;
    return quiet.length === 0 ? [fold] : [fold, { kind: "quiet", text: quiet }];
  });
}

/** Without those that a fold holds. */
function actionsBelow({ blocks, actions }: ConsolePayload): readonly Action[] {
  const folded = blocks.flatMap((block) => (block.kind === "fold" ? block.actions : []));
  return actions.filter(({ id }) => !folded.some((action) => action.id === id));
}

/** A pressed Chart becomes Table, and the other way round. */
const otherForm: Readonly<Record<string, string>> = { chart: "table", table: "chart" };

/** What each article shows now. */
const shown = new WeakMap<HTMLElement, ConsolePayload>();

/**
 * Shows the payload in `article`. `pictureOf` is the URL of a chart's picture, where there is one. With `onNews`, screen
 * readers read it even if it was never in progress; `onNews` is called once it is drawn. Returns whether it has just
 * changed from progress to a result.
 */
export function updatePayload(
  article: HTMLElement,
  payload: ConsolePayload,
  { press, pictureOf, onNews }: Pick<Context, "press" | "pictureOf"> & { readonly onNews?: () => void },
): boolean {
  const wasInProgress = inProgress.has(article.dataset["tone"]);
  const isInProgress = inProgress.has(payload.tone);
  const isFirst = article.dataset["tone"] === undefined;
  article.dataset["tone"] = payload.tone;
  shown.set(article, payload);

  const known = article.querySelector(":scope > .card");
  const card =
    known ??
    element(
      "div.card",
      {},
      element("div.progress"),
      // Polite: a screen reader finishes its current sentence first.
      element("div.result", { "aria-live": "polite", "aria-atomic": "false" }),
    );
  if (known === null) article.append(card, element("div.actions"));
  const [progress, result] = card.children;
  const actions = article.querySelector<HTMLElement>(":scope > .actions");
  if (progress === undefined || result === undefined || actions === null) throw new Error("A message lost its parts");
  const context: Context = {
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
      if (shown.get(article) !== payload) return;
      fill(result, shownBlocks(payload.blocks), context);
      onNews?.();
    };
    if (isFirst && onNews !== undefined) setTimeout(show, debounceMs);
    else fill(result, shownBlocks(payload.blocks), context);
  }

  const below = actionsBelow(payload);
  const key = JSON.stringify(below);
  if (actions.dataset["key"] !== key) {
    const { activeElement: active } = document;
    const focused = active instanceof HTMLElement && actions.contains(active) ? active.dataset["action"] : undefined;
    actions.dataset["key"] = key;
    const copy = payload.actions.some(({ id }) => id === "thumb-up")
      ? drawCopy(() => shown.get(article)?.blocks ?? [])
      : [];
    actions.replaceChildren(...drawActions(below, press), ...copy);
    // When the focused button disappears, focus moves to the message, not to the top of the page.
    if (focused !== undefined) {
      const next = [focused, otherForm[focused]].map((id) =>
        actions.querySelector<HTMLElement>(`[data-action="${id}"]`),
      );
      (next.find((button) => button !== null) ?? article).focus();
    }
  }
  return !isFirst && wasInProgress && !isInProgress;
}

/** Author and time above a message. */
export function drawByline(name: string, atMs: number | undefined, ...more: readonly Children[]): HTMLElement {
  return element(
    "div.byline",
    {},
    element("span.who", {}, name),
    atMs === undefined ? undefined : timeNode(atMs),
    ...more,
  );
}
