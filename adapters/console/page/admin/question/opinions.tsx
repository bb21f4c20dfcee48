/** What people think of an answer: their votes, with reasons and comments. */
import type { FeedbackReason } from "../../../../../src/core/model/insight.ts";
import type { SeenVote, ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Thumbs } from "../../parts/chip.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Time } from "../kit/time.tsx";
import { votesOf } from "../parts/asked.tsx";

export const voteReasons: Readonly<Record<FeedbackReason, string>> = {
  wrong: "Wrong",
  incomplete: "Incomplete",
  outdated: "Outdated",
  "not-what-i-asked": "Not what I asked",
};

function Opinion({ vote: { thumb, reason, comment, by, atMs, wantsToKnow } }: { readonly vote: SeenVote }) {
  const title = reason === undefined ? (thumb === "up" ? "Helpful" : "Not helpful") : voteReasons[reason];
  return (
    <li class="opinion">
      <Thumbs thumb={thumb} />
      <div>
        <p class="opinion-title">{title}</p>
        {comment ? <p dir="auto">{`“${plain(comment)}”`}</p> : undefined}
        <p class="soft">
          <bdi>{plain(by) || "Someone"}</bdi>
          {atMs === undefined ? undefined : (
            <>
              , <Time atMs={atMs} />
            </>
          )}
          {wantsToKnow ? " · wants to know when it is fixed" : ""}
        </p>
      </div>
    </li>
  );
}

export function FeedbackPanel({ seen: { listed, texts } }: { readonly seen: ShownQuestion }) {
  const { up, down } = votesOf(listed);
  if (up + down === 0) return null;
  const count = [
    up > 0 ? <Thumbs thumb="up" count={up} /> : undefined,
    down > 0 ? <Thumbs thumb="down" count={down} /> : undefined,
  ];
  return (
    <Panel title="Feedback" note={<Dotted parts={count} />}>
      <ul class="opinions" role="list">
        {texts?.votes.map((vote) => (
          <Opinion key={`${vote.by} ${vote.atMs}`} vote={vote} />
        ))}
      </ul>
    </Panel>
  );
}
