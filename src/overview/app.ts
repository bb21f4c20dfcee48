/** What the pages at /admin read from. It is built once, and every page gets it. */

import type { App } from "../app.ts";
import type { OfBridge } from "../commands/app.ts";
import type { Privacy } from "../core/content/privacy.ts";
import type { Insight } from "../insight/insight.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { BudgetWatch } from "./budgets.ts";
import type { Installation } from "./installation.ts";
import type { Instances } from "./instances.ts";
import type { Places } from "./places.ts";
import type { Remember } from "./remember.ts";

/** What other rooms and the program give it. */
export type OverviewParts = Pick<OfBridge, "counts" | "heard"> & {
  readonly insight: Insight;
  readonly knowledge: Knowledge;
  readonly privacy: Privacy;
  readonly installation: Installation;
  readonly budgets: BudgetWatch["read"];
};

export type OverviewApp = App &
  OverviewParts & { readonly places: Places; readonly instances: Instances; readonly remember: Remember };
