/** The page of one question: reads it, and puts its panels together. */
import type { ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { plain } from "../../drawing/element.ts";
import { OutLink } from "../../drawing/inline.tsx";
import { lookOfWords } from "../../drawing/long-words.ts";
import { Dotted } from "../../look/dotted.tsx";
import { loadStyle } from "../../look/load-style.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { momentText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { Problem } from "../../parts/problem.ts";
import { EmptyState } from "../../parts/state.tsx";
import { href } from "../kit/address.ts";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { platformName } from "../kit/where.tsx";
import { agentText, OutcomeChip, whereText } from "../parts/asked.tsx";
import { DetailsPanel, GapPanel, OthersPanel } from "../question/about.tsx";
import { AnswerPanel, ErrorPanel, PrivatePanel } from "../question/answer.tsx";
import { FeedbackPanel } from "../question/opinions.tsx";
import { StepsPanel } from "../question/steps.tsx";
import { TimePanel } from "../question/time.tsx";

const whileRunningMs = 3_000;
const crumb = { title: "Questions", href: href("questions") };

export async function showQuestion(view: View, asked: string): Promise<void> {
  view.setTitle(plain(asked).slice(0, 40), { crumb });
  const styles = Promise.all(["markdown", "steps", "sources", "card"].map((name) => loadStyle(`styles/${name}.css`)));
  const path = `api/admin/questions/${encodeURIComponent(asked)}`;
  const seen = await read<ShownQuestion>(path, {}, view.signal).catch((thrown: unknown) => {
    if (!(thrown instanceof Problem) || thrown.status !== 404) throw thrown;
    view.setTools();
    const action = <LinkButton href={crumb.href}>All questions</LinkButton>;
    view.draw(<EmptyState icon="search" title={thrown.what} text={thrown.hint} action={action} />);
  });
  await styles;
  if (seen === undefined || view.signal.aborted) return;
  const { listed, url, gap } = seen;
  view.setTitle(listed.ref, { crumb, isCode: true });
  view.setTools(url === undefined ? undefined : <OpenLink seen={seen} url={url} />);
  view.draw(
    <>
      <Head seen={seen} />
      <div class="columns">
        <div class="column">
          <MainPanels seen={seen} signal={view.signal} />
        </div>
        <div class="column">
          <TimePanel seen={seen} />
          {gap === undefined ? undefined : <GapPanel gap={gap} onDone={view.reload} />}
          <DetailsPanel seen={seen} />
          <OthersPanel seen={seen} />
        </div>
      </div>
    </>,
  );
  // A question that runs changes.
  if (listed.state !== "ended") view.every(whileRunningMs, view.reload);
}

function OpenLink({ seen: { listed }, url }: { readonly seen: ShownQuestion; readonly url: string }) {
  const { platform } = listed.askedIn;
  return (
    <OutLink look="action" url={url}>
      <Icon name="out" />
      <span class="label">
        {platform === "console" ? "Open the conversation" : `Open in ${platformName(platform)}`}
      </span>
    </OutLink>
  );
}

/** Longer ones are set as text, not as a headline. */
const maxHeadlineChars = 240;

function Head({ seen: { listed, texts } }: { readonly seen: ShownQuestion }) {
  const length = (texts?.question.length ?? 0) > maxHeadlineChars ? " is-long" : "";
  const look = texts === undefined ? " is-private" : `${length}${lookOfWords(texts.question)}`;
  const { agent } = listed;
  const where = (
    <>
      {texts === undefined ? undefined : (
        <>
          <bdi>{plain(texts.by)}</bdi> in{" "}
        </>
      )}
      <b dir="auto">{whereText(listed.askedIn)}</b>
    </>
  );
  const answered =
    agent === undefined ? undefined : (
      <>
        answered by <b dir="auto">{agentText(agent)}</b>
      </>
    );
  return (
    <header class="question-head">
      <h2 class={`question${look}`} dir="auto">
        {texts === undefined ? (
          <>
            <Icon name="lock" />
            Asked in private
          </>
        ) : (
          plain(texts.question) || "(empty)"
        )}
      </h2>
      <p class="question-line">
        <OutcomeChip question={listed} />
        {listed.isScheduled ? <Chip>Asked by a schedule</Chip> : undefined}
        <Dotted
          parts={[where, <Time key="asked" atMs={listed.askedAtMs} text={momentText(listed.askedAtMs)} />, answered]}
        />
      </p>
    </header>
  );
}

function MainPanels({ seen, signal }: { readonly seen: ShownQuestion; readonly signal: AbortSignal }) {
  const { texts, listed } = seen;
  if (texts === undefined) {
    return (
      <>
        <ErrorPanel seen={seen} />
        <PrivatePanel seen={seen} />
      </>
    );
  }
  return (
    <>
      <ErrorPanel seen={seen} />
      <AnswerPanel texts={texts} isEnded={listed.state === "ended"} />
      <StepsPanel seen={seen} signal={signal} />
      <FeedbackPanel seen={seen} />
    </>
  );
}
