/** What runs, how much of it may be done at once, and what the platforms let Parley write: the first panels of System. */

import type { BudgetLine, LoweredLine } from "../../../../../src/overview/budgets.ts";
import type { InstanceLine } from "../../../../../src/overview/instances.ts";
import type { System } from "../../../../../src/overview/pages/system.ts";
import type { Status } from "../../../../../src/overview/status.ts";
import { nowMs } from "../../connection/clock.ts";
import { plain } from "../../drawing/element.ts";
import { Chip } from "../../parts/chip.tsx";
import { clockText, durationText } from "../../parts/dates.ts";
import { bytesText, numberText } from "../../parts/numbers.ts";
import { Facts, Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../kit/time.tsx";
import { channelText, platformName, workspaceNames } from "../kit/where.tsx";

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const runningFor = ({ startedAtMs }: InstanceLine) => durationText(Math.max(0, nowMs() - startedAtMs));

function State({
  isOk,
  text,
  reason,
}: {
  readonly isOk: boolean;
  readonly text: string;
  readonly reason: string | undefined;
}) {
  const tone = isOk ? (reason === undefined ? "good" : "warn") : "bad";
  const shown = <Chip tone={tone}>{isOk ? text : "Not reachable"}</Chip>;
  if (reason === undefined) return shown;
  return (
    <span>
      {shown} <span dir="auto">{plain(reason)}</span>
    </span>
  );
}

export function StatePanel({ system, status }: { readonly system: System; readonly status: Status }) {
  const { service, storage, platforms } = status;
  const [own] = system.instances;
  const serviceText = [service.is ?? "OK", ...(service.latencyMs === undefined ? [] : [`${service.latencyMs} ms`])];
  const storageText = [storage.kind, ...(storage.bytes === undefined ? [] : [bytesText(storage.bytes)])];
  return (
    <Panel title="State">
      <Facts
        pairs={[
          ["Parley", own === undefined ? undefined : `${own.version}, up ${runningFor(own)}`],
          ["Node", own?.node],
          [
            "Agent service",
            <State key="service" isOk={service.isOk} text={serviceText.join(" · ")} reason={service.reason} />,
          ],
          [
            "Storage",
            <State key="storage" isOk={storage.isOk} text={storageText.join(" · ")} reason={storage.reason} />,
          ],
          ...platforms.map(
            ({ name, label, isConnected, reason }) =>
              [capital(label), <State key={name} isOk={isConnected} text="Connected" reason={reason} />] as const,
          ),
        ]}
      />
    </Panel>
  );
}

type Instance = InstanceLine & { readonly isThis: boolean };

const instanceColumns: readonly Column<Instance>[] = [
  {
    title: "Instance",
    narrow: "title",
    cell: ({ host, isThis }) => (
      <span dir="auto">
        {plain(host)}
        {isThis ? (
          <>
            {" "}
            <Chip>answers you</Chip>
          </>
        ) : undefined}
      </span>
    ),
  },
  { title: "Parley", before: "Parley", cell: ({ version }) => plain(version) },
  { title: "Node", before: "Node", cell: ({ node }) => plain(node) },
  { title: "Started", before: "started", isNumber: true, cell: ({ startedAtMs }) => <Time atMs={startedAtMs} /> },
];

/** Where several instances can share the storage. */
export function InstancesPanel({ instances }: Pick<System, "instances">) {
  if (instances.length < 2) return null;
  const rows = instances.map((one, at): Instance => ({ ...one, isThis: at === 0 }));
  return (
    <Panel title="Instances" note={`${numberText(instances.length)} running`}>
      <Table columns={instanceColumns} rows={rows} label="Instances" keyOf={(_, index) => index} />
    </Panel>
  );
}

/** Settings that limit how much is done at once. */
const limits = [
  "QUESTIONS_PER_PERSON",
  "QUESTIONS_PER_CHANNEL",
  "JOBS_PER_PERSON",
  "AGENT_MAX_RUNS",
  "INGEST_MAX_PAGES",
];
const kinds: Readonly<Record<BudgetLine["kind"], string>> = {
  edits: "Edits",
  posts: "New messages",
  status: "Status lines",
};
const perMinuteText = (count: number) => `${numberText(Math.round(count))} a minute`;

function ownerText({ channel, name, isDirect }: LoweredLine, workspaceText: string): string {
  if (isDirect) return "A direct message";
  return channel === undefined ? workspaceText : channelText(name ?? channel);
}

function Lowered({ budget: { platform, lowered } }: { readonly budget: BudgetLine }) {
  if (lowered.length === 0) return <span class="soft">nowhere</span>;
  const workspaceText = workspaceNames(lowered.map(({ workspace }) => ({ platform, workspace })));
  return (
    <ul class="lowered" role="list">
      {lowered.map((one) => (
        <li key={`${one.workspace}/${one.channel}`} dir="auto">
          {ownerText(one, workspaceText({ platform, workspace: one.workspace }))}:{" "}
          <Chip tone="warn">{perMinuteText(one.perMinute)}</Chip> until {clockText(one.wholeAgainAtMs)}
        </li>
      ))}
    </ul>
  );
}

const budgetColumns: readonly Column<BudgetLine>[] = [
  { title: "Platform", narrow: "title", cell: ({ platform }) => platformName(platform) },
  { title: "Writes", cell: ({ kind }) => kinds[kind] },
  { title: "Limit", cell: ({ perMinute, per }) => `${perMinuteText(perMinute)} per ${per}` },
  { title: "Lowered by the platform", cell: (budget) => <Lowered budget={budget} /> },
];

/** In force: those of the settings, and what the platforms let Parley write. */
export function LimitsPanel({ settings, budgets }: Pick<System, "settings" | "budgets">) {
  const known = new Map(settings.flatMap((group) => group.settings.map((one) => [one.name, one] as const)));
  const set = limits.flatMap((name) => known.get(name) ?? []);
  return (
    <Panel title="Limits" note="now">
      <Facts
        pairs={set.map(({ about, value, defaultWords }) => [
          about.split(/[.;]/, 1)[0],
          value ?? defaultWords ?? "none",
        ])}
      />
      {budgets.length === 0 ? undefined : (
        <Table
          columns={budgetColumns}
          rows={budgets}
          label="Writing limits"
          keyOf={({ platform, kind }) => `${platform} ${kind}`}
        />
      )}
    </Panel>
  );
}
