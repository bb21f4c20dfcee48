/** What is kept over a restart, and what becomes of the project's own documents. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { readProjectDocuments } from "../../../src/agent-service/built-in/answering/documents.ts";
import { project } from "../../doubles/people.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { ask, docsBaseUrl, documentsFolder, running, runningWithDocuments } from "./running.ts";

const docs = [{ title: "Manual", url: `${docsBaseUrl}manual.md`, content: "# Manual\n\n## Kettle\n\nBoil water." }];
const newDocs = [
  { title: "Manual", url: `${docsBaseUrl}manual.md`, content: "# Manual\n\n## Toaster\n\nToast bread." },
];

describe("a restart", () => {
  it("keeps agents, knowledge bases, their rows and files", async () => {
    const first = await running();
    await first.client.createKnowledgeBase(project, { name: "birds" });
    await first.client.insert(project, "birds", { rows: [{ id: "1", content: "Owls hunt at night." }] });
    await first.client.createAgent(project, { name: "ranger", knowledgeBases: ["birds"], promptTemplate: "Birds." });
    await first.close();

    const second = await running({ dataDir: first.dataDir });

    expect((await second.client.getAgent(project, "ranger")).promptTemplate).toBe("Birds.");
    expect((await ask(second.client, "When do owls hunt?", [], "ranger")).text).toContain("Owls hunt at night.");
  });

  it("doesn't index the documents again when they are the same", async () => {
    const first = await runningWithDocuments();
    const { createdAt } = (await first.client.listKnowledgeBases(project))[0] ?? {};
    await first.close();

    const second = await runningWithDocuments({ dataDir: first.dataDir });

    expect(first.logged).toHaveLength(1);
    expect(second.logged).toHaveLength(0);
    expect((await second.client.listKnowledgeBases(project))[0]?.createdAt).toBe(createdAt);
  });

  it("replaces the documents when they changed, and keeps what people put beside them", async () => {
    const first = await running({ docs });
    await first.client.insert(project, "docs", { rows: [{ id: "mine", content: "Wash the teapot." }] });
    await first.close();

    const { client } = await running({ dataDir: first.dataDir, docs: newDocs });

    expect(await client.search(project, "docs", "kettle", 5)).toEqual([]);
    expect((await client.search(project, "docs", "toaster", 5)).map((passage) => passage.source.title)).toEqual([
      "Toaster (Manual)",
    ]);
    expect(await client.search(project, "docs", "teapot", 5)).toHaveLength(1);
  });

  it("under another name of the project keeps the guide at its documents", async () => {
    const first = await running({ docs });
    await first.close();

    const { client } = await running({ dataDir: first.dataDir, docs, project: "team" });
    const answers: string[] = [];
    for await (const event of client.ask("team", "guide", [{ question: "How do I use the kettle?", answer: "" }])) {
      if (event.type === "answer") answers.push(event.text);
    }

    expect(answers.join()).toContain("Boil water.");
  });

  it("does not bring back a guide that was deleted", async () => {
    const first = await running({ docs });
    await first.client.deleteAgent(project, "guide");
    await first.close();

    const { client } = await running({ dataDir: first.dataDir, docs: newDocs });

    expect(await client.listAgents(project)).toEqual([]);
  });
});

describe("the database file", () => {
  it("is refused when a newer version wrote it", async () => {
    const dataDir = await temporaryFolder("local-service");
    const db = new DatabaseSync(join(dataDir, "local-service.db"));
    db.exec("PRAGMA user_version = 99");
    db.close();

    await expect(running({ dataDir })).rejects.toThrow("written by a newer version");
  });

  it("is left as it is when it is damaged", async () => {
    const dataDir = await temporaryFolder("local-service");
    const path = join(dataDir, "local-service.db");
    const damaged = "this is no database, and longer than its header would be ".repeat(40);
    await writeFile(path, damaged);

    await expect(running({ dataDir })).rejects.toThrow(`database is damaged: ${path}`);
    expect(await readFile(path, "utf8")).toBe(damaged);
  });
});

describe("the project's documents", () => {
  it("are read with their titles and URLs, and absolute links between them", async () => {
    const documents = await readProjectDocuments({ root: documentsFolder, baseUrl: docsBaseUrl });

    expect(documents.map(({ title, url }) => [title, url])).toEqual([
      ["README", `${docsBaseUrl}README.md`],
      ["Deploy", `${docsBaseUrl}deploy.md`],
      ["Errors", `${docsBaseUrl}errors.md`],
    ]);
    expect(documents[0]?.content).toContain(`[Deploy](${docsBaseUrl}deploy.md#behind-a-proxy)`);
  });

  it("can be absent", async () => {
    const folder = await temporaryFolder("local-service");

    expect(await readProjectDocuments({ root: folder, baseUrl: docsBaseUrl })).toEqual([]);
  });
});
