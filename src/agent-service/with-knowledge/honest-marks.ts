/** Takes numbers out of an answer that cite no passage, also while it is written. */
import type { AgentEvent } from "../../core/model/agent-event.ts";
import { createMarkReader, honestMark, replaceMarks } from "../citation-marks.ts";

/** Where an agent's own number leads: `[9]: https://…`, `[^9]: a note`. */
const definition = /^[ \t]{0,3}\[\^?(\d{1,3})\]:/gm;

/** `numbers`: of the passages that the agent was sent. Without any it was told nothing about numbers, so all stay. */
export async function* withHonestMarks(
  events: AsyncIterable<AgentEvent>,
  numbers: ReadonlySet<number> | undefined,
): AsyncGenerator<AgentEvent> {
  if (numbers === undefined || numbers.size === 0) {
    yield* events;
    return;
  }
  const begin = () => createMarkReader((mark) => honestMark(mark, (number) => numbers.has(number)));
  let reader = begin();
  let written = "";
  let shown = "";
  const more = (text: string): readonly AgentEvent[] => {
    shown += text;
    return text === "" ? [] : [{ type: "answer-delta", text }];
  };
  /** What is held, and the whole again if the agent itself says later where a number leads. */
  const rest = (): readonly AgentEvent[] => {
    const held = more(reader.end());
    const whole = honestAnswer(written, numbers);
    if (whole === shown) return held;
    shown = whole;
    return [{ type: "answer", text: whole }];
  };
  try {
    for await (const event of events) {
      if (event.type === "answer-delta") {
        written += event.text;
        yield* more(reader.push(event.text));
        continue;
      }
      if (event.type === "answer") {
        reader = begin();
        [written, shown] = ["", ""];
        // What it cites itself is listed after the passages.
        const listed = numbers.size + (event.sources?.length ?? 0);
        yield { ...event, text: honestAnswer(event.text, numbers, listed) };
        continue;
      }
      if (event.type === "ended" || event.type === "failed") yield* rest();
      yield event;
    }
  } catch (thrown) {
    yield* rest();
    throw thrown;
  }
}

/** `listed`: sources below the answer. */
export function honestAnswer(text: string, numbers: ReadonlySet<number> | undefined, listed = 0): string {
  if (numbers === undefined || numbers.size === 0) return text;
  const own = new Set([...text.matchAll(definition)].map(([, number]) => Number(number)));
  const isKnown = (number: number) =>
    numbers.has(number) || own.has(number) || (listed > numbers.size && number <= listed);
  return replaceMarks(text, (mark) => honestMark(mark, isKnown));
}
