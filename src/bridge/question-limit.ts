import type { App } from "../app.ts";
import { channelKey, personKey } from "../core/model/place.ts";
import type { PlaceInLine, Turn } from "../core/model/turn.ts";
import type { Bucket } from "../core/ports/state.ts";

export type QuestionLimit = {
  /** Resolves when the question can be asked; rejects with the signal's reason. */
  readonly wait: (
    turn: Pick<Turn, "actor" | "conversation">,
    signal: AbortSignal,
    onWait: (place: PlaceInLine) => void,
  ) => Promise<void>;
};

export function createQuestionLimit(app: App): QuestionLimit {
  const { clock } = app;
  const { questionLimits: settings } = app.settings;
  const { coordinator } = app.state;
  const perMinute = (count: number): Bucket => ({ capacity: count, refillPerMinute: count });
  const person = perMinute(settings.questionsPerPersonPerMinute);
  const channel = perMinute(settings.questionsPerChannelPerMinute);

  async function pass(
    key: string,
    bucket: Bucket,
    signal: AbortSignal,
    onPosition: (position: number) => void,
  ): Promise<void> {
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

  return {
    wait: async (turn, signal, onWait) => {
      const { actor, conversation } = turn;
      const ofPerson = `questions/${personKey(conversation, actor)}`;
      const ofChannel = `questions/channel/${channelKey(conversation)}`;
      // In parallel, because each is a round trip.
      await Promise.all([
        pass(ofPerson, person, signal, (position) => onWait({ kind: "person-limit", position })),
        pass(ofChannel, channel, signal, (position) => onWait({ kind: "channel-limit", position })),
      ]);
    },
  };
}
