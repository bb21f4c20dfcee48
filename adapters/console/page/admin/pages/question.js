/** The page of one question: reads it, and puts its panels together. */
import { element, plain } from "../../drawing/element.ts";
import { dotted } from "../../look/dotted.ts";
import { href } from "../kit/address.js";
import { momentText, timeNode } from "../kit/dates.js";
import { icon } from "../kit/icons.js";
import { chip, emptyState } from "../kit/parts.js";
import { Problem, read } from "../kit/request.js";
import { platformName } from "../kit/where.js";
import { agentText, detailsPanel, gapPanel, othersPanel } from "../question/about.js";
import { answerPanel, errorPanel, privatePanel } from "../question/answer.js";
import { feedbackPanel } from "../question/opinions.js";
import { stepsPanel } from "../question/steps.js";
import { timePanel } from "../question/time.js";
import { outcomeChips, whereText } from "./asked.js";

const whileRunningMs = 3_000;

export async function showQuestion(view, asked) {
  const crumb = { title: "Questions", href: href("questions") };
  view.setTitle(plain(asked).slice(0, 40), crumb);
  const seen = await read(`api/admin/questions/${encodeURIComponent(asked)}`, {}, view.signal).catch((thrown) => {
    if (!(thrown instanceof Problem) || thrown.status !== 404) throw thrown;
    view.setTools();
    view.draw(
      emptyState({
        icon: "search",
        title: thrown.what,
        text: thrown.hint,
        action: element("a.action", { href: crumb.href }, "All questions"),
      }),
    );
  });
  if (seen === undefined || view.signal.aborted) return;
  const { listed } = seen;
  view.setTitle(element("span.code", {}, listed.ref), crumb);
  view.setTools(...(seen.url === undefined ? [] : [openLink(seen)]));
  view.draw(
    head(seen),
    element(
      "div.columns",
      {},
      element("div.column", {}, ...mainPanels(view, seen)),
      element("div.column", {}, ...sidePanels(view, seen)),
    ),
  );
  // A question that runs changes.
  if (listed.state !== "ended") view.every(whileRunningMs, () => view.reload());
}

function openLink({ url, listed }) {
  const { platform } = listed.askedIn;
  const text = platform === "console" ? "Open the conversation" : `Open in ${platformName(platform)}`;
  return element(
    "a.action",
    { href: url, target: "_blank", rel: "noopener noreferrer" },
    icon("out"),
    element("span.label", {}, text),
  );
}

/** Longer ones are set as text, not as a headline. */
const maxHeadlineChars = 240;

function head({ listed, texts }) {
  const look = texts === undefined ? ".is-private" : texts.question.length > maxHeadlineChars ? ".is-long" : "";
  const who = texts === undefined ? [] : [element("bdi", {}, plain(texts.by)), " in "];
  const answered =
    listed.agent === undefined ? undefined : ["answered by ", element("b", { dir: "auto" }, agentText(listed))];
  const [first] = outcomeChips(listed);
  return element(
    "header.question-head",
    {},
    element(
      `h2.question${look}`,
      { dir: "auto" },
      ...(texts === undefined ? [icon("lock"), "Asked in private"] : [plain(texts.question) || "(empty)"]),
    ),
    element(
      "p.question-line",
      {},
      first,
      listed.isScheduled ? chip("Asked by a schedule") : undefined,
      dotted([
        [...who, element("b", { dir: "auto" }, whereText(listed.askedIn))],
        timeNode(listed.askedAtMs, momentText(listed.askedAtMs)),
        answered,
      ]),
    ),
  );
}

function mainPanels(view, seen) {
  const { listed, texts } = seen;
  const error = errorPanel(seen);
  if (texts === undefined) return [...error, privatePanel(seen)];
  const answer = answerPanel(texts, listed);
  const votes = feedbackPanel(seen);
  return [...error, ...answer, stepsPanel(view, seen), ...votes];
}

function sidePanels(view, seen) {
  const gap = seen.gap === undefined ? [] : [gapPanel(seen.gap, () => view.reload())];
  return [timePanel(seen), ...gap, detailsPanel(seen), ...othersPanel(seen)];
}
