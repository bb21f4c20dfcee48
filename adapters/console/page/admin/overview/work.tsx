/** What waits for people on the Overview page: open gaps, and jobs. */
import type { GapsPage } from "../../../../../src/overview/pages/gaps.ts";
import type { JobPage } from "../../../../../src/overview/pages/jobs.ts";
import { numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Rows } from "../../parts/row.tsx";
import { EmptyState } from "../../parts/state.tsx";
import type { OnDone } from "../kit/act.tsx";
import { href } from "../kit/address.ts";
import { workspaceNames } from "../kit/where.tsx";
import { GapRow } from "../parts/gap-row.tsx";
import { JobRow } from "../parts/job-row.tsx";

const maxShown = 4;

export function GapsPanel({ page: { gaps, total }, onDone }: { readonly page: GapsPage; readonly onDone: OnDone }) {
  if (gaps.length === 0) {
    return (
      <Panel title="Gaps">
        <EmptyState icon="gaps" title="No open gaps" text="Nobody was left without a good answer." />
      </Panel>
    );
  }
  const note = total === undefined ? undefined : `${numberText(total)} open`;
  return (
    <Panel title="Gaps" note={note} link={{ text: "All gaps", href: href("gaps") }}>
      <Rows>
        {gaps.slice(0, maxShown).map((gap) => (
          <GapRow key={gap.key} gap={gap} workspaceText={workspaceNames(gaps)} onDone={onDone} isShort />
        ))}
      </Rows>
    </Panel>
  );
}

/** Jobs that people can do something about come first. */
const rank = { running: 0, failed: 1, cancelled: 2, done: 2 };

export function JobsPanel({ page: { jobs }, onDone }: { readonly page: JobPage; readonly onDone: OnDone }) {
  if (jobs.length === 0) {
    const text = "Pages and files that are added to knowledge bases appear here.";
    return (
      <Panel title="Jobs">
        <EmptyState icon="knowledge" title="No jobs yet" text={text} />
      </Panel>
    );
  }
  const running = jobs.filter(({ status }) => status === "running").length;
  const note = running > 0 ? `${numberText(running)} running` : undefined;
  const shown = [...jobs].sort((a, b) => rank[a.status] - rank[b.status]).slice(0, maxShown);
  return (
    <Panel title="Jobs" note={note} link={{ text: "All jobs", href: href("knowledge") }}>
      <Rows>
        {shown.map((job) => (
          <JobRow key={job.id} job={job} onDone={onDone} />
        ))}
      </Rows>
    </Panel>
  );
}
