/** What the pages at /admin read from: an App of what a test gives, in a Parley without platforms. */
import { managesFromPage } from "../../src/access/roles.ts";
import type { App } from "../../src/app.ts";
import type { OverviewApp } from "../../src/overview/app.ts";
import { noInstallation } from "../../src/overview/installation.ts";
import { createRemember } from "../../src/overview/remember.ts";

export const nowhere: OverviewApp["places"] = {
  all: async () => [],
  kindOf: () => "unknown",
  isPublic: async () => false,
  nameOf: async () => ({}),
};

/** What is missing fails when it is used. */
export function overviewAppOf(app: App, given: { readonly [K in keyof OverviewApp]?: Partial<OverviewApp[K]> } = {}) {
  const remember = createRemember({ now: () => app.clock.now() });
  const reach = { ...app.reach, oversees: managesFromPage };
  return { ...app, reach, places: nowhere, installation: noInstallation, remember, ...given } as unknown as OverviewApp;
}
