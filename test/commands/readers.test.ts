import { describe, expect, it } from "vitest";
import { readersOf } from "../../src/commands/readers.ts";

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
