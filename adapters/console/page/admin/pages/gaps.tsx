/** Gaps: questions that were not answered well, heaviest first, and what is known of one. */

import { signal } from "@preact/signals";
import type { GapState } from "../../../../../src/core/model/insight.ts";
import type {
  AskedLine,
  GapChoices,
  GapLine,
  GapPageDetails,
  GapsPage,
} from "../../../../../src/overview/pages/gaps.ts";
import { Markdown } from "../../drawing/drawn-markdown.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Choice } from "../../parts/button.tsx";
import { Chip, Thumbs, type Tone } from "../../parts/chip.tsx";
import { createFilters, type Field, FilterBar, type Option } from "../../parts/filters.tsx";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Rows } from "../../parts/row.tsx";
import { type Nothing, nothingMatches } from "../../parts/state.tsx";
import { createListing, List } from "../../parts/table.tsx";
import type { OnDone } from "../kit/act.tsx";
import { go, href } from "../kit/address.ts";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { placeParts, platformName, workspaceNames } from "../kit/where.tsx";
import { GapActions, GapRow, GapTitle, signals } from "../parts/gap-row.tsx";
import { voteReasons } from "../question/opinions.tsx";

type State = { readonly title: string; readonly tone?: Tone; readonly empty: Nothing };

const states: Readonly<Record<GapState, State>> = {
  open: {
    title: "Open",
    tone: "warn",
    empty: { icon: "gaps", title: "No open gaps", text: "Nobody was left without a good answer." },
  },
  answered: {
    title: "Answered",
    tone: "good",
    empty: { icon: "gaps", title: "No answered gaps yet", text: "Open a gap and add its answer." },
  },
  dismissed: { title: "Dismissed", empty: { icon: "gaps", title: "Nothing dismissed" } },
};
const isState = (text: string | undefined): text is GapState => text !== undefined && Object.hasOwn(states, text);

function fieldsOf({ agents, workspaces }: GapChoices): readonly Field[] {
  const workspaceText = workspaceNames(workspaces);
  const select = (name: string, label: string, any: string, options: readonly Option[]): Field => ({
    kind: "select",
    name,
    label,
    any,
    options,
  });
  const workspace = workspaces.map((one): Option => {
    const key = [one.platform, one.workspace].map(encodeURIComponent).join("/");
    return [key, workspaceText(one)];
  });
  const agent = agents.map((name): Option => [name, plain(name)]);
  return [
    select("agent", "Agent", "Any agent", agent),
    ...(workspaces.length < 2 ? [] : [select("workspace", "Workspace", "Any workspace", workspace)]),
    select("signal", "Why", "Any reason", Object.entries(signals)),
  ];
}

async function showList(view: View): Promise<void> {
  const { query } = view.address;
  const state = isState(query["state"]) ? query["state"] : "open";
  const { title, empty } = states[state];
  view.setTools(
    <Choice
      label="State"
      options={Object.entries(states).map(([name, { title: text }]) => [name, text] as const)}
      chosen={state}
      choose={(chosen) => {
        view.setQuery({ ...view.address.query, state: chosen === "open" ? "" : chosen });
        view.reload();
      }}
    />,
  );
  const choices = signal<GapChoices>({ agents: [], workspaces: [] });
  const total = signal("");
  const filters = createFilters(view, () => list.show());
  const chosen = () => {
    const { agent, workspace, signal: why } = filters.values.value;
    return { agent, workspace, signal: why };
  };
  const list = createListing<GapLine>({
    signal: view.signal,
    announce: view.announce,
    readPage: async (cursor) => {
      const page = await read<GapsPage>("api/admin/gaps", { state, ...chosen(), cursor }, view.signal);
      total.value = page.total === undefined ? "" : `${numberText(page.total)} ${title.toLowerCase()}`;
      return { rows: page.gaps, next: page.next };
    },
  });
  const isFiltered = () => Object.values(chosen()).some((value) => value !== undefined);
  const Bar = () => <FilterBar fields={fieldsOf(choices.value)} filters={filters} />;
  view.draw(
    <>
      <Bar />
      <p class="note" role="status">
        {total}
      </p>
      <Panel label="Gaps">
        <List listing={list} empty={() => (isFiltered() ? nothingMatches : empty)}>
          {(gaps) => (
            <Rows>
              {gaps.map((gap) => (
                <GapRow key={gap.key} gap={gap} workspaceText={workspaceNames(gaps)} onDone={list.show} />
              ))}
            </Rows>
          )}
        </List>
      </Panel>
      <p class="note">
        <a href={href("questions", { query: { outcome: "overheard" } })}>Asked in channels, not of Parley</a>
      </p>
    </>,
  );
  const readChoices = read<GapChoices>("api/admin/gaps/choices", { state }, view.signal);
  await Promise.all([
    list.show(),
    readChoices.then((found) => {
      choices.value = found;
    }),
  ]);
}

