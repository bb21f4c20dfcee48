/** The items of a Job while it runs. */
import { expect, it } from "vitest";
import type { Job } from "../../../src/core/model/job.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { createJobRecord } from "../../../src/knowledge/jobs/job-record.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";

it("keeps what an item is known by when a change leaves it undefined", () => {
  const item = { label: "https://a.example/", kind: "url", state: "running", title: "Prices" } as const;
  const jobs = { transition: async () => undefined } as unknown as Parameters<typeof createJobRecord>[1]["jobs"];
  const record = createJobRecord({ id: "j", items: [item] } as unknown as Job, {
    jobs,
    clock,
    log,
    onChange: () => undefined,
  });

  record.change(0, { pages: 3, title: undefined });

  expect(record.job().items[0]).toMatchObject({ pages: 3, title: "Prices" });
});
