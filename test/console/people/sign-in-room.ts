/** The page's guard with the ways to sign in of a test, over stores that several instances can share. */
import { Hono } from "hono";
import { createGuard } from "../../../adapters/console/intake/guard.ts";
import { createPeopleRoutes } from "../../../adapters/console/people/routes.ts";
import { createSignIn, type Ways } from "../../../adapters/console/people/sign-in.ts";
import { visitorOf } from "../../../adapters/console/people/visitor.ts";
import type { PageEvent } from "../../../adapters/console/writing/messages.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { KeyValueFactory } from "../../../src/core/ports/state.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";
import { memoryKeyValue } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";

/** Values are copied, as every real store does. */
export function memoryStores(): KeyValueFactory {
  const spaces = new Map<string, ReturnType<typeof memoryKeyValue>>();
  return (namespace) => {
    const texts = spaces.get(namespace) ?? memoryKeyValue();
    spaces.set(namespace, texts);
    return {
      get: async (key) => {
        const text = await texts.get(key);
        return text === undefined ? undefined : JSON.parse(text);
      },
      set: (key, value) => texts.set(key, JSON.stringify(value)),
      delete: texts.delete,
      entries: async function* (prefix) {
        for await (const [key, text] of texts.entries(prefix)) yield [key, JSON.parse(text)];
      },
    };
  };
}

type Room = Ways & {
  readonly host?: string;
  readonly trustedProxy?: readonly string[];
  readonly keyValue?: KeyValueFactory;
  readonly clock?: FakeClock;
  readonly log?: Log;
  readonly baseUrl?: string;
  readonly publicUrl?: string;
};

const pageUrl = "http://127.0.0.1:3000";

export function signInRoom(options: Room = {}) {
  const { clock = createFakeClock(), keyValue = memoryStores(), log = silentLog, baseUrl = pageUrl } = options;
  const { host = "127.0.0.1", trustedProxy = [], publicUrl, ...ways } = options;
  const events: PageEvent[] = [];
  const onSessionEnd = (session: string) => void events.push({ type: "signed-out", session });
  const signIn = createSignIn({ ...ways, baseUrl, keyValue, onSessionEnd, clock, log });
  const app = new Hono();
  app.use("*", createGuard({ host, trustedProxy, publicUrl, signIn, log }));
  app.route("/", createPeopleRoutes({ signIn, adminPagesFor: () => [], showsPrivate: false, log }));
  app.get("/who", (context) => context.json(visitorOf(context)));
  app.all("*", (context) => context.text("in"));

  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}, env: object = {}) =>
    app.request(`${baseUrl}${path}`, { ...init, headers: { host: new URL(baseUrl).host, ...headers } }, env);
  /** As the form sends it. */
  const login = (given: string, headers: Record<string, string> = {}, path = "/login", env: object = {}, name = "") =>
    ask(path, headers, { method: "POST", body: new URLSearchParams({ token: given, name }) }, env);
  return { ask, login, clock, events, signIn, keyValue };
}

/** What a browser sends back after that response: its cookies so far, and the new ones. */
export function cookiesAfter(response: Response, before = ""): string {
  const jar = new Map(
    before
      .split("; ")
      .filter(Boolean)
      .map((cookie) => cookie.split(/=(.*)/s, 2) as [string, string]),
  );
  for (const cookie of response.headers.getSetCookie()) {
    const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s, 2);
    if (value === "" || /max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}
