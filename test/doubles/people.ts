/** The people and places that tests share. */
import type { Actor, Place } from "../../src/core/model/place.ts";

export const alice: Actor = {
  id: "U1",
  workspace: "T1",
  name: "Alice",
  isAdmin: false,
  isGuest: false,
  isExternal: false,
  isBot: false,
  roles: [],
};

export const bob: Actor = { ...alice, id: "U2", name: "Bob" };

/** Alice where she manages Parley. */
export const admin: Actor = { ...alice, isAdmin: true };

export const general: Place = { platform: "memory", workspace: "T1", channel: "general" };
export const thread: Place = { ...general, thread: "100" };

export const project = "mindsdb";
