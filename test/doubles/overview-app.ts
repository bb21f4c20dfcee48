/** What the pages at /admin read from: an App of what a test gives, in a Parley without platforms. */
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
  return { ...app, places: nowhere, installation: noInstallation, remember, ...given } as unknown as OverviewApp;
}
