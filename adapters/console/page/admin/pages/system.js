/** The System page: what runs, what is wrong, limits, the latest errors, and the settings in force, without secrets. */

import { element, plain } from "../../drawing/element.ts";
import { dotted } from "../../look/dotted.ts";
import { href } from "../kit/address.js";
import { relativeText, timeNode } from "../kit/dates.js";
import { countText } from "../kit/numbers.js";
import { chip, panel, row, rows } from "../kit/parts.js";
import { remedyLink } from "../kit/remedy.js";
import { read } from "../kit/request.js";
import { table } from "../kit/table.js";
import { capital, instancesPanel, limitsPanel, statePanel } from "../system/running.js";
import { personPanel } from "./person-panel.js";

const refreshMs = 30_000;
/** Shown at first. */
const maxErrors = 12;

function problemRow({ name, says }) {
  const link = remedyLink(name);
  return row({ title: capital(plain(says)), line: plain(name), actions: link === undefined ? [] : [link] });
}

function problemsPanel({ problems, checkedAtMs }) {
  const note = checkedAtMs === undefined ? "checking…" : `checked ${relativeText(checkedAtMs)}`;
  const found =
    problems.length > 0
      ? rows(...problems.map(problemRow))
      : checkedAtMs === undefined
        ? undefined
        : element("p.soft", {}, "Nothing is wrong. These are the checks of npm run doctor.");
  return panel({ title: "Problems", note }, found);
}

function errorRow({ atMs, message, ref, code, cause, platform }) {
  const where = platform === undefined ? [] : [capital(platform)];
  // The message often ends with the code, and the cause can be the code again.
  const about = [...new Set([code, cause])].filter((word) => word !== undefined && !message.includes(word)).map(plain);
  const link = ref === undefined ? [] : [element("a", { href: href("questions", { parts: [ref] }) }, ref)];
  return row({
    title: plain(message),
    line: dotted([timeNode(atMs), ...where, ...about]),
    actions: link,
  });
}

function errorsPanel(errors) {
  const lines = errors.map(errorRow);
  const rest = lines.splice(maxErrors);
  return panel(
    {
      title: "Latest errors",
      note: errors.length > 0 ? countText(errors.length, "error") : undefined,
      link: { text: "Failed questions", href: href("questions", { query: { outcome: "failed" } }) },
    },
    errors.length > 0 ? rows(...lines) : element("p.soft", {}, "None."),
    rest.length === 0
      ? undefined
      : element("details.more-errors", {}, element("summary", {}, `Show ${rest.length} more`), rows(...rest)),
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
    // Of a secret the value says it.
    cell: ({ isDefault, isSecret }) =>
      isDefault ? element("span.soft", {}, "default") : isSecret === true ? "" : "set",
  },
];

function settingsPanel(groups) {
  const all = groups.flatMap(({ title, settings }) => settings.map((setting) => ({ ...setting, group: title })));
  return panel(
    { title: "Settings", note: "in force since the start" },
    table({ columns, rows: all, groupOf: ({ group }) => group, label: "Settings in force" }),
  );
}

/** Brings those settings, or the person's panel, into view when the address names them. */
function bringIntoView(view) {
  const { settings, person } = view.address.query;
  const heads = [...view.body.querySelectorAll("tr.group th")];
  const target =
    person === undefined
      ? heads.find(({ textContent }) => textContent === settings)
      : document.getElementById("person");
  if (target === undefined) return;
  target.scrollIntoView({ block: "center" });
  if (person === undefined) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}

export async function show(view) {
  let shown = [];
  let errorsText;
  async function showAll() {
    const system = await read("api/admin/system", {}, view.signal);
    if (view.signal.aborted) return;
    // What hasn't changed stays unfolded.
    const isSame = errorsText === JSON.stringify(system.errors);
    errorsText = JSON.stringify(system.errors);
    const next = [
      element("div.half", {}, statePanel(system), problemsPanel(system.status)),
      element("div.part", {}, ...instancesPanel(system), limitsPanel(system)),
      isSame ? shown[2] : errorsPanel(system.errors),
      settingsPanel(system.settings),
    ];
    // The person's panel stays as it is: someone may be typing there.
    if (shown.length === 0) view.draw(...next.slice(0, 3), personPanel(view), next[3]);
    for (const [index, node] of shown.entries()) if (node !== next[index]) node.replaceWith(next[index]);
    shown = next;
  }
  await showAll();
  view.begin = () => bringIntoView(view);
  view.every(refreshMs, showAll);
}
