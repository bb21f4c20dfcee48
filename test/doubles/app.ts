/** An App of what a test gives. Stores may stand beside the state; what is missing fails when it is used. */
import type { App, AppSettings } from "../../src/app.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { KeyValue, State } from "../../src/core/ports/state.ts";
import type { Delivery } from "../../src/delivery/types.ts";
import { defaultSettings } from "./composition.ts";
import { noMetrics } from "./nulls/no-metrics.ts";
import { silentLog } from "./silent-log.ts";

type Given = {
  readonly [K in Exclude<keyof App, "settings" | "state" | "sites">]?: Partial<App[K]>;
} & { readonly [K in Exclude<keyof State, "keyValue">]?: Partial<State[K]> } & {
  readonly settings?: Partial<AppSettings>;
  readonly keyValue?: <T>(namespace: string) => KeyValue<T>;
  readonly sites?: ReadonlyMap<string, unknown>;
  /** Instead of `sites`, by the platform's name. */
  readonly siteOf?: (
    name: string,
  ) => { readonly platform: Partial<ChatPlatform>; readonly delivery?: Partial<Delivery> } | undefined;
};

export function appOf({ settings, siteOf = () => undefined, ...given }: Given): App {
  const { service, sites, metrics, clock, log, bindings, reach, audit, notices, ...state } = given;
  return {
    settings: { ...defaultSettings, ...settings },
    state,
    service,
    sites: sites ?? { get: siteOf },
    metrics: metrics ?? noMetrics,
    clock,
    log: log ?? silentLog,
    bindings,
    reach,
    audit,
    notices,
  } as unknown as App;
}
