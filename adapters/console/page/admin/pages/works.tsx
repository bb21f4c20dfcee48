/** Background work: how much of each kind waits, runs or has failed, and trying again what has failed. */
import { signal } from "@preact/signals";
import type { WorkCounts, WorkState } from "../../../../../src/core/ports/storage/works.ts";
import type { WorkLine } from "../../../../../src/overview/pages/works.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Button, Choice } from "../../parts/button.tsx";
import { relativeText } from "../../parts/dates.ts";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Problem } from "../../parts/problem.ts";
import { Row, Rows } from "../../parts/row.tsx";
import type { Nothing } from "../../parts/state.tsx";
import { type Column, createListing, List, Table } from "../../parts/table.tsx";
import { href } from "../kit/address.ts";
import { read, send } from "../kit/request.ts";
import type { View } from "../kit/view.ts";

const refreshMs = 10_000;
const states: readonly (readonly [WorkState, string])[] = [
  ["failed", "Failed"],
  ["active", "Active"],
  ["waiting", "Waiting"],
  ["delayed", "Planned"],
];

/** "open-notices" is "Open notices". */
const kindText = (kind: string) => `${kind.slice(0, 1).toUpperCase()}${kind.slice(1).replaceAll("-", " ")}`;
const count = (number: number) => (number === 0 ? "–" : numberText(number));

const columns: readonly Column<WorkCounts>[] = [
  { title: "Kind", narrow: "title", cell: ({ kind }) => kindText(plain(kind)) },
  { title: "Waiting", isNumber: true, cell: ({ waiting }) => count(waiting), after: "waiting" },
  { title: "Active", isNumber: true, cell: ({ active }) => count(active), after: "active" },
  { title: "Planned", isNumber: true, cell: ({ delayed }) => count(delayed), after: "planned" },
  {
    title: "Failed",
    isNumber: true,
    cell: ({ failed }) => (failed === 0 ? "–" : <span class="is-failure">{numberText(failed)}</span>),
    after: "failed",
  },
];

function WorkRow({
  work: { kind, key, dueAtMs, attempts, error },
  retry,
}: {
  readonly work: WorkLine;
  /** Absent: it hasn't failed. */
  readonly retry: (() => unknown) | undefined;
}) {
  const words = [
    plain(key),
    `due ${relativeText(dueAtMs)}`,
    attempts === 0 ? undefined : countText(attempts, "attempt"),
  ];
  return (
    <Row
      title={kindText(plain(kind))}
      problem={error === undefined ? undefined : plain(error)}
      line={<Dotted parts={words} />}
      actions={
        retry === undefined ? undefined : (
          <Button press={retry} label={`Retry ${plain(key)}`}>
            Retry
          </Button>
        )
      }
    />
  );
}

export async function show(view: View): Promise<void> {
  const { kind = "" } = view.address.query;
  const state = signal(states.find(([name]) => name === view.address.query["state"])?.[0] ?? "failed");
  const problem = signal("");
  const kinds = createListing<WorkCounts>({
    signal: view.signal,
    readPage: async () => {
      const found = await read<{ readonly kinds: readonly WorkCounts[] }>("api/admin/works", {}, view.signal);
      return { rows: found.kinds };
    },
  });
  const works = createListing<WorkLine>({
    signal: view.signal,
    readPage: async () => {
      const query = { state: state.value, kind };
      const found = await read<{ readonly works: readonly WorkLine[] }>("api/admin/works/list", query, view.signal);
      return { rows: found.works };
    },
  });
  const showBoth = () => Promise.all([kinds.show(), works.show()]);
  const choose = (chosen: WorkState) => {
    state.value = chosen;
    view.setQuery({ kind, state: chosen });
    works.show();
  };
  const retry = async (work: WorkLine) => {
    problem.value = "";
    try {
      await send("POST", "api/admin/works/retry", { kind: work.kind, key: work.key }, view.signal);
      view.announce("Retrying.");
    } catch (thrown) {
      if (view.signal.aborted) return;
      problem.value =
        thrown instanceof Problem ? `${thrown.what} ${thrown.hint}` : "The task couldn't be retried. Try again.";
    }
    await showBoth();
  };
  const State = () => (
    <span class="panel-tools">
      <Choice label="State" options={states} chosen={state.value} choose={choose} />
    </span>
  );
  const Failure = () => (
    <div role="status">{problem.value === "" ? undefined : <p class="problem">{problem.value}</p>}</div>
  );
  const noKinds = (): Nothing => ({ title: "No background work" });
  const noWorks = (): Nothing =>
    state.value === "failed"
      ? {
          title: "Nothing has failed",
          text: "Failed tasks are retried automatically. They're listed here when Parley stops retrying.",
        }
      : { title: "No tasks" };
  if (kind !== "") view.setTitle(kindText(plain(kind)), { crumb: { title: "Background work", href: href("works") } });
  await showBoth();
  view.draw(
    <>
      {kind !== "" ? undefined : (
        <Panel title="By kind" note="across all instances">
          <List listing={kinds} empty={noKinds}>
            {(rows) => (
              <Table
                columns={columns}
                rows={rows}
                label="Background work by kind"
                keyOf={(line) => line.kind}
                hrefOf={(line) => href("works", { query: { kind: line.kind } })}
              />
            )}
          </List>
        </Panel>
      )}
      <Panel title="Tasks" extra={<State />}>
        <Failure />
        <List listing={works} empty={noWorks}>
          {(rows) => (
            <Rows>
              {rows.map((work) => (
                <WorkRow
                  key={`${work.kind} ${work.key}`}
                  work={work}
                  retry={state.value === "failed" ? () => retry(work) : undefined}
                />
              ))}
            </Rows>
          )}
        </List>
      </Panel>
    </>,
  );
  view.every(refreshMs, showBoth);
}
