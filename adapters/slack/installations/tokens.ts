/**
 * The tokens of one installation. Where they rotate, one instance at a time renews them, two hours before they expire;
 * meanwhile all use the old one. A refresh token is good for one use (docs.slack.dev, "Using token rotation",
 * 2026-11), so what Slack returned for it is kept in memory until it is stored, however long the storage is away.
 */
import { ParleyError } from "../../../src/core/errors.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { keepTrying } from "../../../src/core/tools/retry.ts";
import type { WebClient } from "../connection/clients.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "../writing/api-errors.ts";
import type { Credentials, Installation, Installations } from "./stored.ts";

/** As Slack's own library. Tokens live for 12 hours. */
const aheadMs = 2 * 3_600_000;
/** How far the clocks of two machines may differ. */
const skewMs = 60_000;
/** After a failure. */
const pauseMs = 60_000;
/** An instance that died holds the lease for 15 s. */
const maxWaitMs = 30_000;

export type Tokens = ReturnType<typeof createTokens>;

export function createTokens(
  first: Installation,
  options: Omit<SlackParts, "keyValue"> & {
    readonly installations: Installations;
    readonly coordinator: Coordinator;
    /** Has no token. */
    readonly client: WebClient;
    readonly clientId: string;
    readonly clientSecret: string;
    /** The stored ones are new. */
    readonly renewed: (workspace: string) => void;
  },
) {
  const { installations, coordinator, client, clock, log } = options;
  const { workspace } = first;
  let held: Credentials = first.credentials;
  let renewing: Promise<void> | undefined;
  let nextTryMs = 0;
  let problem: string | undefined;
  /** By Slack, whatever this clock says. */
  let expiredToken: string | undefined;

  const leftMs = ({ token, expiresAtMs = Number.POSITIVE_INFINITY }: Credentials) =>
    token === expiredToken ? 0 : expiresAtMs - clock.now();
  const isDue = (credentials: Credentials) => leftMs(credentials) <= aheadMs;

  /** Rejects as Slack refuses, or while it or the storage is away. */
  async function renew(): Promise<void> {
    const waiting = new AbortController();
    const cancel = clock.after(maxWaitMs, () => waiting.abort());
    const lease = await coordinator.lease(`slack/token/${workspace}`, { signal: waiting.signal }).finally(cancel);
    try {
      const stored = await installations.get(workspace);
      if (stored === undefined) throw notInstalled();
      const { refreshToken } = stored.credentials;
      held = stored.credentials;
      // Another instance was faster.
      if (!isDue(held) || refreshToken === undefined) return;
      const answer = await client.oauth.v2.access({
        client_id: options.clientId,
        client_secret: options.clientSecret,
        grant_type: "refresh_token",
        refresh_token: refreshToken,
      });
      held = { ...held, ...credentialsIn(answer, clock.now()) };
      const renewed = { used: refreshToken, credentials: held, fence: lease.fence };
      const isStored = await keepTrying(() => installations.renew(workspace, renewed), {
        clock,
        forMs: Math.max(leftMs(held), 0),
      });
      if (isStored) options.renewed(workspace);
    } finally {
      await lease.release();
    }
  }

  function begin(): Promise<void> {
    renewing ??= renew()
      .then(
        () => {
          problem = undefined;
        },
        (thrown: unknown) => {
          nextTryMs = clock.now() + pauseMs;
          const code = slackCode(thrown) ?? toPlatformError(thrown).code;
          log.warn({ workspace, code }, "The token of a Slack workspace could not be renewed yet");
          problem = slackCode(thrown) === undefined ? undefined : renewalRefused;
          throw thrown;
        },
      )
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  return {
    credentials: (): Credentials => held,
    /** One sentence when Slack refuses to renew them. */
    problem: (): string | undefined => problem,
    /** The token that is valid now. Rejects when there is none. */
    current: async (): Promise<string> => {
      if (!isDue(held)) return held.token;
      const isValid = leftMs(held) > skewMs;
      if (clock.now() >= nextTryMs || renewing !== undefined) {
        const begun = begin();
        // Nobody waits while the old one is good.
        if (isValid) begun.catch(() => undefined);
        else await begun;
      } else if (!isValid) throw new ParleyError("platform_unreachable");
      return held.token;
    },
    /** Slack says that it has expired, so a clock was wrong. */
    expired: (): void => {
      if (held.refreshToken !== undefined) expiredToken = held.token;
    },
    /** As they are stored. Older ones than those held were read before these could be stored. */
    replace: (credentials: Credentials): void => {
      const { expiresAtMs: untilMs = Number.POSITIVE_INFINITY } = credentials;
      if (untilMs < (held.expiresAtMs ?? 0)) return;
      held = credentials;
      nextTryMs = 0;
    },
  };
}

const renewalRefused =
  "Slack no longer renews the token of a workspace: install the app there again, at /slack/install.";

export const notInstalled = () => new ParleyError("not_permitted");

function credentialsIn(
  answer: Awaited<ReturnType<WebClient["oauth"]["v2"]["access"]>>,
  nowMs: number,
): Partial<Credentials> {
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer;
  if (token === undefined || refreshToken === undefined || seconds === undefined)
    throw new ParleyError("platform_unreachable");
  return { token, refreshToken, expiresAtMs: nowMs + seconds * 1000 };
}
