/** What waits for people on the Overview page: open gaps, and jobs. */
import { href } from "../kit/address.js";
import { numberText } from "../kit/numbers.js";
import { emptyState, panel, rows } from "../kit/parts.js";
import { workspaceNames } from "../kit/where.js";
import { gapRow } from "../pages/gaps.js";
import { jobRow } from "../pages/knowledge.js";

const maxShown = 4;

export function gapsPanel({ gaps, total }, onDone) {
  const link = { text: "All gaps", href: href("gaps") };
  if (gaps.length === 0) {
    const text = "Nobody was left without a good answer.";
    return panel({ title: "Gaps" }, emptyState({ icon: "gaps", title: "No open gaps", text }));
  }
  const names = workspaceNames(gaps);
  return panel(
    { title: "Gaps", note: total === undefined ? undefined : `${numberText(total)} open`, link },
    rows(...gaps.slice(0, maxShown).map((gap) => gapRow(gap, names, onDone, { isShort: true }))),
  );
}

export function jobsPanel({ jobs }, onDone) {
  if (jobs.length === 0) {
    const text = "Pages and files that are added to knowledge bases appear here.";
    return panel({ title: "Jobs" }, emptyState({ icon: "knowledge", title: "No jobs yet", text }));
  }
  const running = jobs.filter(({ status }) => status === "running").length;
  // What can be done something about comes first.
  const rank = { running: 0, failed: 1, cancelled: 2, done: 2 };
  const shown = [...jobs].sort((a, b) => rank[a.status] - rank[b.status]).slice(0, maxShown);
  return panel(
    {
      title: "Jobs",
      note: running > 0 ? `${numberText(running)} running` : undefined,
      link: { text: "All jobs", href: href("knowledge") },
    },
    rows(...shown.map((job) => jobRow(job, onDone))),
  );
}
