/** The overview: what the pages at /admin show those who run Parley. Each page is a file in `pages`. */

import type { App } from "../app.ts";
import type { Overview } from "../core/ports/overview.ts";
import type { OverviewApp, OverviewParts } from "./app.ts";
import { createInstances } from "./instances.ts";
import { pagesOf } from "./pages.ts";
import { createPlaces } from "./places.ts";
import { createRemember } from "./remember.ts";

export { createBudgetWatch } from "./budgets.ts";
export { noInstallation } from "./installation.ts";

export type OverviewWork = Overview & {
  /** Works in the background, until the signal aborts. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
};

export function createOverview(app: App, parts: OverviewParts): OverviewWork {
  const places = createPlaces(app);
  const instances = createInstances(app, parts);
  const own: OverviewApp = { ...app, ...parts, places, instances, remember: createRemember(app.clock) };
  return {
    pages: pagesOf(own),
    showsPrivate: app.settings.logPrivate,
    kindOf: places.kindOf,
    isPublic: places.isPublic,
    work: instances.beat,
  };
}
