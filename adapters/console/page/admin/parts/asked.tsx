/** How questions look in every list and on their own page: where they were asked, how they ended, what people think. */

import type { AskedIn, ListedQuestion } from "../../../../../src/overview/questions/listed.ts";
import { plain } from "../../drawing/element.ts";
import { Chip, Thumbs, type Tone } from "../../parts/chip.tsx";
import type { Option } from "../../parts/filters.tsx";
import { Icon } from "../../parts/icon.tsx";
import { href } from "../kit/address.ts";
import { channelText, platformName } from "../kit/where.tsx";

type Ended = Extract<ListedQuestion, { readonly state: "ended" }>;

const outcomes: Readonly<Record<Ended["outcome"], { readonly text: string; readonly tone?: Tone }>> = {
  answered: { text: "Answered", tone: "good" },
  unsure: { text: "Not sure", tone: "warn" },
  nothing: { text: "Nothing found", tone: "warn" },
  "passages-only": { text: "Passages only", tone: "bad" },
  failed: { text: "Failed", tone: "bad" },
  stopped: { text: "Stopped" },
  "not-shown": { text: "Not shown" },
};

export const outcomeOptions: readonly Option[] = Object.entries(outcomes).map(([value, { text }]) => [value, text]);

const states = {
  queued: "Waiting in line",
  running: "Running",
  waiting: "Waits for approval",
  interrupted: "Resuming",
};
const reasons: Readonly<Record<NonNullable<Ended["why"]>, string>> = {
  nothing: "no answer",
  unsure: "not sure",
  failed: "failed",
  unchanged: "unchanged",
  limit: "too many unasked answers",
  "not-for-you": "not for you",
  removed: "removed with ❌",
  unshown: "could not be posted",
};

export function questionHref({ id }: Pick<ListedQuestion, "id">): string {
  return href("questions", { parts: [id] });
}

export function outcomeText(question: ListedQuestion): string {
  return question.state === "ended" ? outcomes[question.outcome].text : states[question.state];
}

export function OutcomeChip({ question }: { readonly question: ListedQuestion }) {
  if (question.state !== "ended") return <Chip isBusy>{outcomeText(question)}</Chip>;
  const why = question.why === undefined ? "" : `: ${reasons[question.why]}`;
  return <Chip tone={outcomes[question.outcome].tone}>{`${outcomeText(question)}${why}`}</Chip>;
}

/** How it ended, and what went wrong. */
export function Outcome({ question }: { readonly question: ListedQuestion }) {
  const what = question.state === "ended" && question.outcome !== "answered" ? question.what : undefined;
  return (
    <span class="chips">
      <OutcomeChip question={question} />
      {what === undefined ? undefined : <span class="failed">{what}</span>}
    </span>
  );
}

export function whereText({ platform, kind, channel, name, isGone, isOff }: AskedIn): string {
  const gone = isGone ? " (gone)" : "";
  const title = `${platformName(platform)}${isOff ? " (off)" : ""}`;
  return kind === "direct" ? `Direct message · ${title}` : `${channelText(name ?? channel)}${gone} · ${title}`;
}

export function agentText({ name, isGone }: NonNullable<ListedQuestion["agent"]>): string {
  return `${plain(name)}${isGone ? " (deleted)" : ""}`;
}

export function AgentName({ agent }: Pick<ListedQuestion, "agent">) {
  if (agent === undefined) return null;
  return (
    <span class="name" dir="auto">
      {agentText(agent)}
    </span>
  );
}

/** The question, or that it can't be read here. */
export function QuestionText({ question: { text, ref, askedIn, isScheduled } }: { readonly question: ListedQuestion }) {
  const schedule = isScheduled ? <span class="quiet-tag">schedule</span> : undefined;
  if (text !== undefined) {
    return (
      <span class="asked" dir="auto">
        {plain(text.question) || "(empty)"}
        {schedule}
      </span>
    );
  }
  const where = askedIn.kind === "direct" ? "Asked in a direct message" : "Asked in private";
  return (
    <span class="asked is-private">
      <Icon name="lock" />
      {`${where} · ${ref}`}
      {schedule}
    </span>
  );
}

/** Votes on its answer. */
export function votesOf(question: ListedQuestion): { readonly up: number; readonly down: number } {
  return question.state === "ended" ? question : { up: 0, down: 0 };
}

export function Votes({ question }: { readonly question: ListedQuestion }) {
  const { up, down } = votesOf(question);
  return (
    <span class="votes">
      {up > 0 ? <Thumbs thumb="up" count={up} /> : undefined}
      {down > 0 ? <Thumbs thumb="down" count={down} /> : undefined}
    </span>
  );
}
