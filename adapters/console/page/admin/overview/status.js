/** What is wrong and what to do first, and a strip that says what runs. */
import { nowMs } from "../../connection/clock.ts";
import { element, plain } from "../../drawing/element.ts";
import { href } from "../kit/address.js";
import { durationText } from "../kit/dates.js";
import { icon } from "../kit/icons.js";
import { bytesText, numberText } from "../kit/numbers.js";
import { lamp, linkButton } from "../kit/parts.js";
import { remedyLink } from "../kit/remedy.js";

const maxAdvice = 3;

function advice(name, says, action) {
  return element(
    "section.advice",
    { role: "status" },
    icon("warn"),
    element("p", { dir: "auto" }, element("strong", {}, plain(name)), " ", plain(says)),
    action,
  );
}

const capital = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const ended = (text) => (/[.!?]$/.test(text.trim()) ? text : `${text}.`);

/** The doctor's sentences. What is down now comes first: it explains the rest. */
export function adviceNodes({ platforms, service, storage, problems }) {
  const down = [
    ...(storage.isOk ? [] : [[storage.kind, storage.reason ?? "can't be reached."]]),
    ...(service.isOk ? [] : [["The agent service", service.reason ?? "doesn't answer."]]),
    ...platforms.flatMap(({ label, isConnected, reason }) =>
      isConnected && reason === undefined ? [] : [[capital(label), reason ?? "isn't connected."]],
    ),
  ];
  const names = new Set(down.map(([name]) => name.toLowerCase()));
  const others = problems.filter(({ name }) => !names.has(name.toLowerCase()) && !names.has(`the agent ${name}`));
  const all = [...down, ...others.map(({ name, says }) => [capital(name), says])];
  const rest = all.length - maxAdvice;
  return [
    ...all.slice(0, maxAdvice).map(([name, says]) => advice(`${name}:`, ended(capital(says)), remedyLink(name))),
    ...(rest > 0 ? [advice(`${rest} more.`, "", linkButton("Show", href("system")))] : []),
  ];
}

function fact(name, tone, says, text) {
  return element(
    "div.fact",
    {},
    element("dt", {}, lamp(tone, says), name),
    element("dd", { dir: "auto" }, plain(text)),
  );
}

function platformFact({ label, isConnected, reason }) {
  const name = capital(label);
  if (!isConnected) return fact(name, "bad", "down", "not connected");
  return reason === undefined
    ? fact(name, "good", "fine", "connected")
    : fact(name, "warn", "attention", "needs attention");
}

export function stateStrip({ now, platforms, service, storage, version, startedAtMs }) {
  const { latencyMs } = service;
  const serviceText = service.isOk
    ? `OK${latencyMs === undefined ? "" : ` · ${latencyMs < 1_000 ? `${Math.round(latencyMs)} ms` : durationText(latencyMs)}`}`
    : "not reachable";
  const size = storage.bytes === undefined ? "" : ` · ${bytesText(storage.bytes)}`;
  const isBusy = now.waiting > 0;
  return element(
    "dl.panel.strip",
    { "aria-label": "State" },
    ...platforms.map(platformFact),
    fact("Agent service", service.isOk ? "good" : "bad", service.isOk ? "fine" : "down", serviceText),
    fact("Storage", storage.isOk ? "good" : "bad", storage.isOk ? "fine" : "down", `${storage.kind}${size}`),
    fact("Parley", "good", "running", `${version} · up ${durationText(Math.max(0, nowMs() - startedAtMs))}`),
    fact(
      "Now",
      isBusy ? "warn" : "good",
      isBusy ? "questions wait" : "nothing waits",
      `${numberText(now.running)} running · ${numberText(now.waiting)} waiting`,
    ),
  );
}
