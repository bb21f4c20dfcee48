/** The figures of the Overview page: questions per day, failures, four numbers, and the channels. */
import type { ComponentChildren } from "preact";
import type { Thumb } from "../../../../../src/core/model/turn.ts";
import type { DayFigures, FigureSums } from "../../../../../src/overview/figures.ts";
import type { ChannelFigures, Figures } from "../../../../../src/overview/pages/overview.ts";
import { nowMs } from "../../connection/clock.ts";
import { plain } from "../../drawing/element.ts";
import {
  type Bar,
  NumbersTable,
  ShareBar,
  SparkLines,
  SparkTicks,
  SplitBar,
  StackedBars,
} from "../../parts/charts.tsx";
import { dateText, durationText, relativeText, weekdayText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { countText, numberText, shareText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { EmptyState } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { href } from "../kit/address.ts";
import { Time } from "../kit/time.tsx";
import { modes, platformName } from "../kit/where.tsx";

const maxFailures = 5;
/** Of the running mean: a single day of few questions says little. */
const meanDays = 7;

/** Of each day of a week the name, else the first of each week. */
function barOf(day: DayFigures, days: number): Bar {
  const { fromMs, questions, withSource, failed } = day;
  return {
    key: day.date,
    label: days === 7 ? weekdayText(fromMs) : dateText(fromMs),
    isLabelled: days === 7 || new Date(fromMs).getDay() === 1,
    parts: [withSource, questions - withSource],
    says: [
      `${weekdayText(fromMs)}, ${dateText(fromMs)}`,
      countText(questions, "question"),
      `${numberText(withSource)} with a source`,
      ...(failed > 0 ? [`${numberText(failed)} failed`] : []),
    ],
  };
}

const timeText = (ms: number | undefined) => (ms === undefined ? "–" : durationText(ms));

export function QuestionsPanel({ figures: { days, byDay, total } }: { readonly figures: Figures }) {
  if (total.questions === 0) {
    const text = "Ask one in a channel or on the page, and it appears here.";
    return (
      <Panel title="Questions per day">
        <EmptyState icon="questions" title="No questions yet" text={text} />
      </Panel>
    );
  }
  const legend = (
    <span class="legend">
      <span>with a source</span>
      <span class="is-pale">without</span>
    </span>
  );
  const rows = byDay.map((day) => [
    dateText(day.fromMs),
    numberText(day.questions),
    numberText(day.withSource),
    numberText(day.failed),
    timeText(day.medianMs),
    timeText(day.p95Ms),
  ]);
  return (
    <Panel title="Questions per day" note={numberText(total.questions)} extra={legend}>
      <StackedBars
        label={`Questions per day, ${countText(total.questions, "question")} in ${days} days`}
        looks={["with", "without"]}
        days={byDay.map((day) => barOf(day, days))}
      />
      <NumbersTable
        caption="Questions per day"
        note="Questions that were stopped, and those that Parley left to people, are not counted."
        heads={["Day", "Questions", "With a source", "Failed", "Median", "p95"]}
        rows={rows}
      />
    </Panel>
  );
}

export function FailuresPanel({ figures: { failures, total, days } }: { readonly figures: Figures }) {
  const [first] = failures;
  if (first === undefined) {
    return (
      <Panel title="Failures">
        <EmptyState icon="check" title="No failures" text={`None in ${days} days.`} />
      </Panel>
    );
  }
  const rest = failures.slice(maxFailures).reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel
      title="Failures"
      note={`${numberText(total.failed)} of ${numberText(total.questions)}`}
      link={{ text: "Show", href: href("questions", { query: { outcome: "failed", days } }) }}
    >
      <ul class="codes">
        {failures.slice(0, maxFailures).map(({ code, what, count }) => (
          <li key={code}>
            <span>
              {plain(what).replace(/\.$/, "")}
              <code>{code}</code>
            </span>
            <b>{numberText(count)}</b>
            <ShareBar share={count / first.count} isBad />
          </li>
        ))}
      </ul>
      {rest > 0 ? <p class="quiet">{`${numberText(rest)} more with other causes`}</p> : undefined}
    </Panel>
  );
}

function Tile({
  title,
  big,
  quiet,
  children,
}: {
  readonly title: string;
  readonly big: ComponentChildren;
  readonly quiet: string;
  /** Its picture. */
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel tile">
      <h2>{title}</h2>
      <p class="big">{big}</p>
      {children}
      <p class="quiet">{quiet}</p>
    </section>
  );
}

/** Shares of the days before each day; undefined where nothing was asked. */
function meanShares(byDay: readonly DayFigures[]): readonly (number | undefined)[] {
  return byDay.map((_, at) => {
    const some = byDay.slice(Math.max(0, at - meanDays + 1), at + 1);
    const questions = some.reduce((sum, day) => sum + day.questions, 0);
    return questions === 0 ? undefined : some.reduce((sum, day) => sum + day.withSource, 0) / questions;
  });
}

function pointsText({ total, before, days }: Figures): string {
  if (before.questions === 0 || total.questions === 0) {
    return `${numberText(total.withSource)} of ${numberText(total.questions)}`;
  }
  const points = Math.round(100 * (total.withSource / total.questions - before.withSource / before.questions));
  if (points === 0) return `As in the ${days} days before`;
  return `${countText(Math.abs(points), "point")} ${points > 0 ? "up" : "down"} from the ${days} days before`;
}

/** What failed has no answer to vote on. */
function voteText({ voted, questions, failed }: FigureSums): string {
  if (voted === 0) return "No votes yet";
  const each = Math.round((questions - failed) / voted);
  return each <= 1 ? "Almost every answer was rated" : `1 in ${numberText(each)} answers was rated`;
}

function Votes({ count, thumb }: { readonly count: number; readonly thumb: Thumb }) {
  return (
    <span>
      {numberText(count)}
      <small>
        <Icon name={thumb === "up" ? "up" : "bad"} />
        <span class="hidden">{`thumbs ${thumb}`}</span>
      </small>
    </span>
  );
}

export function Tiles({ figures }: { readonly figures: Figures }) {
  const { byDay, total } = figures;
  const shares = meanShares(byDay);
  const known = shares.filter((share) => share !== undefined);
  const today = byDay.at(-1)?.failed ?? 0;
  const times = [
    { values: byDay.map(({ medianMs }) => medianMs) },
    { values: byDay.map(({ p95Ms }) => p95Ms), look: "is-faint" },
  ];
  return (
    <>
      <Tile title="With a source" big={shareText(total.withSource, total.questions)} quiet={pointsText(figures)}>
        {known.length > 1 ? (
          <SparkLines lists={[{ values: shares }]} low={Math.min(...known) - 0.02} high={Math.max(...known) + 0.02} />
        ) : (
          <SparkLines lists={[]} />
        )}
      </Tile>
      <Tile
        title="Feedback"
        big={
          <>
            <Votes count={total.up} thumb="up" />
            <Votes count={total.down} thumb="down" />
          </>
        }
        quiet={voteText(total)}
      >
        <div class="split-box">
          <SplitBar first={total.up} second={total.down} />
        </div>
      </Tile>
      <Tile
        title="Time to answer"
        big={
          total.medianMs === undefined ? (
            "–"
          ) : (
            <>
              {durationText(total.medianMs)}
              <small>median</small>
            </>
          )
        }
        quiet={total.p95Ms === undefined ? "Nothing answered yet" : `p95 ${durationText(total.p95Ms)}`}
      >
        {total.medianMs === undefined ? <SparkLines lists={[]} /> : <SparkLines lists={times} low={0} />}
      </Tile>
      <Tile
        title="Failed"
        big={shareText(total.failed, total.questions)}
        quiet={today === 0 ? "None today" : `${numberText(today)} today`}
      >
        <SparkTicks values={byDay.map(({ date, failed }) => ({ key: date, value: failed }))} />
      </Tile>
    </>
  );
}

function ChannelName({ row: { channel, name, isGone } }: { readonly row: ChannelFigures }) {
  if (channel === undefined) return <>Direct messages</>;
  return (
    <span dir="auto">
      {`#\u00a0${plain(name ?? channel)}`}
      {isGone ? <span class="soft"> (gone)</span> : undefined}
    </span>
  );
}

function Failure({ failure: { atMs, ref } }: { readonly failure: NonNullable<ChannelFigures["lastFailure"]> }) {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs()).toDateString();
  return (
    <a class={`quiet-link${isToday ? " is-failure" : ""}`} href={href("questions", { parts: [ref] })}>
      <Time atMs={atMs} text={isToday ? relativeText(atMs) : dateText(atMs)} />
    </a>
  );
}

