/** Where people do what a sentence of the doctor says: a page, or the settings that it is about. */
import { href } from "./address.js";
import { linkButton } from "./parts.js";

const pages = {
  agents: ["Show agents", href("agents")],
  "knowledge bases": ["Show knowledge", href("knowledge")],
};
/** Names of checks, and their headings among the settings. */
const groups = {
  slack: "Slack",
  discord: "Discord",
  page: "The page",
  service: "The agent service",
  "the agent service": "The agent service",
  model: "The built-in service",
  embedding: "The built-in service",
  port: "The server",
  public: "The server",
  storage: "Storage",
  sqlite: "Storage",
  redis: "Storage",
};

/** `name`: of the check. Undefined: what to do is not on these pages. */
export function remedyLink(name) {
  const key = name.toLowerCase();
  const group = groups[key];
  const [text, to] = pages[key] ?? ["Show settings", href("system", { query: { settings: group } })];
  return pages[key] === undefined && group === undefined ? undefined : linkButton(text, to);
}
