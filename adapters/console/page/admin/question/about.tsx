/** What is known about a question beside its answer: its gap, its reference, its asker, and its conversation. */
import type { GapLine } from "../../../../../src/overview/pages/gaps.ts";
import type { ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { plain } from "../../drawing/element.ts";
import { CopyButton, LinkButton } from "../../parts/button.tsx";
import { dateText, momentText, relativeText } from "../../parts/dates.ts";
import { countText, numberText } from "../../parts/numbers.ts";
import { Facts, Panel } from "../../parts/panel.tsx";
import { Row, Rows } from "../../parts/row.tsx";
import { href } from "../kit/address.ts";
import { Time } from "../kit/time.tsx";
import { agentText, outcomeText, QuestionText, questionHref, whereText } from "../parts/asked.tsx";
import { GapActions, gapHref } from "../parts/gap-row.tsx";

const gapStates = { open: "Open", answered: "Answered", dismissed: "Dismissed" };

/** What can be done about the gap is done from here as from its own page. */
export function GapPanel({ gap, onDone }: { readonly gap: GapLine; readonly onDone: () => unknown }) {
  const people = `${countText(gap.people, "person", "people")} asked this since ${dateText(gap.createdAtMs)}.`;
  return (
    <Panel title="Gap" link={{ text: "Show", href: gapHref(gap) }}>
      <p>{people}</p>
      <p class="soft">{`${gapStates[gap.state]} · last asked ${relativeText(gap.lastAtMs)}`}</p>
      {gap.place === undefined ? undefined : (
        <p class="panel-actions">
          <GapActions gap={gap} onDone={onDone} isOpen />
        </p>
      )}
    </Panel>
  );
}

export function DetailsPanel({ seen }: { readonly seen: ShownQuestion }) {
  const { listed, attempt, traceId, stepCount, texts } = seen;
  const { agent } = listed;
  const answeredBy =
    agent === undefined ? undefined : (
      <a href={href("questions", { query: { agent: agent.key } })} dir="auto">
        {agentText(agent)}
      </a>
    );
  const person = (name: string | undefined) => (name === undefined ? undefined : <bdi>{plain(name)}</bdi>);
  return (
    <Panel title="Details">
      <Facts
        pairs={[
          [
            "Reference",
            <span key="ref" class="mono">
              {listed.ref}
            </span>,
          ],
          ["Outcome", outcomeText(listed)],
          ["Asked", <Time key="asked" atMs={listed.askedAtMs} text={momentText(listed.askedAtMs)} />],
          ["Asked by", person(texts?.by)],
          [
            "Where",
            <span key="where" dir="auto">
              {whereText(listed.askedIn)}
            </span>,
          ],
          ["Agent", answeredBy],
          ["Steps", numberText(stepCount)],
          ["Attempts", attempt > 1 ? numberText(attempt) : undefined],
          ["Stopped by", person(texts?.stoppedBy)],
          ["Trace", traceId === undefined ? undefined : <span class="mono">{plain(traceId)}</span>],
        ]}
      />
      <p class="panel-actions">
        <CopyButton label="Copy reference" read={() => listed.ref} />
        {texts === undefined ? undefined : (
          <LinkButton href={href("system", { query: { person: texts.person } })}>Asker's data</LinkButton>
        )}
      </p>
    </Panel>
  );
}

export function OthersPanel({ seen: { others, moreOthers } }: { readonly seen: ShownQuestion }) {
  if (others.length === 0) return null;
  return (
    <Panel title="Same conversation" note={countText(others.length + moreOthers, "question")}>
      <Rows>
        {others.map((other) => (
          <Row
            key={other.id}
            title={
              <a href={questionHref(other)}>
                <QuestionText question={other} />
              </a>
            }
            line={
              <span>
                {outcomeText(other)} · <Time atMs={other.askedAtMs} />
              </span>
            }
          />
        ))}
      </Rows>
      {moreOthers === 0 ? undefined : <p class="soft">{`${numberText(moreOthers)} more`}</p>}
    </Panel>
  );
}
