/** The parts that pages consist of: panels, rows, chips, figures, buttons and states. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Thumb } from "../../../../../src/core/model/turn.ts";
import { plain } from "../../drawing/element.ts";
import { useOnce } from "../../drawing/use-once.ts";
import type { Query } from "./address.ts";
import { relativeText, wholeTime } from "./dates.ts";
import { Icon, type Shape } from "./icon.tsx";
import { numberText } from "./numbers.ts";
import { Problem, urlOf } from "./request.ts";

type Look = "primary" | "plain" | "danger";

/** A card with a heading. `note` follows the title, `extra` is at the right. */
export function Panel({
  title,
  note,
  link,
  extra,
  kind,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly link?: { readonly text: string; readonly href: string };
  readonly extra?: ComponentChildren;
  readonly kind?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class={`panel${kind === undefined ? "" : ` ${kind}`}`}>
      <header>
        <h2>{title}</h2>
        {note === undefined ? undefined : <span class="soft">{note}</span>}
        {extra}
        {link === undefined ? undefined : <a href={link.href}>{link.text}</a>}
      </header>
      {children}
    </section>
  );
}

/** What matters, and below it what is quieter; on a phone both are one line. */
export function Stacked({ text, quiet = "" }: { readonly text: string; readonly quiet?: string | undefined }) {
  return (
    <span class="stacked">
      {text}
      {quiet === "" ? undefined : <span class="under">{quiet}</span>}
    </span>
  );
}

/** A line of a list: what it is, what went wrong, a quieter line, and what can be done. */
export function Row({
  title,
  problem,
  line,
  actions,
  extra,
}: {
  readonly title: ComponentChildren;
  readonly problem?: string | undefined;
  readonly line?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly extra?: ComponentChildren;
}) {
  return (
    <li class="entry">
      <div>
        <p class="entry-title" dir="auto">
          {title}
        </p>
        {extra}
        {problem === undefined ? undefined : (
          <p class="entry-line is-failure" dir="auto">
            {problem}
          </p>
        )}
        {line === undefined ? undefined : (
          <p class="entry-line" dir="auto">
            {line}
          </p>
        )}
      </div>
      {actions}
    </li>
  );
}

export function Rows({ children }: { readonly children: ComponentChildren }) {
  return (
    <ul class="rows" role="list">
      {children}
    </ul>
  );
}

export type Tone = "good" | "warn" | "bad";

export function Chip({
  tone,
  isBusy = false,
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`chip${tone === undefined ? "" : ` is-${tone}`}${isBusy ? " is-busy" : ""}`} dir="auto">
      {children}
    </span>
  );
}

const thumbLooks = { up: { shape: "up", says: "thumbs up" }, down: { shape: "bad", says: "thumbs down" } } as const;

/** Thumbs "up" or "down", and perhaps how many. Drawn, because not every system has a font with a thumb. */
export function Thumbs({ thumb, count }: { readonly thumb: Thumb; readonly count?: number }) {
  const { shape, says } = thumbLooks[thumb];
  return (
    <span class="thumbs" title={says}>
      <Icon name={shape} />
      <span class="hidden">{says} </span>
      {count === undefined ? undefined : numberText(count)}
    </span>
  );
}

/** `says` is for those who don't see colours. */
export function Lamp({ tone, says }: { readonly tone: Tone; readonly says: string }) {
  return (
    <span class={`lamp is-${tone}`}>
      <span class="hidden">{says}</span>
    </span>
  );
}

/** A time: short, with all of it on hover. */
export function Time({ atMs, text = relativeText(atMs) }: { readonly atMs: number; readonly text?: string }) {
  return (
    <time datetime={new Date(atMs).toISOString()} title={wholeTime.format(atMs)}>
      {text}
    </time>
  );
}

const lookOf = (look: Look | undefined) => `action${look === undefined ? "" : ` is-${look}`}`;

export type ButtonProps = {
  readonly press: () => unknown;
  readonly look?: Look | undefined;
  readonly icon?: Shape;
  readonly label?: string | undefined;
  readonly isSmall?: boolean;
  /** Of what it unfolds: whether it is shown, and its id. */
  readonly isOpen?: boolean;
  readonly controls?: string;
  readonly children?: ComponentChildren;
};

/** A button. It is busy until what it does has ended, so that nobody presses it twice. */
export function Button({ press, look, icon, label, isSmall = false, isOpen, controls, children }: ButtonProps) {
  const { isBusy, press: onClick } = useOnce(press);
  return (
    <button
      type="button"
      class={`${lookOf(look)}${isSmall ? " is-small" : ""}`}
      aria-label={label === undefined ? undefined : plain(label)}
      aria-disabled={isBusy ? "true" : undefined}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onClick}
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  look,
  icon,
  children,
}: {
  readonly href: string;
  readonly look?: Look;
  readonly icon?: Shape;
  readonly children: ComponentChildren;
}) {
  return (
    <a class={lookOf(look)} href={href}>
      {icon === undefined ? undefined : <Icon name={icon} />}
      {children}
    </a>
  );
}

/** Downloads `path` with the list's filters. */
export function CsvLink({ path, query }: { readonly path: string; readonly query: Query }) {
  return (
    <a class="action" href={urlOf(path, query)} download>
      <Icon name="download" />
      CSV
    </a>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [says, setSays] = useState(label);
  const copy = async () => {
    // Without HTTPS browsers have no clipboard for pages.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSays(isCopied ? "Copied" : "Can't copy here");
    setTimeout(() => setSays(label), 2_000);
  };
  return (
    <Button press={copy} icon="copy">
      {says}
    </Button>
  );
}

/** A choice of a few. */
export function Choice<Value extends string | number>({
  label,
  options,
  chosen,
  choose,
}: {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => value !== chosen && choose(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** Terms and what they are; undefined ones are left out. */
export function Facts({ pairs }: { readonly pairs: readonly (readonly [ComponentChildren, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {pairs
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [<dt key="name">{name}</dt>, <dd key="value">{value}</dd>])}
    </dl>
  );
}

export type Nothing = {
  readonly icon?: Shape;
  readonly title: string;
  readonly text?: string;
  /** A button or link. */
  readonly action?: ComponentChildren;
};

/** Shown where the filters leave nothing. */
export const nothingMatches: Nothing = {
  icon: "search",
  title: "Nothing matches",
  text: "Change or clear the filters.",
};

/** Where nothing is. */
export function EmptyState({ icon = "inbox", title, text, action }: Nothing) {
  return (
    <div class="state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {text === undefined ? undefined : <p>{text}</p>}
      {action}
    </div>
  );
}

export function LoadingState() {
  return (
    <div class="loading" aria-busy="true">
      <p class="hidden" role="status">
        Loading
      </p>
      {["a", "b", "c", "d", "e"].map((key) => (
        <span key={key} class="ghost" aria-hidden="true" />
      ))}
    </div>
  );
}

/** What failed, and a button that tries again. */
export function ProblemState({ thrown, again }: { readonly thrown: unknown; readonly again?: () => unknown }) {
  const problem = thrown instanceof Problem ? thrown : undefined;
  const hint = problem?.hint ?? "Reload it. If it keeps happening, look at Parley's log.";
  return (
    <div class="state" role="alert">
      <Icon name={problem?.status === 403 ? "lock" : "warn"} />
      <h2>{plain(problem?.what ?? "This page couldn't be shown.")}</h2>
      <p>{plain(hint)}</p>
      {again === undefined ? undefined : <Button press={again}>Try again</Button>}
    </div>
  );
}
