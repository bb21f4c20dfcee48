import { describe, expect, it } from "vitest";
import {
  type AccessFacts,
  type AccessTarget,
  type AgentFacts,
  type KnowledgeFacts,
  may,
  noTarget,
} from "../../src/access/access.ts";
import type { AccessAction } from "../../src/core/access.ts";
import { admin, alice } from "../doubles/people.ts";

const people = {
  member: alice,
  manager: admin,
  guest: { ...alice, isGuest: true },
  stranger: { ...alice, isExternal: true },
  bot: { ...alice, isBot: true },
} as const;

const place = { platform: "slack", workspace: "T1" };
const project = "mindsdb";
const facts: AccessFacts = {
  isServed: true,
  roles: { trustedPlatforms: ["console"] },
  scope: "bound",
  project,
  isSeparate: false,
  isDirect: false,
};
const sales: AccessTarget = { kind: "agent", agent: { project, name: "sales" } };
const docs: AccessTarget = { kind: "knowledge-base", base: { project, name: "docs" } };

const agents = {
  "bound nowhere": { isKnown: true, answersHere: false, isDefaultHere: false, bound: "nowhere" },
  "bound here": { isKnown: true, answersHere: true, isDefaultHere: false, bound: "here" },
  "bound elsewhere": { isKnown: true, answersHere: false, isDefaultHere: false, bound: "elsewhere" },
  "bound elsewhere, and the default here": {
    isKnown: true,
    answersHere: false,
    isDefaultHere: true,
    bound: "elsewhere",
  },
  "what the settings say, bound nowhere": { isKnown: true, answersHere: true, isDefaultHere: true, bound: "nowhere" },
  "of no such name": { isKnown: false, answersHere: false, isDefaultHere: false, bound: "nowhere" },
} as const satisfies Record<string, AgentFacts>;

describe("asking an agent", () => {
  it.for([
    ["member", "bound nowhere", "yes"],
    ["member", "bound here", "yes"],
    ["member", "bound elsewhere", "scope"],
    ["member", "bound elsewhere, and the default here", "yes"],
    ["member", "of no such name", "unknown"],
    ["guest", "bound nowhere", "guest"],
    ["guest", "bound here", "yes"],
    ["guest", "bound elsewhere", "guest"],
    ["guest", "bound elsewhere, and the default here", "guest"],
    ["guest", "what the settings say, bound nowhere", "yes"],
    ["guest", "of no such name", "guest"],
    ["bot", "bound nowhere", "guest"],
    ["bot", "bound here", "yes"],
    ["stranger", "bound here", "role"],
    ["manager", "bound nowhere", "yes"],
    ["manager", "bound here", "yes"],
    ["manager", "bound elsewhere", "privately"],
    ["manager", "bound elsewhere, and the default here", "yes"],
  ] as const)("by a %s, one that is %s: %s", ([who, which, expected]) => {
    expect(said(may(people[who], "ask", place, sales, { ...facts, agent: agents[which] }))).toBe(expected);
  });

  it.for([
    ["member", "bound elsewhere", "scope"],
    ["guest", "bound nowhere", "guest"],
    ["manager", "bound elsewhere", "yes"],
  ] as const)("in a direct message, by a %s, one that is %s: %s", ([who, which, expected]) => {
    const verdict = may(people[who], "ask", place, sales, { ...facts, isDirect: true, agent: agents[which] });
    expect(said(verdict)).toBe(expected);
  });

  it("is open to everyone who can ask with AGENT_SCOPE=open, guests too", () => {
    for (const which of Object.values(agents)) {
      expect(said(may(people.guest, "ask", place, sales, { ...facts, scope: "open", agent: which }))).toBe("yes");
    }
  });

  it("is refused when the facts are unknown, except to managers, privately", () => {
    expect(said(may(people.member, "ask", place, sales, facts))).toBe("unknown");
    expect(said(may(people.guest, "ask", place, sales, facts))).toBe("unknown");
    expect(said(may(people.manager, "ask", place, sales, facts))).toBe("privately");
  });

  it("in another project is for managers only, unless it answers here", () => {
    const other: AccessTarget = { kind: "agent", agent: { project: "shop", name: "sales" } };
    const about = (which: keyof typeof agents) => ({ ...facts, agent: { ...agents[which], isKnown: false } });
    expect(said(may(people.member, "ask", place, other, about("bound nowhere")))).toBe("unknown");
    expect(said(may(people.member, "ask", place, other, about("bound here")))).toBe("yes");
    expect(said(may(people.manager, "ask", place, other, about("bound nowhere")))).toBe("privately");
  });

  it("lets a person of another organisation listed in ASKERS ask the channel's agent, and no other", () => {
    const roles = { ...facts.roles, askers: ["*" as const] };
    const verdict = (which: keyof typeof agents) =>
      said(may(people.stranger, "ask", place, sales, { ...facts, roles, agent: agents[which] }));
    expect(verdict("bound here")).toBe("yes");
    expect(verdict("bound nowhere")).toBe("guest");
  });
});

