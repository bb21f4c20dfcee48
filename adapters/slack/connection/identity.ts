/** Who Parley is in one workspace, and which scopes its app has there. */
import { ParleyError } from "../../../src/core/errors.ts";
import type { Self } from "../ids.ts";
import type { Clients } from "./clients.ts";
import { missingScopes } from "./scopes.ts";

export type Identity = {
  /** Undefined while it is unknown, as for `granted`. */
  readonly teamId: () => string | undefined;
  /** The app's scopes. */
  readonly granted: () => readonly string[] | undefined;
  /** Rejects with platform_unreachable while it is unknown. */
  readonly self: () => Promise<Self>;
};

/** Asks Slack whose token it is. */
export function askedIdentity({ read }: Clients): Identity & {
  /** One sentence about missing scopes; undefined if none is missing. Rejects as Slack refuses. */
  readonly authenticate: () => Promise<string | undefined>;
} {
  let known: Self | undefined;
  let granted: readonly string[] | undefined;
  return {
    teamId: () => known?.teamId,
    granted: () => granted,
    self: async () => known ?? Promise.reject(notYetKnown()),
    authenticate: async () => {
      const answer = await read.auth.test();
      const { team_id: teamId, user_id: userId, bot_id: botId, enterprise_id: enterpriseId } = answer;
      if (teamId === undefined || userId === undefined || botId === undefined) throw new Error("not a bot token");
      known = { teamId, userId, botId, enterpriseId: enterpriseId || undefined };
      granted = answer.response_metadata?.scopes;
      return granted === undefined ? undefined : missingScopes(granted);
    },
  };
}

/** What needs the ids is retried until Slack has told them. */
function notYetKnown(): ParleyError {
  const cause = new Error("Slack has not yet returned Parley's own ids");
  return new ParleyError("platform_unreachable", { cause });
}

/** As Slack said when the app was installed. */
export function knownIdentity(self: Self, granted: readonly string[]): Identity {
  return { teamId: () => self.teamId, granted: () => granted, self: async () => self };
}
