/**
 * The token that requests carry. It lives in the service's memory and dies with it, so a 401 is answered by one login;
 * many requests that meet the same dead token share it. Nothing logs in before a 401: a service whose login is off
 * refuses the login itself.
 */
import { ParleyError } from "../../ports/errors.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { HttpOptions, HttpRequest } from "./http-request.ts";

export type Login = {
  readonly token: () => string | undefined;
  readonly canRenew: () => boolean;
  /** A token other than `used`. Throws not_authorised when user and password are refused. */
  readonly renew: (used: string | undefined) => Promise<string>;
  /** Everything that must not appear in a cause. */
  readonly secrets: () => readonly string[];
};

type Exchange = (request: HttpRequest, deadline: Deadline) => Promise<{ status: number; body: string }>;

export function createLogin(options: HttpOptions, exchange: Exchange): Login {
  const { user, password } = options;
  let token = options.token;
  let renewal: Promise<string> | undefined;

  async function login(): Promise<string> {
    // Its own deadline: the request that came first may be stopped while others wait for the same token.
    const deadline = createDeadline(options.clock);
    deadline.limit(options.requestMs, "service_busy");
    try {
      const json = { username: user, password };
      const answer = await exchange({ method: "POST", path: "/api/login", subject: "login", json }, deadline);
      const given = answer.status === 200 ? tokenOf(answer.body) : undefined;
      if (given === undefined) {
        const cause = new Error(`Login: HTTP ${answer.status}`);
        throw new ParleyError(answer.status >= 500 ? "service_failed" : "not_authorised", { cause });
      }
      token = given;
      return given;
    } finally {
      deadline.clear();
    }
  }

  return {
    token: () => token,
    canRenew: () => user !== undefined && password !== undefined,
    renew: async (used) => {
      if (token !== undefined && token !== used) return token;
      renewal ??= login().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
    secrets: () => [options.token, token, password].filter((secret) => secret !== undefined),
  };
}

function tokenOf(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("token" in parsed)) return undefined;
    return typeof parsed.token === "string" && parsed.token !== "" ? parsed.token : undefined;
  } catch {
    return undefined;
  }
}
