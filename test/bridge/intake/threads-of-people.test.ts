/** Random talk of several people in one thread: whatever they say, nobody is answered who did not want it, or twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alice, bob, thread } from "../../doubles/people.ts";
import { runs } from "../../properties.ts";
import { createHarness, type Harness } from "../harness.ts";

const carol = { ...bob, id: "U3", name: "Carol" };
const robot = { ...bob, id: "B1", name: "Robot", isBot: true };
const people = [alice, bob, carol, robot];

/** What wants no answer, whatever was said before. */
const idle = ["Good to know.", "see https://example.com/?a=1", "`why?`", "> is it?"];
const texts = ["And on Sundays?", "and on Sundays", "thanks!", "ok", "👍", "@Jo is it?", "/kb list", ...idle];

type Step =
  | { readonly kind: "say"; readonly who: number; readonly text: string; readonly isMention: boolean }
  | { readonly kind: "edit" | "delete" | "again"; readonly which: number; readonly text: string }
  | { readonly kind: "wait"; readonly minutes: number }
  | { readonly kind: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("say" as const),
      who: fc.nat(people.length - 1),
      text: fc.constantFrom(...texts),
      isMention: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("edit" as const, "delete" as const, "again" as const),
      which: fc.nat(30),
      text: fc.constantFrom(...texts),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

type Said = { readonly event: Record<string, unknown>; readonly text: string; readonly isMention: boolean };

async function play(parley: Harness, steps: readonly Step[], asks: boolean): Promise<readonly Said[]> {
  const said: Said[] = [];
  // A restart in the harness doesn't end a neighbour.
  const restarts = steps.some(({ kind }) => kind === "restart");
  const neighbour = restarts ? undefined : parley.neighbour();
  let answered = 0;
  const answerAll = async () => {
    for (;;) {
      await parley.settle();
      const run = parley.agents.runs[answered];
      if (run === undefined) return;
      answered += 1;
      run.answer(asks ? `Answer ${answered}. Should I look further?` : `Answer ${answered}.`);
    }
  };
  for (const [index, now] of steps.entries()) {
    const order = String(200 + index).padStart(10, "0");
    const to = index % 2 === 0 ? parley.bridge() : (neighbour ?? parley.bridge());
    const last = said[said.length === 0 ? 0 : "which" in now ? now.which % said.length : 0];
    if (now.kind === "say") {
      const event = {
        ...{ eventKey: `memory/T1/m/${index}`, order, messageId: String(200 + index), place: thread },
        ...{ actor: people[now.who], mentionsParley: now.isMention, addressesOthers: now.text.startsWith("@Jo") },
      };
      said.push({ event, text: now.text, isMention: now.isMention });
      await parley.say(now.text, event, to).done;
    } else if (now.kind === "wait") await parley.settle(now.minutes * 60_000);
    else if (now.kind === "restart") await parley.restart();
    else if (last !== undefined) {
      if (now.kind === "again") await parley.say(last.text, { ...last.event, isRepeated: true }, to).done;
      else
        await parley.send(
          {
            ...last.event,
            ...{ kind: now.kind === "edit" ? "message-edited" : "message-deleted", text: now.text, attachments: [] },
            ...{ questionKey: last.event["eventKey"], eventKey: `memory/T1/e/${index}`, conversation: thread },
            ...{ order, isDirect: false, addressesOthers: now.text.startsWith("@Jo") },
          },
          to,
        ).done;
    }
    if (index % 3 !== 2) await answerAll();
  }
  await answerAll();
  return said;
}

describe("a thread of several people", () => {
  it.each(["thread", "channel", "mention"] as const)(
    "gives each question one ending in mode %s, with edits, deletions, redeliveries, and restarts",
    { timeout: 120_000 },
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.boolean(), async (steps, asks) => {
          const add = async () => {};
          const parley = await createHarness({ platform: { reactions: { add, remove: add } } });
          try {
            await parley.bindings().setChannel(thread, { mode });
            parley.agents.set({ agents: [{ name: "guide", knowledgeBases: ["docs"] }], knowledgeBases: ["docs"] });
            const said = await play(parley, steps, asks);
            const turns = await parley.state().turns.recent(100);
            expect(parley.platform.violations).toEqual([]);
            expect(new Set(turns.map(({ eventKey }) => eventKey)).size).toBe(turns.length);
            for (const turn of turns) {
              const origin = said.find(({ event }) => event["eventKey"] === turn.eventKey);
              expect(["answered", "stopped", "failed"]).toContain(turn.state);
              expect(turn.actor.isBot).toBe(false);
              if (origin?.isMention === true) continue;
              expect(mode).not.toBe("mention");
              expect(origin?.text.startsWith("@Jo")).toBe(false);
              expect(origin?.text.startsWith("/")).toBe(false);
              // A question to nobody in particular shows nothing without a source.
              if (turn.isQuiet === true) expect(turn.reply.parts).toEqual([]);
            }
            const shown = turns.filter((turn) => turn.isQuiet !== true);
            const marks = parley.platform.thread(thread).map(({ mark }) => mark.replyId);
            expect([...new Set(marks)].sort()).toEqual(shown.map(({ id }) => id).sort());
            expect(marks).toHaveLength(shown.length);
          } finally {
            await parley.stop();
          }
        }),
        { numRuns: runs(12) },
      );
    },
  );
});
