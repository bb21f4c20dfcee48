/** Running the process: log, metrics, probes, HTTP server and shutdown. */
export * from "./control.ts";
export * from "./health.ts";
export * from "./held-warnings.ts";
export * from "./http-server.ts";
export * from "./log-limit.ts";
export * from "./logging.ts";
export * from "./metrics.ts";
export * from "./outgoing-proxy.ts";
export * from "./recent-errors.ts";
export * from "./redact.ts";
export * from "./remedies.ts";
export * from "./shutdown.ts";
