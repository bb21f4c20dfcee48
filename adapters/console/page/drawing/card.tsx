/**
 * One of Parley's messages: what it says, and its buttons. A block that did not change keeps its element: nothing
 * flickers, a selection stays, and a screen reader reads an answer once. That is why progress and result are two boxes:
 * only the result is a live region, and it must exist, empty, before the result arrives.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Action, Block, Fold } from "../../../../src/core/document.ts";
import type { ConsolePayload } from "../../writing/messages.ts";
import { nowMs } from "../connection/clock.ts";
import { Dotted, partsOf } from "../look/dotted.tsx";
import { Icon } from "../parts/icon.tsx";
import { Buttons, type Own, type Press } from "./buttons.tsx";
import { Chart, type ChartBlock, chartsIn, type PictureOf } from "./chart.tsx";
import { CopyAnswer } from "./copying/copy-answer.tsx";
import { Code, Markdown } from "./drawn-markdown.ts";
import { Words } from "./inline.tsx";
import type { Cited } from "./markdown.ts";
import { Sources } from "./sources.tsx";
import { Mark, Steps, stepMarks } from "./steps.tsx";
import { TableFigure } from "./table.tsx";

/** A fold's small print is a block of its own here: see `shownBlocks`. */
type ShownBlock = Exclude<Block, Fold> | Omit<Fold, "quiet">;
type BlockOf<Kind extends Block["kind"]> = Extract<Block, { readonly kind: Kind }>;

type Context = {
  readonly tone: ConsolePayload["tone"];
  readonly sources: readonly Cited[];
  readonly charts: readonly ChartBlock[];
  readonly press: Press;
  readonly pictureOf?: PictureOf | undefined;
  /** Inside a fold. */
  readonly isUnfolded?: boolean;
  /** What a fold shows below its steps once its button is pressed. */
  readonly details?: ComponentChildren;
  readonly own?: Own;
};

const debounceMs = 100;

const isInProgress = ({ tone }: Pick<ConsolePayload, "tone">) => tone === "running" || tone === "waiting";

const listMarks = { ...stepMarks, waiting: { shape: "clock", says: "Waiting" } } as const;

