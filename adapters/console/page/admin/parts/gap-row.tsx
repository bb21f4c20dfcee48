/** A gap in a list, and what can be done about it. */
import type { Signal } from "../../../../../src/core/model/insight.ts";
import type { GapLine } from "../../../../../src/overview/pages/gaps.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Thumbs } from "../../parts/chip.tsx";
import { relativeText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { countText } from "../../parts/numbers.ts";
import { Row } from "../../parts/row.tsx";
import { ActButton, type ActRequest, type OnDone } from "../kit/act.tsx";
import { href } from "../kit/address.ts";
import type { workspaceNames } from "../kit/where.tsx";

/** Why a gap is one. */
export const signals: Readonly<Record<Signal, string>> = {
  "thumbs-down": "thumbs down",
  nothing: "no answer",
  unsure: "not sure",
  "asked-again": "asked again",
};

export const gapHref = ({ key }: Pick<GapLine, "key">): string =>
  href("gaps", { parts: key.split("/").map(decodeURIComponent) });

export function GapTitle({ question }: Pick<GapLine, "question">) {
  if (question !== undefined) return <>{plain(question)}</>;
  return (
    <>
      <Icon name="lock" />
      Asked in private
    </>
  );
}

/** What can be done about a gap. `isOpen`: it is shown alone, with all of it; `isShort`: only what matters most. */
export function GapActions({
  gap: { id, place, state, merged },
  onDone,
  isOpen = false,
  isShort = false,
}: {
  readonly gap: GapLine;
  readonly onDone: OnDone;
  readonly isOpen?: boolean;
  readonly isShort?: boolean;
}) {
  if (place === undefined) return null;
  const button = (text: string, action: string, look?: "primary", value = id) => {
    const request: ActRequest = { place, kind: "action", action, value };
    return (
      <ActButton key={`${action} ${value}`} request={request} onDone={onDone} look={look}>
        {text}
      </ActButton>
    );
  };
  if (state === "dismissed") return button("Open again", "gap-reopen");
  const add = button("Add the answer", "add-answer", isOpen ? "primary" : undefined);
  if (state === "answered" || isShort) return add;
  return (
    <>
      {add}
      {isOpen ? button("Merge", "gap-merge") : undefined}
      {button("Dismiss", "gap-dismiss")}
      {isOpen ? merged.map((one) => button("Undo merge", "gap-split", undefined, `${id} ${one.id}`)) : undefined}
    </>
  );
}

/** `isShort`: with the one button that matters most. */
export function GapRow({
  gap,
  workspaceText,
  onDone,
  isShort = false,
}: {
  readonly gap: GapLine;
  readonly workspaceText: ReturnType<typeof workspaceNames>;
  readonly onDone: OnDone;
  readonly isShort?: boolean;
}) {
  const { people, lastAtMs, agent, thumbsDown, question } = gap;
  const words = [
    countText(people, "person", "people"),
    relativeText(lastAtMs),
    plain(agent),
    workspaceText(gap),
    ...gap.signals.filter((one) => one !== "thumbs-down").map((one) => signals[one]),
    thumbsDown > 0 ? <Thumbs thumb="down" count={thumbsDown} /> : undefined,
  ];
  return (
    <Row
      title={
        <a class={`entry-link${question === undefined ? " is-private" : ""}`} href={gapHref(gap)}>
          <GapTitle question={question} />
        </a>
      }
      line={<Dotted parts={words} />}
      actions={<GapActions gap={gap} onDone={onDone} isShort={isShort} />}
    />
  );
}
