import { describe, expect, it } from "vitest";
import type { NameCache } from "../../src/commands/names/name-cache.ts";
import { readersHere, readersOf } from "../../src/commands/names/readers.ts";
import { alice } from "../doubles/people.ts";
import { createAgents } from "../doubles/service/agents.ts";

const agents = [
  { name: "plain", project: "mindsdb", knowledgeBases: ["docs"] },
  { name: "qualified", project: "mindsdb", knowledgeBases: ["mindsdb.docs", "shop.faq"] },
  { name: "all", project: "mindsdb", knowledgeBases: ["shop.*"] },
  { name: "foreign", project: "shop", knowledgeBases: ["docs", "*"] },
  { name: "none", project: "mindsdb", knowledgeBases: [] },
];
const readers = (project: string, name: string) => readersOf(agents, { project, name }).map((agent) => agent.name);

describe("the agents that look in a knowledge base", () => {
  it("name it with or without their own project", () => {
    expect(readers("mindsdb", "docs")).toEqual(["plain", "qualified"]);
  });

  it("are also those that look in its whole project", () => {
    expect(readers("shop", "faq")).toEqual(["qualified", "all", "foreign"]);
    expect(readers("shop", "docs")).toEqual(["all", "foreign"]);
  });

  it("are none when nobody names it", () => {
    expect(readers("mindsdb", "other")).toEqual([]);
  });
});

describe("the agents that look in a knowledge base in a place", () => {
  const sales = { name: "sales", project: "mindsdb", knowledgeBases: ["handbook"] };
  /** Sales is assigned to another channel: nobody may name it anywhere else. */
  const reach = {
    agents: async () => [sales],
    resolve: async () => ({ kind: "choose", agents: [] }),
    openAmong: async () => [],
  } as unknown as Parameters<typeof readersHere>[0]["reach"];
  const names = { current: { agents: async () => [sales] } } as unknown as NameCache;
  const namesIn = async (channel: string) => {
    const place = { platform: "memory", workspace: "T1", channel };
    const base = { project: "mindsdb", name: "handbook" };
    const found = await readersHere({ reach, names, service: createAgents() }, base, { actor: alice, place });
    return found.agents.map(({ name }) => name);
  };

  it("are those that people can ask there", async () => {
    expect(await namesIn("general")).toEqual([]);
  });

  it("are all, for a workspace as a whole", async () => {
    expect(await namesIn("")).toEqual(["sales"]);
  });
});
