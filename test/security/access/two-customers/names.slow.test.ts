/** Nothing of another customer's project is reached, listed or offered, whatever name people type. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../../../../src/core/model/place.ts";
import { acme, acmeServer, type Customers, globex, globexServer, openCustomers, secretOf, stranger } from "./room.ts";

let at: Customers;
beforeAll(async () => {
  at = await openCustomers();
});
afterAll(() => at.close());

const question = "What is the code word of the vault?";

describe("a question", () => {
  it.for([
    ["a Slack workspace", acme, secretOf.acme, secretOf.globex],
    ["another Slack workspace", globex, secretOf.globex, secretOf.acme],
    ["a Discord server", acmeServer, secretOf.acme, secretOf.globex],
    ["another Discord server", globexServer, secretOf.globex, secretOf.acme],
  ] as const)("in %s is answered from its own project", async ([, place, own, other]) => {
    const answer = await at.ask(place, `${question} agent:helper`);

    expect(answer).toContain(own);
    expect(answer).not.toContain(other);
  });

  it("in a workspace without a project reaches no agent, and says why", async () => {
    expect(await at.ask(stranger, question)).toContain("Parley isn't set up for this workspace yet");
    expect(await at.ask(stranger, `${question} agent:helper`)).not.toMatch(/heliotrope|vermilion/);
  });

  it("in a person's direct messages belongs to their only workspace, and to none if they have several", async () => {
    const direct: Place = { ...acmeServer, workspace: "dm", channel: "D1" };
    const of = (...memberOf: readonly string[]) => ({ memberOf });

    expect(await at.ask(direct, `${question} agent:helper`, of("22222"))).toContain(secretOf.globex);
    expect(await at.ask(direct, question, of("11111", "22222"))).toContain("Parley isn't set up for this workspace");
    expect(await at.ask(direct, question, of())).toContain("Parley isn't set up for this workspace");
  });
});

describe("a channel", () => {
  it("whose agent was set while its workspace had another project gets none of it", async () => {
    const room: Place = { ...globex, channel: "C8" };
    await at.parley.bindings.setChannel(room, { project: "acme", agent: "helper" });
    await at.parley.bindings.setWorkspace(globexServer, { project: "acme", agent: "helper" });

    for (const place of [room, globexServer]) expect(await at.ask(place, question)).not.toContain(secretOf.acme);
    await at.parley.bindings.clearWorkspace(globexServer);
  });
});

/** What a person of globex types, with a name that is acme's and one that nobody has. */
const typed = [
  "/ask {}.helper agent:{}.helper",
  "/ask how? agent:{}.helper",
  "/ask how? agent:{}-only",
  "/agent show {}.helper",
  "/agent show {}-only",
  "/agent use {}.helper",
  "/agent use {}-only",
  "/agent use {}.helper scope:workspace",
  "/agent list project:{}",
  "/agent delete {}.helper",
  "/agent check {}.helper",
  "/agent edit {}.helper",
  "/agent instructions {}.helper",
  "/kb show {}.handbook",
  "/kb show {}-notes",
  "/kb search {}.handbook code word",
  "/kb search code word base:{}.handbook",
  "/kb add Remember this. into:{}.handbook",
  "/kb add https://example.com into:{}-notes",
  "/kb use {}.handbook",
  "/kb refresh {}.handbook",
  "/kb remove r1 from:{}.handbook",
  "/kb delete {}.handbook",
  "/kb gaps agent:{}.helper",
  "/kb query SELECT * FROM {}.handbook into:handbook",
] as const;

describe("a command", () => {
  it.for(typed)("says the same of a name of another customer as of a name that nobody has: %s", async (text) => {
    const said = async (name: string) => {
      const { sent, form } = await at.command(globex, text.replaceAll("{}", name));
      return JSON.stringify([sent, form]).replaceAll(name, "{}");
    };

    const there = await said("acme");
    expect(there).toBe(await said("acmx"));
    expect(there).not.toContain(secretOf.acme);
  });

  it.for(["/agent list", "/kb list", "/parley status", "/parley help", "/kb jobs", "/kb gaps", "/schedule list"])(
    "lists nothing of another customer: %s",
    async (text) => {
      const { text: said } = await at.command(globex, text);
      expect(said()).not.toMatch(/acme|heliotrope/);
    },
  );

  it("creates nothing in another customer's project, nor an agent that looks there", async () => {
    const fields = { name: "spy", provider: "", model: "", key: "", instructions: "", tables: [] };
    const inProject = await at.submit(globex, "agent create", { ...fields, knowledgeBases: [], project: "acme" });
    const overBase = await at.submit(globex, "agent create", { ...fields, knowledgeBases: ["acme.handbook"] });
    const overAll = await at.submit(globex, "agent create", { ...fields, knowledgeBases: ["acme.*"] });
    const overTable = await at.submit(globex, "agent create", { ...fields, tables: ["globex_sales.*"] });

    for (const one of [inProject, overBase, overAll, overTable]) expect(one.text()).not.toContain("Created");
    for (const project of ["acme", "globex"]) {
      expect((await at.service.listAgents(project)).map(({ name }) => name)).not.toContain("spy");
    }
  });
});

describe("a completion", () => {
  it.for(["agent", "knowledge-base", "project", "table", "job", "schedule"] as const)(
    "offers nothing of another customer: %s",
    async (completes) => {
      for (const begun of ["", "acme", "acme.", "acme.h", "globex_"]) {
        expect((await at.complete(globex, completes, begun)).join()).not.toMatch(/acme|globex_sales/);
      }
    },
  );

  it("offers nothing in a workspace without a project", async () => {
    for (const completes of ["agent", "knowledge-base", "project", "table"] as const) {
      expect(await at.complete(stranger, completes)).toEqual([]);
    }
  });

  it("offers what the workspace has", async () => {
    expect(await at.complete(globex, "agent")).toEqual(["globex-only", "helper"]);
    expect(await at.complete(acmeServer, "knowledge-base")).toEqual(["acme-notes", "handbook"]);
  });
});

describe("a form", () => {
  it("offers nothing of another customer", async () => {
    const { form } = await at.command(globex, "/agent create");
    expect(JSON.stringify(form)).toContain("handbook");
    expect(JSON.stringify(form)).not.toMatch(/acme|globex_sales/);
  });
});

/** Values as another customer's messages have them. */
const pressed = [
  ["use-agent", "{}.helper"],
  ["use-agent", "{}-only"],
  ["connect-base", "{}.handbook helper"],
  ["connect-base", "handbook {}.helper"],
  ["kb-page", "{}.handbook 1"],
  ["refresh-document", "{}.handbook d1"],
  ["remove-document", "{}.handbook d1"],
  ["confirm", "agent-delete {}.helper"],
  ["confirm", "kb-delete {}.handbook"],
  ["confirm", "kb-use {}-notes"],
  ["open-form", "agent edit {}.helper"],
  ["run-checks", "{}.helper"],
  ["gap-page", "1 {}.helper"],
] as const;

describe("a button", () => {
  it.for(pressed)(
    "says the same of a name of another customer as of a name that nobody has: %s %s",
    async ([action, value]) => {
      const said = async (name: string) => {
        const { sent, form } = await at.press(globex, action, value.replaceAll("{}", name));
        return JSON.stringify([sent, form]).replaceAll(name, "{}");
      };

      const there = await said("acme");
      expect(there).toBe(await said("acmx"));
      expect(there).not.toContain(secretOf.acme);
    },
  );
});
