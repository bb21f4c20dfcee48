/** Gaps: questions that were not answered well, heaviest first, and what is known of one. */
import { element, icon, plain } from "../../drawing/element.ts";
import { drawMarkdown } from "../../drawing/markdown.ts";
import { dotted } from "../../look/dotted.ts";
import { actButton } from "../kit/act.js";
import { go, href } from "../kit/address.js";
import { relativeText, timeNode } from "../kit/dates.js";
import { filterBar } from "../kit/filters.js";
import { countText, numberText } from "../kit/numbers.js";
import { chip, choice, panel, row, rows, thumbs } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { listing } from "../kit/table.js";
import { placeParts, platformName, workspaceNames } from "../kit/where.js";
import { voteReasons } from "../question/opinions.js";

const states = [
  ["open", "Open"],
  ["answered", "Answered"],
  ["dismissed", "Dismissed"],
];
const signals = {
  "thumbs-down": "thumbs down",
  nothing: "no answer",
  unsure: "not sure",
  "asked-again": "asked again",
};
const empty = {
  open: { icon: "gaps", title: "No open gaps", text: "Nobody was left without a good answer." },
  answered: { icon: "gaps", title: "No answered gaps yet", text: "Open a gap and add its answer." },
  dismissed: { icon: "gaps", title: "Nothing dismissed" },
};

export const gapHref = ({ key }) => href("gaps", { parts: key.split("/").map(decodeURIComponent) });
const titleOf = ({ question }) => (question === undefined ? [icon("lock"), "Asked in private"] : [plain(question)]);

/** What can be done about a gap. `isOpen`: it is shown alone, with all of it. */
export function gapActions({ id, place, state, merged = [] }, onDone, { isOpen = false } = {}) {
  if (place === undefined) return [];
  const action = (name, value = id) => ({ place, kind: "action", action: name, value });
  if (state === "dismissed") return [actButton("Open again", action("gap-reopen"), { onDone })];
  const add = actButton("Add the answer", action("add-answer"), { onDone, look: isOpen ? "primary" : undefined });
  if (state === "answered") return [add];
  return [
    add,
    ...(isOpen ? [actButton("Merge", action("gap-merge"), { onDone })] : []),
    actButton("Dismiss", action("gap-dismiss"), { onDone }),
    ...(isOpen ? merged.map((one) => actButton("Undo merge", action("gap-split", `${id} ${one.id}`), { onDone })) : []),
  ];
}

/** `isShort`: with the one button that matters most. */
export function gapRow(gap, workspaceText, onDone, { isShort = false } = {}) {
  const { people, lastAtMs, agent, thumbsDown, question } = gap;
  const words = [
    countText(people, "person", "people"),
    relativeText(lastAtMs),
    plain(agent),
    workspaceText(gap),
    ...gap.signals.filter((signal) => signal !== "thumbs-down").map((signal) => signals[signal]),
  ];
  return row({
    title: element(
      `a.entry-link${question === undefined ? ".is-private" : ""}`,
      { href: gapHref(gap) },
      ...titleOf(gap),
    ),
    line: dotted([...words, ...(thumbsDown > 0 ? [thumbs("down", thumbsDown)] : [])]),
    actions: gapActions(gap, onDone).slice(0, isShort ? 1 : undefined),
  });
}

function fieldsOf({ agents, workspaces }) {
  const workspaceText = workspaceNames(workspaces);
  const workspaceOption = (one) => [
    [one.platform, one.workspace].map(encodeURIComponent).join("/"),
    workspaceText(one),
  ];
  const select = (name, label, any, options) => ({ kind: "select", name, label, any, options });
  return [
    select(
      "agent",
      "Agent",
      "Any agent",
      agents.map((name) => [name, plain(name)]),
    ),
    ...(workspaces.length < 2
      ? []
      : [select("workspace", "Workspace", "Any workspace", workspaces.map(workspaceOption))]),
    select("signal", "Why", "Any reason", Object.entries(signals)),
  ];
}

