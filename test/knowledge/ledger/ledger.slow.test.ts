/** What is put into a knowledge base is listed, refreshed and removed, and survives what happens in between. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerDocument } from "../../../src/core/content/ledger.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Job } from "../../../src/core/model/job.ts";
import { jobDocument } from "../../../src/presentation/drawing.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { admin, bob, general, project } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { createGate, openRoom, type Room } from "../room.ts";

let room: Room;
let site: Site;
const docs = { project, name: "docs" };
const carol = { ...bob, id: "U3", name: "Carol" };
const dora = { ...bob, id: "U4", name: "Dora" };

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
  // Members reach the base through it.
  await room.client.createAgent(project, { name: "sales", knowledgeBases: ["docs"] });
  await room.parts().names.refresh();
  site = await startSite({
    "/a": article("Refunds", "Refunds take five days."),
    "/b": article("Shipping", "Parcels leave at noon."),
    "/c": article("Warranty", "Warranty lasts two years."),
  });
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
  await site.close();
});

const listed = async (): Promise<readonly LedgerDocument[]> =>
  (await room.parts().knowledge.ledger.page(docs, 0, 100)).documents;
const contents = async (words: string) => (await room.passages("docs", words)).map(({ content }) => content);
const rowsThere = async () => (await room.client.listDocuments(project, "docs", 1_000)).map(({ id }) => id).sort();

async function newestJob(): Promise<Job> {
  const [job] = await room.parts().knowledge.jobs.recent(general, 1);
  if (job === undefined) throw new Error("No job was begun.");
  return job;
}

async function ingest(paths: string, changes = {}): Promise<void> {
  const urls = paths.split(" ").map((path) => `${site.url}${path}`);
  await room.say(`/kb ingest ${urls.join(" ")} into docs by parley`, changes);
  await room.over();
}

async function addFile(name: string, content: string): Promise<void> {
  const file = { id: name, name, mediaType: "text/csv", sizeBytes: content.length, reference: content };
  await room.say("/kb add into:docs", { attachments: [file] });
  await room.over();
}

async function refresh(changes = {}, path?: string): Promise<string> {
  const said = await room.say(`/kb refresh docs${path === undefined ? "" : ` ${site.url}${path}`}`, changes);
  expect(said.text).toMatch(/Reading \d pages? of docs again/);
  await room.over();
  return room.shown().at(-1) ?? "";
}

describe("The ledger", () => {
  it("lists pages, files, texts and saved messages with who added them and how many rows they have", async () => {
    await ingest("/a", { actor: bob });
    const content = "id,content\n1,Refunds take five days.\n2,Parcels leave at noon.";
    const file = { id: "f", name: "faq.csv", mediaType: "text/csv", sizeBytes: content.length, reference: content };
    await room.say("/kb add into:docs", { attachments: [file] });
    await room.over();
    await room.say("/kb add Support answers within an hour. into:docs");
    await room.over();

    expect((await listed()).map(({ title, rows, by, way, problem }) => [title, rows, by.name, way, problem])).toEqual(
      expect.arrayContaining([
        ["Refunds", 1, "Bob", "parley", undefined],
        ["faq.csv", 2, "Alice", "parley", undefined],
        ["Support answers within an hour.", 1, "Alice", "parley", undefined],
      ]),
    );
    expect([...(await room.parts().knowledge.ledger.allRowIds(docs))].sort()).toEqual(await rowsThere());
  });

  it("has one document for each page of a crawl, and still only one when it is added again", async () => {
    site.set("/start", article("Start", "Begin here.", ["/a", "/b"]));
    const crawl = `/kb ingest ${site.url}/start into docs by parley limit 5 depth 1`;
    await room.say(crawl);
    await room.over();
    await room.say(crawl, { actor: bob });
    await room.over();

    expect((await listed()).map(({ title, by }) => `${title} ${by.name}`).sort()).toEqual([
      "Refunds Alice",
      "Shipping Alice",
      "Start Alice",
    ]);
  });

  it("lists by URL what the service's own crawler read, and offers no Remove for it", async () => {
    await room.say(`/kb ingest ${site.url}/a into docs by service`);
    await room.over();
    const { text, document } = await room.say("/kb show docs");
    const buttons = document.blocks.flatMap((block) => (block.kind === "actions" ? block.actions : []));

    expect(text).toContain("1 page · read by the agent service");
    expect(buttons.map(({ id }) => id)).toEqual(["refresh-document"]);
    expect((await room.say(`/kb remove docs ${site.url}/a`)).text).toContain("can't be removed");
  });

  it("does not list what the service refused", async () => {
    room.faults.insert = async () => {
      throw new ParleyError("insert_failed");
    };
    await ingest("/a");

    expect(await listed()).toEqual([]);
  });

  it("forgets a saved message that is removed again", async () => {
    room.platform.say(
      { ...general, thread: "100" },
      {
        ...{ messageId: "100", order: "100", authorName: "Bob", isBot: false, isOwn: false, attachments: [] },
        ...{ text: "Refunds take five days.", atMs: 0 },
      },
    );
    await room.parts().bindings.setChannel(general, { knowledgeBase: "docs" });
    await room.end(await room.parts().saving.saveMarked({ place: general, messageId: "100" }, room.context()));
    const before = await listed();
    await room.press("remove-saved", (await room.newest()).id);

    expect(before).toMatchObject([{ title: "Refunds take five days.", origin: { kind: "thread" }, rows: 1 }]);
    expect(await listed()).toEqual([]);
    expect(await rowsThere()).toEqual([]);
  });
});

describe("/kb show", () => {
  it("shows ten documents a page, the newest first, with a menu for each", async () => {
    for (let number = 1; number <= 12; number += 1) {
      site.set(`/p${number}`, article(`Page ${number}`, `Text ${number}.`));
      await ingest(`/p${number}`);
    }
    const first = await room.say("/kb show docs");
    const [older] = first.document.actions;
    const second = await room.press(older?.id ?? "", older?.value ?? "");
    const labels = second.document.blocks.flatMap((block) =>
      block.kind === "actions" ? block.actions.map(({ label, accessibleLabel }) => [label, accessibleLabel]) : [],
    );

    expect(first.text).toContain("docs · 12 documents");
    expect(first.text).toContain("1. Page 12");
    expect(first.text).toContain("added by Alice");
    expect(second.text).toContain("11. Page 2");
    expect(second.text).toContain("page 2 of 2");
    expect(labels).toEqual([
      ["Refresh", "Refresh 11: Page 2"],
      ["Remove", "Remove 11: Page 2"],
      ["Refresh", "Refresh 12: Page 1"],
      ["Remove", "Remove 12: Page 1"],
    ]);
    expect((await room.say("/kb show docs page 3")).text).toContain("only 2 pages");
  });

  it("counts rows from elsewhere without waiting for the service", async () => {
    await room.client.insert(project, "docs", { rows: [{ id: "x", content: "From elsewhere." }] });
    await ingest("/a");
    const first = await room.say("/kb show docs");
    await room.parts().knowledge.elsewhere.settled();

    expect(first.text).not.toContain("from elsewhere");
    expect((await room.say("/kb show docs")).text).toContain("1 row from elsewhere");
  });

  it("says which documents someone removed without Parley, and a refresh puts them in again", async () => {
    await ingest("/a /b");
    const content = "id,content\n1,Tea is 3 €.\n2,Cake is 4 €.";
    const file = { id: "f", name: "prices.csv", mediaType: "text/csv", sizeBytes: 40, reference: content };
    await room.say("/kb add into:docs", { attachments: [file] });
    await room.over();
    const idsOf = async (title: string) => {
      const document = (await listed()).find((one) => one.title === title);
      return room.parts().knowledge.ledger.rowIds(docs, document?.id ?? "");
    };
    const [tea = ""] = await idsOf("prices.csv");
    await room.client.deleteRows(project, "docs", [...(await idsOf("Refunds")), tea]);
    await room.say("/kb show docs");
    await room.parts().knowledge.elsewhere.settled();

    const { text } = await room.say("/kb show docs");
    expect(text).toMatch(/Refunds.* · no longer in the service/);
    expect(text).toMatch(/prices\.csv.* · partly no longer in the service/);
    expect(text).not.toMatch(/Shipping.* no longer/);
    expect(text).toContain("2 documents are no longer complete in the service");

    expect(await refresh()).toContain("1 updated, 1 unchanged");
    expect(await contents("refunds")).toHaveLength(1);
    expect((await listed()).find(({ title }) => title === "Refunds")?.problem).toBeUndefined();
  });

  it("forgets what it held when the base was deleted without Parley", async () => {
    await ingest("/a");
    await room.client.deleteKnowledgeBase(project, "docs");
    await room.parts().knowledge.elsewhere.of(docs);
    await room.parts().knowledge.elsewhere.settled();

    expect(await listed()).toEqual([]);
  });

  it("says which agents look in it, and to members only those they reach", async () => {
    expect((await room.say("/kb show docs")).text).toContain("Read by sales");
  });

  it("keeps a base out of reach secret", async () => {
    await room.makeBase("secret");
    const guest = { ...bob, isGuest: true };

    await expect(room.say("/kb show secret", { actor: guest })).rejects.toMatchObject({
      code: "knowledge_base_not_found",
    });
    await expect(room.press("kb-page", "secret 1", { actor: guest })).rejects.toMatchObject({
      code: "knowledge_base_not_found",
    });
  });
});

describe("/kb remove", () => {
  it("removes a document with its rows, and never rows from elsewhere", async () => {
    await room.client.insert(project, "docs", { rows: [{ id: "x", content: "Refunds from elsewhere." }] });
    await ingest("/a /b");

    expect((await room.say(`/kb remove docs ${site.url}/a`)).text).toContain("Removed Refunds from docs.");
    expect((await listed()).map(({ title }) => title)).toEqual(["Shipping"]);
    expect(await contents("refunds")).toEqual(["Refunds from elsewhere."]);
    expect(await room.audit("kb remove")).toMatchObject([{ role: "ingest", outcome: "done" }]);
    await expect(room.say(`/kb remove docs ${site.url}/a`)).rejects.toMatchObject({ code: "resource_not_found" });
  });

  it("keeps the rows that another file has too, and each row belongs to the file it was last in", async () => {
    await addFile("old.csv", "id,content\n1,Tea is 2 euros.\n2,Milk is 1 euro.\n3,Soup is 4 euros.");
    await addFile("new.csv", "id,content\n1,Tea is 3 euros.\n2,Milk is 2 euros.");
    expect(room.shown().at(-1)).toContain("2 rows, replacing 2 rows of other files with the same id");
    expect((await listed()).map(({ title, rows }) => `${title} ${rows}`).sort()).toEqual(["new.csv 2", "old.csv 1"]);

    await room.say("/kb remove docs old.csv");
    await room.over();
    expect(await contents("tea")).toEqual(["Tea is 3 euros."]);
    expect(await rowsThere()).toEqual(["1", "2"]);

    await room.say("/kb remove docs new.csv");
    await room.over();
    expect(await rowsThere()).toEqual([]);
  });

  it("keeps a row without an id while another file says the same", async () => {
    await addFile("one.csv", "item,price\ntea,3\nsoup,4");
    await addFile("two.csv", "item,price\ntea,3\nmilk,1");
    expect(room.shown().at(-1)).not.toContain("replacing");
    await room.say("/kb remove docs two.csv");
    await room.over();

    expect((await listed()).map(({ title, rows }) => `${title} ${rows}`)).toEqual(["one.csv 2"]);
    expect(await contents("tea")).toEqual(["item: tea\nprice: 3"]);
    expect(await rowsThere()).toHaveLength(2);
  });

  it("removes a document once when its button is pressed twice at the same moment", async () => {
    await addFile("prices.csv", "id,content\n1,Tea is 3 euros.");
    await addFile("menu.csv", "id,content\n2,Soup is 4 euros.");
    const { id = "" } = (await listed()).find(({ title }) => title === "prices.csv") ?? {};
    const asked = await room.press("remove-document", `docs ${id}`);
    const value = asked.document.actions[0]?.value ?? "";
    const both = await Promise.all([room.press("confirm", value), room.press("confirm", value)]);

    for (const { text } of both) expect(text).toContain("Removed prices.csv from docs.");
    expect((await listed()).map(({ title }) => title)).toEqual(["menu.csv"]);
    expect(await rowsThere()).toEqual(["2"]);
    await expect(room.press("confirm", value)).rejects.toMatchObject({ code: "turn_gone" });
  });

  it("loses and doubles nothing while the service deletes no rows", async () => {
    await ingest("/a");
    room.faults.deleteRows = async () => {
      throw new ParleyError("service_failed");
    };
    site.set("/a", article("Refunds", "Refunds take ten days."));
    await refresh({}, "/a");
    expect((await room.say(`/kb remove docs ${site.url}/a`)).text).toContain("The agent service reported an error.");
    expect(await contents("refunds")).toEqual([expect.stringContaining("five days")]);
    expect((await listed()).map(({ rows, problem }) => [rows, problem !== undefined])).toEqual([[1, true]]);

    delete room.faults.deleteRows;
    expect(await refresh({}, "/a")).toContain("1 updated");
    expect(await contents("refunds")).toEqual([expect.stringContaining("ten days")]);
    expect(await rowsThere()).toHaveLength(1);
  });

  it("no longer lists a file all of whose rows a later file replaced", async () => {
    await addFile("old.csv", "id,content\n1,Tea is 2 euros.");
    await addFile("new.csv", "id,content\n1,Tea is 3 euros.\n2,Milk is 2 euros.");

    expect((await listed()).map(({ title, rows }) => `${title} ${rows}`)).toEqual(["new.csv 2"]);
  });

  it("asks before its button removes anything", async () => {
    await ingest("/a");
    const [document] = await listed();
    const asked = await room.press("remove-document", `docs ${document?.id}`);
    const [yes] = asked.document.actions;

    expect(asked.text).toContain("Remove Refunds from docs?");
    expect(await listed()).toHaveLength(1);
    await room.press("confirm", yes?.value ?? "");
    expect(await listed()).toEqual([]);
  });

  it("lets people remove what they added, and managers everything", async () => {
    await ingest("/a", { actor: bob });
    await ingest("/b", { actor: carol });
    const other = (await listed()).find(({ title }) => title === "Shipping");

    await expect(room.say(`/kb remove docs ${site.url}/b`, { actor: bob })).rejects.toThrow(/Carol added this/);
    for (const button of ["remove-document", "refresh-document"]) {
      await expect(room.press(button, `docs ${other?.id}`, { actor: bob })).rejects.toThrow(/Carol added this/);
    }
    await expect(room.press("confirm", `kb-remove docs ${other?.id}`, { actor: bob })).rejects.toThrow(/Carol/);
    expect((await room.say(`/kb remove docs ${site.url}/a`, { actor: bob })).text).toContain("Removed Refunds");
    expect((await room.say(`/kb remove docs ${site.url}/b`, { actor: admin })).text).toContain("Removed Shipping");
  });

  it("does not make a document one's own by adding it again", async () => {
    await ingest("/a", { actor: bob });
    await ingest("/a", { actor: carol });

    await expect(room.say(`/kb remove docs ${site.url}/a`, { actor: carol })).rejects.toThrow(/Bob added this/);
  });
});

describe("/kb delete", () => {
  it("says what will be lost, and deletes the base with its ledger when it is confirmed", async () => {
    await ingest("/a /b");
    const asked = await room.say("/kb delete docs");
    const [yes] = asked.document.actions;

    expect(asked.text).toContain("Delete docs?");
    expect(asked.text).toContain("also the 2 documents added through Parley");
    expect(asked.text).toContain("Read by sales");
    expect((await room.press("confirm", yes?.value ?? "")).text).toContain("Deleted knowledge base docs.");
    expect(await listed()).toEqual([]);
    expect((await room.client.listKnowledgeBases(project)).map(({ name }) => name)).not.toContain("docs");
    expect(room.parts().commands.planAction("confirm", "kb-delete docs").role).toBe("manage");
  });
});

describe("/kb refresh", () => {
  it("reports what was updated, unchanged and gone, and keeps the rows of what is gone", async () => {
    await ingest("/a /b /c");
    site.set("/a", article("Refunds", "Refunds take nine days."));
    site.set("/c", { status: 410, body: "gone" });

    expect(await refresh()).toContain("Refreshed docs · 1 updated, 1 unchanged, 1 gone");
    expect(await contents("refunds days")).toEqual([expect.stringContaining("Refunds take nine days.")]);
    expect(await contents("warranty")).toEqual([expect.stringContaining("Warranty lasts two years.")]);
    expect((await room.say("/kb show docs")).text).toContain("page not found (410)");
    expect(await rowsThere()).toHaveLength(3);
  });

  it("offers to remove the pages that are gone, for those who may, once, and says which", async () => {
    await ingest("/a", { actor: bob });
    await ingest("/b /c", { actor: carol });
    for (const path of ["/a", "/b"]) site.set(path, { status: 410, body: "gone" });
    expect(await refresh()).toContain("2 gone");
    const { id, ...job } = await newestJob();
    const { actions } = jobDocument({ ...job, id }, job.createdAtMs);
    expect(actions).toContainEqual({ id: "remove-gone", label: "Remove 2 pages", value: id, style: "danger" });

    expect((await room.press("remove-gone", id, { actor: dora })).text).toContain(
      "2 pages that other people added stay",
    );
    expect(await listed()).toHaveLength(3);
    const bobs = await room.press("remove-gone", id, { actor: bob });
    expect(bobs.text).toContain("Removed Refunds from docs.");
    expect(bobs.text).toContain("1 page that other people added stays: only managers can remove those.");
    const [one, other] = await Promise.all([room.press("remove-gone", id), room.press("remove-gone", id)]);

    expect([one.text, other.text].sort()).toEqual([
      expect.stringContaining("Nothing to remove"),
      expect.stringContaining("Removed Shipping from docs."),
    ]);
    expect((await listed()).map(({ title }) => title)).toEqual(["Warranty"]);
    expect(await rowsThere()).toHaveLength(1);
    expect((await room.audit("kb remove")).map(({ about }) => about["document"])).toEqual([
      `${site.url}/a`,
      `${site.url}/b`,
    ]);
  });

  it("keeps a page that was there again when its report's button is pressed", async () => {
    await ingest("/a");
    site.set("/a", { status: 404, body: "gone" });
    await refresh();
    const { id } = await newestJob();
    site.set("/a", article("Refunds", "Refunds take nine days."));
    await refresh({}, "/a");

    expect((await room.press("remove-gone", id)).text).toContain("Nothing to remove");
    expect(await listed()).toHaveLength(1);
  });

  it("says when a page asks for a login, also by a redirect, and keeps what was there", async () => {
    await ingest("/a /b");
    const form = '<title>Log in</title><main><p>Please log in.</p><form><input type="password"></form></main>';
    site.set("/login", form);
    site.set("/a", { status: 302, headers: { location: "/login" } });
    site.set("/b", { status: 403 });

    expect(await refresh()).toContain("2 behind a login");
    expect(await contents("refunds")).toEqual([expect.stringContaining("Refunds take five days.")]);
    expect((await listed()).map(({ problem }) => problem).sort()).toEqual([
      "page requires a login",
      "page requires a login (403)",
    ]);
  });

  it("follows a page that moved, and removes what it had at its old URL", async () => {
    await ingest("/a", { actor: bob });
    site.set("/a", { status: 301, headers: { location: "/new" } });
    site.set("/new", article("Refunds", "Refunds take nine days."));

    expect(await refresh()).toContain("1 moved");
    expect(await listed()).toMatchObject([{ url: `${site.url}/new`, by: { name: "Bob" }, rows: 1 }]);
    expect(await rowsThere()).toHaveLength(1);
    expect(await contents("refunds days")).toEqual([expect.stringContaining("nine days")]);
  });

  it("forgets a problem once the page is back", async () => {
    await ingest("/a");
    site.set("/a", { status: 404 });
    await refresh();
    site.set("/a", article("Refunds", "Refunds take five days."));

    expect(await refresh()).toContain("1 unchanged");
    expect((await listed())[0]?.problem).toBeUndefined();
  });

  it("reads through Parley what the service's own crawler had read, which then can be removed", async () => {
    await room.say(`/kb ingest ${site.url}/a into docs by service`);
    await room.over();

    expect(await refresh()).toContain("1 updated");
    expect(await listed()).toMatchObject([{ way: "parley", rows: 1 }]);
    expect(await rowsThere()).toHaveLength(1);
    expect((await room.say(`/kb remove docs ${site.url}/a`)).text).toContain("Removed Refunds");
  });

  it("replaces what a crawler stored under the URL without the slash at its end", async () => {
    site.set("/", article("Start", "Start here."));
    site.set("/a/", article("Refunds", "Refunds take nine days."));
    await room.say(`/kb ingest ${site.url}/ ${site.url}/a ${site.url}/a/ into docs by service`);
    await room.over();
    const rows = [
      { id: "root", content: "Old start.", url: site.url },
      { id: "slash", content: "Old refunds.", url: `${site.url}/a` },
      { id: "other", content: "Of something else.", url: `${site.url}/z` },
    ];
    await room.client.insert(project, "docs", { rows });
    await room.say("/kb show docs");
    await room.parts().knowledge.elsewhere.settled();
    expect((await room.say("/kb show docs")).text).toContain("1 row from elsewhere");

    await refresh({}, "/");
    await refresh({}, "/a/");

    expect(await rowsThere()).not.toContain("root");
    // It may be of the page without a slash, which is read by the service too.
    expect(await rowsThere()).toContain("slash");
    await refresh({}, "/a");
    expect(await rowsThere()).not.toContain("slash");
    expect(await rowsThere()).toContain("other");
  });

  it("reads only one's own pages without the role of managers, and says so", async () => {
    await ingest("/a", { actor: bob });
    await ingest("/b", { actor: carol });
    const said = await room.say("/kb refresh docs", { actor: bob });

    expect(said.text).toContain("Reading 1 page of docs again");
    expect(said.text).toContain("1 page that other people added was left out");
    expect((await room.over()).items.map(({ title }) => title)).toEqual(["Refunds"]);
    await expect(room.say(`/kb refresh docs ${site.url}/b`, { actor: bob })).rejects.toThrow(/Carol added this/);
  });

  it("reads each page once when two people refresh at the same time", async () => {
    await ingest("/a");
    const gate = createGate();
    const page = article("Refunds", "Refunds take five days.");
    site.set("/a", (_request, response) => {
      void gate.wait().then(() => response.writeHead(200, { "content-type": "text/html" }).end(page));
    });
    await room.say("/kb refresh docs");
    await gate.arrived;
    const second = await room.say("/kb refresh docs", { actor: { ...admin, id: "U9" } });
    gate.open();
    await room.over();

    expect(second.text).toContain("1 page already being read by another job");
  });

  it("lets only managers retry what failed of pages that other people added", async () => {
    await ingest("/a", { actor: bob });
    await ingest("/b", { actor: carol });
    site.set("/a", { status: 500 });
    site.set("/b", { status: 500 });
    await refresh();
    const all = (await room.newest()).id;
    await refresh({ actor: carol });
    const carols = (await room.newest()).id;

    await expect(room.press("retry-job", all, { actor: bob })).rejects.toThrow(/Carol added this/);
    await expect(room.press("retry-job", carols, { actor: bob })).rejects.toThrow(/Carol added this/);
    expect((await room.press("retry-job", carols, { actor: carol })).text).toContain("Retrying");
    expect((await room.press("retry-job", all, { actor: admin })).text).toContain("Retrying");
  });

  it("continues in the same message after a kill, with no row twice and none lost", async () => {
    await ingest("/a /b /c");
    const before = await rowsThere();
    const messages = room.shown().length;
    for (const path of ["/a", "/b", "/c"]) site.set(path, article(`New ${path}`, "Refunds take nine days."));
    const gate = createGate();
    let inserts = 0;
    room.faults.insert = async (...args) => {
      inserts += 1;
      // Killed between the delete and the insert of the second page.
      if (inserts === 2) return gate.wait();
      return room.client.insert(...args);
    };
    await room.say("/kb refresh docs");
    await gate.arrived;
    delete room.faults.insert;
    await room.restart();
    await room.over();
    await until("the refresh is over", async () => (await room.newest()).state === "done");

    expect(await rowsThere()).toEqual(before);
    expect(room.shown()).toHaveLength(messages + 1);
    expect(room.shown().at(-1)).toContain("Refreshed docs");
    expect((await listed()).map(({ problem, rows }) => [problem, rows])).toEqual(
      Array.from({ length: 3 }, () => [undefined, 1]),
    );
  });
});

describe("A page without text", () => {
  it.each(["service", "parley"])("is a failure when it is read by the %s", async (by) => {
    site.set(
      "/app",
      '<html><title>App</title><body><div id="root"></div><script src="/app.js"></script></body></html>',
    );
    await room.say(`/kb ingest ${site.url}/app into docs by ${by}`);

    expect((await room.over()).items).toMatchObject([
      { state: "failed", reason: "no readable text (the page may need JavaScript)" },
    ]);
    expect(await listed()).toEqual([]);
  });
});
