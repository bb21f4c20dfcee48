/**
 * The two pages of an installation by OAuth: `/slack/install` leads to Slack, which leads back to
 * `/slack/oauth_redirect`. Slack's own library checks the state, asks for the token and puts both together; Parley says in
 * one sentence what came of it. No code, state or token is in a page or in the log.
 */
import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  AuthorizationError,
  type CallbackOptions,
  ClearStateStore,
  InstallProvider,
  InvalidStateError,
  MissingCodeError,
  MissingStateError,
  type Installation as OAuthInstallation,
} from "@slack/oauth";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Claims } from "../../../src/core/ports/state.ts";
import { addressIn, createAddressOf } from "../../shared/browser-address.ts";
import { createNetworkLimit } from "../../shared/network-limit.ts";
import { clientOptions, libraryLog } from "../connection/clients.ts";
import { missingScopes, optionalScopes, requiredScopes } from "../connection/scopes.ts";
import { platformName } from "../ids.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "../writing/api-errors.ts";
import type { Installation } from "./stored.ts";

const stateSeconds = 600;
/** Longer than a state is valid, whatever the difference between two clocks. */
const usedForMs = 900_000;
const timeoutMs = 10_000;
/** A minute, from one network: a whole office may be one, and each is good for one call of Slack's API. */
const maxInstallsPerMinute = 20;

/** `page`: the path of the page that begins an installation. */
const sentences = (page: string) => ({
  served: (name: string) => `Parley is installed in ${name}. Invite it to a channel and mention it there.`,
  waits: (name: string) =>
    `Parley is installed in ${name}. It answers there once an admin of Parley has approved the workspace.`,
  cancelled: "The installation was cancelled, and nothing was installed.",
  incomplete: `This link isn't complete. Open ${page} to begin again.`,
  state: `This link was used before, is older than ten minutes, or began in another browser. Open ${page} to begin again.`,
  storage: "Parley can't reach its storage, so nothing was installed. Try again in a minute.",
  slack: "Slack can't be reached, so nothing was installed. Try again in a minute.",
  refused: `Slack didn't confirm the installation. Open ${page} to begin again.`,
  wait: "Too many installations were begun from your network. Try again in a minute.",
  noBot: "Slack gave Parley no bot in this workspace, so nothing was installed. Tell your Parley admin.",
});

