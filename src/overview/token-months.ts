/** What the models of each agent took, by month. */
import { costOf, sumOfTokens, type Tokens } from "../core/model/tokens.ts";
import { nameIn } from "../core/tools/split-name.ts";
import { type TokenDay, tokenDaysIn } from "../insight/counts/token-days.ts";
import { cleanText } from "../presentation/drawing.ts";
import { costText } from "../presentation/sentences.ts";
import type { OverviewApp } from "./app.ts";
import { unwritten } from "./projects.ts";

/** With the one that isn't over. */
const maxMonths = 12;
const rememberedMs = 10_000;
/** The longest month, and a day more for time zones. */
const monthMs = 32 * 86_400_000;

export type TokenMonth = Tokens & {
  readonly agent: string;
  /** "2026-11". */
  readonly month: string;
  /** "$1.20". Absent: AGENT_TOKEN_PRICES has no price for it. */
  readonly cost?: string;
};

/** The newest month first, and in it the agent that took most. */
export async function tokenMonths(app: OverviewApp, projects: readonly string[]): Promise<readonly TokenMonth[]> {
  const sums = await app.remember("token-months", rememberedMs, () => sumUp(app));
  return sums
    .filter(({ agent }) => projects.includes(agent.project))
    .map(({ agent, day, tokens }) => {
      const cost = costOf(tokens, agent.name, app.settings.agentTokenPrices);
      return {
        ...tokens,
        agent: cleanText(nameIn(agent, unwritten(app))),
        month: monthOf(day),
        cost: cost === undefined ? undefined : costText(cost),
      };
    });
}

/** One of each agent and month, as its last day with the tokens of all. */
async function sumUp({ state, clock }: OverviewApp): Promise<readonly TokenDay[]> {
  const sums = new Map<string, TokenDay>();
  const from = clock.now() - maxMonths * monthMs;
  for await (const { record } of tokenDaysIn(state).all({ order: "sinceMs", from })) {
    const key = JSON.stringify([monthOf(record.day), record.agent.project, record.agent.name]);
    const known = sums.get(key);
    sums.set(key, known === undefined ? record : { ...known, tokens: sumOfTokens(known.tokens, record.tokens) });
  }
  const months = [...new Set([...sums.values()].map(({ day }) => monthOf(day)))].slice(0, maxMonths);
  const total = ({ tokens }: TokenDay) => tokens.input + tokens.output;
  return months.flatMap((month) =>
    [...sums.values()].filter(({ day }) => monthOf(day) === month).sort((one, other) => total(other) - total(one)),
  );
}

function monthOf(day: string): string {
  return day.slice(0, 7);
}
