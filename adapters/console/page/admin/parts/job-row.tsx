/** A job in a list, and what can be done about it. */
import type { JobLine } from "../../../../../src/overview/pages/jobs.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { relativeText } from "../../parts/dates.ts";
import { countText, numberText } from "../../parts/numbers.ts";
import { Row } from "../../parts/row.tsx";
import { ActButton, type ActRequest, type OnDone } from "../kit/act.tsx";
import { placeParts } from "../kit/where.tsx";

/** "Adding to handbook", or once it is over "Added to handbook"; a failed one isn't called done. */
function jobVerb({ kind, status }: JobLine): string {
  const words = {
    add: ["Adding to ", "Added to "],
    answer: ["Adding an answer to ", "Added an answer to "],
    refresh: ["Refreshing ", "Refreshed "],
    check: ["Checking ", "Checks of "],
  } as const;
  const [now, over] = words[kind];
  const isOver = status === "done" || (kind === "check" && status !== "running");
  return isOver ? over : now;
}

function JobTitle({ job }: { readonly job: JobLine }) {
  const { knowledgeBase, agent, items } = job;
  return (
    <span>
      {jobVerb(job)}
      <b dir="auto">{plain(knowledgeBase ?? agent ?? "")}</b>
      {items > 1 ? ` · ${countText(items, "item")}` : ""}
    </span>
  );
}

function countsOf({ status, isWaiting, items, done, failed }: JobLine): string {
  if (status === "running") return isWaiting ? "waiting" : `${numberText(done + failed)} of ${numberText(items)}`;
  if (status === "cancelled") return `cancelled after ${numberText(done)} of ${numberText(items)}`;
  return failed > 0 ? `${numberText(failed)} of ${numberText(items)} failed` : `${numberText(done)} done`;
}

function JobActions({ job: { id, place, status }, onDone }: { readonly job: JobLine; readonly onDone: OnDone }) {
  if (place === undefined || status === "done") return null;
  const request = (action: string): ActRequest => ({ place, kind: "action", action, value: id });
  if (status === "running") {
    return (
      <ActButton request={request("cancel-job")} onDone={onDone}>
        Cancel
      </ActButton>
    );
  }
  return (
    <ActButton request={request("retry-job")} onDone={onDone}>
      {status === "failed" ? "Retry failed" : "Retry"}
    </ActButton>
  );
}

export function JobRow({ job, onDone }: { readonly job: JobLine; readonly onDone: OnDone }) {
  const { status, items, done, failed, reason, first, by, startedIn, createdAtMs, endedAtMs, ref } = job;
  const counts = countsOf(job);
  const state = reason === undefined ? counts : `${counts}: ${plain(reason).replace(/\.$/, "")}`;
  const isBad = failed > 0 || status === "failed";
  const words = [
    isBad ? undefined : state,
    plain(first),
    plain(by),
    ...placeParts(startedIn),
    relativeText(endedAtMs ?? createdAtMs),
    `ref\u00a0${ref}`,
  ];
  return (
    <Row
      title={<JobTitle job={job} />}
      problem={isBad ? state : undefined}
      line={<Dotted parts={words} />}
      actions={<JobActions job={job} onDone={onDone} />}
      extra={
        status !== "running" || items === 0 ? undefined : (
          <progress class="job-progress" max={items} value={done + failed} aria-label="Progress" />
        )
      }
    />
  );
}
