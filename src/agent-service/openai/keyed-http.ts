/** Requests to a server of the OpenAI shape: with its key, and with its errors in Parley's words. */
import { ParleyError } from "../../core/errors.ts";
import type { DialectOptions, Limits } from "../dialect.ts";
import { createHttp, type Http } from "../http/http.ts";
import type { Login } from "../http/http-request.ts";
import { openAiErrorOf } from "../http/openai-problem.ts";

export type KeyedHttp = {
  readonly http: Http;
  /** Must not appear in an error. */
  readonly secrets: readonly string[];
};

export function createKeyedHttp({ baseUrl, token, proxy, clock }: DialectOptions, limits: Limits): KeyedHttp {
  const { connectMs, requestMs } = limits;
  const secrets = token === undefined ? [] : [token];
  const login = () => keyAlone(token, secrets);
  const http = createHttp({ baseUrl, proxy, connectMs, requestMs, clock, errorOf: openAiErrorOf, login });
  return { http, secrets };
}

/** A bearer key doesn't expire, so a refused one stays refused. */
function keyAlone(token: string | undefined, secrets: readonly string[]): Login {
  return {
    token: () => token,
    canRenew: () => false,
    renew: () => Promise.reject(new ParleyError("not_authorised")),
    secrets: () => secrets,
  };
}
