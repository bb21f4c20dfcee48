/** The Audit page: who changed what and where, and who was refused. */
import type { AuditChoices, AuditRow } from "../../../../../src/overview/pages/audit.ts";
import { plain } from "../../drawing/element.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { clockText, dayText, momentText } from "../../parts/dates.ts";
import { createFilters, type Field, FilterBar, type Option, periodOf } from "../../parts/filters.tsx";
import { countText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Nothing, nothingMatches } from "../../parts/state.tsx";
import { type Column, createListing, List, Table } from "../../parts/table.tsx";
import type { Query } from "../kit/address.ts";
import { CsvLink } from "../kit/csv-link.tsx";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { placeText, platformName } from "../kit/where.tsx";
import { auditText } from "../parts/audit-text.ts";

const outcomes: Readonly<Record<AuditRow["outcome"], { readonly text: string; readonly tone: Tone }>> = {
  done: { text: "Done", tone: "good" },
  failed: { text: "Failed", tone: "bad" },
  refused: { text: "Refused", tone: "warn" },
};
const outcomeOptions = Object.entries(outcomes).map(([value, { text }]): Option => [value, text]);

/** What the server knows the filters by. */
function asked({ person, action, outcome, platform, workspace, ...query }: Readonly<Record<string, string>>): Query {
  return { ...periodOf(query), person, action, outcome, platform, workspace };
}

const partsOf = (key: string) => key.split("/").map(decodeURIComponent);

function workspaceText(key: string): string {
  const [platform = "", workspace = ""] = partsOf(key);
  return placeText({ platform, workspace });
}

function fieldsOf({ people, actions, workspaces }: AuditChoices): readonly Field[] {
  const platforms = [...new Set(workspaces.map((key) => partsOf(key)[0] ?? ""))];
  const several = new Map<string, number>();
  for (const { name } of people) several.set(name, (several.get(name) ?? 0) + 1);
  const person = people.map(({ key, name }): Option => {
    const isShared = (several.get(name) ?? 0) > 1;
    return [key, isShared ? `${name} (${partsOf(key).at(-1)})` : name];
  });
  const select = (name: string, label: string, any: string, options: readonly Option[]): Field => ({
    kind: "select",
    name,
    label,
    any,
    options,
  });
  const platform = platforms.map((one): Option => [one, platformName(one)]);
  const workspace = workspaces.map((key): Option => [key, workspaceText(key)]);
  const action = actions.map((one): Option => [one, one]);
  const hasSeveral = workspaces.length > 1 && workspaces.length !== platforms.length;
  return [
    { kind: "period", label: "Time" },
    select("person", "Person", "Anyone", person),
    select("action", "Action", "Any action", action),
    select("outcome", "Outcome", "Any outcome", outcomeOptions),
    ...(platforms.length < 2 ? [] : [select("platform", "Platform", "Any platform", platform)]),
    ...(hasSeveral ? [select("workspace", "Workspace", "Any workspace", workspace)] : []),
  ];
}

/** "knowledge base" of "knowledgeBase". */
const spoken = (name: string) =>
  plain(name)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

function What({ row }: { readonly row: AuditRow }) {
  const { what, count = 1, lastAtMs } = row;
  const told = auditText(row);
  const about = told?.rest ?? row.about;
  return (
    <div class="what">
      <span class="what-action" dir="auto">
        {plain(told?.text ?? row.action)}
      </span>
      {about.length === 0 ? undefined : (
        <span class="what-about">
          {about.map(([name = "", value = ""]) => (
            <span key={name}>
              {spoken(name)} <b dir="auto">{plain(value)}</b>
            </span>
          ))}
        </span>
      )}
      {what === undefined ? undefined : <span class="what-failed">{what}</span>}
      {count > 1 && lastAtMs !== undefined ? (
        <span class="what-about">{`${countText(count, "time")}, last ${momentText(lastAtMs)}`}</span>
      ) : undefined}
    </div>
  );
}

const columns: readonly Column<AuditRow>[] = [
  { title: "What", narrow: "title", cell: (row) => <What row={row} /> },
  { title: "Who", cell: ({ actor }) => <span dir="auto">{plain(actor.name)}</span> },
  { title: "Where", cell: ({ place }) => placeText(place) },
  {
    title: "Outcome",
    narrow: "aside",
    cell: ({ outcome }) => <Chip tone={outcomes[outcome].tone}>{outcomes[outcome].text}</Chip>,
  },
  { title: "When", isNumber: true, cell: ({ atMs }) => <Time atMs={atMs} text={clockText(atMs)} /> },
];

type Page = { readonly rows: readonly AuditRow[]; readonly next?: string };

const nothingYet: Nothing = {
  icon: "audit",
  title: "Nothing yet",
  text: "Changes to agents, knowledge and settings appear here.",
};

export async function show(view: View): Promise<void> {
  const choices = await read<AuditChoices>("api/admin/audit/choices", {}, view.signal);
  const filters = createFilters(view, () => {
    showTools();
    list.show();
  });
  const query = () => asked(filters.values.value);
  const list = createListing<AuditRow>({
    signal: view.signal,
    announce: view.announce,
    readPage: (cursor) => read<Page>("api/admin/audit", { ...query(), cursor }, view.signal),
  });
  const showTools = () => view.setTools(<CsvLink path="api/admin/audit.csv" query={query()} />);
  const empty = () => (Object.keys(filters.values.value).length > 0 ? nothingMatches : nothingYet);
  showTools();
  view.draw(
    <>
      <FilterBar fields={fieldsOf(choices)} filters={filters} />
      <Panel kind="audit" label="Audit log">
        <List listing={list} empty={empty}>
          {(rows) => (
            <Table
              columns={columns}
              rows={rows}
              label="Audit log"
              keyOf={(_, index) => index}
              groupOf={({ atMs }) => dayText(atMs)}
            />
          )}
        </List>
      </Panel>
    </>,
  );
  await list.show();
}
