/**
 * Signs in with a token: CONSOLE_TOKEN manages, CONSOLE_GUEST_TOKEN asks. Everyone who has a token can write any name,
 * so a name is a label, and a person is their browser.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { createNetworkLimit } from "../../shared/network-limit.ts";
import type { Client } from "../intake/client.ts";
import { maxFailedLoginsPerMinute } from "../limits.ts";
import { isEqual } from "./equal.ts";
import { nameOf } from "./provider/claims.ts";
import type { Visitor } from "./visitor.ts";

export type Tokens = {
  /** CONSOLE_TOKEN. */
  readonly token?: string;
  /** CONSOLE_GUEST_TOKEN. */
  readonly guestToken?: string;
};

/** What a browser keeps: its secret, and the name that was typed there last. */
export type Browser = { readonly secret: string; readonly name: string };

export function createTokenSignIn({ token, guestToken }: Tokens, clock: Clock) {
  const limit = createNetworkLimit(clock, maxFailedLoginsPerMinute);

  return {
    /**
     * The right token gets in however often others guess: a whole office may be one network, and 16 characters can't be
     * guessed. Counts wrong ones.
     */
    roleOf: (given: unknown, client: Client): "manage" | "ask" | "wrong" | "wait" => {
      const text = typeof given === "string" ? given.trim() : "";
      if (token !== undefined && isEqual(text, token)) return "manage";
      if (guestToken !== undefined && isEqual(text, guestToken)) return "ask";
      if (limit.isReached(client)) return "wait";
      limit.count(client);
      return "wrong";
    },

    /** What a session rests on. */
    wayOf: ({ role }: Visitor): string | undefined => (role === "manage" ? token : guestToken),
  };
}

const idPrefix = "browser-";
export const isBrowserId = (id: string) => id.startsWith(idPrefix);

/** A browser's id is a hash, because people see each other's ids, and only the browser may know its secret. */
export function visitorOfBrowser({ secret, name }: Browser, role: "manage" | "ask"): Visitor {
  const hash = createHash("sha256").update(`browser ${secret}`).digest("hex");
  const label = name === "" ? "Someone" : name;
  return { id: `${idPrefix}${hash.slice(0, 32)}`, name: label, isVerified: false, role, how: "token" };
}

/** A browser that has none yet gets a new one. */
export function browserIn(cookie: string | undefined): Browser {
  const [, secret, name] = /^([\da-f]{32})\.(.{0,500})$/su.exec(cookie ?? "") ?? [];
  return { secret: secret ?? randomBytes(16).toString("hex"), name: nameOf(name) };
}

export const browserCookie = ({ secret, name }: Browser) => `${secret}.${name}`;
