/** Knowledge: bases and who reads them, what is in one, and the jobs that fill them. */

import { signal } from "@preact/signals";
import type { JobLine, JobPage } from "../../../../../src/overview/pages/jobs.ts";
import type { BaseLine, DocumentLine, DocumentPage } from "../../../../../src/overview/pages/knowledge.ts";
import { plain } from "../../drawing/element.ts";
import { OutLink } from "../../drawing/inline.tsx";
import { Dotted } from "../../look/dotted.tsx";
import { Choice } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Rows } from "../../parts/row.tsx";
import type { Nothing } from "../../parts/state.tsx";
import { type Column, createListing, List, type Listing, Table } from "../../parts/table.tsx";
import { ActButton, type ActRequest, type OnDone } from "../kit/act.tsx";
import { href } from "../kit/address.ts";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { JobRow } from "../parts/job-row.tsx";

const jobStates = [
  ["", "All"],
  ["running", "Running"],
  ["failed", "Failed"],
  ["done", "Done"],
] as const;
const kinds: Readonly<Record<DocumentLine["kind"], string>> = {
  url: "page",
  file: "file",
  rows: "text",
  query: "query",
  thread: "message",
  answer: "answer",
  synced: "synced file",
};
const searchAfterMs = 250;
const whileRunningMs = 5_000;

// Bases.

const baseAddress = ({ project, name }: BaseLine) => href("knowledge", { parts: [project, name] });

function Readers({ readers }: Pick<BaseLine, "readers">) {
  if (readers?.length === 0) return <Chip tone="warn">nobody</Chip>;
  return <span>{readers?.map(plain).join(", ") ?? "–"}</span>;
}

const baseColumns: readonly Column<BaseLine>[] = [
  { title: "Knowledge base", narrow: "title", cell: ({ name }) => plain(name) },
  {
    title: "Read by",
    before: "read by",
    cell: ({ readers }) => (readers === undefined ? "–" : <Readers readers={readers} />),
  },
  {
    title: "Documents",
    isNumber: true,
    narrow: "aside",
    after: "documents",
    cell: ({ documents }) => numberText(documents),
  },
  {
    title: "Problems",
    isNumber: true,
    cell: ({ problems }) => (problems === 0 ? "–" : <span class="is-failure">{countText(problems, "problem")}</span>),
  },
  {
    title: "Last read",
    isNumber: true,
    before: "last read",
    cell: ({ lastReadAtMs }) => (lastReadAtMs === undefined ? "–" : <Time atMs={lastReadAtMs} />),
  },
];

const hasRows = <Line,>({ known: { value } }: Listing<Line>, isWanted: (line: Line) => boolean) =>
  value !== "nothing yet" && !("failed" in value) && value.rows.some(isWanted);

async function showAll(view: View): Promise<void> {
  const status = signal(view.address.query["jobs"] ?? "");
  const jobs = createListing<JobLine>({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const query = { status: status.value, cursor };
      const page = await read<JobPage>("api/admin/knowledge/jobs", query, view.signal);
      return { rows: page.jobs, next: page.next };
    },
  });
  const bases = createListing<BaseLine>({
    signal: view.signal,
    readPage: async () => {
      const page = await read<{ readonly bases: readonly BaseLine[] }>("api/admin/knowledge", {}, view.signal);
      return { rows: page.bases };
    },
  });
  const choose = (chosen: string) => {
    status.value = chosen;
    view.setQuery({ ...view.address.query, jobs: chosen });
    jobs.show();
  };
  const Status = () => (
    <span class="panel-tools">
      <Choice label="Jobs" options={jobStates} chosen={status.value} choose={choose} />
    </span>
  );
  const command = (path: string): ActRequest => ({ kind: "command", path, options: {} });
  view.setTools(
    <>
      {view.visitor.role === "manage" ? (
        <ActButton request={command("kb create")} onDone={view.reload}>
          New base
        </ActButton>
      ) : undefined}
      <ActButton request={command("kb add")} onDone={view.reload} look="primary">
        Add knowledge
      </ActButton>
    </>,
  );
  const showBoth = () => Promise.all([bases.show(), jobs.show()]);
  await showBoth();
  const noBases = (): Nothing => ({
    icon: "knowledge",
    title: "No knowledge bases yet",
    text: "Create one and add pages to it.",
  });
  const noJobs = (): Nothing => ({ icon: "knowledge", title: status.value === "" ? "No jobs yet" : "No such jobs" });
  view.draw(
    <>
      <Panel title="Knowledge bases">
        <List listing={bases} empty={noBases}>
          {(rows) => (
            <Table
              columns={baseColumns}
              rows={rows}
              label="Knowledge bases"
              keyOf={({ project, ref }) => `${project} ${ref}`}
              hrefOf={baseAddress}
            />
          )}
        </List>
      </Panel>
      <Panel title="Jobs" extra={<Status />} kind="jobs">
        <List listing={jobs} empty={noJobs}>
          {(rows) => (
            <Rows>
              {rows.map((job) => (
                <JobRow key={job.id} job={job} onDone={jobs.show} />
              ))}
            </Rows>
          )}
        </List>
      </Panel>
    </>,
  );
  // What a job adds is counted above it.
  const isRunning = () => hasRows(jobs, (job) => job.status === "running");
  view.every(whileRunningMs, () => (isRunning() ? showBoth() : undefined));
}

// One base.

function DocumentTitle({ document: { title, url, problem } }: { readonly document: DocumentLine }) {
  return (
    <span class="document" dir="auto">
      {url === undefined ? plain(title) : <OutLink url={url}>{plain(title)}</OutLink>}
      {problem === undefined ? undefined : <span class="is-failure"> {plain(problem)}</span>}
    </span>
  );
}

