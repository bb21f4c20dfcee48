/** The people on Slack: they ask, follow up and press buttons. Slack redelivers old events. */
import { general, type Town } from "../reliability/towns/slack-town.ts";
import type { Askers, Book } from "./book.ts";
import type { Chance } from "./chance.ts";
import { tagOf } from "./stories.ts";

const people = ["U0ALICE", "U0BOB", "U0GUEST"] as const;

export function createSlackAskers({ slack }: Town, book: Book, chance: Chance): Askers {
  const threads: string[] = [];
  // By "Your answer is ready".
  for (const id of people) slack.world.mayBePinged.add(id);
  return {
    ask: () => {
      const tag = book.nextTag();
      const thread = chance.happens(0.4) ? chance.any(threads) : undefined;
      const person = slack.person(chance.pick(people));
      const said = person.mention(general, `what about ${tag}`, thread === undefined ? {} : { thread });
      if (thread === undefined) threads.push(said.ts);
      let isTaken = false;
      const settled = said.delivered.then((deliveries) => {
        isTaken = deliveries.some((delivery) => delivery.isAcknowledged);
      });
      book.add({
        ...{ tag, platform: "slack", thread: thread ?? said.ts, settled, isTaken: () => isTaken },
        eventKey: `slack/T0ACME/${general}/${said.ts}`,
      });
    },
    press: (label) => {
      const message = chance.any(
        [...slack.world.messages.values()].filter(
          ({ bot_id, blocks }) => bot_id !== undefined && JSON.stringify(blocks).includes(`"${label}"`),
        ),
      );
      if (message === undefined) return;
      book.press(message.thread_ts);
      void slack.person("U0ALICE").click(message.ts, label);
    },
    repeat: () => {
      const event = chance.any(
        slack.deliveries.all.filter(
          ({ type, payload }) => type === "events_api" && tagOf(JSON.stringify(payload)) !== "",
        ),
      );
      if (event === undefined) return;
      book.repeat();
      void slack.deliveries.deliver("events_api", event.payload);
    },
  };
}
