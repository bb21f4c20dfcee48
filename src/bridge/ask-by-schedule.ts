/** Asks the question of a schedule: an ordinary Turn that no event of a platform began. */

import type { Named } from "../core/access.ts";
import type { Actor, Place } from "../core/model/place.ts";
import type { IntakeApp } from "./intake/app.ts";

const orderDigits = 20;

/** `eventKey` is equal on every instance. */
export type AskedBySchedule = {
  readonly scheduleId: string;
  readonly actor: Actor;
  readonly place: Place;
  readonly question: string;
  readonly agent?: Named;
  readonly onlyIfChanged?: true;
  readonly eventKey: string;
};

export async function askBySchedule(app: IntakeApp, asked: AskedBySchedule): Promise<void> {
  const { sites, asking, people, settings, clock } = app;
  const { scheduleId, actor, place, question, agent, eventKey } = asked;
  // Access is decided again when it runs, with what was last seen of them.
  people.saw(actor, place);
  const platform = sites.get(place.platform)?.platform;
  const nowMs = clock.now();
  const own = { conversation: place, order: String(nowMs).padStart(orderDigits, "0") };
  const begun = platform?.startedByItself?.(place, eventKey.split("/").slice(-2).join("-"), nowMs) ?? own;
  const isElsewhere = agent !== undefined && agent.project !== settings.project;
  const turn = await asking.journal({
    ...begun,
    eventKey,
    askedIn: place,
    actor,
    question,
    attachments: [],
    via: "command",
    scheduleId,
    requestedAgent: agent?.name,
    requestedProject: isElsewhere ? agent.project : undefined,
    isQuiet: asked.onlyIfChanged,
  });
  if (turn !== undefined) await asking.begin(turn);
}
