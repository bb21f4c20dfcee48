/** The form of `/kb add`: files, text and page URLs go the same way as what is typed or attached to a message. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Form } from "../../../src/core/document.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { admin, alice, bob, general, project } from "../../doubles/people.ts";
import { createGate, openRoom, type Room } from "../room.ts";

let room: Room;
let site: Site;

beforeEach(async () => {
  room = await openRoom();
  for (const base of ["docs", "handbook"]) await room.makeBase(base);
  await room.client.createAgent(project, { name: "guide", knowledgeBases: ["handbook"] });
  await room.parts().names.refresh();
  await room.parts().bindings.setChannel(general, { agent: "guide", project });
  site = await startSite({ "/a": article("Refunds", "Refunds take five days.") });
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
  await site.close();
});

const file = (name: string, content: string, changes: Partial<Attachment> = {}): Attachment => ({
  ...{ id: `id-${name}`, name, mediaType: "text/plain", sizeBytes: Buffer.byteLength(content), reference: content },
  ...changes,
});

async function opened(text = "/kb add", actor = admin): Promise<Form> {
  const plan = room.parts().commands.plan({ kind: "typed", text });
  expect(plan.role).toBe("ingest");
  const acknowledgement = await plan.acknowledgeIn?.({ actor, place: general });
  if (acknowledgement?.kind !== "form") throw new Error("no form was opened");
  return acknowledgement.form;
}

const add = (values: Record<string, string>, attachments: readonly Attachment[] = [], actor = admin) =>
  room.submit("kb add", { text: "", into: "", ...values }, "", { attachments, actor });

describe("The form of /kb add", () => {
  it("asks for files, text or page URLs, with the knowledge base of the channel's agent chosen", async () => {
    const { fields } = await opened();

    expect(fields.map(({ name, type, initial }) => [name, type, initial])).toEqual([
      ["files", "file", undefined],
      ["text", "multiline", undefined],
      ["into", "select", "handbook"],
    ]);
    expect(fields[2]).toMatchObject({ choices: [{ value: "handbook" }, { value: "docs" }] });
    expect((await opened("/kb add into:docs")).fields[2]?.initial).toBe("docs");
    expect(room.parts().commands.plan({ kind: "typed", text: "/kb add Refunds take five days." })).not.toHaveProperty(
      "acknowledgement.form",
    );
  });

  it("has the base chosen that the person created a moment ago, unless the channel has one of its own", async () => {
    await room.submit("kb create", { name: "rules", embedding: "", reranking: "", key: "" }, "");
    await room.parts().names.refresh();

    expect((await opened()).fields[2]?.initial).toBe("rules");
    expect((await opened("/kb add", bob)).fields[2]?.initial).toBe("handbook");
    await room.parts().bindings.setChannel(general, { agent: "guide", project, knowledgeBase: "docs" });
    expect((await opened()).fields[2]?.initial).toBe("docs");
  });

  it("doesn't ask to leave radio buttons empty", async () => {
    const [, , radios] = (await opened()).fields;
    const [, , list] = (await opened("/kb add", bob)).fields;

    expect(radios).toMatchObject({ showsAll: true, initial: "handbook" });
    expect(radios?.hint).toBeUndefined();
    expect(list).toMatchObject({ hint: "Leave empty for this channel's default." });
  });

  it("offers only what the person reaches", async () => {
    expect((await opened("/kb add", bob)).fields[2]).toMatchObject({ choices: [{ value: "handbook" }] });
  });

  it("adds files, pages and their text in one job, into the chosen base", async () => {
    const files = [
      file("faq.md", "# Refunds\nRefunds take five days."),
      file("prices.csv", "id,content\n1,Tea is 3 €."),
    ];
    const said = await add({ text: `${site.url}/a`, into: "docs" }, files);
    const job = await room.over();

    expect(said.text).toContain("Adding 3 items to docs");
    expect(job.items.map(({ kind, state }) => [kind, state])).toEqual([
      ["url", "done"],
      ["file", "done"],
      ["file", "done"],
    ]);
    expect((await room.passages("docs", "tea")).length).toBeGreaterThan(0);
    expect(await room.passages("handbook", "tea")).toEqual([]);
    expect((await room.parts().knowledge.ledger.page({ project, name: "docs" }, 0, 9)).total).toBe(3);
  });

  it("adds text to the base of the channel's agent when none is chosen", async () => {
    await add({ text: "Support answers at https://example.com within an hour." }, [], alice);
    await room.over();

    expect((await room.passages("handbook", "support")).length).toBeGreaterThan(0);
  });

  it("adds pages alone as their own command does", async () => {
    expect((await add({ text: `${site.url}/a\n${site.url}/a`, into: "docs" })).text).toContain("1 duplicate URL");

    expect((await room.over()).items).toMatchObject([{ kind: "url", state: "done", title: "Refunds" }]);
    expect(await room.audit("kb ingest")).toHaveLength(1);
  });

  it.each([
    "/kb add rules SITE/a SITE/b",
    "/kb add rules: SITE/a, SITE/b",
    "/kb add SITE/a SITE/b to rules",
    "/kb ingest rules SITE/a SITE/b",
    "/kb ingest SITE/a SITE/b into rules",
  ])("adds pages to the base that is named beside them: %s", async (typed) => {
    await room.makeBase("rules");
    await room.parts().names.refresh();
    await room.say(typed.replaceAll("SITE", site.url));

    const job = await room.over();
    expect(job).toMatchObject({ knowledgeBase: "rules" });
    expect(job.items.map(({ url }) => url)).toEqual([`${site.url}/a`, `${site.url}/b`]);
  });

  it("takes a word that is no base for the beginning of a text", async () => {
    await room.say("/kb add See https://a.example/one");

    expect((await room.over()).items).toMatchObject([{ kind: "rows", label: "See https://a.example/one" }]);
  });

  it("keeps the limits of attached files", async () => {
    await add({}, [file("film.mp4", "x"), file("big.csv", "x", { sizeBytes: 30 * 1024 ** 2 })]);

    expect((await room.over()).items.map(({ state, reason }) => [state, reason])).toEqual([
      ["failed", "files of this type (.mp4) can't be added"],
      ["failed", "the file is larger than 25 MB"],
    ]);
  });

  it("says at its field that nothing was given", async () => {
    const { commands } = room.parts();
    const check = (attachments: readonly Attachment[]) =>
      commands.checkForm("kb add", { text: "  ", into: "docs" }, "", room.context({ attachments }));

    expect(await check([])).toEqual({ text: "Add a file, some text or a URL." });
    expect(await check([file("faq.md", "x")])).toBeUndefined();
  });

  it("adds nothing to a base out of reach, and names it to nobody", async () => {
    const said = await add({ text: "words", into: "docs" }, [file("faq.md", "x")], bob);

    expect(said.text).toContain("There is no knowledge base called docs that you can reach here.");
    expect(await room.parts().knowledge.jobs.recent(general, 1)).toEqual([]);
    expect(room.parts().commands.roleOfForm("kb add")).toBe("ingest");
  });

  it("opens without suggestions while the service is silent", async () => {
    await room.parts().bindings.clearChannel(general);
    const gate = createGate();
    room.faults.listKnowledgeBases = () => gate.wait().then(() => []);
    room.faults.getKnowledgeBase = () => gate.wait() as Promise<never>;
    room.faults.listAgents = () => gate.wait().then(() => []);
    const { fields } = await opened();
    gate.open();

    expect(fields.map(({ name }) => name)).toEqual(["files", "text", "into"]);
  });
});

describe("/kb add where there is no knowledge base", () => {
  it("offers to create one instead of a form", async () => {
    for (const base of ["docs", "handbook"]) await room.client.deleteKnowledgeBase(project, base);
    await room.client.deleteAgent(project, "guide");
    await room.parts().bindings.clearChannel(general);
    await room.parts().names.refresh();
    const plan = room.parts().commands.plan({ kind: "typed", text: "/kb add" });

    expect(await plan.acknowledgeIn?.({ actor: admin, place: general })).toEqual({ kind: "defer-private" });
    expect((await room.say("/kb add")).document.actions).toMatchObject([
      { value: expect.stringMatching(/^kb create/) },
    ]);
  });
});
