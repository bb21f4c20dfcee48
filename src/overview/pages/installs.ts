/** Workspaces that installed the app: those that wait for approval, and removing one. A part of the page System. */

import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { Asked } from "../../core/ports/overview.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { adminSentences } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { adminPlaceOf, type Page } from "../page.ts";

const request = z.object({ platform: z.string().max(50), workspace: z.string().max(200) });

export const installsPage: Page = {
  name: "installs",
  least: "manage",
  isOfAll: true,
  isHidden: true,
  get: { "": async (app) => ({ installs: await readInstalls(app) }) },
  post: {
    "/approve": (app, asked) => decide(app, asked, "approve"),
    "/remove": (app, asked) => decide(app, asked, "remove"),
  },
};

export type InstallRow = {
  readonly platform: string;
  readonly workspace: string;
  readonly name: string;
  readonly installedBy: string;
  readonly installedAtMs: number;
  /** False: nothing is answered there until someone approves it. */
  readonly isServed: boolean;
  readonly isLost?: true;
  readonly problem?: string | undefined;
};

/** Of all platforms, those that aren't served first. */
async function readInstalls({ sites }: OverviewApp): Promise<readonly InstallRow[]> {
  const lists = [...sites].map(async ([name, { platform }]) =>
    ((await platform.installs?.list()) ?? []).map((line) => ({ platform: name, ...line, name: cleanText(line.name) })),
  );
  const rows = (await Promise.all(lists)).flat();
  return rows.sort((one, other) => Number(one.isServed) - Number(other.isServed));
}

/** How many wait, or can't be read. */
export async function waitingInstalls(app: OverviewApp): Promise<number> {
  return (await readInstalls(app)).filter(({ isServed }) => !isServed).length;
}

async function decide(app: OverviewApp, { viewer, input }: Asked, what: "approve" | "remove") {
  const { data } = request.safeParse(input);
  const installs = data === undefined ? undefined : app.sites.get(data.platform)?.platform.installs;
  const isDone = data !== undefined && (await installs?.[what](data.workspace)) === true;
  if (!isDone) throw new ParleyError("place_gone", adminSentences.noInstall);
  const entry = { role: "manage", action: `workspace ${what}`, about: data, outcome: "done" } as const;
  await app.audit.record({ actor: viewer, place: adminPlaceOf(viewer) }, entry);
  return { isDone };
}
