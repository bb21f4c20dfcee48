/** Addresses that answer never, without end, or with more than anybody reads: each is told, and spoils no other. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { article, type Site, type SitePage, startSite } from "../../doubles/network/site.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { openRoom, type Room } from "../room.ts";

let room: Room;
let site: Site;

beforeEach(async () => {
  site = await startSite({
    "/good": article("Refunds", "Refunds take five days."),
    "/silent": () => {},
    "/large": twoGigabytes("text/html"),
    "/endless": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const chunk = "<p>and so on</p>".repeat(4_096);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", more);
      };
      more();
    },
    "/disk.iso": twoGigabytes("application/octet-stream"),
  });
});

afterEach(async () => {
  await room.close();
  await site.close();
});

/** Announced, and begun. */
function twoGigabytes(type: string): SitePage {
  return (_request, response) => {
    response.writeHead(200, { "content-type": type, "content-length": 2 * 1024 ** 3 });
    response.write("<p>and so on</p>");
  };
}

it("answers within 5 s about 200 URLs, however silent DNS is", async () => {
  const clock = createFakeClock();
  // No job gets its turn: what is asked for is the answer alone.
  room = await openRoom({ clock, resolve: () => new Promise(() => {}), jobsPerPerson: 0 });
  await room.makeBase("docs");
  const addresses = Array.from({ length: 200 }, (_, at) => `https://host${at}.example.com/`);
  const begunAtMs = clock.now();
  let answered: string | undefined;
  void room.say(`/kb ingest ${addresses.join(" ")} http://169.254.169.254/ into docs by service`).then(({ text }) => {
    answered = text;
  });
  await untilAdvanced(clock, "the reply to the command", () => answered !== undefined, 100);

  expect(answered).toContain("Adding 201 pages to docs");
  expect(clock.now() - begunAtMs).toBeLessThanOrEqual(5_000);
  expect((await room.newest()).items.at(-1)).toMatchObject({
    state: "failed",
    reason: expect.stringMatching(/metadata/),
  });
});

describe.each(["service", "parley"])("an ingest by the %s", (by) => {
  it.each([
    ["/large", /larger than \d+ MB/],
    ["/endless", /larger than 3 MB|the page is too large/],
    ["/disk.iso", /larger than \d+ MB/],
    ["/gone", /page not found \(404\)/],
  ])("says of %s that %s", async (path, reason) => {
    room = await openRoom();
    await room.makeBase("docs");
    await room.say(`/kb ingest ${site.url}${path} ${site.url}/good into docs by ${by}`);
    const job = await room.over();

    expect(job.items).toMatchObject([{ state: "failed", reason: expect.stringMatching(reason) }, { state: "done" }]);
    expect(room.shown().at(-1)).toContain("1 of 2 done, 1 failed");
  });

  it("doesn't wait forever for one that never answers", async () => {
    const clock = createFakeClock();
    room = await openRoom({ clock });
    await room.makeBase("docs");
    const asked = (times: number) =>
      untilAdvanced(clock, `${times} requests`, () => site.asked.filter((path) => path === "/silent").length >= times);
    await room.say(`/kb ingest ${site.url}/silent into docs by ${by}`);
    await asked(1);
    if (by === "service") {
      // Nobody says that the service cannot reach it: after a look of 2 s it is handed on.
      await clock.advance(2_000);
      await asked(2);
    }
    await clock.advance(30_000);
    await untilAdvanced(clock, "the end of the job", async () => (await room.newest()).state !== "running");

    expect((await room.newest()).items).toMatchObject([
      { state: "failed", reason: expect.stringMatching(/no answer|didn't answer/) },
    ]);
  });
});
