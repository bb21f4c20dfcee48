/** The Questions page: everything that was asked, by filters that are in the address. One question has its own page. */
import { signal } from "@preact/signals";
import type { QuestionList } from "../../../../../src/overview/pages/questions.ts";
import type { QuestionChoices } from "../../../../../src/overview/questions/choices.ts";
import type { ListedQuestion } from "../../../../../src/overview/questions/listed.ts";
import { plain } from "../../drawing/element.ts";
import { clockText, dateText, dayText, durationText } from "../../parts/dates.ts";
import { createFilters, type Field, FilterBar, type Option, periodOf } from "../../parts/filters.tsx";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Nothing, nothingMatches } from "../../parts/state.tsx";
import { type Column, createListing, List, Table } from "../../parts/table.tsx";
import type { Query } from "../kit/address.ts";
import { CsvLink } from "../kit/csv-link.tsx";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { platformName } from "../kit/where.tsx";
import { AgentName, Outcome, outcomeOptions, QuestionText, questionHref, Votes, whereText } from "../parts/asked.tsx";

const feedbacks: readonly Option[] = [
  ["down", "Not helpful"],
  ["up", "Helpful"],
];
const everyMs = 15_000;
/** People who have read further keep what they see. */
const maxRefreshed = 70;

/** Asked in a channel, of nobody in particular, and nothing answers it. */
const overheard = { outcome: "not-shown", why: "nothing" };

/** What the server knows the filters by. */
function asked({
  platform,
  place,
  agent,
  outcome,
  feedback,
  ref,
  words,
  ...query
}: Readonly<Record<string, string>>): Query {
  const ended = outcome === "overheard" ? overheard : { outcome };
  return { ...periodOf(query), platform, place, agent, ...ended, feedback, ref, words };
}

function fieldsOf({ platforms, channels, agents }: QuestionChoices): readonly Field[] {
  const several = platforms.length > 1;
  const off = ({ isOff }: { readonly isOff?: true }) => (isOff ? " (off)" : "");
  const channel = (one: QuestionChoices["channels"][number]): Option => {
    const where = several ? ` · ${platformName(one.platform)}` : "";
    return [one.key, `# ${plain(one.name)}${one.isGone ? " (gone)" : ""}${where}${off(one)}`];
  };
  const select = (name: string, label: string, any: string, options: readonly Option[]): Field => ({
    kind: "select",
    name,
    label,
    any,
    options,
  });
  const platform = platforms.map((one): Option => [one.name, `${platformName(one.name)}${off(one)}`]);
  const agent = agents.map(({ key, name, isGone }): Option => [key, `${name}${isGone ? " (deleted)" : ""}`]);
  return [
    { kind: "text", name: "words", label: "Words of a question", placeholder: "Search questions" },
    { kind: "period", label: "Time" },
    ...(several ? [select("platform", "Platform", "Any platform", platform)] : []),
    select("place", "Channel", "Any channel", channels.map(channel)),
    select("agent", "Agent", "Any agent", agent),
    select("outcome", "Outcome", "Any outcome", [
      ...outcomeOptions,
      ["overheard", "Asked in a channel, not of Parley"],
    ]),
    select("feedback", "Feedback", "Any feedback", feedbacks),
    { kind: "text", name: "ref", label: "Reference", placeholder: "Reference" },
  ];
}

const columns: readonly Column<ListedQuestion>[] = [
  { title: "Question", narrow: "title", cell: (row) => <QuestionText question={row} /> },
  {
    title: "Where",
    cell: ({ askedIn }) => (
      <span class="name" dir="auto">
        {whereText(askedIn)}
      </span>
    ),
  },
  { title: "Agent", cell: ({ agent }) => <AgentName agent={agent} /> },
  { title: "Outcome", cell: (row) => <Outcome question={row} /> },
  { title: "Votes", cell: (row) => <Votes question={row} /> },
  {
    title: "Time",
    isNumber: true,
    narrow: "hidden",
    cell: (row) => (row.state !== "ended" || row.durationMs === undefined ? "" : durationText(row.durationMs)),
  },
  {
    title: "Asked",
    isNumber: true,
    narrow: "aside",
    cell: ({ askedAtMs }) => <Time atMs={askedAtMs} text={clockText(askedAtMs)} />,
  },
];

/** One search reads a thousand questions; the next page continues with earlier ones. */
function foundText(found: number, { comparedFromMs }: QuestionList): string {
  const says = `${countText(found, "question")} found`;
  return comparedFromMs === undefined
    ? says
    : `${says} since ${dateText(comparedFromMs)}. Show more to search earlier questions.`;
}

/** Undefined for a later page. */
function countOf({ count, running, moreRunning }: QuestionList): string | undefined {
  if (count === undefined) return undefined;
  const many = count.isMore ? `More than ${numberText(count.count)} questions` : countText(count.count, "question");
  const now = running.length + moreRunning;
  return now === 0 ? many : `${many} · ${numberText(now)} in progress`;
}

async function showList(view: View): Promise<void> {
  const choices = await read<QuestionChoices>("api/admin/questions/choices", {}, view.signal);
  const summary = signal("");
  let running: ReadonlySet<string> = new Set();
  /** So many so far. */
  let found = 0;
  const filters = createFilters(view, () => {
    showTools();
    list.show();
  });
  const query = () => asked(filters.values.value);
  const list = createListing<ListedQuestion>({
    signal: view.signal,
    announce: view.announce,
    readPage: async (after) => {
      const page = await read<QuestionList>("api/admin/questions", { ...query(), after }, view.signal);
      found = (after === undefined ? 0 : found) + page.running.length + page.rows.length;
      summary.value =
        filters.values.value["words"] === undefined ? (countOf(page) ?? summary.value) : foundText(found, page);
      if (after !== undefined) return page;
      running = new Set(page.running.map(({ id }) => id));
      return { rows: [...page.running, ...page.rows], next: page.next };
    },
  });
  const showTools = () => view.setTools(<CsvLink path="api/admin/questions.csv" query={query()} />);
  const groupOf = ({ id, askedAtMs }: ListedQuestion) => (running.has(id) ? "In progress" : dayText(askedAtMs));
  const empty = () => (Object.keys(filters.values.value).length > 0 ? nothingMatches : nothingYet);
  showTools();
  view.draw(
    <>
      <FilterBar fields={fieldsOf(choices)} filters={filters} />
      <div class="list-head">
        <p class="note" role="status">
          {summary}
        </p>
      </div>
      <Panel kind="questions" label="Questions">
        <List listing={list} empty={empty}>
          {(rows) => (
            <Table
              columns={columns}
              rows={rows}
              label="Questions"
              keyOf={({ id }) => id}
              hrefOf={questionHref}
              groupOf={groupOf}
            />
          )}
        </List>
      </Panel>
    </>,
  );
  await list.show();
  view.every(everyMs, async () => {
    // A search reads a thousand questions one by one.
    if (filters.values.value["words"] !== undefined) return;
    const known = list.known.value;
    const count = known === "nothing yet" || "failed" in known ? 0 : known.rows.length;
    if (count <= maxRefreshed) await list.show();
  });
}

const nothingYet: Nothing = {
  icon: "questions",
  title: "Nothing yet",
  text: "Questions appear here as soon as someone asks one.",
};

export async function show(view: View): Promise<void> {
  const [question] = view.address.parts;
  if (question === undefined) return showList(view);
  const { showQuestion } = await import("./question.tsx");
  return showQuestion(view, question);
}
