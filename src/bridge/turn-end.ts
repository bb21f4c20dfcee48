/**
 * The end of a Turn: stored, remembered, shown, recorded as shown, in that order, so that a process that dies in between is
 * followed by one that goes on there.
 */
import { errorDocument, unshownDocument } from "../presentation/notice.ts";
import { turnDocument } from "../presentation/turn-document.ts";
import { withContext } from "./context.ts";
import { toParleyError } from "./errors.ts";
import { withEntry, withoutEntry } from "./history.ts";
import type { ReplyWriter } from "./ports/delivery.ts";
import { sayElsewhere } from "./say-elsewhere.ts";
import type { Site, TurnDeps } from "./turn-life.ts";
import { storePatienceMs, type TurnRecord } from "./turn-record.ts";
import { keepTrying } from "./waiting.ts";
import type { Turn, TurnView } from "./words.ts";

/**
 * Outcome stored and history written (side by side: both can be done twice), end shown, end recorded. Each is repeatable,
 * so a process that dies between two of them is followed by one that goes on there.
 */
export async function endTurn(
  record: TurnRecord,
  view: TurnView,
  question: string | undefined,
  writer: ReplyWriter,
  site: Site,
  deps: TurnDeps,
): Promise<void> {
  const turn = record.turn();
  const { history } = deps.settings;
  const asked = question ?? withContext(turn.context ?? "", turn.question);
  const remember = () =>
    deps.conversations.update(turn.conversation, (conversation) =>
      view.state === "answered"
        ? withEntry(conversation, entryOf(turn, view, asked), history)
        : withoutEntry(conversation, turn.id),
    );
  const [isStored, isRemembered] = await Promise.all([
    record.move("running", { outcome: view }, 2_000),
    remember().then(
      () => true,
      () => false,
    ),
  ]);
  if (isStored === "refused") return;
  try {
    const { stopRequestedBy } = record.turn();
    const options = stopRequestedBy === undefined ? {} : { stoppedBy: stopRequestedBy };
    await writer.finish(turnDocument(view, deps.clock.now(), options), record.taken);
  } catch (failure) {
    if (record.taken.aborted) return;
    const error = toParleyError(failure);
    deps.log.warn({ err: error, turnId: turn.id, ref: turn.ref }, "An end could not be shown in its place");
    const documents = { outside: errorDocument(error, turn.ref), direct: unshownDocument(turn, error) };
    await sayElsewhere({ ...turn, shownIn: turn.conversation }, documents, { ...site, log: deps.log });
  }
  if (!isRemembered) await keepTrying(remember, { clock: deps.clock, forMs: storePatienceMs });
  await record.move(outcomeOf(view), { endedAtMs: view.endedAtMs ?? deps.clock.now() });
  const { code } = view.error ?? {};
  deps.log.info(
    { turnId: turn.id, ref: turn.ref, outcome: view.state, steps: view.steps.length, code },
    "A question ended",
  );
}

function entryOf(turn: Turn, view: TurnView, question: string) {
  const table = view.answerTable;
  const rows = table?.rows.slice(0, 20).map((row) => row.join(" | ")) ?? [];
  const text = view.answer ?? "";
  const answer =
    table === undefined ? text : [text, table.columns.join(" | "), ...rows].filter((line) => line !== "").join("\n");
  return { turnId: turn.id, question, answer };
}

export function outcomeOf(view: TurnView): "answered" | "failed" | "stopped" {
  return view.state === "answered" || view.state === "stopped" ? view.state : "failed";
}
