/** The face of the sentences that people read, by topic. */
export * from "./sentences/access.ts";
export * from "./sentences/agents.ts";
export * from "./sentences/channels/announcements.ts";
export * from "./sentences/channels/welcome.ts";
export * from "./sentences/commands.ts";
export * from "./sentences/errors.ts";
export * from "./sentences/fallbacks.ts";
export * from "./sentences/jobs.ts";
export * from "./sentences/knowledge-bases.ts";
export * from "./sentences/ledger.ts";
export * from "./sentences/notices.ts";
export * from "./sentences/quantities.ts";
export * from "./sentences/questions.ts";
export * from "./sentences/read-query.ts";
export * from "./sentences/reading.ts";
export * from "./sentences/step-words.ts";
export * from "./sentences/steps.ts";
