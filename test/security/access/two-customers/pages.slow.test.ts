/** The pages at /admin show people who manage one customer's workspaces nothing of another customer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Visitor } from "../../../../adapters/console/people/visitor.ts";
import { workspaceKey } from "../../../../src/core/model/place.ts";
import { until } from "../../../doubles/until.ts";
import { acme, type Customers, globex, globexServer, openCustomers, secretOf } from "./room.ts";

let at: Customers;
/** Of globex, on both of its platforms. */
const theirs: Partial<Visitor> = { role: "nobody", managesIn: [workspaceKey(globex), workspaceKey(globexServer)] };
const ofAll: Partial<Visitor> = { role: "manage" };
/** What only acme's records hold. */
const ofAcme = /acme|heliotrope|\bT1\b|11111|Zoe/;

const zoe = { id: "U9", name: "Zoe" };

async function isListed(path: string, words: RegExp): Promise<boolean> {
  return words.test((await at.read(ofAll, path)).text);
}

beforeAll(async () => {
  at = await openCustomers({ logPrivate: true });
  await at.command(acme, "/agent use helper");
  await at.command(globex, "/agent use helper");
  for (const place of [acme, globex]) {
    const person = place === acme ? zoe : {};
    await at.ask(place, "What is the code word of the vault?", person);
    await at.ask(place, `What does the ${place === acme ? "heliotrope" : "plain"} walrus eat?`, person);
    await at.command(place, "/parley digest on friday 16:00");
    await at.command(place, `/kb add Walruses of ${place === acme ? "acme" : "the other"} eat clams. into:handbook`);
  }
  await until("the questions are listed", async () =>
    isListed("/api/admin/questions", /plain walrus.*heliotrope|heliotrope.*plain walrus/s),
  );
  await until("the gaps are listed", async () =>
    isListed("/api/admin/gaps", /plain walrus.*heliotrope|heliotrope.*plain walrus/s),
  );
});
afterAll(() => at.close());

const paths = [
  "/api/admin/questions",
  "/api/admin/questions?words=heliotrope",
  "/api/admin/questions?agent=acme.helper",
  "/api/admin/questions/choices",
  "/api/admin/questions.csv",
  "/api/admin/gaps",
  "/api/admin/gaps/choices",
  "/api/admin/gaps?state=answered",
  "/api/admin/knowledge",
  "/api/admin/knowledge/jobs",
  "/api/admin/knowledge/jobs?status=running",
  "/api/admin/agents",
  "/api/admin/schedules",
  "/api/admin/audit",
  "/api/admin/audit/choices",
  "/api/admin/audit.csv",
] as const;

describe("who manages one customer", () => {
  it.for(paths)("sees nothing of another one: %s", async (path) => {
    const { status, text } = await at.read(theirs, path);

    expect(status).toBe(200);
    expect(text).not.toMatch(ofAcme);
  });

  it.for(paths.filter((path) => !/heliotrope|acme|state=answered|status=running|gaps\/choices/.test(path)))(
    "is shown by a page that has something of that one, for people who manage all: %s",
    async (path) => expect((await at.read(ofAll, path)).text).toMatch(ofAcme),
  );

  it("sees what is theirs", async () => {
    const { text } = await at.read(theirs, "/api/admin/questions");
    expect(text).toContain("plain walrus");
    expect((await at.read(theirs, "/api/admin/knowledge")).text).toContain("globex-notes");
    expect((await at.read(theirs, "/api/admin/agents")).text).toContain("globex.helper");
    expect((await at.read(theirs, "/api/admin/audit")).text).toContain("agent use");
    expect((await at.read(theirs, "/api/admin/schedules")).text).toContain("every Friday");
    expect((await at.read(theirs, "/api/admin/gaps")).text).toContain("plain walrus");
  });

  it("can't ask for another one by its name, id or address", async () => {
    const [question] = await Array.fromAsync(at.state.turns.unfinished()).then(async () =>
      (await at.state.turns.recent(50)).filter(({ askedIn }) => askedIn.workspace === acme.workspace),
    );
    const gaps = JSON.parse((await at.read(ofAll, "/api/admin/gaps")).text).gaps as { key: string }[];
    const gap = gaps.find(({ key }) => key.startsWith(workspaceKey(acme)));
    const asked = [
      ["/api/admin/questions?platform=slack&workspace=T1", 403],
      [`/api/admin/questions?place=${encodeURIComponent("slack/T1/C1")}`, 403],
      [`/api/admin/questions/${question?.id}`, 404],
      [`/api/admin/questions/${question?.ref}`, 404],
      [`/api/admin/questions/${question?.id}/steps/0`, 404],
      [`/api/admin/gaps/one?key=${encodeURIComponent(gap?.key ?? "none")}`, 404],
      ["/api/admin/knowledge/documents?project=acme&name=handbook", 404],
      [`/api/admin/audit?workspace=${encodeURIComponent("slack/T1")}`, 403],
      ["/api/admin/people/export?person=slack:T1/U9", 403],
      ["/api/admin/overview", 403],
      ["/api/admin/system", 403],
      ["/api/admin/works", 403],
      ["/api/admin/installs", 403],
    ] as const;

    expect(question).toBeDefined();
    expect(gap).toBeDefined();
    for (const [path, status] of asked) {
      const answer = await at.read(theirs, path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.text).not.toMatch(/heliotrope|Zoe/);
    }
  });

  it("changes nothing of another one", async () => {
    const acts = [
      { place: acme, kind: "command", path: "agent clear", options: {} },
      { place: { ...acme, channel: "" }, kind: "command", path: "kb delete", options: { name: "handbook" } },
      { place: globex, kind: "command", path: "kb delete", options: { name: "acme.handbook" } },
      { place: globex, kind: "command", path: "kb search", options: { words: "code word", base: "acme.handbook" } },
    ];
    for (const request of acts) {
      const { text } = await at.act(theirs, request);
      expect(text).not.toContain(secretOf.acme);
      expect(text).not.toContain('"tone":"done"');
    }
    expect(await at.parley.bindings.own(acme)).toMatchObject({ agent: "helper" });
    expect((await at.service.listKnowledgeBases("acme")).map(({ name }) => name)).toContain("handbook");
  });

  it("changes what is theirs", async () => {
    const place = { ...globex, channel: "C7" };
    await at.act(theirs, { place, kind: "command", path: "agent use", options: { name: "helper" } });
    expect(await at.parley.bindings.own(place)).toMatchObject({ agent: "helper", project: "globex" });
  });
});

describe("erasing and exporting a person", () => {
  it("is about the person of one workspace, not about the one with the same id in another", async () => {
    const robin = (workspace: string) => ({ platform: "slack", workspace, id: "U1" });
    const kept = async (workspace: string) =>
      JSON.stringify(await Array.fromAsync(at.parley.privacy.export(robin(workspace))));
    await at.ask(acme, "Which heliotrope door opens?");

    expect(await kept("T2")).not.toMatch(ofAcme);
    const before = await kept("T1");
    expect(before).toContain("heliotrope door");
    await at.parley.privacy.erase(robin("T2"));

    expect(await kept("T1")).toContain("heliotrope door");
    expect(await kept("T2")).not.toContain("plain walrus");
    expect(await at.state.turns.recent(50).then((all) => JSON.stringify(all))).toContain("heliotrope walrus");
  });
});
