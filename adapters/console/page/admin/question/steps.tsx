/** What the agent did for a question: each step with its passages, and what the service sent. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Source } from "../../../../../src/core/model/turn.ts";
import type { RawStep, SeenStep, ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { Code } from "../../drawing/drawn-markdown.ts";
import { plain } from "../../drawing/element.ts";
import { Button } from "../../parts/button.tsx";
import { dateText, durationText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { countText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Problem } from "../../parts/problem.ts";
import { read } from "../kit/request.ts";
import { SourceTitle } from "./answer.tsx";

const percent = (relevance: number) => `${Math.round(relevance * 100)}%`;

const marks = {
  done: { shape: "check", says: "Done" },
  failed: { shape: "cross", says: "Failed" },
  running: { shape: "refresh", says: "Running" },
} as const;

export function StepsPanel({
  seen: { listed, texts },
  signal,
}: {
  readonly seen: ShownQuestion;
  readonly signal: AbortSignal;
}) {
  const { steps = [], omittedSteps = 0 } = texts ?? {};
  const empty = listed.state === "ended" ? "The agent used no tools." : "None yet.";
  return (
    <Panel title="Steps" note={steps.length === 0 ? undefined : countText(steps.length + omittedSteps, "step")}>
      {steps.length === 0 ? <p class="soft">{empty}</p> : undefined}
      <ol class="steps">
        {steps.map((step, at) => (
          // A step's place is its name, here and on the server.
          <Step key={at} step={step} read={() => readRaw(listed.id, at, signal)} id={`raw-${at}`} />
        ))}
      </ol>
      {omittedSteps === 0 ? undefined : <p class="soft">{countText(omittedSteps, "further step")} not stored.</p>}
    </Panel>
  );
}

function readRaw(id: string, at: number, signal: AbortSignal): Promise<RawStep> {
  return read<RawStep>(`api/admin/questions/${encodeURIComponent(id)}/steps/${at}`, {}, signal);
}

function Step({
  step,
  ...raw
}: {
  readonly step: SeenStep;
  readonly id: string;
  readonly read: () => Promise<RawStep>;
}) {
  const { shape, says } = marks[step.state];
  return (
    <li class={`step is-${step.state}`}>
      <span class="mark">
        <Icon name={shape} />
        <span class="hidden">{says}</span>
      </span>
      <div class="step-body">
        <p class="step-title" dir="auto">
          {step.title.map(({ text, style }) =>
            style === "bold" ? <b key={text}>{plain(text)}</b> : <span key={text}>{plain(text)}</span>,
          )}
          {step.found === undefined ? undefined : <span class="soft">{`: ${plain(step.found)}`}</span>}
        </p>
        {step.tookMs === undefined ? undefined : <span class="step-time">{durationText(step.tookMs)}</span>}
        {step.passages.map((passage, at) => (
          // Two passages can be of one page.
          <Passage key={at} source={passage} />
        ))}
        {step.hasRaw ? <Raw {...raw} /> : undefined}
      </div>
    </li>
  );
}

function Passage({ source }: { readonly source: Source }) {
  const { relevance, excerpt, updatedAtMs } = source;
  return (
    <div class="found" dir="auto">
      <p class="found-title">
        <SourceTitle source={source} />
        {relevance === undefined ? undefined : <span class="soft">{percent(relevance)}</span>}
      </p>
      {excerpt ? <p>{plain(excerpt)}</p> : undefined}
      {updatedAtMs === undefined ? undefined : <p class="soft">{`From ${dateText(updatedAtMs)}`}</p>}
    </div>
  );
}

/** What the service sent, only once someone asks for it. */
function Raw({ id, read: readStep }: { readonly id: string; readonly read: () => Promise<RawStep> }) {
  const [shown, setShown] = useState<ComponentChildren>();
  const toggle = async () => {
    if (shown !== undefined) return setShown(undefined);
    try {
      const { reason, input, output } = await readStep();
      const parts = [
        { name: "Reason", text: reason },
        { name: "Input", text: input },
        { name: "Output", text: output },
      ];
      const given = parts.filter(({ text }) => text.trim() !== "");
      setShown(given.map(({ name, text }) => <Code key={name} name={name} text={text} />));
    } catch (thrown) {
      const what = thrown instanceof Problem ? thrown.what : "That step can't be read now.";
      setShown(
        <p class="is-failure" role="alert">
          {what}
        </p>,
      );
    }
  };
  return (
    <div class="raw-part">
      <Button press={toggle} isSmall isOpen={shown !== undefined} controls={id}>
        Raw
      </Button>
      <div class="raw" id={id}>
        {shown}
      </div>
    </div>
  );
}
