/** The Audit page: who changed what and where, and who was refused. */
import { element, plain } from "../../drawing/element.ts";
import { clockText, dayText, momentText, timeNode } from "../kit/dates.js";
import { filterBar, periodOf } from "../kit/filters.js";
import { countText } from "../kit/numbers.js";
import { chip, csvLink } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { listing, table } from "../kit/table.js";
import { placeText, platformName } from "../kit/where.js";

const outcomes = [
  ["done", "Done"],
  ["failed", "Failed"],
  ["refused", "Refused"],
];
const tones = { done: "good", failed: "bad", refused: "warn" };

/** What the server knows the filters by. */
function asked({ person, action, outcome, platform, workspace, ...query }) {
  return { ...periodOf(query), person, action, outcome, platform, workspace };
}

function workspaceText(key) {
  const [platform, workspace] = key.split("/").map(decodeURIComponent);
  return placeText({ platform, workspace });
}

const platform = { kind: "select", name: "platform", label: "Platform", any: "Any platform" };
const workspace = { kind: "select", name: "workspace", label: "Workspace", any: "Any workspace" };

function fieldsOf({ people, actions, workspaces }) {
  const platforms = [...new Set(workspaces.map((key) => decodeURIComponent(key.split("/")[0])))];
  const several = new Map();
  for (const { name } of people) several.set(name, (several.get(name) ?? 0) + 1);
  const person = ({ key, name }) => [
    key,
    several.get(name) > 1 ? `${name} (${decodeURIComponent(key.split("/").at(-1))})` : name,
  ];
  return [
    { kind: "period", label: "Time" },
    { kind: "select", name: "person", label: "Person", any: "Anyone", options: people.map(person) },
    { kind: "select", name: "action", label: "Action", any: "Any action", options: actions.map((one) => [one, one]) },
    { kind: "select", name: "outcome", label: "Outcome", any: "Any outcome", options: outcomes },
    ...(platforms.length < 2 ? [] : [{ ...platform, options: platforms.map((one) => [one, platformName(one)]) }]),
    ...(workspaces.length < 2 || workspaces.length === platforms.length
      ? []
      : [{ ...workspace, options: workspaces.map((key) => [key, workspaceText(key)]) }]),
  ];
}

/** "knowledge base" of "knowledgeBase". */
const spoken = (name) =>
  plain(name)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

function whatNode({ action, about, what, count, lastAtMs }) {
  const times = count > 1 ? `${countText(count, "time")}, last ${momentText(lastAtMs)}` : undefined;
  const details = about.map(([name, value]) =>
    element("span", {}, `${spoken(name)} `, element("b", { dir: "auto" }, plain(value))),
  );
  return element(
    "div.what",
    {},
    element("span.what-action", {}, plain(action)),
    details.length === 0 ? undefined : element("span.what-about", {}, ...details),
    what === undefined ? undefined : element("span.what-failed", {}, what),
    times === undefined ? undefined : element("span.what-about", {}, times),
  );
}

const columns = [
  {
    title: "What",
    narrow: "title",
    cell: whatNode,
  },
  { title: "Who", narrow: "line", cell: ({ actor }) => element("span", { dir: "auto" }, plain(actor.name)) },
  { title: "Where", narrow: "line", cell: ({ place }) => placeText(place) },
  {
    title: "Outcome",
    narrow: "aside",
    cell: ({ outcome }) => chip(outcomes.find(([value]) => value === outcome)?.[1] ?? outcome, tones[outcome]),
  },
  { title: "When", isNumber: true, narrow: "line", cell: ({ atMs }) => timeNode(atMs, clockText(atMs)) },
];

export async function show(view) {
  const choices = await read("api/admin/audit/choices", {}, view.signal);
  const { bar, query } = filterBar({
    view,
    fields: fieldsOf(choices),
    onChange: () => {
      showTools();
      list.show();
    },
  });
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: (cursor) => read("api/admin/audit", { ...asked(query()), cursor }, view.signal),
    draw: (rows) => {
      const groupOf = ({ atMs }) => dayText(atMs);
      return table({ columns, rows, groupOf, label: "Audit log" });
    },
    empty: () =>
      Object.keys(query()).length > 0
        ? { icon: "search", title: "Nothing matches", text: "Change or clear the filters." }
        : { icon: "audit", title: "Nothing yet", text: "Changes to agents, knowledge and settings appear here." },
  });
  const showTools = () => view.setTools(csvLink("api/admin/audit.csv", asked(query())));
  showTools();
  view.draw(bar, element("section.panel.audit", { "aria-label": "Audit log" }, list.box));
  await list.show();
}
