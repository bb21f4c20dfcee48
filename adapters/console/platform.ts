/** The console as a platform of Parley: its settings, id form and connection. */
import { fileURLToPath } from "node:url";
import * as is from "../../src/config/formats.ts";
import { type ConfiguredPlatform, platformModule } from "../../src/ports/platform-module.ts";
import { present } from "../../src/ports/tools/present.ts";
import { platformName } from "./intake/inbound.ts";

/** The folder of README.md and docs/, which the page shows. */
const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

export const consolePlatform = platformModule({
  name: platformName,
  label: "page",
  title: "The page",
  idPattern: /^[a-z]+$/,
  hasRoles: false,
  isTrusted: true,
  whenOff: "is off (CONSOLE=on turns it on)",
  settings: {
    CONSOLE: {
      format: is.onOrOff,
      defaultWords: "on if no platform token is set",
      example: "on",
      about: "Parley's own web page: `on` or `off`.",
    },
    CONSOLE_TOKEN: {
      format: is.consoleToken,
      example: "a-long-random-word",
      about:
        "The page's access token; at least 16 characters (`openssl rand -hex 24`). Required unless HOST is a loopback address.",
      isSecret: true,
    },
    TRUSTED_PROXY: {
      format: is.proxyAddresses,
      example: "loopback, 10.1.0.0/16",
      about:
        "The proxies in front of the page: addresses, ranges, or `loopback` for this machine. `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` count only from them.",
    },
  },
  configure: (
    { CONSOLE: isWanted, CONSOLE_TOKEN: token, TRUSTED_PROXY: trustedProxy },
    { hasOthers, isLoopback, isGiven, report },
  ) => {
    if (isWanted === false && !hasOthers) {
      report("CONSOLE", "is off and no chat platform is set, so nobody could ask");
      return undefined;
    }
    if (!(isWanted ?? !hasOthers)) return undefined;
    const opener = isLoopback ? (isGiven("TRUSTED_PROXY") ? "TRUSTED_PROXY" : undefined) : "HOST";
    if (opener !== undefined && !isGiven("CONSOLE_TOKEN")) {
      const why = `is missing, but ${opener} makes the page reachable from other machines (or set CONSOLE=off)`;
      report("CONSOLE_TOKEN", why);
    }
    return configured(token, trustedProxy);
  },
});

function configured(token: string | undefined, trustedProxy: readonly string[] | undefined) {
  return {
    name: platformName,
    config: present({ token }),
    connect: async ({ http, commands, ...parts }) => {
      const { createConsole } = await import("./index.ts");
      const { describeCommands } = await import("./intake/command-list.ts");
      const page = createConsole({
        ...parts,
        ...present({ token, trustedProxy, publicUrl: http.publicUrl }),
        host: http.host,
        baseUrl: http.baseUrl,
        projectFolder,
        commands: () => describeCommands(commands.shown(), commands.groups, commands.prefix),
      });
      await page.mount(http.app);
      return page;
    },
    examine: async () => [{ isOk: true, says: "is on" }],
  } satisfies ConfiguredPlatform & { readonly config: { readonly token?: string } };
}
