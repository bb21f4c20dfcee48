/** Knowledge: bases and who reads them, what is in one, and the jobs that fill them. */
import { element, plain } from "../../drawing/element.ts";
import { dotted } from "../../look/dotted.ts";
import { actButton } from "../kit/act.js";
import { href } from "../kit/address.js";
import { relativeText, timeNode } from "../kit/dates.js";
import { countText, numberText } from "../kit/numbers.js";
import { chip, choice, panel, row, rows } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { listing, table } from "../kit/table.js";
import { placeParts } from "../kit/where.js";

const jobStates = [
  ["", "All"],
  ["running", "Running"],
  ["failed", "Failed"],
  ["done", "Done"],
];
const kinds = { url: "page", file: "file", rows: "text", query: "query", thread: "message", answer: "answer" };
const searchAfterMs = 250;
const whileRunningMs = 5_000;

// Jobs.

function jobTitle({ kind, knowledgeBase, agent, status, items }) {
  const name = element("b", { dir: "auto" }, plain(knowledgeBase ?? agent ?? ""));
  const isOver = status !== "running";
  const words = {
    add: isOver ? "Added to " : "Adding to ",
    answer: isOver ? "Added an answer to " : "Adding an answer to ",
    refresh: isOver ? "Refreshed " : "Refreshing ",
    check: isOver ? "Checks of " : "Checking ",
  };
  const failed =
    status !== "running" && status !== "done" && kind !== "check"
      ? { add: "Adding to ", refresh: "Refreshing ", answer: "Adding an answer to " }[kind]
      : undefined;
  return element("span", {}, failed ?? words[kind], name, items > 1 ? ` · ${countText(items, "item")}` : "");
}

function progressBar({ items, done, failed, status }) {
  if (status !== "running" || items === 0) return undefined;
  const node = element("progress.job-progress", { max: items, value: done + failed, "aria-label": "Progress" });
  return node;
}

export function jobRow(job, onDone) {
  const {
    id,
    status,
    isWaiting,
    items,
    done,
    failed,
    reason,
    first,
    by,
    startedIn,
    createdAtMs,
    endedAtMs,
    place,
    ref,
  } = job;
  const press = (action) => ({ place, kind: "action", action, value: id });
  const counts =
    status === "running"
      ? isWaiting
        ? "waiting"
        : `${numberText(done + failed)} of ${numberText(items)}`
      : status === "cancelled"
        ? `cancelled after ${numberText(done)} of ${numberText(items)}`
        : failed > 0
          ? `${numberText(failed)} of ${numberText(items)} failed`
          : `${numberText(done)} done`;
  const state = reason === undefined ? counts : `${counts}: ${plain(reason).replace(/\.$/, "")}`;
  const isBad = failed > 0 || status === "failed";
  const line = dotted([
    isBad ? undefined : state,
    plain(first),
    plain(by),
    ...placeParts(startedIn),
    relativeText(endedAtMs ?? createdAtMs),
    `ref\u00a0${ref}`,
  ]);
  const actions =
    place === undefined
      ? []
      : status === "running"
        ? [actButton("Cancel", press("cancel-job"), { onDone })]
        : status === "failed" || status === "cancelled"
          ? [actButton(status === "failed" ? "Retry failed" : "Retry", press("retry-job"), { onDone })]
          : [];
  return row({ title: jobTitle(job), problem: isBad ? state : undefined, line, actions, extra: progressBar(job) });
}

function jobsPanel(view) {
  let status = view.address.query.jobs ?? "";
  const head = element("span.panel-tools", {});
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const { jobs, next } = await read("api/admin/knowledge/jobs", { status, cursor }, view.signal);
      return { rows: jobs, next };
    },
    empty: () => ({ icon: "knowledge", title: status === "" ? "No jobs yet" : "No such jobs" }),
    draw: (jobs) => rows(...jobs.map((job) => jobRow(job, () => list.show()))),
  });
  const drawHead = () =>
    head.replaceChildren(
      choice("Jobs", jobStates, status, (chosen) => {
        status = chosen;
        view.setQuery({ ...view.address.query, jobs: chosen });
        drawHead();
        list.show();
      }),
    );
  drawHead();
  return { list, node: panel({ title: "Jobs", extra: head, kind: "jobs" }, list.box) };
}

// Bases.

const baseAddress = ({ project, name }) => href("knowledge", { parts: [project, name] });

function readersNode({ readers }) {
  if (readers === undefined) return "–";
  return readers.length === 0 ? chip("nobody", "warn") : readers.map(plain).join(", ");
}

const baseColumns = [
  { title: "Knowledge base", narrow: "title", cell: ({ name }) => plain(name) },
  { title: "Read by", before: "read by", cell: readersNode },
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
    cell: ({ problems }) => (problems === 0 ? "–" : element("span.is-failure", {}, countText(problems, "problem"))),
  },
  {
    title: "Last read",
    isNumber: true,
    before: "last read",
    cell: ({ lastReadAtMs }) => (lastReadAtMs === undefined ? "–" : timeNode(lastReadAtMs)),
  },
];

