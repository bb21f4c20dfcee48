/** The Overview page: what is wrong and what to do, how questions were answered, and what waits for people. */
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { GapsPage } from "../../../../../src/overview/pages/gaps.ts";
import type { JobPage } from "../../../../../src/overview/pages/jobs.ts";
import type { Figures } from "../../../../../src/overview/pages/overview.ts";
import type { Status } from "../../../../../src/overview/status.ts";
import { Choice } from "../../parts/button.tsx";
import { KeepsFocus } from "../../parts/keeps-focus.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProblemState } from "../../parts/state.tsx";
import type { Query } from "../kit/address.ts";
import { read } from "../kit/request.ts";
import type { View } from "../kit/view.ts";
import { ChannelsPanel, FailuresPanel, QuestionsPanel, Tiles } from "../overview/figures.tsx";
import { Advice, StateStrip } from "../overview/status.tsx";
import { GapsPanel, JobsPanel } from "../overview/work.tsx";

/** The server counts questions as they end; nobody needs every one at once. */
const refreshMs = 30_000;
const periods = [
  [7, "7 days"],
  [30, "30 days"],
] as const;

type Known<Data> = { readonly data: Data } | { readonly failed: unknown } | undefined;

type Part<Data> = { readonly known: Signal<Known<Data>>; readonly show: () => Promise<void> };

/** A part of the page that is read and drawn alone, so that nothing waits for what is slow, and nothing fails with it. */
function createPart<Data>(view: View, readPart: () => Promise<Data>): Part<Data> {
  const known = signal<Known<Data>>(undefined);
  return {
    known,
    show: async () => {
      try {
        const data = await readPart();
        if (!view.signal.aborted) known.value = { data };
      } catch (failed) {
        // What was read before stays.
        const isShown = known.value !== undefined && "data" in known.value;
        if (!view.signal.aborted && !isShown) known.value = { failed };
      }
    },
  };
}

function Shown<Data>({
  part: { known },
  again,
  children,
}: {
  readonly part: Part<Data>;
  readonly again: () => unknown;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { value } = known;
  const box = useRef<HTMLDivElement>(null);
  return (
    <KeepsFocus box={box}>
      <div class="part" ref={box}>
        {value === undefined ? undefined : "data" in value ? (
          children(value.data)
        ) : (
          <Panel>
            <ProblemState thrown={value.failed} again={again} />
          </Panel>
        )}
      </div>
    </KeepsFocus>
  );
}

export async function show(view: View): Promise<void> {
  const days = view.address.query["days"] === "7" ? 7 : 30;
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const choose = (chosen: 7 | 30) => {
    view.setQuery({ days: chosen === 30 ? "" : chosen });
    view.reload();
  };
  view.setTools(<Choice label="Period" options={periods} chosen={days} choose={choose} />);

  const get =
    <Data,>(path: string, query: Query = {}) =>
    () =>
      read<Data>(path, query, view.signal);
  const status = createPart(view, get<Status>("api/admin/overview/status"));
  const figures = createPart(view, get<Figures>("api/admin/overview", { days, zone }));
  const gaps = createPart(view, get<GapsPage>("api/admin/gaps", { state: "open" }));
  const jobs = createPart(view, get<JobPage>("api/admin/knowledge/jobs"));
  const showAll = () => Promise.all([status, figures, gaps, jobs].map((part) => part.show()));
  await showAll();
  if (view.signal.aborted) return;
  view.draw(
    <>
      <Shown part={status} again={view.reload}>
        {(state) => (
          <>
            <Advice status={state} />
            <StateStrip status={state} />
          </>
        )}
      </Shown>
      <Shown part={figures} again={view.reload}>
        {(found) => (
          <>
            <div class="two">
              <QuestionsPanel figures={found} />
              <FailuresPanel figures={found} />
            </div>
            <div class="four">
              <Tiles figures={found} />
            </div>
          </>
        )}
      </Shown>
      <div class="half">
        <Shown part={gaps} again={view.reload}>
          {(page) => <GapsPanel page={page} onDone={gaps.show} />}
        </Shown>
        <Shown part={jobs} again={view.reload}>
          {(page) => <JobsPanel page={page} onDone={jobs.show} />}
        </Shown>
      </div>
      <Shown part={figures} again={view.reload}>
        {(found) => <ChannelsPanel figures={found} />}
      </Shown>
    </>,
  );
  view.every(refreshMs, showAll);
}
