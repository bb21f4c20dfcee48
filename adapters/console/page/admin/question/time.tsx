/** How long each part of a question took: a bar, and the figures. */
import type { ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { durationText, relativeText } from "../../parts/dates.ts";
import { Facts, Panel } from "../../parts/panel.tsx";
import { platformName } from "../kit/where.tsx";

const barWidth = 1_000;
const spacing = 6;

type Part = { readonly name: string; readonly kind: string; readonly ms: number };

function partsOf({ times, listed }: ShownQuestion): readonly Part[] {
  const { platform } = listed.askedIn;
  const shown = platform === "console" ? "Shown on the page" : `Shown in ${platformName(platform)}`;
  const all = [
    { name: "Waited", kind: "wait", ms: times.waitedMs },
    { name: "Steps", kind: "steps", ms: times.stepsMs },
    { name: "Answer", kind: "answer", ms: times.answerMs },
    { name: shown, kind: "shown", ms: times.shownMs },
  ];
  return all.flatMap(({ ms, ...part }) => (ms === undefined ? [] : [{ ...part, ms }]));
}

function TimeBar({ parts }: { readonly parts: readonly Part[] }) {
  const sum = parts.reduce((all, { ms }) => all + ms, 0) || 1;
  return (
    <svg class="time-bar" viewBox={`0 0 ${barWidth} 10`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ kind, ms }, at) => {
        const before = parts.slice(0, at).reduce((all, part) => all + part.ms, 0);
        const width = (ms / sum) * barWidth;
        const drawn = Math.max(4, at === parts.length - 1 ? width : width - spacing);
        return <rect key={kind} class={`is-${kind}`} x={(before / sum) * barWidth} width={drawn} height={10} />;
      })}
    </svg>
  );
}

export function TimePanel({ seen }: { readonly seen: ShownQuestion }) {
  const { times, listed } = seen;
  if (times.totalMs === undefined) {
    return (
      <Panel title="Time">
        <p class="soft">{`Asked ${relativeText(listed.askedAtMs)}.`}</p>
      </Panel>
    );
  }
  const parts = partsOf(seen);
  const name = ({ name: text, kind }: Part) => (
    <span>
      <i class={`key is-${kind}`} />
      {text}
    </span>
  );
  return (
    <Panel title="Time">
      {parts.length > 1 ? <TimeBar parts={parts} /> : undefined}
      <Facts
        pairs={[
          ...parts.map((part) => [name(part), durationText(part.ms)] as const),
          [<b key="total">Total</b>, <b key="total">{durationText(times.totalMs)}</b>],
        ]}
      />
    </Panel>
  );
}
