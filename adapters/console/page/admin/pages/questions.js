/** The Questions page: everything that was asked, by filters that are in the address. One question has its own page. */
import { element, plain } from "../../drawing/element.ts";
import { clockText, dayText, durationText, timeNode } from "../kit/dates.js";
import { filterBar, periodOf } from "../kit/filters.js";
import { countText, numberText } from "../kit/numbers.js";
import { csvLink } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { listing, table } from "../kit/table.js";
import { platformName } from "../kit/where.js";
import { agentNode, outcomeChips, outcomeOptions, questionHref, questionNode, votesNode, whereText } from "./asked.js";

const feedbacks = [
  ["down", "Not helpful"],
  ["up", "Helpful"],
];
const everyMs = 15_000;

/** Asked in a channel, of nobody in particular, and nothing answers it. */
const overheard = { outcome: "not-shown", why: "nothing" };

/** What the server knows the filters by. */
function asked({ platform, place, agent, outcome, feedback, ref, ...query }) {
  const ended = outcome === "overheard" ? overheard : { outcome };
  return { ...periodOf(query), platform, place, agent, ...ended, feedback, ref };
}

function fieldsOf({ platforms, channels, agents }) {
  const several = platforms.length > 1;
  const off = ({ isOff }) => (isOff ? " (off)" : "");
  const channel = ({ key, platform, name, isGone, ...more }) => [
    key,
    `# ${plain(name)}${isGone ? " (gone)" : ""}${several ? ` · ${platformName(platform)}` : ""}${off(more)}`,
  ];
  const select = (name, label, any, options) => ({ kind: "select", name, label, any, options });
  return [
    { kind: "text", name: "ref", label: "Reference", placeholder: "Reference" },
    { kind: "period", label: "Time" },
    ...(several
      ? [
          select(
            "platform",
            "Platform",
            "Any platform",
            platforms.map((one) => [one.name, `${platformName(one.name)}${off(one)}`]),
          ),
        ]
      : []),
    select("place", "Channel", "Any channel", channels.map(channel)),
    select(
      "agent",
      "Agent",
      "Any agent",
      agents.map(({ key, name, isGone }) => [key, `${name}${isGone ? " (deleted)" : ""}`]),
    ),
    select("outcome", "Outcome", "Any outcome", [
      ...outcomeOptions,
      ["overheard", "Asked in a channel, not of Parley"],
    ]),
    select("feedback", "Feedback", "Any feedback", feedbacks),
  ];
}

const columns = [
  { title: "Question", narrow: "title", cell: questionNode },
  {
    title: "Where",
    narrow: "line",
    cell: (row) => element("span.name", { dir: "auto" }, whereText(row.askedIn)),
  },
  { title: "Agent", narrow: "line", cell: ({ agent }) => agentNode(agent) },
  { title: "Outcome", narrow: "line", cell: (row) => element("span.chips", {}, ...outcomeChips(row)) },
  { title: "Votes", narrow: "line", cell: votesNode },
  {
    title: "Time",
    isNumber: true,
    narrow: "hidden",
    cell: ({ durationMs }) => (durationMs === undefined ? "" : durationText(durationMs)),
  },
  {
    title: "Asked",
    isNumber: true,
    narrow: "aside",
    cell: ({ askedAtMs }) => timeNode(askedAtMs, clockText(askedAtMs)),
  },
];

function countOf({ count, running, moreRunning }) {
  if (count === undefined) return "";
  const many = count.isMore ? `More than ${numberText(count.count)} questions` : countText(count.count, "question");
  const now = running.length + moreRunning;
  return now === 0 ? many : `${many} · ${numberText(now)} in progress`;
}

async function showList(view) {
  const choices = await read("api/admin/questions/choices", {}, view.signal);
  const summary = element("p.note", { role: "status" });
  let first = [];
  const { bar, query } = filterBar({
    view,
    fields: fieldsOf(choices),
    onChange: () => {
      showTools();
      list.show();
    },
  });
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: async (after) => {
      const page = await read("api/admin/questions", { ...asked(query()), after }, view.signal);
      if (after !== undefined) return page;
      summary.textContent = countOf(page);
      first = page.running;
      return { rows: [...page.running, ...page.rows], next: page.next };
    },
    draw: (rows) => {
      const running = new Set(first.map(({ id }) => id));
      return table({
        columns,
        rows,
        label: "Questions",
        hrefOf: questionHref,
        groupOf: ({ id, askedAtMs }) => (running.has(id) ? "In progress" : dayText(askedAtMs)),
      });
    },
    empty: () =>
      Object.keys(query()).length > 0
        ? { icon: "search", title: "Nothing matches", text: "Change or clear the filters." }
        : { icon: "questions", title: "Nothing yet", text: "Questions appear here as soon as someone asks one." },
  });
  const showTools = () => view.setTools(csvLink("api/admin/questions.csv", asked(query())));
  showTools();
  const head = element("div.list-head", {}, summary);
  view.draw(bar, head, element("section.panel.questions", { "aria-label": "Questions" }, list.box));
  await list.show();
  // Only the top of a list is refreshed: people who have read further keep what they see.
  view.every(everyMs, async () => {
    if (list.box.querySelectorAll("tbody tr").length <= 70 && !list.box.contains(document.activeElement))
      await list.show();
  });
}

export async function show(view) {
  const [question] = view.address.parts;
  if (question === undefined) return showList(view);
  const { showQuestion } = await import("./question.js");
  return showQuestion(view, question);
}
