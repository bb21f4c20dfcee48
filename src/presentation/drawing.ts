/** The face of drawing: Turns, Jobs, steps, tables and notices as neutral documents. */
export * from "./drawing/choosing/another-agent-document.ts";
export * from "./drawing/choosing/choose-agent-document.ts";
export * from "./drawing/fit-document.ts";
export * from "./drawing/home-document.ts";
export * from "./drawing/inline.ts";
export * from "./drawing/job-document.ts";
export * from "./drawing/learning/gaps-document.ts";
export * from "./drawing/notice.ts";
export * from "./drawing/own-links.ts";
export * from "./drawing/sanitise.ts";
export * from "./drawing/source-title.ts";
export * from "./drawing/steps-document.ts";
export * from "./drawing/table-text.ts";
export * from "./drawing/title-question.ts";
export * from "./drawing/turn-document.ts";
export * from "./drawing/welcome-document.ts";
export * from "./drawing/wording.ts";
