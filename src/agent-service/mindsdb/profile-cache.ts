/**
 * Caches the service's profile, and reads it again after failures. A restarted service may be of another generation.
 * While the service is too busy to answer, the cached profile stays valid.
 */

import { ParleyError } from "../../core/errors.ts";
import type { ServiceProfile } from "../../core/ports/agent-service.ts";

export type ProfileCache = {
  readonly profile: () => Promise<ServiceProfile>;
  readonly refresh: (signal?: AbortSignal) => Promise<ServiceProfile>;
  /** Marks the profile for a new read if the failure is the service's. */
  readonly noteFailure: (thrown: unknown) => void;
};

/** Failures after which another service may be running at the URL. */
const doubtful = new Set(["service_unreachable", "service_failed", "service_not_understood", "stream_cut"]);

export function createProfileCache(read: (signal?: AbortSignal) => Promise<ServiceProfile>): ProfileCache {
  let known: ServiceProfile | undefined;
  let isInDoubt = true;
  let reading: Promise<ServiceProfile> | undefined;

  async function refresh(signal?: AbortSignal): Promise<ServiceProfile> {
    const profile = await read(signal);
    known = profile;
    isInDoubt = false;
    return profile;
  }

  return {
    profile: async () => {
      if (known !== undefined && !isInDoubt) return known;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      try {
        return await reading;
      } catch (thrown) {
        if (known !== undefined) return known;
        throw thrown;
      }
    },
    refresh,
    noteFailure: (thrown) => {
      if (thrown instanceof ParleyError && doubtful.has(thrown.code)) isInDoubt = true;
    },
  };
}
