/** The steps of an answer: one below the other while it runs, and each in one line once they are folded. */
import type { Block, StepLine } from "../../../../src/core/document.ts";
import { Icon } from "../parts/icon.tsx";
import type { Shape } from "../parts/shapes.ts";
import { Words } from "./inline.tsx";
import { StepSources } from "./sources.tsx";

export function Mark({ shape, says }: { readonly shape: Shape | undefined; readonly says: string }) {
  return (
    <span class="mark">
      {shape === undefined ? <span class="spinner" aria-hidden="true" /> : <Icon name={shape} />}
      <span class="hidden">{says}: </span>
    </span>
  );
}

export const stepMarks = {
  done: { shape: "check", says: "Done" },
  failed: { shape: "cross", says: "Failed" },
  running: { shape: undefined, says: "Now" },
} as const;

/** One line; what it found unfolds below it. */
function FoldedStep({ step: { state, title, detail, sources = [] } }: { readonly step: StepLine }) {
  const line = (
    <span class="step-title">
      <Words spans={title} />
      {detail === undefined ? undefined : (
        <span class="step-detail">
          {" · "}
          <Words spans={detail} />
        </span>
      )}
    </span>
  );
  return (
    <li class={`step is-${state}`}>
      <Mark {...stepMarks[state]} />
      {sources.length === 0 ? (
        line
      ) : (
        <details class="step-found">
          <summary>
            {line}
            <Icon name="unfold" />
          </summary>
          <StepSources sources={sources} />
        </details>
      )}
    </li>
  );
}

function Step({ step: { state, title, detail, sources } }: { readonly step: StepLine }) {
  return (
    <li class={`step is-${state}`}>
      <Mark {...stepMarks[state]} />
      <div>
        <div class="step-title">
          <Words spans={title} />
        </div>
        {detail === undefined ? undefined : (
          <div class="step-detail">
            <Words spans={detail} />
          </div>
        )}
        <StepSources sources={sources} />
      </div>
    </li>
  );
}

/** `isFolded`: below an answer, where each is one line. */
export function Steps({
  block: { earlier, steps },
  isFolded,
}: {
  readonly block: Extract<Block, { readonly kind: "steps" }>;
  readonly isFolded: boolean;
}) {
  const Line = isFolded ? FoldedStep : Step;
  return (
    <ol class="steps" role="list">
      {earlier > 0 ? (
        <li class="step is-earlier">
          <span class="mark" />
          {`${earlier} earlier ${earlier === 1 ? "step" : "steps"}`}
        </li>
      ) : undefined}
      {steps.map((step, at) => (
        // Steps only follow: the place of one stays.
        <Line key={at} step={step} />
      ))}
    </ol>
  );
}