function Lines({ block: { items } }: { readonly block: BlockOf<"list"> }) {
  return (
    <ul class="lines" role="list">
      {items.map(({ mark, text }, at) => (
        // Lines can be equal.
        <li key={at} class={`is-${mark ?? "plain"}`}>
          {mark === undefined || mark === "bullet" ? <span class="mark dot" /> : <Mark {...listMarks[mark]} />}
          <span>
            <Words spans={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Details that a person unfolds, with everything to read there and nothing to point at. */
function Folded({ block, context }: { readonly block: Omit<Fold, "quiet">; readonly context: Context }) {
  const { title, blocks, actions } = block;
  const shown = actions.map((action) =>
    action.id === "steps" ? { ...action, label: "Show steps in detail" } : action,
  );
  const own = { hasSteps: context.details !== undefined };
  return (
    <details class="fold">
      <summary>
        <Icon name="unfold" />
        <span>
          <Words spans={title} />
        </span>
      </summary>
      <div class="folded">
        <Blocks blocks={blocks} context={{ ...context, isUnfolded: true }} />
        {actions.length > 0 ? (
          <div class="actions">
            <Buttons actions={shown} press={context.press} own={own} />
          </div>
        ) : undefined}
        {context.details}
      </div>
    </details>
  );
}

function Headline({ block: { text }, isFailed }: { readonly block: BlockOf<"headline">; readonly isFailed: boolean }) {
  return (
    <p class="headline">
      {isFailed ? <Icon name="warning" /> : undefined}
      <strong>
        <Words spans={text} />
      </strong>
    </p>
  );
}

export function ShownBlock({ block, context }: { readonly block: ShownBlock; readonly context: Context }) {
  const { tone, sources, charts, press, pictureOf, isUnfolded = false } = context;
  switch (block.kind) {
    case "headline":
      return <Headline block={block} isFailed={tone === "failed"} />;
    case "text":
      return (
        <p>
          <Words spans={block.text} />
        </p>
      );
    case "markdown":
      return <Markdown text={block.text} sources={sources} />;
    case "steps":
      return <Steps block={block} isFolded={isUnfolded} />;
    case "table":
      return <TableFigure table={block.table} caption={block.caption} />;
    case "chart":
      return <Chart block={block} number={charts.indexOf(block)} pictureOf={pictureOf} />;
    case "fold":
      return <Folded block={block} context={context} />;
    case "code":
      return <Code text={block.text} name={block.language} />;
    case "list":
      return <Lines block={block} />;
    case "sources":
      return <Sources block={block} isUnfolded={isUnfolded} />;
    case "quiet":
      return (
        <p class="quiet">
          <Dotted parts={partsOf(block.text).map((part, at) => <Words key={at} spans={part} />)} />
        </p>
      );
    case "actions":
      return (
        <div class={`actions is-${block.layout}`}>
          <Buttons actions={block.actions} press={press} own={context.own} />
        </div>
      );
    case "divider":
      return <hr />;
    default:
      block satisfies never;
      return <p class="quiet">Reload the page to see this part.</p>;
  }
}

/** Changes with everything that a block shows, so that what changes is drawn anew. Steps are followed line by line. */
function keyOf(block: ShownBlock, { sources, tone, charts }: Context): string {
  if (block.kind === "steps" && tone === "running") return "steps";
  // A citation depends on the sources, a picture on its number, a headline on the tone.
  if (block.kind === "markdown") return JSON.stringify([block, sources]);
  return JSON.stringify([block, block.kind === "chart" ? charts.indexOf(block) : tone]);
}

export function Blocks({ blocks, context }: { readonly blocks: readonly ShownBlock[]; readonly context: Context }) {
  const seen = new Map<string, number>();
  return (
    <>
      {blocks.map((block) => {
        const key = keyOf(block, context);
        const count = seen.get(key) ?? 0;
        seen.set(key, count + 1);
        return <ShownBlock key={`${count} ${key}`} block={block} context={context} />;
      })}
    </>
  );
}

/** Also those that are folded. */
function sourcesIn(blocks: readonly Block[]): readonly Cited[] {
  return blocks.flatMap((block) => {
    if (block.kind === "sources") return block.sources;
    return block.kind === "fold" ? sourcesIn(block.blocks) : [];
  });
}

/** Small print of a fold is a block of its own here: votes change it, and what is unfolded stays so. */
export function shownBlocks(blocks: readonly Block[]): readonly ShownBlock[] {
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

/** When the focused button disappears, focus moves to the one in its place or to the message, not to the top of the page. */
function useFocusThatStays(keyOfActions: string) {
  const row = useRef<HTMLDivElement>(null);
  const { activeElement: active } = document;
  const isInRow = row.current?.contains(active) === true && active instanceof HTMLElement;
  const focused = isInRow ? active.dataset["action"] : undefined;
  useLayoutEffect(() => {
    const { current } = row;
    if (focused === undefined || current === null || current.contains(document.activeElement)) return;
    const next = [focused, otherForm[focused]].map((id) => current.querySelector<HTMLElement>(`[data-action="${id}"]`));
    (next.find((button) => button !== null) ?? current.closest<HTMLElement>("article"))?.focus();
  }, [keyOfActions]);
  return row;
}

/**
 * `pictureOf` is the URL of a chart's picture, where there is one. With `onNews`, screen readers read it even if it was
 * never in progress; `onNews` is called once it is shown. `onResult` is called when progress has become a result.
 */
export function Card({
  payload,
  press,
  pictureOf,
  own = {},
  details,
  begunAtMs,
  onNews,
  onResult,
}: {
  readonly payload: ConsolePayload;
  readonly press: Press;
  readonly pictureOf?: PictureOf;
  readonly own?: Own;
  /** For its fold. */
  readonly details?: ComponentChildren;
  readonly begunAtMs?: number;
  readonly onNews?: () => void;
  readonly onResult?: () => void;
}) {
  const runs = isInProgress(payload);
  const ran = useRef(runs);
  // Screen readers skip a live region that is inserted with its text, but read one that is filled a moment later.
  const [isReady, setReady] = useState(onNews === undefined || runs);
  useEffect(() => {
    if (isReady) return undefined;
    const timer = setTimeout(() => setReady(true), debounceMs);
    return () => clearTimeout(timer);
  }, []);
  useLayoutEffect(() => {
    if (isReady && !runs) onNews?.();
  }, [isReady, payload]);
  useLayoutEffect(() => {
    if (ran.current && !runs) onResult?.();
    ran.current = runs;
  });
  const context: Context = {
    tone: payload.tone,
    sources: sourcesIn(payload.blocks),
    charts: chartsIn(payload.blocks),
    press,
    pictureOf,
    details,
    own,
  };
  const blocks = <Blocks blocks={shownBlocks(payload.blocks)} context={context} />;
  const below = actionsBelow(payload);
  const row = useFocusThatStays(JSON.stringify(below));
  return (
    <>
      <div class="card">
        <div class="progress">
          {runs ? blocks : undefined}
          {isWritten(payload) ? <Writing begunAtMs={begunAtMs} /> : undefined}
        </div>
        {/* Polite: a screen reader finishes its current sentence first. */}
        <div class="result" aria-live="polite" aria-atomic="false">
          {runs || !isReady ? undefined : blocks}
        </div>
      </div>
      <div class="actions" ref={row}>
        <Buttons
          actions={below}
          press={press}
          own={{ ...own, isQuiet: payload.tone === "done" && onNews === undefined }}
        />
        {payload.actions.some(({ id }) => id === "thumb-up") ? <CopyAnswer blocks={payload.blocks} /> : undefined}
      </div>
    </>
  );
}

/** The steps are done, and nothing of the answer is there yet. */
function isWritten({ tone, blocks }: ConsolePayload): boolean {
  const steps = blocks.find((block) => block.kind === "steps")?.steps ?? [];
  const isWaitingForWords = steps.length > 0 && steps.every(({ state }) => state !== "running");
  return tone === "running" && isWaitingForWords && !blocks.some(({ kind }) => kind === "markdown");
}

/** `begunAtMs`: when its work began, on the server's clock. */
function Writing({ begunAtMs }: { readonly begunAtMs: number | undefined }) {
  const [now, setNow] = useState(nowMs());
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = begunAtMs === undefined ? 0 : Math.round((now - begunAtMs) / 1_000);
  return (
    <p class="writing quiet">
      <span class="spinner" aria-hidden="true" />
      {seconds < 1 ? "Writing the answer…" : `Writing the answer… ${seconds} s`}
    </p>
  );
}

/** Author and time above a message. */
export function Byline({
  name,
  time,
  children,
}: {
  readonly name: string;
  readonly time: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="byline">
      <span class="who">{name}</span>
      {time}
      {children}
    </div>
  );
}
