/** The figures of the Overview page: questions per day, failures, four numbers, and the channels. */
import { nowMs } from "../../connection/clock.ts";
import { icon as drawn, element, plain } from "../../drawing/element.ts";
import { href } from "../kit/address.js";
import { numbersTable, shareBar, sparkLines, sparkTicks, splitBar, stackedBars } from "../kit/charts.js";
import { dateText, durationText, relativeText, timeNode, weekdayText } from "../kit/dates.js";
import { countText, numberText, shareText } from "../kit/numbers.js";
import { emptyState, panel } from "../kit/parts.js";
import { table } from "../kit/table.js";
import { modes, platformName } from "../kit/where.js";

const maxFailures = 5;
/** Of the running mean: a single day of few questions says little. */
const meanDays = 7;

const labelOf = ({ fromMs }, days) => (days === 7 ? weekdayText(fromMs) : dateText(fromMs));
/** The days that are named below the chart: every one of a week, else the first of each. */
const isLabelled = ({ fromMs }, days) => days === 7 || new Date(fromMs).getDay() === 1;

export function questionsPanel({ days, byDay, total }) {
  if (total.questions === 0) {
    const text = "Ask one in a channel or on the page, and it appears here.";
    return panel({ title: "Questions per day" }, emptyState({ icon: "questions", title: "No questions yet", text }));
  }
  const key = element("span.legend", {}, element("span", {}, "with a source"), element("span.is-pale", {}, "without"));
  const chart = stackedBars({
    label: `Questions per day, ${countText(total.questions, "question")} in ${days} days`,
    looks: ["with", "without"],
    days: byDay.map((day) => ({
      label: labelOf(day, days),
      isLabelled: isLabelled(day, days),
      parts: [day.withSource, day.questions - day.withSource],
      says: [
        `${weekdayText(day.fromMs)}, ${dateText(day.fromMs)}`,
        countText(day.questions, "question"),
        `${numberText(day.withSource)} with a source`,
        ...(day.failed > 0 ? [`${numberText(day.failed)} failed`] : []),
      ],
    })),
  });
  const numbers = numbersTable({
    caption: "Questions per day",
    note: "Questions that were stopped, and those that Parley left to people, are not counted.",
    heads: ["Day", "Questions", "With a source", "Failed", "Median", "p95"],
    rows: byDay.map((day) => [
      dateText(day.fromMs),
      numberText(day.questions),
      numberText(day.withSource),
      numberText(day.failed),
      day.medianMs === undefined ? "–" : durationText(day.medianMs),
      day.p95Ms === undefined ? "–" : durationText(day.p95Ms),
    ]),
  });
  return panel({ title: "Questions per day", note: numberText(total.questions), extra: key }, chart, numbers);
}

export function failuresPanel({ failures, total, days }) {
  const link = { text: "Show", href: href("questions", { query: { outcome: "failed", days } }) };
  if (failures.length === 0) {
    return panel(
      { title: "Failures" },
      emptyState({ icon: "check", title: "No failures", text: `None in ${days} days.` }),
    );
  }
  const most = failures[0].count;
  const shown = failures.slice(0, maxFailures);
  const rest = failures.slice(maxFailures).reduce((sum, { count }) => sum + count, 0);
  return panel(
    { title: "Failures", note: `${numberText(total.failed)} of ${numberText(total.questions)}`, link },
    element(
      "ul.codes",
      {},
      ...shown.map(({ code, what, count }) =>
        element(
          "li",
          {},
          element("span", {}, plain(what).replace(/\.$/, ""), element("code", {}, code)),
          element("b", {}, numberText(count)),
          shareBar(count / most, "bad"),
        ),
      ),
    ),
    rest > 0 ? element("p.quiet", {}, `${numberText(rest)} more with other causes`) : undefined,
  );
}

function tile(title, big, picture, quiet) {
  return element(
    "section.panel.tile",
    {},
    element("h2", {}, title),
    element("p.big", {}, ...big),
    picture,
    element("p.quiet", {}, quiet),
  );
}

/** Shares of the days before each day; undefined where nothing was asked. */
function meanShares(byDay) {
  return byDay.map((_, at) => {
    const some = byDay.slice(Math.max(0, at - meanDays + 1), at + 1);
    const questions = some.reduce((sum, day) => sum + day.questions, 0);
    return questions === 0 ? undefined : some.reduce((sum, day) => sum + day.withSource, 0) / questions;
  });
}

