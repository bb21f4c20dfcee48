/** How many questions a minute one person, and one channel, can have asked: the others wait in line. */

import type { App } from "../app.ts";
import { channelKey, personKey } from "../core/model/place.ts";
import type { PlaceInLine, Turn } from "../core/model/turn.ts";
import type { Bucket } from "../core/ports/state.ts";

/** Resolves when the question can be asked; rejects with the signal's reason. */
export async function waitForQuestionLimit(
  { actor, conversation }: Turn,
  signal: AbortSignal,
  onWait: (place: PlaceInLine) => void,
  app: App,
): Promise<void> {
  const { questionsPerPersonPerMinute, questionsPerChannelPerMinute } = app.settings.questionLimits;
  const person = { key: `questions/${personKey(conversation, actor)}`, perMinute: questionsPerPersonPerMinute };
  const channel = { key: `questions/channel/${channelKey(conversation)}`, perMinute: questionsPerChannelPerMinute };
  // In parallel, because each is a round trip.
  await Promise.all([
    pass(person, signal, (position) => onWait({ kind: "person-limit", position }), app),
    pass(channel, signal, (position) => onWait({ kind: "channel-limit", position }), app),
  ]);
}

async function pass(
  { key, perMinute }: { readonly key: string; readonly perMinute: number },
  signal: AbortSignal,
  onPosition: (position: number) => void,
  { clock, state: { coordinator } }: App,
): Promise<void> {
  const bucket: Bucket = { capacity: perMinute, refillPerMinute: perMinute };
  const first = await coordinator.takeToken(key, bucket, 0);
  if (first.taken) return;
  onPosition(1);
  // Wait in line, so that only the first one asks for the next token. A lost lease only means that two of them ask.
  const lease = await coordinator.lease(`line/${key}`, {
    signal,
    onPosition: (position) => onPosition(position + 1),
  });
  try {
    onPosition(1);
    for (let wait = first.waitMs; ; ) {
      await clock.sleep(wait, signal);
      const verdict = await coordinator.takeToken(key, bucket, 0);
      if (verdict.taken) return;
      wait = verdict.waitMs;
    }
  } finally {
    await lease.release();
  }
}