async function showList(view) {
  const { query } = view.address;
  const [state, title] = states.find(([name]) => name === query.state) ?? states[0];
  view.setTools(
    choice("State", states, state, (chosen) => {
      view.setQuery({ ...view.address.query, state: chosen === "open" ? "" : chosen });
      view.reload();
    }),
  );
  const choices = read("api/admin/gaps/choices", { state }, view.signal);
  const fields = fieldsOf({ agents: [], workspaces: [] });
  const { bar, query: chosen, update } = filterBar({ view, fields, onChange: () => list.show() });
  const total = element("p.note", { role: "status" });
  const list = listing({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const { agent, workspace, signal } = chosen();
      const page = await read("api/admin/gaps", { state, agent, workspace, signal, cursor }, view.signal);
      total.textContent = page.total === undefined ? "" : `${numberText(page.total)} ${title.toLowerCase()}`;
      return { rows: page.gaps, next: page.next };
    },
    empty: () => {
      const { agent, workspace, signal } = chosen();
      const isFiltered = (agent ?? workspace ?? signal) !== undefined;
      return isFiltered
        ? { icon: "search", title: "Nothing matches", text: "Change or clear the filters." }
        : empty[state];
    },
    draw: (gaps) => rows(...gaps.map((gap) => gapRow(gap, workspaceNames(gaps), () => list.show()))),
  });
  const overheard = element(
    "p.note",
    {},
    element("a", { href: href("questions", { query: { outcome: "overheard" } }) }, "Asked in channels, not of Parley"),
  );
  view.draw(bar, total, element("section.panel", { "aria-label": "Gaps" }, list.box), overheard);
  await Promise.all([list.show(), choices.then((found) => update(fieldsOf(found)))]);
}

function voteNode({ reason, comment, by }) {
  return element(
    "p.vote-line",
    { dir: "auto" },
    thumbs("down"),
    " ",
    reason === undefined ? undefined : element("b", {}, voteReasons[reason] ?? reason),
    comment === undefined ? undefined : ` “${plain(comment)}”`,
    element("span.soft", {}, ` ${plain(by)}`),
  );
}

function askedLine({ atMs, by, place, ref, votes, signals: why }) {
  // The platform is said above.
  const [where] = place === undefined ? ["a shared direct message"] : placeParts(place);
  const time = timeNode(atMs);
  const when = ref === undefined ? time : element("a", { href: href("questions", { parts: [ref] }) }, time);
  const reasons = [...new Set(why)].map((signal) => signals[signal]).join(", ");
  return [
    element("p.entry-line", {}, dotted([by === undefined ? undefined : plain(by), where, when, reasons])),
    ...votes.map(voteNode),
  ];
}

/** Each wording once, with everyone who used it. */
function wordingNodes(asked) {
  const byWording = Map.groupBy(asked, ({ question }) => question);
  return Array.from(byWording, ([question, lines]) =>
    element(
      "li.wording",
      {},
      element(
        "p.asked-question",
        { dir: "auto" },
        plain(question),
        lines.length === 1 ? undefined : element("span.soft", {}, ` ${countText(lines.length, "time")}`),
      ),
      ...lines.flatMap(askedLine),
    ),
  );
}

async function showOne(view) {
  const key = view.address.parts.map(encodeURIComponent).join("/");
  const gap = await read("api/admin/gaps/one", { key }, view.signal);
  const { asked, hidden, answer, added, dismissedBy, state, people, agent, lastAtMs } = gap;
  const tones = { open: "warn", answered: "good", dismissed: undefined };
  view.setTitle("Gap", { title: "Gaps", href: href("gaps") });
  const onDone = (said) => {
    const [into] =
      said
        .flatMap(({ actions }) => actions)
        .find(({ id }) => id === "gap-split")
        ?.value.split(" ") ?? [];
    // A gap that was merged is part of another one from then on.
    if (into === undefined || into === gap.id) view.reload();
    else go(href("gaps", { parts: [gap.platform, gap.workspace, into] }), { isReplacing: true });
  };
  view.setTools(...gapActions(gap, onDone, { isOpen: true }));
  const others =
    hidden === 0
      ? undefined
      : `${countText(hidden, asked.length === 0 ? "question" : "more question")} in places you can't read`;
  view.draw(
    element(
      "div.gap-head",
      {},
      element(`h2.gap-title${gap.question === undefined ? ".is-private" : ""}`, { dir: "auto" }, ...titleOf(gap)),
      element(
        "p.facts-line",
        {},
        chip(states.find(([name]) => name === state)[1], tones[state]),
        dotted([
          `${countText(people, "person", "people")} asked ${plain(agent)} in ${platformName(gap.platform)}`,
          ["last ", timeNode(lastAtMs)],
          dismissedBy === undefined ? undefined : `dismissed by ${plain(dismissedBy.name)}`,
        ]),
      ),
    ),
    panel(
      { title: "Asked", note: others },
      asked.length === 0
        ? element("p.soft", {}, "It was asked where you can't read, so only the reason and the numbers are shown.")
        : element("ul.asked-list", { role: "list" }, ...wordingNodes(asked)),
    ),
    ...(answer === undefined
      ? []
      : [
          panel(
            { title: "The last answer" },
            answer === "" ? element("p.soft", {}, "There was no answer.") : drawMarkdown(answer),
          ),
        ]),
    ...(added === undefined
      ? []
      : [
          panel(
            { title: "The answer that was added", note: `${plain(added.by)} · ${plain(added.knowledgeBase)}` },
            drawMarkdown(added.answer),
          ),
        ]),
  );
}

export function show(view) {
  return view.address.parts.length === 0 ? showList(view) : showOne(view);
}