function pointsText(total, before, days) {
  if (before.questions === 0 || total.questions === 0)
    return `${numberText(total.withSource)} of ${numberText(total.questions)}`;
  const points = Math.round(100 * (total.withSource / total.questions - before.withSource / before.questions));
  if (points === 0) return `As in the ${days} days before`;
  return `${countText(Math.abs(points), "point")} ${points > 0 ? "up" : "down"} from the ${days} days before`;
}

/** What failed has no answer to vote on. */
function voteText({ voted, questions, failed }) {
  if (voted === 0) return "No votes yet";
  const each = Math.round((questions - failed) / voted);
  return each <= 1 ? "Almost every answer gets a thumb" : `1 in ${numberText(each)} answers gets a thumb`;
}

const votes = (count, shape, says) =>
  element("span", {}, numberText(count), element("small", {}, drawn(shape), element("span.hidden", {}, says)));

export function bestAndWorst({ days, byDay, total, before }) {
  const today = byDay.at(-1);
  const shares = meanShares(byDay);
  const known = shares.filter((share) => share !== undefined);
  const range = { low: Math.min(...known) - 0.02, high: Math.max(...known) + 0.02 };
  const p95s = byDay.map(({ p95Ms }) => p95Ms);
  const medians = byDay.map(({ medianMs }) => medianMs);
  const isMeasured = total.medianMs !== undefined;
  return [
    tile(
      "With a source",
      [shareText(total.withSource, total.questions)],
      known.length > 1 ? sparkLines([{ values: shares }], range) : sparkLines([]),
      pointsText(total, before, days),
    ),
    tile(
      "Feedback",
      [votes(total.up, "up", "thumbs up"), votes(total.down, "bad", "thumbs down")],
      element("div.split-box", {}, splitBar(total.up, total.down)),
      voteText(total),
    ),
    tile(
      "Time to answer",
      isMeasured ? [durationText(total.medianMs), element("small", {}, "median")] : ["–"],
      isMeasured ? sparkLines([{ values: medians }, { values: p95s, look: "is-faint" }], { low: 0 }) : sparkLines([]),
      total.p95Ms === undefined ? "Nothing answered yet" : `p95 ${durationText(total.p95Ms)}`,
    ),
    tile(
      "Failed",
      [shareText(total.failed, total.questions)],
      sparkTicks(byDay.map(({ failed }) => failed)),
      today === undefined || today.failed === 0 ? "None today" : `${numberText(today.failed)} today`,
    ),
  ];
}

function channelName({ channel, name, isGone }) {
  if (channel === undefined) return "Direct messages";
  const known = name ?? channel;
  return element(
    "span",
    { dir: "auto" },
    `#\u00a0${plain(known)}`,
    isGone ? element("span.soft", {}, " (gone)") : undefined,
  );
}

const columns = [
  { title: "Channel", narrow: "title", cell: (row) => element("b", {}, channelName(row)) },
  { title: "Platform", cell: ({ platform }) => platformName(platform) },
  {
    title: "Agent",
    cell: ({ agent, isAgentGone }) =>
      element("span", { dir: "auto" }, `${plain(agent)}${isAgentGone ? " (gone)" : ""}`),
  },
  { title: "Answers to", cell: ({ mode }) => modes[mode] ?? "–" },
  { title: "Questions", isNumber: true, after: "questions", cell: ({ questions }) => numberText(questions) },
  {
    title: "With a source",
    isNumber: true,
    after: "with a source",
    cell: ({ withSource, questions }) => shareText(withSource, questions),
  },
  { title: "Last failure", isNumber: true, narrow: "aside", cell: failureNode },
];

function failureNode({ lastFailure }) {
  if (lastFailure === undefined) return "–";
  const { atMs, ref } = lastFailure;
  const isToday = new Date(atMs).toDateString() === new Date(nowMs()).toDateString();
  return element(
    `a.quiet-link${isToday ? ".is-failure" : ""}`,
    { href: href("questions", { parts: [ref] }) },
    timeNode(atMs, isToday ? relativeText(atMs) : dateText(atMs)),
  );
}

export function channelsPanel({ channels, moreChannels, days }) {
  if (channels.length === 0) return undefined;
  return panel(
    { title: "Channels", note: `${days} days`, link: { text: "All channels", href: href("agents") } },
    table({ columns, rows: channels, label: `Channels, ${days} days` }),
    moreChannels > 0
      ? element("p.quiet", {}, `${countText(moreChannels, "more row")} with fewer questions`)
      : undefined,
  );
}
