import { describe, expect, it } from "vitest";
import { rolesOf } from "../../src/access/roles.ts";
import type { RoleSettings } from "../../src/core/access.ts";
import type { Actor } from "../../src/core/model/place.ts";
import { alice } from "../doubles/people.ts";

const settings: RoleSettings = { trustedPlatforms: ["console"] };
const slack = { platform: "slack", workspace: "T1" };

function allowed(actor: Partial<Actor>, changes: Partial<RoleSettings> = {}, place = slack): string {
  const roles = rolesOf({ ...alice, ...actor }, place, { ...settings, ...changes });
  return (["ask", "ingest", "manage"] as const).filter((role) => roles[role].allowed).join(" ");
}

describe("rolesOf", () => {
  it.each<[string, Partial<Actor>, string]>([
    ["a full member", {}, "ask ingest"],
    ["a guest", { isGuest: true }, "ask"],
    ["somebody from another organisation", { isExternal: true }, ""],
    ["an admin", { isAdmin: true }, "ask ingest manage"],
    ["an admin of another organisation", { isAdmin: true, isExternal: true }, ""],
    ["a bot", { isBot: true }, "ask"],
  ])("gives %s what the defaults say", (_case, actor, expected) => {
    expect(allowed(actor)).toBe(expected);
  });

  it("lets a set list replace the default of its role", () => {
    const managers = [{ platform: "slack", kind: "user" as const, id: "U9" }];

    expect(allowed({ isAdmin: true }, { managers })).toBe("ask ingest");
    expect(allowed({ id: "U9" }, { managers })).toBe("ask ingest manage");
  });

  it("knows a listed role, on its own platform only", () => {
    const ingesters = [{ platform: "discord", kind: "role" as const, id: "456" }];

    expect(allowed({ roles: ["456"] }, { ingesters }, { platform: "discord", workspace: "1" })).toBe("ask ingest");
    expect(allowed({ roles: ["456"] }, { ingesters })).toBe("ask");
  });

  it("lets everyone in with a star, other organisations included", () => {
    expect(allowed({ isExternal: true }, { askers: ["*"] })).toBe("ask");
  });

  it.each(["slack", "console"])("lets a sign-in at the page decide alone, wherever someone acts: %s", (platform) => {
    const everyone = { managers: ["*"], ingesters: ["*"], askers: ["*"] } as const;

    expect(allowed({ isAdmin: true, signedInAs: "nobody" }, everyone, { platform, workspace: "T1" })).toBe("");
    expect(allowed({ isAdmin: true, signedInAs: "ask" }, everyone, { platform, workspace: "T1" })).toBe("ask");
    expect(allowed({ signedInAs: "ingest" }, everyone, { platform, workspace: "T1" })).toBe("ask ingest");
    expect(allowed({ isExternal: true, signedInAs: "manage" }, { managers: [] }, { platform, workspace: "T1" })).toBe(
      "ask ingest manage",
    );
  });

  it("gives every role on a platform that only admits trusted people", () => {
    expect(allowed({}, { managers: [] }, { platform: "console", workspace: "local" })).toBe("ask ingest manage");
  });

  it("gives a role in one workspace only, if the entry names it", () => {
    const managers = [{ platform: "slack", workspace: "T1", kind: "user", id: "U1" }] as const;
    const other = { platform: "slack", workspace: "T2" };

    expect(allowed({ id: "U1" }, { managers })).toContain("manage");
    expect(allowed({ id: "U1" }, { managers }, other)).not.toContain("manage");
  });

  it("lets people of the page manage the workspaces that they are named for, and do nothing in others that are kept apart", () => {
    const actor = { signedInAs: "ingest", managesIn: ["slack/T1"] } as const;
    const [other, page] = [
      { platform: "slack", workspace: "T2" },
      { platform: "console", workspace: "local" },
    ];

    expect(allowed(actor)).toBe("ask ingest manage");
    expect(allowed(actor, {}, other)).toBe("ask ingest");
    expect(allowed(actor, { keepsApart: true })).toBe("ask ingest manage");
    expect(allowed(actor, { keepsApart: true }, other)).toBe("");
    expect(allowed(actor, { keepsApart: true }, page)).toBe("ask ingest");
  });

  it("says why", () => {
    const roles = rolesOf(alice, slack, { ...settings, managers: [] });

    expect(roles.manage.because).toBe("only people listed in MANAGERS can");
    expect(roles.ask.because).not.toBe("");
  });
});
