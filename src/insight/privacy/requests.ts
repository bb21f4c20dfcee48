/** Requests to export or erase a person, as `npm run erase` and `npm run export` make them. */
import { z } from "zod";
import type { Privacy } from "../../core/content/privacy.ts";
import { parsePerson } from "./person.ts";

const request = z.object({ action: z.enum(["erase", "export"]), person: z.string() });

export type PrivacyRequest = z.infer<typeof request>;

/** Yields the records of an export, or the one report of an erasure. Rejects for anything else. */
export async function* answerRequest(privacy: Privacy, asked: unknown): AsyncGenerator<unknown> {
  const { action, person: text } = request.parse(asked);
  const person = parsePerson(text);
  if (person === undefined) throw new Error("The person isn't written as platform:workspace/id.");
  if (action === "export") yield* privacy.export(person);
  else yield await privacy.erase(person);
}