describe("reaching a knowledge base", () => {
  const knowledge = (changes: Partial<KnowledgeFacts> = {}): AccessFacts => ({
    ...facts,
    knowledge: { ofAgents: [], own: [], ...changes },
  });
  const base = { project, name: "docs" };

  it.for([
    ["that no agent here is connected to", knowledge(), "knowledge"],
    ["that an agent here is connected to", knowledge({ ofAgents: [base] }), "yes"],
    ["that a wildcard stands for", knowledge({ ofAgents: [{ project, name: "*" }] }), "yes"],
    ["with another project's wildcard", knowledge({ ofAgents: [{ project: "shop", name: "*" }] }), "knowledge"],
    ["that only begins with the name", knowledge({ ofAgents: [{ project, name: "docs_old" }] }), "knowledge"],
    ["whose name differs in case", knowledge({ ofAgents: [{ project, name: "DOCS" }] }), "knowledge"],
    ["that was chosen here", knowledge({ chosen: base }), "yes"],
    ["that the person added to", knowledge({ own: [base] }), "yes"],
    ["of which nothing is known", facts, "unknown"],
  ] as const)("%s", ([, given, expected]) => {
    expect(said(may(people.member, "search", place, docs, given))).toBe(expected);
    expect(said(may(people.member, "ingest", place, docs, given))).toBe(expected);
    expect(said(may(people.manager, "search", place, docs, given))).toBe("yes");
  });

  it("in another project is for managers only, whatever is connected to what", () => {
    const other: AccessTarget = { kind: "knowledge-base", base: { project: "shop", name: "docs" } };
    const all = knowledge({ ofAgents: [{ project: "shop", name: "*" }], own: [{ project: "shop", name: "docs" }] });
    expect(said(may(people.member, "search", place, other, all))).toBe("knowledge");
    expect(said(may(people.member, "search", place, other, { ...all, scope: "open" }))).toBe("knowledge");
    expect(said(may(people.manager, "search", place, other, all))).toBe("yes");
  });

  it("that holds Parley's own manual is searching only, for managers too", () => {
    const own = { ...knowledge({ ofAgents: [base], own: [base], chosen: base }), ownDocs: base };
    for (const scope of ["bound", "open"] as const) {
      expect(said(may(people.member, "search", place, docs, { ...own, scope }))).toBe("yes");
      expect(said(may(people.member, "ingest", place, docs, { ...own, scope }))).toBe("read-only");
      expect(said(may(people.manager, "ingest", place, docs, { ...own, scope }))).toBe("read-only");
      expect(said(may(people.manager, "manage", place, docs, { ...own, scope }))).toBe("yes");
    }
    const other = { kind: "knowledge-base", base: { project: "shop", name: "docs" } } as const;
    expect(said(may(people.manager, "ingest", place, other, own))).toBe("yes");
  });

  it("is open with AGENT_SCOPE=open, within the project", () => {
    expect(said(may(people.guest, "search", place, docs, { ...facts, scope: "open" }))).toBe("yes");
  });

  it("by a guest is searching only, since guests add nothing", () => {
    expect(said(may(people.guest, "search", place, docs, knowledge({ ofAgents: [base] })))).toBe("yes");
    expect(said(may(people.guest, "ingest", place, docs, knowledge({ ofAgents: [base] })))).toBe("role");
  });
});

describe("every action", () => {
  const actions: readonly AccessAction[] = ["ask", "see", "search", "ingest", "manage", "instructions"];

  it.for(actions)("is refused where the workspace is not served, to managers too: %s", (action) => {
    for (const target of [noTarget, sales, docs]) {
      const verdict = may(people.manager, action, place, target, { ...facts, isServed: false });
      expect(said(verdict)).toBe("not-served");
    }
  });

  it.for([
    ["ask", "yes", "yes", "role"],
    ["see", "yes", "yes", "role"],
    ["search", "yes", "yes", "role"],
    ["ingest", "yes", "role", "role"],
    ["manage", "role", "role", "role"],
    ["instructions", "role", "role", "role"],
  ] as const)("%s: member %s, guest %s, stranger %s", ([action, ...expected]) => {
    const people3 = [people.member, people.guest, people.stranger];
    expect(people3.map((who) => said(may(who, action, place, noTarget, facts)))).toEqual(expected);
  });

  it("is allowed on a platform that has no other users", () => {
    const page = { platform: "console", workspace: "local" };
    const verdicts = actions.map((action) => said(may(people.stranger, action, page, docs, facts)));
    expect(new Set(verdicts)).toEqual(new Set(["yes"]));
  });
});

function said(verdict: ReturnType<typeof may>): string {
  if (!verdict.allowed) return verdict.why;
  return verdict.isPrivate ? "privately" : "yes";
}
