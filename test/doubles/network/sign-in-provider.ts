/** A real OpenID Connect provider on 127.0.0.1, and a browser without windows that signs in there. */
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";
import { freePort } from "./free-port.ts";

/** Claims by subject. Every password is right. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const client = { clientId: "parley", clientSecret: "a-secret-of-the-client" };

type GrantContext = {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: {
      readonly accountId: string;
      readonly grantIdFor: (clientId: string) => string | undefined;
    };
  };
};

/** `pageUrl`: where people come back to. `port`: to start it again where it was. `behind`: its URL, if a proxy has one. */
export async function startSignInProvider(accounts: Accounts, pageUrl: string, port?: number, behind?: string) {
  const listenOn = port ?? (await freePort());
  const issuer = behind ?? `http://127.0.0.1:${listenOn}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${pageUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${pageUrl}/signed-out`],
      },
    ],
    cookies: { keys: ["a-key-of-the-test"] },
    scopes: ["openid", "profile", "email", "groups"],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts[accountId] }),
    }),
    // Nobody is asked whether Parley may know them.
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const { clientId } = oidc.client;
      // A new grant would end the codes of another tab.
      const known = oidc.session.grantIdFor(clientId);
      if (known !== undefined) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  provider.proxy = behind !== undefined;
  const server = await new Promise<Server>((resolve) => {
    const created = createServer(provider.callback());
    created.listen(listenOn, "127.0.0.1", () => resolve(created));
  });
  return {
    issuer,
    port: listenOn,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = { readonly url: string; readonly response: Response; readonly text: string };

/** Keeps cookies by origin and follows redirects. `ask` replaces the network for some of them. */
export function createWalker(ask: (url: string, init: RequestInit) => Promise<Response> = fetch) {
  const jars = new Map<string, Map<string, string>>();

  function keep(origin: string, response: Response): void {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function visit(url: string, init: RequestInit = {}): Promise<Answer> {
    const { origin } = new URL(url);
    const cookie = [...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(init.headers as Record<string, string>), cookie };
    const response = await ask(url, { ...init, headers, redirect: "manual" });
    keep(origin, response);
    const location = response.headers.get("location");
    if (location === null) return { url, response, text: await response.text() };
    return visit(new URL(location, url).href);
  }

  return {
    visit,
    cookieOf: (url: string) =>
      [...(jars.get(new URL(url).origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; "),
    /** The jar of that page, to plant or take a cookie. */
    jarOf: (url: string) => jars.get(new URL(url).origin) ?? new Map<string, string>(),

    /** From the page's button to the page: the answer to the provider's redirect. */
    signIn: async (pageUrl: string, account: string, to = "/"): Promise<Answer> => {
      const form = await visit(`${pageUrl}/sign-in/start?${new URLSearchParams({ to })}`);
      if (!form.url.includes("/interaction/")) return form;
      const body = new URLSearchParams({ prompt: "login", login: account, password: "any" });
      return visit(form.url, { method: "POST", body });
    },
  };
}
