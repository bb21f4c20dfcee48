/** What runs, how much of it may be done at once, and what the platforms let Parley write: the first panels of System. */
import { nowMs } from "../../connection/clock.ts";
import { element, plain } from "../../drawing/element.ts";
import { clockText, durationText, timeNode } from "../kit/dates.js";
import { bytesText, numberText } from "../kit/numbers.js";
import { chip, facts, panel } from "../kit/parts.js";
import { table } from "../kit/table.js";
import { channelText, platformName, workspaceNames } from "../kit/where.js";

export const capital = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const runningFor = ({ startedAtMs }) => durationText(Math.max(0, nowMs() - startedAtMs));

function stateOf(isOk, text, reason) {
  const shown = isOk ? chip(text, reason === undefined ? "good" : "warn") : chip("Not reachable", "bad");
  return reason === undefined
    ? shown
    : element("span", {}, shown, " ", element("span", { dir: "auto" }, plain(reason)));
}

export function statePanel({ instances: [own], status }) {
  const { service, storage, platforms } = status;
  const serviceText = [service.is ?? "OK", ...(service.latencyMs === undefined ? [] : [`${service.latencyMs} ms`])];
  const storageText = [storage.kind, ...(storage.bytes === undefined ? [] : [bytesText(storage.bytes)])];
  return panel(
    { title: "State" },
    facts([
      ["Parley", `${own.version}, up ${runningFor(own)}`],
      ["Node", own.node],
      ["Agent service", stateOf(service.isOk, serviceText.join(" · "), service.reason)],
      ["Storage", stateOf(storage.isOk, storageText.join(" · "), storage.reason)],
      ...platforms.map(({ label, isConnected, reason }) => [capital(label), stateOf(isConnected, "Connected", reason)]),
    ]),
  );
}

const instanceColumns = [
  {
    title: "Instance",
    narrow: "title",
    cell: ({ host, isThis }) =>
      element("span", { dir: "auto" }, plain(host), isThis ? [" ", chip("answers you")] : undefined),
  },
  { title: "Parley", before: "Parley", cell: ({ version }) => plain(version) },
  { title: "Node", before: "Node", cell: ({ node }) => plain(node) },
  { title: "Started", before: "started", isNumber: true, cell: ({ startedAtMs }) => timeNode(startedAtMs) },
];

/** Where several instances can share the storage. */
export function instancesPanel({ instances }) {
  if (instances.length < 2) return [];
  const lines = instances.map((one, at) => ({ ...one, isThis: at === 0 }));
  return [
    panel(
      { title: "Instances", note: `${numberText(instances.length)} running` },
      table({ columns: instanceColumns, rows: lines, label: "Instances" }),
    ),
  ];
}

/** Settings that limit how much is done at once. */
const limits = [
  "QUESTIONS_PER_PERSON",
  "QUESTIONS_PER_CHANNEL",
  "JOBS_PER_PERSON",
  "AGENT_MAX_RUNS",
  "INGEST_MAX_PAGES",
];
const kinds = { edits: "Edits", posts: "New messages", status: "Status lines" };
const perMinuteText = (count) => `${numberText(Math.round(count))} a minute`;

function ownerText({ workspace, channel, name, isDirect }, workspaceText) {
  if (isDirect) return "A direct message";
  return channel === undefined ? workspaceText({ workspace }) : channelText(name ?? channel);
}

const budgetColumns = [
  { title: "Platform", narrow: "title", cell: ({ platform }) => platformName(platform) },
  { title: "Writes", cell: ({ kind }) => kinds[kind] },
  { title: "Limit", cell: ({ perMinute, per }) => `${perMinuteText(perMinute)} per ${per}` },
  {
    title: "Lowered by the platform",
    cell: ({ platform, lowered }) => {
      if (lowered.length === 0) return element("span.soft", {}, "nowhere");
      const names = workspaceNames(lowered.map(({ workspace }) => ({ platform, workspace })));
      return element(
        "ul.lowered",
        { role: "list" },
        ...lowered.map((one) =>
          element(
            "li",
            { dir: "auto" },
            `${ownerText(one, ({ workspace }) => names({ platform, workspace }))}: `,
            chip(perMinuteText(one.perMinute), "warn"),
            ` until ${clockText(one.wholeAgainAtMs)}`,
          ),
        ),
      );
    },
  },
];

/** In force: those of the settings, and what the platforms let Parley write. */
export function limitsPanel({ settings, budgets }) {
  const known = new Map(settings.flatMap((group) => group.settings.map((one) => [one.name, one])));
  const set = limits.map((name) => known.get(name)).filter((one) => one !== undefined);
  return panel(
    { title: "Limits", note: "in force" },
    facts(set.map(({ about, value, defaultWords }) => [about.split(/[.;]/, 1)[0], value ?? defaultWords ?? "none"])),
    budgets.length === 0 ? undefined : table({ columns: budgetColumns, rows: budgets, label: "Writing limits" }),
  );
}
