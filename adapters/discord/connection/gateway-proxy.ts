/**
 * Lets discord.js's gateway sockets connect through a proxy. They use no agent, so they would pass by the process's
 * own, which knows the proxy.
 */
import https from "node:https";
import { createRequire } from "node:module";

type Library = { WebSocket: new (url: string, protocols: string[], options: object) => object };

/** Before discord.js is loaded, which then takes the class. */
export function connectThroughProxy(): void {
  const { globalAgent: agent } = https;
  if (agent.options.proxyEnv === undefined) return;
  const { resolve } = createRequire(import.meta.url);
  const ws = createRequire(resolve("@discordjs/ws"))("ws") as Library;
  ws.WebSocket = class extends ws.WebSocket {
    constructor(url: string, protocols: string[], options: object) {
      super(url, protocols, { ...options, agent });
    }
  };
}
