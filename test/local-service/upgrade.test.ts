/** A database that an earlier version wrote. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { project } from "../doubles/people.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { ask, running } from "./running.ts";

const written = join(import.meta.dirname, "../fixtures/local-service/version-1.db");

it("of version 1 opens as the newest version and loses nothing", async () => {
  const dataDir = await temporaryFolder("upgrade");
  await copyFile(written, join(dataDir, "local-service.db"));

  const { client } = await running({ dataDir });

  const { text, urls } = await ask(client, "When do owls hunt?", [], "ranger");
  expect(text).toContain("Owls hunt at night.");
  expect(urls).toEqual(["https://birds.example/owl"]);
  expect((await client.getAgent(project, "ranger")).promptTemplate).toBe("Answer about birds.");
  expect(await client.listFiles()).toEqual(["notes"]);
  expect((await client.listDocuments(project, "birds", 10)).map(({ id }) => id).sort()).toEqual(["heron", "owl"]);
  const db = new DatabaseSync(join(dataDir, "local-service.db"), { readOnly: true });
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 });
  expect(db.prepare("SELECT count(*) AS n FROM embeddings").get()).toEqual({ n: 0 });
  db.close();
});