async function showAll(view) {
  const jobs = jobsPanel(view);
  const reload = () => view.reload();
  const manages = view.visitor.role === "manage";
  view.setTools(
    ...(manages
      ? [actButton("New base", { kind: "command", path: "kb create", options: {} }, { onDone: reload })]
      : []),
    actButton("Add knowledge", { kind: "command", path: "kb add", options: {} }, { onDone: reload, look: "primary" }),
  );
  const bases = listing({
    signal: view.signal,
    readPage: async () => ({ rows: (await read("api/admin/knowledge", {}, view.signal)).bases }),
    empty: { icon: "knowledge", title: "No knowledge bases yet", text: "Create one and add pages to it." },
    draw: (rows) => table({ columns: baseColumns, rows, label: "Knowledge bases", hrefOf: baseAddress }),
  });
  const showBoth = () => Promise.all([bases.show(), jobs.list.show()]);
  await showBoth();
  view.draw(panel({ title: "Knowledge bases" }, bases.box), jobs.node);
  // What a job adds is counted above it.
  view.every(whileRunningMs, () => (jobs.node.querySelector("progress") === null ? undefined : showBoth()));
}

// One base.

function documentTitle({ title, url, problem }) {
  return element(
    "span.document",
    { dir: "auto" },
    url === undefined
      ? plain(title)
      : element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, plain(title)),
    problem === undefined ? undefined : element("span.is-failure", {}, ` ${plain(problem)}`),
  );
}

function documentActions(base, { id, kind, answerId, title }, onDone) {
  const press = (action, value = `${base.ref} ${id}`) => ({ kind: "action", action, value });
  const label = (verb) => `${verb} ${title}`;
  return element(
    "span.row-actions",
    {},
    kind === "url" ? actButton("Refresh", press("refresh-document"), { onDone, label: label("Refresh") }) : undefined,
    answerId === undefined
      ? undefined
      : actButton("Edit", press("edit-answer", answerId), { onDone, label: label("Edit") }),
    // Where that isn't possible yet, Parley says what to do first.
    actButton("Remove", press("remove-document"), { onDone, look: "danger", label: label("Remove") }),
  );
}

async function showBase(view, [project, name]) {
  let search = view.address.query.search ?? "";
  let base;
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const page = await read("api/admin/knowledge/documents", { project, name, search, cursor }, view.signal);
      base = page.base;
      return { rows: page.documents, next: page.next };
    },
    empty: () =>
      search === ""
        ? { icon: "knowledge", title: "Nothing added yet", text: "Add pages, text or files to it." }
        : { icon: "search", title: "Nothing found", text: "No title or address contains that." },
    draw: (documents) => table({ columns, rows: documents, label: `Documents of ${name}` }),
  });
  const running = element("div.part", {});
  const line = element("p.base-line", {});
  const drawLine = () =>
    line.replaceChildren(
      dotted([
        countText(base.documents, "document"),
        ["read by ", readersNode(base)],
        base.otherRows > 0 ? `${countText(base.otherRows, "row")} that Parley didn't add` : undefined,
        base.problems > 0 ? element("span.is-failure", {}, countText(base.problems, "problem")) : undefined,
      ]),
    );
  const showRunning = async () => {
    const { jobs } = await read("api/admin/knowledge/jobs", { status: "running" }, view.signal);
    const own = jobs.filter(({ knowledgeBase }) => knowledgeBase === base.name);
    const nodes = own.map((job) => jobRow(job, onDone));
    running.replaceChildren(...(own.length === 0 ? [] : [panel({ title: "Running" }, rows(...nodes))]));
  };
  const onDone = async () => {
    await list.show();
    drawLine();
    await showRunning();
  };
  const columns = [
    { title: "Document", narrow: "title", cell: documentTitle },
    { title: "Kind", cell: ({ kind, pages }) => (pages > 1 ? countText(pages, "page") : (kinds[kind] ?? kind)) },
    { title: "Added by", before: "by", cell: ({ by }) => element("span", { dir: "auto" }, plain(by)) },
    { title: "Last read", isNumber: true, cell: ({ readAtMs }) => timeNode(readAtMs) },
    { title: "", cell: (document) => documentActions(base, document, onDone) },
  ];
  await list.show();
  view.setTitle(plain(name), { title: "Knowledge", href: href("knowledge") });
  if (base === undefined) {
    view.draw(list.box);
    return;
  }
  const command = (path, options) => ({ kind: "command", path, options });
  view.setTools(
    actButton("Add to it", command("kb add", { into: base.name }), { onDone, look: "primary" }),
    actButton("Refresh all", command("kb refresh", { name: base.name }), { onDone }),
    ...(view.visitor.role === "manage"
      ? [actButton("Delete", command("kb delete", { name: base.name }), { onDone, look: "danger" })]
      : []),
  );
  let timer;
  const input = element("input.search-input", {
    type: "search",
    placeholder: "Search titles and addresses",
    "aria-label": "Search documents",
    value: search,
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        search = input.value.trim();
        view.setQuery({ search });
        list.show();
      }, searchAfterMs);
    },
  });
  drawLine();
  view.draw(line, running, panel({ title: "Documents", extra: input }, list.box));
  await showRunning();
  view.every(whileRunningMs, () => (running.firstChild === null ? undefined : onDone()));
}

export function show(view) {
  return view.address.parts.length < 2 ? showAll(view) : showBase(view, view.address.parts);
}
