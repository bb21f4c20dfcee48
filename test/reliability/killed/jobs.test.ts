/** The real process and SIGKILL in the middle of a Job: the next start ends it in the same message. */
import { afterEach, describe, expect, it } from "vitest";
import { type JobTown, openJobTown } from "../towns/job-town.ts";
import { until, wordsOf } from "../towns/slack-town.ts";

let town: JobTown;
afterEach(async () => {
  expect(town.slack.violations).toEqual([]);
  await town.close();
});

async function expectOneMessage(words: string): Promise<void> {
  await until("its end", () => wordsOf(town.messages()[0]).includes(words));
  await until("the end of its record", () => town.processes.every((one) => one.output().includes("A job ended")));
  expect(town.messages()).toHaveLength(1);
}

describe("a job whose process is killed", () => {
  it("while a page is read: continues with that page, and inserts nothing twice", async () => {
    town = await openJobTown();
    const parley = await town.parley();
    const [first, second] = [town.page("first"), town.page("second", true)];
    await town.ingest(`${first} ${second} into docs by parley`);
    await until("the second page", () => town.site.asked.includes("/second"));
    await until("the first page's insert", () => town.service.inserts[0]?.endedAtMs !== undefined);
    await until("its outcome", () => wordsOf(town.messages()[0]).includes("1 of 2 done"));

    await parley.kill();
    await parley.start();

    await expectOneMessage("Added to docs · 2 of 2 done");
    expect(town.inserted()).toEqual([first, second]);
    expect(town.site.asked.filter((path) => path === "/first")).toHaveLength(1);
  });

  it.each(["parley", "service"])(
    "during an insert, by %s: repeats the insert, which replaces the first",
    async (by) => {
      town = await openJobTown({ insert: ({ number }) => (number === 1 ? held.wait() : undefined) });
      const held = town.gate();
      const parley = await town.parley();
      const address = town.page("page");
      await town.ingest(`${address} into docs by ${by}`);
      await until("the insert", () => town.service.inserts.length === 1);

      await parley.kill();
      await parley.start();
      held.open();

      await expectOneMessage("Added to docs · 1 of 1 done");
      expect(town.inserted()).toEqual([address, address]);
      expect(town.service.rows("docs")).toHaveLength(1);
    },
  );

  it("right after an insert: the next start does not put it in again", async () => {
    const gates = new Map<number, ReturnType<JobTown["gate"]>>();
    town = await openJobTown({ insert: ({ number }) => gates.get(number)?.wait() });
    for (const number of [1, 2]) gates.set(number, town.gate());
    const parley = await town.parley();
    const addresses = ["one", "two", "three"].map((name) => town.page(name));
    await town.ingest(`${addresses.join(" ")} into docs by service`);
    await until("the first insert", () => town.service.inserts.length === 1 && town.messages().length === 1);
    // By then everything that had changed before is stored.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    gates.get(1)?.open();
    await until("the second insert", () => town.service.inserts.length === 2);

    await parley.kill();
    await parley.start();
    gates.get(2)?.open();

    const [one, two, three] = addresses;
    await expectOneMessage("Added to docs · 3 of 3 done");
    expect(town.inserted()).toEqual([one, two, two, three]);
  });

  it.each(["before", "after"] as const)("%s its message was posted: there is one message", async (moment) => {
    town = await openJobTown();
    const parley = await town.parley();
    const held = town.way.hold({ path: "chat.postMessage", moment });
    const address = town.page("page");
    await town.ingest(`${address} into docs by service`);
    await held.reached;
    await parley.kill();
    held.release();

    await parley.start();

    await expectOneMessage("Added to docs · 1 of 1 done");
    expect(town.service.rows("docs")).toHaveLength(1);
  });

  it.each(["before", "after"] as const)(
    "%s its end was shown: it is shown, and nothing is inserted again",
    async (moment) => {
      town = await openJobTown();
      const parley = await town.parley();
      const held = town.way.hold({ path: "chat.update", containing: "Added to docs", moment });
      const address = town.page("page");
      await town.ingest(`${address} into docs by service`);
      await held.reached;
      await parley.kill();
      held.release();

      await parley.start();

      await expectOneMessage("Added to docs · 1 of 1 done");
      expect(town.inserted()).toEqual([address]);
    },
  );
});
