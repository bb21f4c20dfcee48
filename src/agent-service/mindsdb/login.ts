/**
 * Login: holds the token that requests send, and renews it after a 401. The service keeps its tokens in memory and loses
 * them on restart. Requests that meet the same expired token share one login. Nothing logs in before a 401, because a
 * service with login switched off refuses the login itself.
 */

import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { createDeadline, type Exchange, type Login } from "../http/request.ts";

type LoginOptions = {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  readonly requestMs: number;
  readonly clock: Clock;
};

export function createLogin(options: LoginOptions, exchange: Exchange): Login {
  const { user, password } = options;
  let token = options.token;
  let renewal: Promise<string> | undefined;

  async function login(): Promise<string> {
    // A deadline of its own, because the first request may be stopped while others wait for the same token.
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

  async function renew(used: string | undefined): Promise<string> {
    if (token !== undefined && token !== used) return token;
    renewal ??= login().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    token: () => token,
    renew: user === undefined || password === undefined ? undefined : renew,
    secrets: () => [options.token, token, password].filter((secret) => secret !== undefined),
  };
}

function tokenOf(body: string): string | undefined {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null || !("token" in parsed)) return undefined;
  return typeof parsed.token === "string" && parsed.token !== "" ? parsed.token : undefined;
}