export type InstallPages = Readonly<Record<"/slack/install" | "/slack/oauth_redirect", Listener>>;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export function createInstallPages(
  options: Omit<SlackParts, "keyValue"> & {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly stateSecret: string;
    readonly apiUrl: string;
    /** Where people reach Parley, without a slash at the end. */
    readonly baseUrl: string;
    /** TRUSTED_PROXY, as CIDRs. */
    readonly trustedProxy?: readonly string[] | undefined;
    readonly claims: Claims;
    /** Stores it, and resolves with whether the workspace is served. */
    readonly installed: (installation: Installation) => Promise<boolean>;
  },
): InstallPages {
  const { baseUrl, claims, clock, log } = options;
  const says = sentences(new URL(`${baseUrl}/slack/install`).pathname);
  const limit = createNetworkLimit(clock, maxInstallsPerMinute);
  const addressOf = createAddressOf(options.trustedProxy);
  const signed = new ClearStateStore(options.stateSecret, stateSeconds);
  /** Slack's page is beside its API. */
  const authorizationUrl = new URL("/oauth/v2/authorize", options.apiUrl).href;
  const installOptions = {
    scopes: [...requiredScopes, ...optionalScopes],
    redirectUri: `${baseUrl}/slack/oauth_redirect`,
  };

  const installer = new InstallProvider({
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    authorizationUrl,
    directInstall: true,
    stateCookieExpirationSeconds: stateSeconds,
    stateStore: {
      generateStateParam: (asked) => signed.generateStateParam(asked, new Date(clock.now())),
      verifyStateParam: async (_now, state) => {
        const asked = await signed.verifyStateParam(new Date(clock.now()), state);
        const key = `slack/oauth-state/${createHash("sha256").update(state).digest("hex")}`;
        if (!(await claims.claim(key, usedForMs))) throw new InvalidStateError("The state was used before");
        return asked;
      },
    },
    installationStore: {
      storeInstallation: () => Promise.reject(new Error("stored by the page")),
      fetchInstallation: () => Promise.reject(new Error("read by the tokens")),
    },
    clientOptions: { ...clientOptions(options), timeout: timeoutMs },
    logger: libraryLog(log),
  });

  const callback: CallbackOptions = {
    // Instead of the library's own store and pages: what is stored decides what is said.
    afterInstallation: async (installation, _asked, _request, response) => {
      const made = installationOf(installation, clock.now());
      const missing = made === undefined ? undefined : missingScopes(made.credentials.scopes);
      if (made === undefined || missing !== undefined) {
        log.warn({ workspace: made?.workspace, missing }, "A Slack installation was refused");
        show(response, 400, missing === undefined ? says.noBot : `${missing} Nothing was installed.`);
        return false;
      }
      const isServed = await options.installed(made);
      log.info({ workspace: made.workspace, isServed }, "The app was installed in a Slack workspace");
      show(response, 200, isServed ? says.served(made.name) : says.waits(made.name));
      return false;
    },
    failure: (thrown, _asked, _request, response) => {
      const [status, sentence] = failureOf(thrown, says);
      log.info({ code: slackCode(thrown) ?? thrown.code }, "A Slack installation did not succeed");
      show(response, status, sentence);
    },
  };

  const page =
    (handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Listener =>
    (request, response) => {
      if (request.method !== "GET") {
        response.writeHead(405, { allow: "GET" }).end();
        return;
      }
      handle(request, response).catch((err: unknown) => {
        log.error({ err }, "A page of a Slack installation failed");
        if (!response.headersSent) show(response, 500, says.refused);
      });
    };

  return {
    "/slack/install": page(async (request, response) => {
      const forwardedFor = [request.headers["x-forwarded-for"] ?? []].flat().join();
      const sender = addressOf(addressIn(request.socket.remoteAddress ?? ""), forwardedFor);
      if (limit.isReached(sender)) {
        response.setHeader("retry-after", "60");
        show(response, 429, says.wait);
        return;
      }
      limit.count(sender);
      response.setHeader("cache-control", "no-store");
      // Its own words make each state another one, also within a millisecond.
      const asked = { ...installOptions, metadata: randomUUID() };
      await installer.handleInstallPath(request, response, undefined, asked);
    }),
    "/slack/oauth_redirect": page((request, response) =>
      installer.handleCallback(request, response, callback, installOptions),
    ),
  };
}

function failureOf(thrown: Error, says: ReturnType<typeof sentences>): readonly [status: number, sentence: string] {
  if (thrown instanceof AuthorizationError) return [400, says.cancelled];
  if (thrown instanceof MissingCodeError || thrown instanceof MissingStateError) return [400, says.incomplete];
  if (thrown instanceof InvalidStateError) return [400, says.state];
  if (thrown instanceof ParleyError) return [503, says.storage];
  return toPlatformError(thrown).code === "platform_unreachable" ? [502, says.slack] : [400, says.refused];
}

/** Undefined: it has no bot. */
function installationOf(made: OAuthInstallation, nowMs: number): Installation | undefined {
  const { team, enterprise, bot, user, isEnterpriseInstall } = made;
  const isOrganisation = isEnterpriseInstall === true ? (true as const) : undefined;
  const owner = isOrganisation === true ? enterprise : team;
  if (owner === undefined || bot === undefined) return undefined;
  return {
    platform: platformName,
    workspace: owner.id,
    name: owner.name ?? owner.id,
    enterpriseId: enterprise?.id,
    isOrganisation,
    teams: [],
    actorId: user.id,
    installedAtMs: nowMs,
    credentials: {
      token: bot.token,
      botId: bot.id,
      botUserId: bot.userId,
      scopes: bot.scopes,
      refreshToken: bot.refreshToken,
      // The library counts by the machine's clock.
      expiresAtMs: bot.expiresAt === undefined ? undefined : nowMs + bot.expiresAt * 1000 - Date.now(),
    },
  };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function show(response: ServerResponse, status: number, sentence: string): void {
  const text = sentence.replace(/[&<>"]/g, (character) => escapes[character] ?? "");
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    // The address has the code.
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley</title></head><body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem"><h1 style="font-size: 1.25rem">Parley</h1><p>${text}</p></body></html>\n`,
  );
}
