/** Does what a schedule of a knowledge base does: the same as its command, with its owner's rights now. */
import { ParleyError } from "../../core/errors.ts";
import type { ReadAgain } from "../../insight/schedules/schedules.ts";
import type { CommandApp } from "../app.ts";
import { typedBase } from "../names/base-ref.ts";
import { baseInReach } from "../names/in-reach.ts";
import { refreshByTime } from "./refresh.ts";

export async function readAgain(app: CommandApp, run: Parameters<ReadAgain>[0]): ReturnType<ReadAgain> {
  const { schedule, what, actor, eventKey } = run;
  const { place } = schedule;
  try {
    const base = await baseInReach(app, typedBase(app, what.base), { actor, place });
    await refreshByTime(app, base, { actor, place, eventKey });
    return "begun";
  } catch (failure) {
    if (failure instanceof ParleyError && failure.code === "knowledge_base_not_found") return "lost";
    throw failure;
  }
}
