/** Schedules: what is asked at which times, in all places. */
import type { ScheduleLine, SchedulePage } from "../../../../../src/overview/pages/schedules.ts";
import { plain } from "../../drawing/element.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Stacked } from "../../parts/row.tsx";
import { type Column, createListing, List, Table } from "../../parts/table.tsx";
import { ActButton, type ActRequest, act } from "../kit/act.tsx";
import { confirmed } from "../kit/confirm.tsx";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { placeParts } from "../kit/where.tsx";

function whatText({ kind, question, base = "" }: ScheduleLine): string {
  if (kind === "knowledge") return `Refresh ${plain(base)}`;
  return kind === "digest" ? "Weekly digest" : question === undefined ? "A private question" : plain(question);
}

function What({ schedule }: { readonly schedule: ScheduleLine }) {
  const { kind, question, isPaused } = schedule;
  return (
    <span class={question === undefined && kind === "question" ? "soft" : undefined} dir="auto">
      {whatText(schedule)}
      {isPaused ? (
        <>
          {" "}
          <Chip tone="warn">paused</Chip>
        </>
      ) : undefined}
    </span>
  );
}

const isElsewhere = (timeZone: string) => Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone;

/** By the clock of its own zone. */
function When({ schedule: { time, timeZone, isOnlyIfChanged } }: { readonly schedule: ScheduleLine }) {
  const zone = isElsewhere(timeZone) ? `${timeZone.replaceAll("_", " ")} time` : "";
  return <Stacked text={`${plain(time)}${isOnlyIfChanged ? ", only if it changed" : ""}`} quiet={zone} />;
}

/** By the reader's clock, like all times here: in another zone than the schedule's it says so. */
function Moment({ atMs, timeZone }: { readonly atMs: number; readonly timeZone: string }) {
  return (
    <span>
      <Time atMs={atMs} />
      {isElsewhere(timeZone) ? <span class="soft"> your time</span> : undefined}
    </span>
  );
}

/** Only its owner changes what is in a direct message. */
function Buttons({ schedule, onDone }: { readonly schedule: ScheduleLine; readonly onDone: () => unknown }) {
  const { id, place, isDirect, isOff, isPaused } = schedule;
  if (isDirect) return <span class="soft">only its owner</span>;
  const request = (verb: string): ActRequest => ({ place, kind: "action", action: `schedule-${verb}`, value: id });
  const label = (verb: string) => `${verb} ${whatText(schedule)}`;
  const press = (text: string, verb: string) => (
    <ActButton request={request(verb)} onDone={onDone} label={label(text)}>
      {text}
    </ActButton>
  );
  const remove = async () => {
    const isMeant = await confirmed({
      title: "Delete this schedule?",
      text: `${whatText(schedule)} (${plain(schedule.time)}, by ${plain(schedule.owner)}). This can't be undone.`,
      confirm: "Delete",
      isDangerous: true,
    });
    if (isMeant) await act(request("delete"), onDone);
  };
  return (
    <span class="row-actions">
      {isOff ? undefined : press("Run now", "run")}
      {isOff ? undefined : isPaused ? press("Resume", "resume") : press("Pause", "pause")}
      <Button press={remove} look="danger" label={label("Delete")}>
        Delete
      </Button>
    </span>
  );
}

function columnsOf(onDone: () => unknown): readonly Column<ScheduleLine>[] {
  return [
    { title: "What", narrow: "title", cell: (schedule) => <What schedule={schedule} /> },
    {
      title: "Where",
      cell: ({ place, name, isOff }) => {
        const [text = "", quiet] = placeParts({ ...place, ...name, isOff });
        return <Stacked text={text} quiet={quiet} />;
      },
    },
    { title: "When", cell: (schedule) => <When schedule={schedule} /> },
    {
      title: "Next",
      before: "next",
      cell: ({ isPaused, nextAtMs, timeZone }) => (isPaused ? "–" : <Moment atMs={nextAtMs} timeZone={timeZone} />),
    },
    {
      title: "Last",
      before: "last",
      cell: ({ lastAtMs, timeZone }) => (lastAtMs === undefined ? "–" : <Moment atMs={lastAtMs} timeZone={timeZone} />),
    },
    { title: "Owner", before: "by", cell: ({ owner }) => <span dir="auto">{plain(owner)}</span> },
    { title: "", cell: (schedule) => <Buttons schedule={schedule} onDone={onDone} /> },
  ];
}

const empty = () =>
  ({
    icon: "schedules",
    title: "No schedules yet",
    text: "Ask for one in any channel: /ask how many bookings came in last week? every monday 9:00",
  }) as const;

export async function show(view: View): Promise<void> {
  const list = createListing<ScheduleLine>({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const { schedules, next } = await read<SchedulePage>("api/admin/schedules", { cursor }, view.signal);
      return { rows: schedules, next };
    },
  });
  const columns = columnsOf(list.show);
  await list.show();
  view.draw(
    <Panel title="All schedules">
      <List listing={list} empty={empty}>
        {(rows) => <Table columns={columns} rows={rows} label="Schedules" keyOf={({ id }) => id} />}
      </List>
    </Panel>,
  );
}
