/** Every collection by its name, for what goes through everything stored without building the rooms. */
import { conversationCollection } from "../adapters/console/conversations/listing.ts";
import { tokenCollection } from "../adapters/console/people/personal-tokens.ts";
import { installationCollection } from "../adapters/slack/installations/stored.ts";
import { auditCollection } from "./core/audit.ts";
import { scheduleCollection } from "./core/model/schedule.ts";
import type { AnyDefinition } from "./core/ports/collection.ts";
import { answerCollection } from "./insight/answers/answer-store.ts";
import { countCollection } from "./insight/counts/question-counts.ts";
import { tokenDayCollection } from "./insight/counts/token-days.ts";
import { questionLogCollection } from "./insight/derived/question-log.ts";
import { gapCollection } from "./insight/gaps/gap-store.ts";
import { proofCollection } from "./insight/proof/proof.ts";
import { reviewCollection } from "./insight/reviews.ts";

/** A test compares this list with the code. */
export const collections: Readonly<Record<string, AnyDefinition>> = {
  audit: auditCollection,
  "question-log": questionLogCollection,
  schedules: scheduleCollection,
  answers: answerCollection,
  reviews: reviewCollection,
  proofs: proofCollection,
  "question-counts": countCollection,
  "token-days": tokenDayCollection,
  "console-conversations": conversationCollection,
  "personal-tokens": tokenCollection,
  gaps: gapCollection,
  "slack-installations": installationCollection,
};
