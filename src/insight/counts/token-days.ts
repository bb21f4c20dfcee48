/**
 * What the models of each agent took, day by day. Counted as each call ends, because a question has only its newest
 * attempt, is deleted sooner, and proofs and checks aren't questions.
 */
import { z } from "zod";
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import { sumOfTokens, type Tokens } from "../../core/model/tokens.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../core/ports/collection.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { countText } from "../../presentation/sentences.ts";

/** Of one agent. */
export type TokenDay = {
  readonly version: 1;
  /** "2026-11-28", in TIME_ZONE. */
  readonly day: string;
  /** When that day began in UTC. */
  readonly sinceMs: number;
  readonly agent: Named;
  readonly tokens: Tokens;
};

export const tokenDayCollection: CollectionDefinition<TokenDay, "sinceMs"> = {
  holds: "Tokens that an agent's models read and wrote, by day",
  person: "nobody",
  // A year of months, and the one that isn't over.
  retain: { days: 400, since: "sinceMs" },
  schema: z.looseObject({
    day: z.string(),
    sinceMs: z.number(),
    agent: z.looseObject({ project: z.string(), name: z.string() }),
    tokens: z.custom<unknown>(isObject),
  }),
  fields: { sinceMs: ({ sinceMs }) => sinceMs },
  indexes: [{ by: [], order: "sinceMs" }],
};

export const tokenDaysIn = ({
  collection,
}: {
  readonly collection: CollectionFactory;
}): Collection<TokenDay, "sinceMs"> => collection("token-days", tokenDayCollection);

const says = {
  usedUp: (agent: string, limit: number) => `${agent} has used its ${countText(limit, "token")} for today.`,
  /** For people who manage. */
  raise: (timeZone: string) =>
    `It can be asked again after midnight (${timeZone}), or once AGENT_DAILY_TOKENS is raised where Parley is set up.`,
  wait: (timeZone: string) => `Ask it again after midnight (${timeZone}), or tell your Parley admin.`,
};

type TokenApp = Pick<App, "clock" | "log" | "settings" | "state">;

/** Durable when it resolves. Never rejects: an answer doesn't fail because it can't be counted. */
export async function addTokens(agent: Named, { input, output }: Tokens, app: TokenApp): Promise<void> {
  const days = tokenDaysIn(app.state);
  const { id, day, sinceMs } = today(agent, app);
  try {
    const { project, name } = agent;
    const first: TokenDay = { version: 1, day, sinceMs, agent: { project, name }, tokens: { input, output } };
    const { created } = await days.create(id, first);
    if (created) return;
    await days.update(id, ({ record }) => ({
      ...record,
      tokens: sumOfTokens(record.tokens, { input, output }),
    }));
  } catch (err) {
    app.log.warn({ err, agent: agent.name, input, output }, "The tokens of an answer could not be counted");
  }
}

/** What AGENT_DAILY_TOKENS refuses, in words for that person, if one asks. Undefined: the agent can be asked. */
export async function tokenRefusal(
  agent: Named,
  asker: { readonly actor: Actor; readonly askedIn: Place } | undefined,
  app: TokenApp & Pick<App, "reach">,
): Promise<ParleyError | undefined> {
  const { agentDailyTokens: limit, timeZone } = app.settings;
  if (limit === undefined) return undefined;
  const found = await tokenDaysIn(app.state).get(today(agent, app).id);
  const { input = 0, output = 0 } = found?.record.tokens ?? {};
  if (input + output < limit) return undefined;
  const manages = asker !== undefined && app.reach.may(asker.actor, "manage", asker.askedIn).allowed;
  const hint = manages ? says.raise(timeZone) : says.wait(timeZone);
  return new ParleyError("tokens_used_up", { what: says.usedUp(agent.name, limit), hint });
}

function today({ project, name }: Named, { clock, settings }: TokenApp) {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: settings.timeZone }).format(clock.now());
  const id = [day, project, name].map(encodeURIComponent).join("/");
  return { id, day, sinceMs: Date.parse(`${day}T00:00:00Z`) };
}
