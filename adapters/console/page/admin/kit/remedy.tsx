/** Where people do what a sentence of the doctor says: a page, or the settings that it is about. */

import { LinkButton } from "../../parts/button.tsx";
import { href } from "./address.ts";

const pages: Readonly<Record<string, { readonly text: string; readonly page: string }>> = {
  agents: { text: "Show agents", page: "agents" },
  "knowledge bases": { text: "Show knowledge", page: "knowledge" },
};
/** Names of checks, and their headings among the settings. */
const groups: Readonly<Record<string, string>> = {
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

/** `name`: of the check. Nothing where what to do is not on these pages. */
export function RemedyLink({ name }: { readonly name: string }) {
  const key = name.toLowerCase();
  const page = pages[key];
  if (page !== undefined) return <LinkButton href={href(page.page)}>{page.text}</LinkButton>;
  const settings = groups[key];
  if (settings === undefined) return null;
  return <LinkButton href={href("system", { query: { settings } })}>Show settings</LinkButton>;
}