const columns: readonly Column<ChannelFigures>[] = [
  {
    title: "Channel",
    narrow: "title",
    cell: (row) => (
      <b>
        <ChannelName row={row} />
      </b>
    ),
  },
  { title: "Platform", cell: ({ platform }) => platformName(platform) },
  {
    title: "Agent",
    cell: ({ agent, isAgentGone }) => (
      <span dir="auto">{agent === undefined ? "" : `${plain(agent)}${isAgentGone ? " (gone)" : ""}`}</span>
    ),
  },
  { title: "Answers to", cell: ({ mode }) => (mode === undefined ? "–" : modes[mode]) },
  { title: "Questions", isNumber: true, after: "questions", cell: ({ questions }) => numberText(questions) },
  {
    title: "With a source",
    isNumber: true,
    after: "with a source",
    cell: ({ withSource, questions }) => shareText(withSource, questions),
  },
  {
    title: "Last failure",
    isNumber: true,
    narrow: "aside",
    cell: ({ lastFailure }) => (lastFailure === undefined ? "–" : <Failure failure={lastFailure} />),
  },
];

export function ChannelsPanel({ figures: { channels, moreChannels, days } }: { readonly figures: Figures }) {
  if (channels.length === 0) return null;
  return (
    <Panel title="Channels" note={`${days} days`} link={{ text: "All channels", href: href("agents") }}>
      <Table
        columns={columns}
        rows={channels}
        label={`Channels, ${days} days`}
        keyOf={({ platform, workspace, channel, agent }) => [platform, workspace, channel, agent].join("/")}
      />
      {moreChannels > 0 ? (
        <p class="quiet">{`${countText(moreChannels, "more row")} with fewer questions`}</p>
      ) : undefined}
    </Panel>
  );
}
