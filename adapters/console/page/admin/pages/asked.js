/** How questions look in every list and on their own page: where they were asked, how they ended, what people think. */
import { element, plain } from "../../drawing/element.ts";
import { href } from "../kit/address.js";
import { icon } from "../kit/icons.js";
import { chip, thumbs } from "../kit/parts.js";
import { channelText, platformName } from "../kit/where.js";

export const outcomeOptions = [
  ["answered", "Answered"],
  ["unsure", "Not sure"],
  ["nothing", "Nothing found"],
  ["passages-only", "Passages only"],
  ["failed", "Failed"],
  ["stopped", "Stopped"],
  ["not-shown", "Not shown"],
];

const tones = {
  answered: "good",
  unsure: "warn",
  nothing: "warn",
  "passages-only": "bad",
  failed: "bad",
  stopped: undefined,
  "not-shown": undefined,
};
const states = {
  queued: "Waiting in line",
  running: "Running",
  waiting: "Waits for approval",
  interrupted: "Resuming",
};
const reasons = {
  nothing: "no answer",
  unsure: "not sure",
  failed: "failed",
  unchanged: "unchanged",
  limit: "too many unasked answers",
  "not-for-you": "not for you",
  unshown: "could not be posted",
};

export function questionHref({ id }) {
  return href("questions", { parts: [id] });
}

export function outcomeText({ state, outcome }) {
  if (state !== "ended") return states[state] ?? "Running";
  return outcomeOptions.find(([value]) => value === outcome)?.[1] ?? outcome;
}

export function outcomeChips(row) {
  const isRunning = row.state !== "ended";
  const why = row.why === undefined ? "" : `: ${reasons[row.why] ?? row.why}`;
  const first = chip(`${outcomeText(row)}${why}`, isRunning ? undefined : tones[row.outcome]);
  if (isRunning) first.classList.add("is-busy");
  const failed = row.what === undefined || row.outcome === "answered" ? [] : [element("span.failed", {}, row.what)];
  return [first, ...failed];
}

export function whereText({ platform, kind, channel, name, isGone, isOff }) {
  const gone = isGone ? " (gone)" : "";
  const title = `${platformName(platform)}${isOff ? " (off)" : ""}`;
  return kind === "direct" ? `Direct message · ${title}` : `${channelText(name ?? channel)}${gone} · ${title}`;
}

export function agentNode(agent) {
  if (agent === undefined) return "";
  return element("span.name", { dir: "auto" }, `${plain(agent.name)}${agent.isGone ? " (deleted)" : ""}`);
}

/** The question, or that it can't be read here. */
export function questionNode({ text, ref, askedIn, isScheduled }) {
  const schedule = isScheduled ? element("span.quiet-tag", {}, "schedule") : undefined;
  if (text !== undefined) return element("span.asked", { dir: "auto" }, plain(text.question) || "(empty)", schedule);
  const where = askedIn.kind === "direct" ? "Asked in a direct message" : "Asked in private";
  return element("span.asked.is-private", {}, icon("lock"), `${where} · ${ref}`, schedule);
}

export function votesNode({ up = 0, down = 0 }) {
  return element(
    "span.votes",
    {},
    up === 0 ? undefined : thumbs("up", up),
    down === 0 ? undefined : thumbs("down", down),
  );
}
