/** The face of Markdown: reading, splitting without loss, and turning into plain text. */
export * from "./markdown/beginnings.ts";
export * from "./markdown/cut-blocks.ts";
export * from "./markdown/half-written.ts";
export * from "./markdown/inline.ts";
export * from "./markdown/markdown-blocks.ts";
export * from "./markdown/plain-text.ts";
export * from "./markdown/readable-markdown.ts";
export * from "./markdown/rest-file.ts";
export * from "./markdown/safe-markdown.ts";
export * from "./markdown/split-markdown.ts";