function DocumentActions({
  base,
  document: { id, kind, answerId, title },
  onDone,
}: {
  readonly base: BaseLine;
  readonly document: DocumentLine;
  readonly onDone: OnDone;
}) {
  const button = (text: string, action: string, value = `${base.ref} ${id}`, look?: "danger") => {
    const request: ActRequest = { place: base.place, kind: "action", action, value };
    return (
      <ActButton request={request} onDone={onDone} label={`${text} ${title}`} look={look}>
        {text}
      </ActButton>
    );
  };
  return (
    <span class="row-actions">
      {kind === "url" ? button("Refresh", "refresh-document") : undefined}
      {answerId === undefined ? undefined : button("Edit", "edit-answer", answerId)}
      {/* Where that isn't possible yet, Parley says what to do first. */}
      {button("Remove", "remove-document", undefined, "danger")}
    </span>
  );
}

function BaseSummary({ base }: { readonly base: BaseLine }) {
  const { documents, otherRows = 0, problems, readers } = base;
  const words = [
    countText(documents, "document"),
    <>
      read by <Readers readers={readers} />
    </>,
    otherRows > 0 ? `${countText(otherRows, "row")} that Parley didn't add` : undefined,
    problems > 0 ? <span class="is-failure">{countText(problems, "problem")}</span> : undefined,
  ];
  return (
    <p class="base-line">
      <Dotted parts={words} />
    </p>
  );
}

function columnsOf(base: BaseLine, onDone: OnDone): readonly Column<DocumentLine>[] {
  return [
    { title: "Document", narrow: "title", cell: (document) => <DocumentTitle document={document} /> },
    {
      title: "Kind",
      cell: ({ kind, pages = 0 }) => (pages > 1 ? countText(pages, "page") : (kinds[kind] ?? kind)),
    },
    { title: "Added by", before: "by", cell: ({ by }) => <span dir="auto">{plain(by)}</span> },
    { title: "Last read", isNumber: true, cell: ({ readAtMs }) => <Time atMs={readAtMs} /> },
    { title: "", cell: (document) => <DocumentActions base={base} document={document} onDone={onDone} /> },
  ];
}

async function showBase(view: View, project: string, name: string): Promise<void> {
  const base = signal<BaseLine>();
  const running = signal<readonly JobLine[]>([]);
  let search = view.address.query["search"] ?? "";
  const list = createListing<DocumentLine>({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const query = { project, name, search, cursor };
      const page = await read<DocumentPage>("api/admin/knowledge/documents", query, view.signal);
      base.value = page.base;
      return { rows: page.documents, next: page.next };
    },
  });
  const showRunning = async () => {
    const page = await read<JobPage>("api/admin/knowledge/jobs", { status: "running" }, view.signal);
    running.value = page.jobs.filter(({ knowledgeBase }) => knowledgeBase === base.value?.name);
  };
  const onDone = async () => {
    await list.show();
    await showRunning();
  };
  const empty = (): Nothing =>
    search === ""
      ? { icon: "knowledge", title: "Nothing added yet", text: "Add pages, text or files to it." }
      : { icon: "search", title: "Nothing found", text: "No title or address contains that." };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const type = (text: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      search = text.trim();
      view.setQuery({ search });
      list.show();
    }, searchAfterMs);
  };
  const Documents = () => (
    <List listing={list} empty={empty}>
      {(rows) =>
        base.value === undefined ? undefined : (
          <Table
            columns={columnsOf(base.value, onDone)}
            rows={rows}
            label={`Documents of ${name}`}
            keyOf={({ id }) => id}
          />
        )
      }
    </List>
  );
  const Summary = () => (base.value === undefined ? null : <BaseSummary base={base.value} />);
  const Running = () => (
    <div class="part">
      {running.value.length === 0 ? undefined : (
        <Panel title="Running">
          <Rows>
            {running.value.map((job) => (
              <JobRow key={job.id} job={job} onDone={onDone} />
            ))}
          </Rows>
        </Panel>
      )}
    </div>
  );
  await list.show();
  view.setTitle(plain(name), { crumb: { title: "Knowledge", href: href("knowledge") } });
  const known = base.value;
  if (known === undefined) {
    view.draw(<Documents />);
    return;
  }
  const command = (path: string, options: Readonly<Record<string, string>>): ActRequest => ({
    place: known.place,
    kind: "command",
    path,
    options,
  });
  view.setTools(
    <>
      <ActButton request={command("kb add", { into: known.name })} onDone={onDone} look="primary">
        Add to it
      </ActButton>
      <ActButton request={command("kb refresh", { name: known.name })} onDone={onDone}>
        Refresh all
      </ActButton>
      {view.visitor.role === "manage" ? (
        <ActButton request={command("kb delete", { name: known.name })} onDone={onDone} look="danger">
          Delete
        </ActButton>
      ) : undefined}
    </>,
  );
  const input = (
    <input
      class="search-input"
      type="search"
      placeholder="Search titles and addresses"
      aria-label="Search documents"
      defaultValue={search}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
  view.draw(
    <>
      <Summary />
      <Running />
      <Panel title="Documents" extra={input}>
        <Documents />
      </Panel>
    </>,
  );
  await showRunning();
  view.every(whileRunningMs, () => (running.value.length === 0 ? undefined : onDone()));
}

export function show(view: View): Promise<void> {
  const [project, name] = view.address.parts;
  return project === undefined || name === undefined ? showAll(view) : showBase(view, project, name);
}
