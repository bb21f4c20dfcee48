import { describe, expect, it } from "vitest";
import { visitorOfClaims } from "../../../adapters/console/people/provider/claims.ts";

const issuer = "https://login.acme.example";
const managers = (claim: string, value: string) => ({ managers: [{ claim, value }] });
const roleOf = (claims: object, lists: Parameters<typeof visitorOfClaims>[2]) =>
  visitorOfClaims(issuer, { sub: "1", ...claims }, lists).role;

describe("a person's role by their claims", () => {
  it.each([
    ["a list", { groups: ["a", "admins"] }, managers("groups", "admins"), "manage"],
    ["a text", { department: "admins" }, managers("department", "admins"), "manage"],
    ["a number", { level: 7 }, managers("level", "7"), "manage"],
    [
      "a claim within a claim",
      { realm_access: { roles: ["admin"] } },
      managers("realm_access.roles", "admin"),
      "manage",
    ],
    ["a claim named by a URL", { "https://acme.example/r": ["x"] }, managers("https://acme.example/r", "x"), "manage"],
    ["another case", { groups: ["Admins"] }, managers("groups", "admins"), "ask"],
    ["a part of a name", { groups: ["admins-of-printers"] }, managers("groups", "admins"), "ask"],
    ["an object", { groups: { admins: true } }, managers("groups", "admins"), "ask"],
    ["what every object has", {}, managers("constructor.name", "Object"), "ask"],
    [
      "a verified address",
      { email: "Ana@Acme.example", email_verified: true },
      managers("email", "ana@acme.example"),
      "manage",
    ],
    ["an address that nobody verified", { email: "ana@acme.example" }, managers("email", "ana@acme.example"), "ask"],
    [
      "a list of addresses",
      { email: ["ana@acme.example"], email_verified: false },
      managers("email", "ana@acme.example"),
      "ask",
    ],
  ])("is read from %s", (_, claims, lists, role) => {
    expect(roleOf(claims, lists)).toBe(role);
  });

  it("is none where a list of askers doesn't name them", () => {
    expect(roleOf({}, { askers: [{ claim: "groups", value: "staff" }] })).toBe("nobody");
    expect(roleOf({}, { askers: ["*"] })).toBe("ask");
    expect(roleOf({}, { ingesters: ["*"], askers: [] })).toBe("ingest");
  });
});

describe("a person of the provider", () => {
  it("is the same whatever they are called, and someone else at another provider", () => {
    const one = visitorOfClaims(issuer, { sub: "1", name: "Ana" }, {});
    const renamed = visitorOfClaims(issuer, { sub: "1", name: "Ana Alonso" }, {});
    const elsewhere = visitorOfClaims("https://login.other.example", { sub: "1", name: "Ana" }, {});

    expect(renamed.id).toBe(one.id);
    expect(elsewhere.id).not.toBe(one.id);
  });

  it.each([
    ["their name", { name: "\u202eAna\nAlonso", email: "a@x.example" }, "Ana Alonso"],
    ["their user name", { name: " ", preferred_username: "ana" }, "ana"],
    ["their address", { name: 7, email: "ana@acme.example" }, "ana@acme.example"],
    ["nothing, where there is none", {}, "Someone"],
  ])("is called by %s", (_, claims, name) => {
    expect(visitorOfClaims(issuer, { sub: "1", ...claims }, {}).name).toBe(name);
  });
});
