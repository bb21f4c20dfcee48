/** The face of the sentences that several places use, by topic; a sentence of one place is written there. */
export * from "./sentences/commands.ts";
export * from "./sentences/errors.ts";
export * from "./sentences/insight.ts";
export * from "./sentences/knowledge.ts";
export * from "./sentences/notices.ts";
export * from "./sentences/page.ts";
export * from "./sentences/quantities.ts";
export * from "./sentences/questions.ts";
export * from "./sentences/read-query.ts";
export * from "./sentences/schedules.ts";
export * from "./sentences/steps.ts";
