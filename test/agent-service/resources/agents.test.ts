import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { bodyOf, callOf, failure, open } from "../open-service.ts";
import { json, play } from "../real-server.ts";

describe("agents", () => {
  it.each(["25.9", "26.1"])("are listed without their keys (%s)", async (generation) => {
    const { server, service, lines } = await open((_, response) => play(response, `${generation}/agents_list_full`));

    const agents = await service.listAgents("mindsdb");

    expect(callOf(server)).toBe("GET /api/projects/mindsdb/agents");
    expect(agents.find(({ name }) => name === "support")).toMatchObject({
      project: "mindsdb",
      knowledgeBases: ["mindsdb.docs"],
      tables: [],
    });
    expect(agents.find(({ name }) => name === "withmodel")?.model).toEqual({
      provider: "openai",
      name: "gpt-4",
      hasKey: true,
    });
    expect(inspect([agents, lines], { depth: null })).not.toMatch(/sk-|api_key/);
  });

  it("are read when nearly everything is absent", async () => {
    const { service } = await open((_, response) => play(response, "25.9/agent_create_plain"));

    expect(await service.getAgent("mindsdb", "plain")).toMatchObject({ name: "plain", tables: [], knowledgeBases: [] });
  });

  it("are asked for by names of any kind, and never by a way around them", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/agent_get_unicode"));

    await service.getAgent("my project", "über/agent?#");
    expect(callOf(server)).toBe("GET /api/projects/my%20project/agents/%C3%BCber%2Fagent%3F%23");

    for (const name of ["..", ".", ""])
      expect((await failure(service.deleteAgent("mindsdb", name))).code).toBe("agent_not_found");
    expect((await failure(service.listAgents(".."))).code).toBe("project_not_found");
    expect(server.asked).toHaveLength(1);
  });

  it("are created with exactly what was given", async () => {
    const { server, service } = await open((_, response) => play(response, "26.1/agent_create"));

    const agent = await service.createAgent("mindsdb", {
      name: "support",
      model: { provider: "openai", name: "gpt-4", apiKey: "sk-live-0123456789abcdef" },
      knowledgeBases: ["docs", "other.manual"],
      promptTemplate: "Be kind.",
    });

    expect(bodyOf(server)).toEqual({
      agent: {
        name: "support",
        model: { provider: "openai", model_name: "gpt-4", api_key: "sk-live-0123456789abcdef" },
        data: { knowledge_bases: ["mindsdb.docs", "other.manual"] },
        prompt_template: "Be kind.",
      },
    });
    expect(JSON.stringify(agent)).not.toContain("sk-");
  });

  it("never show the key when they can't be created with that model", async () => {
    const { service, lines } = await open((_, response) => play(response, "26.1/agent_create_bad_provider"));

    const error = await failure(service.createAgent("mindsdb", { name: "x" }));

    expect(error.code).toBe("resource_not_found");
    expect(inspect([error, lines], { depth: null, showHidden: true })).not.toContain("0123456789");
  });

  it("are renamed together with another key, because 26.1 forgets a bare rename", async () => {
    const { server, service } = await open((asked, response) =>
      play(response, asked.method === "GET" ? "26.1/agent_get" : "26.1/agent_update"),
    );

    await service.updateAgent("mindsdb", "support", { name: "helper" });

    expect(callOf(server)).toBe("PUT /api/projects/mindsdb/agents/support");
    expect(bodyOf(server)).toEqual({
      agent: { name: "helper", prompt_template: "Answer from the knowledge base mindsdb.docs about our product." },
    });
  });

  it("are renamed with a space as instruction when they have none, because 26.1 ignores an empty value", async () => {
    const { server, service } = await open((asked, response) =>
      play(response, asked.method === "GET" ? "26.1/agent_create_plain" : "26.1/agent_update"),
    );

    await service.updateAgent("mindsdb", "support", { name: "helper" });

    expect(bodyOf(server)).toEqual({ agent: { name: "helper", prompt_template: " " } });
  });

  it("keep their key when another part of the model changes, because the service replaces it whole", async () => {
    const record = {
      name: "support",
      model: { provider: "openai", model_name: "gpt-4", api_key: "sk-live-0123456789" },
    };
    const { server, service, lines } = await open((_, response) => json(response, 200, record));

    const agent = await service.updateAgent("mindsdb", "support", { model: { name: "gpt-5" } });

    expect(bodyOf(server)).toEqual({
      agent: { model: { provider: "openai", model_name: "gpt-5", api_key: "sk-live-0123456789" } },
    });
    expect(inspect([agent, lines], { depth: null })).not.toContain("sk-live");
  });

  it("whose key the service repeats in its refusal do not repeat it", async () => {
    const said = { title: "ModelHTTPError", detail: "the credential plainword is not known here" };
    const { service, lines } = await open((_, response) => json(response, 500, said));

    const error = await failure(service.createAgent("mindsdb", { name: "x", model: { apiKey: "plainword" } }));

    expect(inspect([error, lines], { depth: null })).toContain("the credential [redacted] is not known");
  });

  it("send no key that the service shows only as stars", async () => {
    const record = { name: "support", model: { model_name: "gpt-4", api_key: "******" } };
    const { server, service } = await open((_, response) => json(response, 200, record));

    await service.updateAgent("mindsdb", "support", { model: { name: "gpt-5" } });

    expect(bodyOf(server)).toEqual({ agent: { model: { model_name: "gpt-5" } } });
  });

  it("show a model that has no key", async () => {
    const record = { name: "support", model: { provider: "openai", model_name: "gpt-4" } };
    const { service } = await open((_, response) => json(response, 200, record));

    expect((await service.getAgent("mindsdb", "support")).model).toEqual({
      provider: "openai",
      name: "gpt-4",
      hasKey: false,
    });
  });

  it("that are not there cannot be updated, and count as deleted", async () => {
    const { service } = await open((asked, response) =>
      play(response, asked.method === "PUT" ? "26.1/agent_update_unknown" : "26.1/agent_delete_unknown"),
    );

    expect((await failure(service.updateAgent("mindsdb", "nope", { promptTemplate: "x" }))).code).toBe(
      "agent_not_found",
    );
    await service.deleteAgent("mindsdb", "nope");
  });

  it("are not understood when the answer has another shape", async () => {
    const { service } = await open((_, response) => json(response, 200, [{ title: "sk-live-0123456789abcdef" }]));

    const error = await failure(service.listAgents("mindsdb"));

    expect(error.code).toBe("service_not_understood");
    expect(inspect(error, { depth: null })).not.toContain("0123456789");
  });
});
