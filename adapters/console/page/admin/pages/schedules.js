/** Schedules: what is asked at which times, in all places. */
import { element, plain } from "../../drawing/element.ts";
import { act, actButton } from "../kit/act.js";
import { confirmed } from "../kit/confirm.js";
import { timeNode } from "../kit/dates.js";
import { button, chip, panel, stacked } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { listing, table } from "../kit/table.js";
import { placeParts } from "../kit/where.js";

function whatText({ kind, question }) {
  return kind === "digest" ? "Weekly digest" : question === undefined ? "A private question" : plain(question);
}

function whatNode({ kind, question, isPaused }) {
  return element(
    `span${question === undefined && kind === "question" ? ".soft" : ""}`,
    { dir: "auto" },
    whatText({ kind, question }),
    ...(isPaused ? [" ", chip("paused", "warn")] : []),
  );
}

const isElsewhere = (timeZone) => Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone;

/** By the clock of its own zone. */
function timeNodes({ time, timeZone, isOnlyIfChanged }) {
  const zone = isElsewhere(timeZone) ? `${timeZone.replaceAll("_", " ")} time` : "";
  return stacked(`${plain(time)}${isOnlyIfChanged ? ", only if it changed" : ""}`, zone);
}

/** By the reader's clock, like all times here: in another zone than the schedule's it says so. */
function momentNode(atMs, { timeZone }) {
  return element(
    "span",
    {},
    timeNode(atMs),
    isElsewhere(timeZone) ? element("span.soft", {}, " your time") : undefined,
  );
}

/** Only its owner changes what is in a direct message. */
function buttons(schedule, onDone) {
  const { id, place, isDirect, isOff, isPaused } = schedule;
  if (isDirect) return element("span.soft", {}, "only its owner");
  const request = (verb) => ({ place, kind: "action", action: `schedule-${verb}`, value: id });
  const label = (verb) => `${verb} ${whatText(schedule)}`;
  const press = (text, verb) => actButton(text, request(verb), { onDone, label: label(text) });
  const remove = async () => {
    const isMeant = await confirmed({
      title: "Delete this schedule?",
      text: `${whatText(schedule)} (${plain(schedule.time)}, by ${plain(schedule.owner)}). This can't be undone.`,
      confirm: "Delete",
      isDangerous: true,
    });
    if (isMeant) await act(request("delete"), onDone);
  };
  return element(
    "span.row-actions",
    {},
    isOff ? undefined : press("Run now", "run"),
    isOff ? undefined : isPaused ? press("Resume", "resume") : press("Pause", "pause"),
    button("Delete", remove, { look: "danger", label: label("Delete") }),
  );
}

export async function show(view) {
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const { schedules, next } = await read("api/admin/schedules", { cursor }, view.signal);
      return { rows: schedules, next };
    },
    empty: {
      icon: "schedules",
      title: "No schedules yet",
      text: "Ask for one in any channel: /ask how many bookings came in last week? every monday 9:00",
    },
    draw: (rows) => table({ columns, rows, label: "Schedules" }),
  });
  const onDone = () => list.show();
  const columns = [
    { title: "What", narrow: "title", cell: whatNode },
    {
      title: "Where",
      cell: ({ place, name, isOff }) => stacked(...placeParts({ ...place, ...name, isOff })),
    },
    { title: "When", cell: timeNodes },
    {
      title: "Next",
      before: "next",
      cell: (schedule) => (schedule.isPaused ? "–" : momentNode(schedule.nextAtMs, schedule)),
    },
    {
      title: "Last",
      before: "last",
      cell: (schedule) => (schedule.lastAtMs === undefined ? "–" : momentNode(schedule.lastAtMs, schedule)),
    },
    { title: "Owner", before: "by", cell: ({ owner }) => element("span", { dir: "auto" }, plain(owner)) },
    { title: "", narrow: "line", cell: (schedule) => buttons(schedule, onDone) },
  ];
  await list.show();
  view.draw(panel({ title: "All schedules" }, list.box));
}
