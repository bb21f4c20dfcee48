/** The console as a platform of Parley: its settings, id form and connection. */

import { z } from "zod";
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/core/ports/platform-module.ts";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { platformName } from "./intake/inbound.ts";
import { signInSettings, waysToSignIn } from "./people/settings.ts";
import type { Ways } from "./people/sign-in.ts";
import { userPattern } from "./people/user-header.ts";

/** The folder of README.md and docs/, which the page shows. */

export const consolePlatform = platformModule({
  name: platformName,
  label: "page",
  title: "The page",
  // Names from TRUSTED_USER_HEADER.
  idPattern: userPattern,
  hasRoles: false,
  isTrusted: true,
  whenOff: "is off (CONSOLE=on turns it on)",
  settings: z.object({
    isWanted: is.onOrOff.optional().meta({
      env: "CONSOLE",
      defaultWords: "on if no platform token is set",
      example: "on",
      about: "Parley's own web page: `on` or `off`.",
    }),
    ...signInSettings.shape,
  }),
  configure: ({ isWanted, ...values }, context) => {
    const { hasOthers, isLoopback, isGiven, report } = context;
    if (isWanted === false && !hasOthers) {
      report("CONSOLE", "is off and no chat platform is set, so nobody could ask");
      return undefined;
    }
    if (!(isWanted ?? !hasOthers)) return undefined;
    const ways = waysToSignIn(values, context);
    const opener = isLoopback ? (isGiven("TRUSTED_PROXY") ? "TRUSTED_PROXY" : undefined) : "HOST";
    if (opener !== undefined && !waysOpened.some(isGiven)) {
      const why = `is missing, but ${opener} makes the page reachable from other machines (or set CONSOLE=off)`;
      report("CONSOLE_TOKEN", why);
    }
    return configured(ways);
  },
});

/** With one of them, people say who they are. */
const waysOpened = ["CONSOLE_TOKEN", "CONSOLE_GUEST_TOKEN", "OIDC_ISSUER", "TRUSTED_USER_HEADER"];

function configured(ways: Ways) {
  return {
    name: platformName,
    config: ways,
    connect: async ({ http, commands, ...parts }) => {
      const { createConsole } = await import("./index.ts");
      const { describeCommands } = await import("./intake/command-list.ts");
      const page = createConsole({
        ...parts,
        ...ways,
        trustedProxy: http.trustedProxy,
        publicUrl: http.publicUrl,
        host: http.host,
        baseUrl: http.baseUrl,
        projectFolder: packageFolder,
        commands: () => describeCommands(commands.shown(), commands.groups, commands.prefix),
      });
      await page.mount(http.app);
      return page;
    },
    examine: async () => {
      const isOn = { isOk: true, says: "is on" };
      if (ways.provider === undefined) return [isOn];
      const { examineProvider } = await import("./people/provider/examination.ts");
      return [isOn, await examineProvider(ways.provider)];
    },
  } satisfies ConfiguredPlatform & { readonly config: Ways };
}