function Vote({ vote: { reason, comment, by } }: { readonly vote: AskedLine["votes"][number] }) {
  return (
    <p class="vote-line" dir="auto">
      <Thumbs thumb="down" /> {reason === undefined ? undefined : <b>{voteReasons[reason]}</b>}
      {comment === undefined ? undefined : ` “${plain(comment)}”`}
      <span class="soft"> {plain(by)}</span>
    </p>
  );
}

function Asked({ line: { atMs, by, place, ref, votes, signals: why } }: { readonly line: AskedLine }) {
  // The platform is said above.
  const [where] = place === undefined ? ["a shared direct message"] : placeParts(place);
  const time = <Time atMs={atMs} />;
  const when = ref === undefined ? time : <a href={href("questions", { parts: [ref] })}>{time}</a>;
  const reasons = [...new Set(why)].map((one) => signals[one]).join(", ");
  return (
    <>
      <p class="entry-line">
        <Dotted parts={[by === undefined ? undefined : plain(by), where, when, reasons]} />
      </p>
      {votes.map((vote) => (
        <Vote key={`${vote.by} ${vote.comment}`} vote={vote} />
      ))}
    </>
  );
}

/** Each wording once, with everyone who used it. */
function Wordings({ asked }: { readonly asked: readonly AskedLine[] }) {
  const byWording = [...Map.groupBy(asked, ({ question }) => question)];
  return (
    <ul class="asked-list" role="list">
      {byWording.map(([question, lines]) => (
        <li key={question} class="wording">
          <p class="asked-question" dir="auto">
            {plain(question)}
            {lines.length === 1 ? undefined : <span class="soft"> {countText(lines.length, "time")}</span>}
          </p>
          {lines.map((line, at) => (
            // The same person can ask twice within a moment.
            <Asked key={at} line={line} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Gap({ gap }: { readonly gap: GapPageDetails }) {
  const { asked, hidden, answer, added, dismissedBy, state, people, agent, lastAtMs } = gap;
  const others =
    hidden === 0
      ? undefined
      : `${countText(hidden, asked.length === 0 ? "question" : "more question")} in places you can't read`;
  return (
    <>
      <div class="gap-head">
        <h2 class={`gap-title${gap.question === undefined ? " is-private" : ""}`} dir="auto">
          <GapTitle question={gap.question} />
        </h2>
        <p class="facts-line">
          <Chip tone={states[state].tone}>{states[state].title}</Chip>
          <Dotted
            parts={[
              `${countText(people, "person", "people")} asked ${plain(agent)} in ${platformName(gap.platform)}`,
              <>
                last <Time atMs={lastAtMs} />
              </>,
              dismissedBy === undefined ? undefined : `dismissed by ${plain(dismissedBy.name)}`,
            ]}
          />
        </p>
      </div>
      <Panel title="Asked" note={others}>
        {asked.length === 0 ? (
          <p class="soft">You can't read where it was asked, so only the reason and the numbers are shown.</p>
        ) : (
          <Wordings asked={asked} />
        )}
      </Panel>
      {answer === undefined ? undefined : (
        <Panel title="The last answer">
          {answer === "" ? <p class="soft">There was no answer.</p> : <Markdown text={answer} />}
        </Panel>
      )}
      {added === undefined ? undefined : (
        <Panel title="The answer that was added" note={`${plain(added.by)} · ${plain(added.knowledgeBase)}`}>
          <Markdown text={added.answer} />
        </Panel>
      )}
    </>
  );
}

async function showOne(view: View): Promise<void> {
  const key = view.address.parts.map(encodeURIComponent).join("/");
  const gap = await read<GapPageDetails>("api/admin/gaps/one", { key }, view.signal);
  view.setTitle("Details", { crumb: { title: "Gaps", href: href("gaps") } });
  const onDone: OnDone = (said) => {
    const split = said.flatMap(({ actions }) => actions).find(({ id }) => id === "gap-split");
    const into = split?.value.split(" ")[0];
    // A gap that was merged is part of another one from then on.
    if (into === undefined || into === gap.id) return view.reload();
    return go(href("gaps", { parts: [gap.platform, gap.workspace, into] }), { isReplacing: true });
  };
  view.setTools(<GapActions gap={gap} onDone={onDone} isOpen />);
  view.draw(<Gap gap={gap} />);
}

export function show(view: View): Promise<void> {
  return view.address.parts.length === 0 ? showList(view) : showOne(view);
}
