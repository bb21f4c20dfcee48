/** What language models read and wrote, and what that costs. Pure. */

/** As the model's endpoint counts it. */
export type Tokens = { readonly input: number; readonly output: number };

/** US dollars for a million tokens. `agent`: "*" for every agent without a price of its own. */
export type TokenPrice = { readonly agent: string; readonly input: number; readonly output: number };

export function sumOfTokens(one: Tokens | undefined, other: Tokens): Tokens {
  return { input: (one?.input ?? 0) + other.input, output: (one?.output ?? 0) + other.output };
}

/** In US dollars. Undefined: that agent has no price. */
export function costOf({ input, output }: Tokens, agent: string, prices: readonly TokenPrice[]): number | undefined {
  const price = prices.find((one) => one.agent === agent) ?? prices.find((one) => one.agent === "*");
  return price === undefined ? undefined : (input * price.input + output * price.output) / 1_000_000;
}
