/** The sentences that people read, by topic. */
export * from "./sentences/access.ts";
export * from "./sentences/agents.ts";
export * from "./sentences/commands.ts";
export * from "./sentences/fallbacks.ts";
export * from "./sentences/knowledge.ts";
export * from "./sentences/quantities.ts";
export * from "./sentences/read-query.ts";
export * from "./sentences/sentences.ts";
export * from "./sentences/step-words.ts";
