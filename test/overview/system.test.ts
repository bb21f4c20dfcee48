import { describe, expect, it } from "vitest";
import type { LoweredBudget } from "../../src/core/metrics.ts";
import type { OverviewApp } from "../../src/overview/app.ts";
import type { LoweredLine } from "../../src/overview/budgets.ts";
import { createBudgetWatch } from "../../src/overview/budgets.ts";
import { noInstallation } from "../../src/overview/installation.ts";
import type { InstanceLine } from "../../src/overview/instances.ts";
import { readSystem } from "../../src/overview/pages/system.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { nowhere, overviewAppOf } from "../doubles/overview-app.ts";
import { monday, openRoom, turnOf, viewOf } from "./questions/room.ts";

const places = {
  kindOf: ({ channel }: { readonly channel: string }) => (channel.startsWith("D") ? "direct" : "shared") as "shared",
  nameOf: async ({ channel }: { readonly channel: string }) => ({ name: `${channel}-named` }),
};
const line: InstanceLine = { host: "parley-1", version: "0.2.0", node: "24.0.0", startedAtMs: monday };
const alone = { alive: async () => [{ version: 1 as const, line, budgets: [] }] };

async function withSystem(
  work: (room: Awaited<ReturnType<typeof openRoom>>, read: () => ReturnType<typeof readSystem>) => Promise<void>,
  changes: { readonly [K in keyof OverviewApp]?: Partial<OverviewApp[K]> } = {},
) {
  const room = await openRoom();
  try {
    const app = overviewAppOf(room.app, {
      ...{ budgets: () => [], instances: alone, places: { ...nowhere, ...places } },
      ...{ counts: () => ({ running: 0, waiting: 0 }), sites: new Map(), ...changes },
    });
    await work(room, () => readSystem(app));
  } finally {
    await room.close();
  }
}

const error = { code: "service_busy", what: "Busy.", hint: "Wait." };
const failed = (id: string, atMs: number, changes: object = {}) =>
  turnOf(id, {
    ...{ createdAtMs: atMs, endedAtMs: atMs + 5_000, state: "failed", outcome: viewOf({ state: "failed", error }) },
    ...changes,
  });

describe("the latest errors", () => {
  it("are the questions that failed on any instance, also before a restart, and what this instance has logged", () =>
    withSystem(
      async ({ store }, read) => {
        await store(failed("tt-old1", monday), turnOf("tt-good"), failed("tt-new1", monday + 60_000));

        const { errors } = await read();

        expect(errors.map(({ ref, message }) => [ref, message])).toEqual([
          ["new1", expect.stringContaining("hasn't started to answer")],
          [undefined, "Slack can't be reached"],
          ["old1", expect.stringContaining("hasn't started to answer")],
        ]);
        expect(errors[2]).toMatchObject({ code: "service_busy", platform: "slack", atMs: monday + 5_000 });
      },
      {
        installation: {
          ...noInstallation,
          errors: () => [{ atMs: monday + 30_000, message: "Slack can't be reached" }],
        },
      },
    ));

  it("name a question once, as the log does", () =>
    withSystem(
      async ({ store }, read) => {
        await store(failed("tt-7kq2", monday));

        expect((await read()).errors).toMatchObject([{ ref: "7kq2", cause: "HTTP 503" }]);
      },
      {
        installation: {
          ...noInstallation,
          errors: () => [{ atMs: monday, message: "A question failed", ref: "7kq2", cause: "HTTP 503" }],
        },
      },
    ));
});

describe("the budgets of the platforms", () => {
  const small: LoweredBudget = { workspace: "T1", channel: "C1", perMinute: 12, wholeAgainAtMs: monday };

  it("are shown with their limit, and with where 429s have made them smaller", () => {
    const watch = createBudgetWatch();
    let lowered: readonly LoweredBudget[] = [];
    const budget = { per: "channel" as const, perMinute: 60, lowered: () => lowered };
    watch.around("discord", noMetrics.ofPlatform("discord")).watchBudget("edits", budget);
    // One answer with limits of its own is no channel's.
    lowered = [small, { perMinute: 9, wholeAgainAtMs: monday }];

    return withSystem(
      async (_room, read) => {
        expect((await read()).budgets).toEqual([
          {
            ...{ platform: "discord", kind: "edits", per: "channel", perMinute: 60 },
            lowered: [{ ...small, name: "C1-named" }],
          },
        ]);
      },
      { budgets: watch.read },
    );
  });

  it("of direct messages don't say whose they are", () => {
    const lowered: readonly LoweredLine[] = [{ ...small, workspace: "T1", channel: "D0ALICE" }];
    const direct = { platform: "slack", kind: "edits" as const, per: "channel" as const, perMinute: 60, lowered };

    return withSystem(
      async (_room, read) => {
        const [line] = (await read()).budgets;
        expect(line?.lowered).toEqual([{ workspace: "T1", isDirect: true, perMinute: 12, wholeAgainAtMs: monday }]);
      },
      { budgets: () => [direct] },
    );
  });

  it("are the smallest that any instance knows of", () => {
    const of = (...lowered: readonly LoweredLine[]) => ({
      ...{ platform: "slack", kind: "posts" as const, per: "workspace" as const, perMinute: 60, lowered },
    });
    const at = (workspace: string, perMinute: number) => ({ workspace, perMinute, wholeAgainAtMs: monday });
    const alive = async () => [
      { version: 1 as const, line, budgets: [] },
      { version: 1 as const, line: { ...line, host: "parley-2" }, budgets: [of(at("T1", 20), at("T2", 30))] },
    ];

    return withSystem(
      async (_room, read) => {
        const { instances, budgets } = await read();

        expect(instances.map(({ host }) => host)).toEqual(["parley-1", "parley-2"]);
        expect(budgets[0]?.lowered.map(({ workspace, perMinute }) => [workspace, perMinute])).toEqual([
          ["T1", 20],
          ["T2", 30],
          ["T3", 50],
        ]);
      },
      { budgets: () => [of(at("T1", 40), at("T3", 50))], instances: { alive } },
    );
  });
});
