/**
 * Holds the client for the dialect that the service speaks. Looks for the service at the first use, and again after
 * failures, because a restarted service may be of another kind. Work that runs keeps its client.
 */

import { ParleyError } from "../core/errors.ts";
import type { AgentService, ServiceProfile } from "../core/ports/agent-service.ts";
import type { Log } from "../core/ports/log.ts";
import type { Found, Probe } from "./probe/probe.ts";

export type Client = { readonly found: Found; readonly service: AgentService };

export type CurrentClient = {
  /** Runs one piece of work with the client of now. */
  readonly use: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
  readonly stream: <T>(work: (client: Client) => AsyncIterable<T>) => AsyncGenerator<T, void, undefined>;
  /** Asks the service what it is, at once. */
  readonly status: (signal?: AbortSignal) => Promise<ServiceProfile>;
  readonly close: () => Promise<void>;
};

type Held = Client & {
  uses: number;
  /** Another one has taken its place. */
  isRetired: boolean;
  generation: ServiceProfile["generation"] | undefined;
};

/** Failures after which another service may be running at the URL. */
const doubtful = new Set(["service_unreachable", "service_failed", "service_not_understood", "stream_cut"]);

export function createCurrentClient(options: {
  readonly probe: Probe;
  readonly open: (found: Found) => AgentService;
  readonly log: Log;
}): CurrentClient {
  const { probe, open, log } = options;
  const opened = new Set<Held>();
  let known: Held | undefined;
  let isInDoubt = false;
  let finding: Promise<Held> | undefined;

  async function find(signal?: AbortSignal): Promise<Held> {
    const found = await probe.find(known?.found, signal);
    isInDoubt = false;
    if (known !== undefined && isSame(known.found, found)) return known;
    const before = known;
    known = { found, service: open(found), uses: 0, isRetired: false, generation: undefined };
    opened.add(known);
    const { dialect, server, foundBy } = found;
    const what = { dialect, server: server.generation, version: server.version, foundBy };
    if (before === undefined) {
      // Where a setting fixes MindsDB's API, nothing was looked for.
      if (server.generation !== "unknown" || foundBy.startsWith("/")) log.info(what, "Found the agent service");
    } else {
      log.warn(what, "Another kind of agent service answers now");
      before.isRetired = true;
      closeIfUnused(before);
    }
    return known;
  }

  /** The known client if the service can't be looked for now: what it is asked for fails, or works again. */
  async function current(): Promise<Held> {
    if (known !== undefined && !isInDoubt) return known;
    finding ??= find().finally(() => {
      finding = undefined;
    });
    try {
      return await finding;
    } catch (thrown) {
      if (known !== undefined) return known;
      throw thrown;
    }
  }

  function noteFailure(thrown: unknown): void {
    if (thrown instanceof ParleyError && doubtful.has(thrown.code)) isInDoubt = true;
  }

  function release(held: Held): void {
    held.uses -= 1;
    closeIfUnused(held);
  }

  function closeIfUnused(held: Held): void {
    if (!held.isRetired || held.uses > 0) return;
    opened.delete(held);
    held.service.close().catch((thrown: unknown) => log.warn({ err: thrown }, "An unused client couldn't be closed"));
  }

  async function use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const held = await current();
    held.uses += 1;
    try {
      return await work(held);
    } catch (thrown) {
      noteFailure(thrown);
      throw thrown;
    } finally {
      release(held);
    }
  }

  async function* stream<T>(work: (client: Client) => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const held = await current();
    held.uses += 1;
    try {
      yield* work(held);
    } catch (thrown) {
      noteFailure(thrown);
      throw thrown;
    } finally {
      release(held);
    }
  }

  async function status(signal?: AbortSignal): Promise<ServiceProfile> {
    const held = known === undefined || isInDoubt ? await find(signal) : known;
    const profile = await statusOf(held, signal);
    const before = held.generation;
    held.generation = profile.generation;
    if (before === undefined || before === profile.generation) return withFoundBy(profile, held);
    // The same dialect under another name: perhaps only its client takes it for that.
    isInDoubt = true;
    const now = await find(signal);
    return withFoundBy(now === held ? profile : await statusOf(now, signal), now);
  }

  async function statusOf({ service }: Held, signal: AbortSignal | undefined): Promise<ServiceProfile> {
    try {
      return await service.status(signal);
    } catch (thrown) {
      isInDoubt = true;
      throw thrown;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([probe.close(), ...[...opened].map(({ service }) => service.close())]);
  }

  return { use, stream, status, close };
}

export function withFoundBy(profile: ServiceProfile, { found }: Client): ServiceProfile {
  return { ...profile, foundBy: found.foundBy };
}

function isSame(one: Found, other: Found): boolean {
  return (
    one.dialect === other.dialect && one.baseUrl === other.baseUrl && one.server.generation === other.server.generation
  );
}
