/**
 * Many workspaces by OAuth, put together: the pages that install the app, what was installed, who decides about it, and
 * what goes when the app is removed.
 */
import { webApi } from "@slack/bolt";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { InstallLine, Installs } from "../../../src/core/ports/installs.ts";
import type { Claims, Coordinator } from "../../../src/core/ports/state.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import { clientOptions } from "../connection/clients.ts";
import { missingScopes } from "../connection/scopes.ts";
import type { EventSource } from "../intake/listeners.ts";
import type { WorkspaceOptions } from "../workspace.ts";
import { slackCode, tokenCodes, toPlatformError } from "../writing/api-errors.ts";
import { createInstallPages, type InstallPages } from "./install-pages.ts";
import { type InstalledWorkspaces, installedWorkspaces } from "./installed-workspaces.ts";
import { type Credentials, createInstallations, type Listed } from "./stored.ts";

export type OAuthSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs states, and encrypts tokens. */
  readonly stateSecret: string;
  /** Ids in WORKSPACES; "*" for all. */
  readonly listed: "*" | readonly string[] | undefined;
};

export type OAuthParts = {
  readonly collection: CollectionFactory;
  readonly claims: Claims;
  readonly works: Works;
  readonly coordinator: Coordinator;
  readonly baseUrl: string;
  /** TRUSTED_PROXY, as CIDRs. */
  readonly trustedProxy?: readonly string[] | undefined;
  /** Deletes what is stored of a workspace beside what the adapter stores. Can be repeated. */
  readonly forgetWorkspace: (workspace: string) => Promise<void>;
};

export type InstalledApp = InstalledWorkspaces & {
  readonly pages: InstallPages;
  readonly installs: Installs;
  /** Slack says that the app was removed there, or its token revoked. Rejects while that can't be checked. */
  readonly removed: (source: EventSource) => Promise<void>;
};

const timeoutMs = 10_000;
const forgetKind = "slack-forget";
/** Where a process dies before the installation is deleted, and the work would find it. */
const forgetAfterMs = 60_000;
/** That a token was refused is looked into once in this time. */
const lookAgainMs = 60_000;

export function installedApp(options: WorkspaceOptions & OAuthSettings & OAuthParts): InstalledApp {
  const { works, keyValue, clock, log, clientId, clientSecret } = options;
  const installations = createInstallations(options);
  const lookedAtMs = new Map<string, number>();

  const workspaces = installedWorkspaces({
    ...options,
    installations,
    tokenRefused: (id, code) => {
      if (clock.now() - (lookedAtMs.get(id) ?? 0) < lookAgainMs) return;
      lookedAtMs.set(id, clock.now());
      log.warn({ workspace: id, code }, "Slack refused the token of a workspace");
      end(id, lostTokens).catch((err: unknown) => log.warn({ err, workspace: id }, "It can't be checked yet"));
    },
  });

  const clientOf = ({ token }: Credentials) =>
    new webApi.WebClient(token, { ...clientOptions(options), timeout: timeoutMs });

  works.define<null>(forgetKind, {
    run: async ({ key: team }) => {
      // Installed again meanwhile, or by its whole organisation: what is stored is of use.
      if (await installations.isInstalled(team)) return undefined;
      for await (const [key] of keyValue.entries(`${team}/`)) await keyValue.delete(key);
      await options.forgetWorkspace(team);
      return undefined;
    },
    concurrency: 1,
    attempts: 20,
    backoff: (attempt) => Math.min(attempt * 30_000, 600_000),
    giveUpAfterMs: 24 * 3_600_000,
  });

  /**
   * Nothing of it is used from now on. What is stored of its teams is deleted soon: a work for each, stored before the
   * installation goes, because nobody knows the teams of an organisation afterwards.
   */
  async function forget(id: string, teams: readonly string[]): Promise<void> {
    const all = [...new Set([id, ...teams])];
    for (const team of all) await works.add(forgetKind, team, null, { dueAtMs: clock.now() + forgetAfterMs });
    await installations.delete(id);
    await workspaces.changed(id);
    for (const team of all) await works.add(forgetKind, team, null);
    log.info({ workspace: id }, "The Slack app was removed from a workspace");
  }

  /** Ends it if Slack refuses its token with one of these codes: events can be old, and tokens be new. */
  async function end(id: string, codes: ReadonlySet<string>): Promise<void> {
    const installation = await installations.get(id);
    if (installation === undefined) {
      // Its token can't be decrypted: whether Slack still accepts it is unknown.
      if (await installations.isInstalled(id)) return;
      // Repeated: an earlier try may not have come to an end.
      return forget(id, []);
    }
    try {
      const client = clientOf(installation.credentials);
      await client.auth.test();
      log.info({ workspace: id }, "Slack still accepts the token of a workspace");
    } catch (thrown) {
      const code = slackCode(thrown);
      if (code === undefined) throw toPlatformError(thrown);
      if (!codes.has(code)) return;
      const now = await installations.get(id);
      const isSame = now === undefined || now.credentials.token === installation.credentials.token;
      // Installed again while Slack was asked about the token before.
      if (!isSame) return end(id, codes);
      await forget(id, installation.teams);
    }
  }

  const pages = createInstallPages({
    ...options,
    installed: async (installation) => {
      await installations.put(installation);
      await workspaces.changed(installation.workspace);
      return workspaces.isServed((await installations.get(installation.workspace)) ?? installation);
    },
  });

  const stateOf = ({ credentials, ...about }: Listed): Pick<InstallLine, "isServed" | "isLost" | "problem"> =>
    credentials === undefined
      ? { isServed: false, isLost: true, problem: lostText }
      : { isServed: workspaces.isServed(about), problem: missingScopes(credentials.scopes) };

  return {
    ...workspaces,
    pages,
    removed: async ({ teamId, enterpriseId }) => {
      for (const id of [teamId, enterpriseId]) {
        if (id !== undefined && (id === teamId || (await installations.get(id)) !== undefined))
          await end(id, tokenCodes);
      }
    },
    installs: {
      list: async () =>
        (await installations.list()).map((installation) => ({
          workspace: installation.workspace,
          name: installation.name,
          installedBy: installation.actorId,
          installedAtMs: installation.installedAtMs,
          ...stateOf(installation),
        })),
      approve: async (id) => {
        const isThere = await installations.approve(id);
        if (isThere) await workspaces.changed(id);
        return isThere;
      },
      remove: async (id) => {
        const installation = (await installations.list()).find(({ workspace }) => workspace === id);
        if (installation === undefined) return false;
        try {
          const client = installation.credentials === undefined ? undefined : clientOf(installation.credentials);
          if (client !== undefined) await client.apps.uninstall({ client_id: clientId, client_secret: clientSecret });
        } catch (thrown) {
          // Without a token that works, there is nothing to remove at Slack.
          if (!tokenCodes.has(slackCode(thrown) ?? "")) throw toPlatformError(thrown);
        }
        await forget(id, installation.teams);
        return true;
      },
    },
  };
}

const lostText =
  "Its token can't be decrypted, so nothing is answered there: was SLACK_STATE_SECRET changed? Set the earlier one again, or let someone there install the app again. If you remove it here, the app stays installed in Slack.";

/** What Slack says of the token of an app that was removed. Another refusal can have another reason. */
const lostTokens: ReadonlySet<string> = new Set(["token_revoked", "account_inactive"]);
