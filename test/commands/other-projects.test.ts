import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../src/ports/agent-service.ts";
import { ParleyError } from "../../src/ports/errors.ts";
import { admin, alice, project } from "../doubles/people.ts";
import { general, openRoom, type Room } from "./room.ts";

let room: Room;
let listed: string[];
const helper: Agent = { name: "helper", project: "shop", tables: [], knowledgeBases: ["shop.prices"] };

beforeEach(async () => {
  room = await openRoom();
  listed = [];
  await room.client.createAgent(project, { name: "sales" });
  room.faults.listProjects = async () => [project, "shop"];
  room.faults.listAgents = async (of) => {
    listed.push(of);
    return of === "shop" ? [helper, { ...helper, name: "stock" }] : room.client.listAgents(of);
  };
  room.faults.getAgent = async (of, name) => {
    if (of !== "shop") return room.client.getAgent(of, name);
    if (name !== "helper") throw new ParleyError("agent_not_found");
    return helper;
  };
  await room.names.refresh();
});

afterEach(() => room.close());

const elsewhere = { ...general, channel: "C2" };

describe("an agent of another project", () => {
  it("can answer in a channel", async () => {
    const { text } = await room.say("/agent use shop.helper");

    expect(text).toContain("shop.helper now answers in this channel.");
    expect(await room.bindings.own(general)).toMatchObject({ project: "shop", agent: "helper" });
    expect((await room.say("/agent which")).text).toContain("shop.helper answers here.");
    expect((await room.say("/agent show")).text).toContain("shop.prices");
    expect(await room.audit("agent use")).toMatchObject([{ about: { agent: "shop.helper" } }]);
  });

  it("is announced once when it begins to answer, and when it no longer does", async () => {
    await room.say("/agent use shop.helper");
    await room.say("/agent use shop.helper");
    await room.say("/agent use shop.helper scope workspace");
    await room.say("/agent use shop.helper scope workspace");
    await room.say("/agent clear");
    await room.say("/agent clear");

    expect(room.notices.map(({ place, document }) => [place, document.summary])).toEqual([
      [general, "Alice set shop.helper to answer here."],
      [general, "Alice set shop.helper to answer in channels without their own agent."],
      [general, "Alice set the default agent to answer here."],
    ]);
  });

  it("is suggested when its name is misspelt, and its project when that is", async () => {
    await expect(room.say("/agent use shop.helpr")).rejects.toMatchObject({
      code: "agent_not_found",
      hint: "Did you mean shop.helper?",
    });
    await expect(room.say("/agent list project:shpo")).rejects.toMatchObject({ hint: "Did you mean shop?" });
  });

  it("is listed and completed for managers, and only when its project is named", async () => {
    const complete = (typed: string) =>
      room.commands.complete({ completes: "agent", typed, place: general, actor: admin });
    listed.length = 0;
    expect((await complete("sa")).map(({ value }) => value)).toEqual(["sales"]);
    expect(listed).not.toContain("shop");

    expect((await complete("shop.")).map(({ value }) => value)).toEqual(["shop.helper", "shop.stock"]);
    await complete("shop.h");

    expect((await room.say("/agent list project:shop")).text).toContain("shop.helper");
    expect(listed.filter((of) => of === "shop")).toHaveLength(1);
  });

  it("is listed again after a minute, and after a failure", async () => {
    const list = () => room.names.elsewhere.agentsOf("shop");
    await list();
    await room.clock.advance(60_000);
    room.faults.listAgents = async () => Promise.reject(new ParleyError("service_unreachable"));
    await expect(list()).rejects.toMatchObject({ code: "service_unreachable" });
    room.faults.listAgents = async () => [helper];

    expect(await list()).toEqual([helper]);
  });

  it("reads like one that doesn't exist to everyone else, except where it answers", async () => {
    await room.say("/agent use shop.helper");
    const show = (name: string, place = elsewhere) => room.say(`/agent show ${name}`, { actor: alice, place });
    const unknown = await show("shop.nobody").catch((failure: ParleyError) => failure);
    const hidden = await show("shop.helper").catch((failure: ParleyError) => failure);

    expect(unknown).toMatchObject({ code: "agent_not_here" });
    expect(hidden).toMatchObject({ code: "agent_not_here", hint: (unknown as ParleyError).hint });
    expect((await room.say("/agent list project:shop", { actor: alice, place: elsewhere })).text).not.toContain(
      "helper",
    );
    expect((await show("shop.helper", general)).text).toContain("helper");
    expect((await room.say("/agent list project:shop", { actor: alice })).text).toContain("shop.helper");
    expect((await room.say("/agent list project:shop", { actor: alice })).text).not.toContain("shop.stock");
  });

  it("has a dot in its own name only where no project begins it", async () => {
    room.faults.listAgents = async () => [{ ...helper, name: "shop.helper", project }];
    await room.names.refresh();
    room.faults.getAgent = async (of, name) => ({ ...helper, name, project: of });

    await room.say("/agent use shop.helper");

    expect(await room.bindings.own(general)).toMatchObject({ project, agent: "shop.helper" });
  });
});
