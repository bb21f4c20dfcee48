/** What a browser does while someone installs the app: Parley's page, Slack's page, and back with the cookie. */
import type { FakeSlack } from "./index.ts";
import type { Decision } from "./oauth.ts";

export const stateSecret = "a-state-secret-of-at-least-32-characters";

type Page = { readonly status: number; readonly text: string };

/** Begins at Parley's page: where it leads to, and the browser's cookie. */
export async function beginInstall(base: string): Promise<{ readonly page: string; readonly cookie: string }> {
  const response = await fetch(`${base}/slack/install`, { redirect: "manual" });
  const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  return { page: response.headers.get("location") ?? "", cookie };
}

/** Comes back from Slack. `url`: where Slack sent the browser. */
export async function comeBack(url: string, cookie: string): Promise<Page> {
  const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
  const html = await response.text();
  return { status: response.status, text: /<p>(.*)<\/p>/.exec(html)?.[1] ?? html };
}

export async function install(slack: Pick<FakeSlack, "oauth">, base: string, decision: Decision): Promise<Page> {
  const { page, cookie } = await beginInstall(base);
  return comeBack(slack.oauth.authorize(page, decision), cookie);
}
