/**
 * A handbook of 40 pages with tables, added from Slack by its URL: a question about one line of one table is answered
 * with the page and a link to it. The agent is the built-in service's.
 */
import { expect, it, onTestFinished } from "vitest";
import { startLocalService } from "../../../../src/agent-service/built-in/local-service.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { pageOf, pdfOf } from "../../../doubles/files/pdf.ts";
import { startSite } from "../../../doubles/network/site.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { temporaryFolder } from "../../../doubles/temporary-folder.ts";
import { until } from "../../../doubles/until.ts";
import { openParley } from "../parley.ts";

const towns =
  "Aachen Bremen Celle Dresden Erfurt Fulda Goslar Hameln Ingolstadt Jena Kassel Leipzig Marburg Neuss Osnabrück Passau Rostock Schwerin Trier Ulm Verden Weimar Xanten Zwickau Ansbach Bamberg Coburg Dachau Eisenach Freiburg Gera Halle Iserlohn Jever Kiel Landau Mainz Norden Oldenburg Potsdam".split(
    " ",
  );

/** A page for each town. */
const handbook = pdfOf(
  towns.map((town, index) =>
    pageOf([
      { heading: `Tariffs in ${town}` },
      { text: `The prices of ${town} are valid for all meters that were installed there after the first of March.` },
      {
        table: [
          ["Service", "Price", "Billed"],
          ["Grid fee", `${index + 10}.50 EUR`, "monthly"],
          ["Meter reading", `${index + 60}.20 EUR`, "yearly"],
        ],
      },
    ]),
  ),
);

it("answers from a page of a PDF, and links to that page", async () => {
  const site = await startSite({
    "/robots.txt": { status: 404 },
    "/handbook.pdf": { headers: { "content-type": "application/pdf" }, body: handbook },
  });
  onTestFinished(site.close);
  const dataDir = await temporaryFolder("documents");
  const service = await startLocalService({ dataDir, clock: systemClock, log, stepDelayMs: 0 });
  onTestFinished(service.close);
  await service.createKnowledgeBase("mindsdb", { name: "handbooks" });
  await service.createAgent("mindsdb", { name: "workshop", knowledgeBases: ["handbooks"] });
  const { slack, alice, replies } = await openParley({ service });
  await alice.command("/agent", "use workshop", "C0GENERAL");
  const url = `${site.url}/handbook.pdf`;

  await alice.command("/kb", `add ${url} into:handbooks`, "C0GENERAL");
  const shown = () => JSON.stringify([...slack.world.messages.values()]);
  await until("the handbook is in", () => shown().includes("1 of 1 done"));
  expect(shown()).toContain("40 pages");
  const asked = alice.mention("C0GENERAL", "What is the grid fee in Coburg?");
  const answer = () => JSON.stringify(replies(asked.ts));
  await until("an answer with its source", () => answer().includes(`${url}#page=27`));

  expect(answer()).toContain("36.50 EUR");
  expect(answer()).toContain("handbook.pdf, page 27");
  expect(slack.violations).toEqual([]);
});
