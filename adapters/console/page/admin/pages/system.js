/** The System page: what runs, what is wrong, the latest errors, and the settings in force. Secrets never reach it. */
import { element, plain } from "../../drawing/element.js";
import { href } from "../kit/address.js";
import { durationText, relativeText, timeNode } from "../kit/dates.js";
import { bytesText, countText } from "../kit/numbers.js";
import { chip, dotted, facts, panel, row, rows } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { table } from "../kit/table.js";
import { personPanel } from "./person-panel.js";

const refreshMs = 30_000;

const capital = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function stateOf(isOk, text, reason) {
  const shown = isOk ? chip(text, reason === undefined ? "good" : "warn") : chip("Not reachable", "bad");
  return reason === undefined
    ? shown
    : element("span", {}, shown, " ", element("span", { dir: "auto" }, plain(reason)));
}

function statePanel({ version, node, startedAtMs, status }) {
  const { service, storage, platforms, olderQuestions } = status;
  const serviceText = [service.is ?? "OK", ...(service.latencyMs === undefined ? [] : [`${service.latencyMs} ms`])];
  const storageText = [storage.kind, ...(storage.bytes === undefined ? [] : [bytesText(storage.bytes)])];
  return panel(
    { title: "State" },
    facts([
      ["Parley", `${version}, up ${durationText(Math.max(0, Date.now() - startedAtMs))}`],
      ["Node", node],
      ["Agent service", stateOf(service.isOk, serviceText.join(" · "), service.reason)],
      ["Storage", stateOf(storage.isOk, storageText.join(" · "), storage.reason)],
      ...platforms.map(({ label, isConnected, reason }) => [capital(label), stateOf(isConnected, "Connected", reason)]),
      ...(olderQuestions === undefined
        ? []
        : [["Older questions", `${Math.floor(olderQuestions * 100)} % read so far`]]),
    ]),
  );
}

function problemsPanel({ problems, checkedAtMs }) {
  const note = checkedAtMs === undefined ? "checking…" : `checked ${relativeText(checkedAtMs)}`;
  const found =
    problems.length > 0
      ? rows(...problems.map(({ name, says }) => row({ title: capital(plain(says)), line: plain(name) })))
      : checkedAtMs === undefined
        ? undefined
        : element("p.soft", {}, "Nothing is wrong. These are the checks of npm run doctor.");
  return panel({ title: "Problems", note }, found);
}

function errorRow({ atMs, message, ref, code, cause, platform }) {
  const where = platform === undefined ? [] : [capital(platform)];
  const about = [...where, ...(code === undefined ? [] : [code]), ...(cause === undefined ? [] : [plain(cause)])];
  const link = ref === undefined ? [] : [element("a", { href: href("questions", { parts: [ref] }) }, ref)];
  return row({
    title: plain(message),
    line: dotted([timeNode(atMs), ...about]),
    actions: link,
  });
}

function errorsPanel(errors) {
  const shown = errors.length > 0 ? rows(...errors.map(errorRow)) : element("p.soft", {}, "None since Parley started.");
  return panel(
    { title: "Latest errors", note: errors.length > 0 ? countText(errors.length, "error") : undefined },
    shown,
  );
}

const columns = [
  { title: "Setting", narrow: "title", cell: ({ name, about }) => element("code", { title: about }, name) },
  {
    title: "Value",
    narrow: "line",
    cell: ({ value, defaultWords, isSecret }) => {
      if (isSecret === true && value === "set") return chip("set", "good");
      return value === undefined || isSecret === true
        ? element("span.soft", {}, defaultWords ?? "not set")
        : element("span", { dir: "auto" }, plain(value));
    },
  },
  {
    title: "Origin",
    narrow: "aside",
    cell: ({ isDefault }) => (isDefault ? element("span.soft", {}, "default") : "set"),
  },
];

function settingsPanel(groups) {
  const all = groups.flatMap(({ title, settings }) => settings.map((setting) => ({ ...setting, group: title })));
  return panel(
    { title: "Settings", note: "in force since the start" },
    table({ columns, rows: all, groupOf: ({ group }) => group, label: "Settings in force" }),
  );
}

export async function show(view) {
  let shown = [];
  async function showAll() {
    const system = await read("api/admin/system", {}, view.signal);
    if (view.signal.aborted) return;
    const before = shown;
    shown = [
      element("div.half", {}, statePanel(system), problemsPanel(system.status)),
      errorsPanel(system.errors),
      settingsPanel(system.settings),
    ];
    // The person's panel stays as it is: someone may be typing there.
    if (before.length === 0) {
      const [state, errors, settings] = shown;
      view.body.replaceChildren(state, errors, personPanel(view), settings);
    }
    for (const [index, node] of before.entries()) node.replaceWith(shown[index]);
  }
  await showAll();
  view.every(refreshMs, showAll);
}
