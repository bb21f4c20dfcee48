/**
 * Sends all requests of this process through HTTP_PROXY and HTTPS_PROXY. Libraries use fetch, undici (Slack's socket) or
 * Node's own agents (Discord's gateway). Requests to the agent service and to web pages have dispatchers of their own,
 * which get the same settings.
 */
import http from "node:http";
import https from "node:https";
import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";

export type OutgoingProxy = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

/** Once, before the first request. What is absent isn't taken from the environment, which the settings have read. */
export function sendThroughProxy({ httpProxy = "", httpsProxy = "", noProxy = "" }: OutgoingProxy): void {
  // HTTP/1.1: Slack's socket needs a connection of its own.
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, allowH2: false }));
  const proxyEnv = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy };
  http.globalAgent = new http.Agent({ keepAlive: true, proxyEnv });
  https.globalAgent = new https.Agent({ keepAlive: true, proxyEnv });
}
