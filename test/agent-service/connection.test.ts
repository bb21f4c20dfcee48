import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { callOf, failure, open, serve } from "./open-service.ts";
import { type Answer, json, play } from "./real-server.ts";

describe("the connection", () => {
  it("doesn't follow redirects, so that nobody else gets the token", async () => {
    const elsewhere = await serve((_, response) => json(response, 200, []));
    const { service } = await open(
      (_, response) => {
        response.writeHead(308, { location: `${elsewhere.url}/api/projects/` });
        response.end("<!doctype html>");
      },
      { token: "fixed" },
    );

    expect((await failure(service.listProjects())).code).toBe("service_not_understood");
    expect(elsewhere.asked).toEqual([]);
  });

  it("lists projects at the URL that needs no redirect, and data sources without vector stores", async () => {
    const { server, service } = await open((asked, response) =>
      play(response, asked.path === "/api/projects/" ? "25.9/projects_list_slash" : "25.9/databases_list"),
    );

    expect(await service.listProjects()).toEqual(["mindsdb"]);
    expect(await service.listDataSources()).toEqual(["files"]);
    expect(server.asked).toHaveLength(2);
  });

  it("keeps connections for later requests", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/status"));

    for (let request = 0; request < 10; request += 1) await service.status();

    // One more than needed may be opened while the first is just being handed back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("asks again at once when a kept connection was closed under a GET, and never for anything else", async () => {
    let left = 1;
    const breakOnce: Answer = (_, response: ServerResponse, request) => {
      left -= 1;
      if (left >= 0) return request.socket.destroy();
      play(response, "25.9/agents_list");
    };
    const { server, service } = await open(breakOnce);
    expect(await service.listAgents("mindsdb")).toHaveLength(1);
    expect(server.asked).toHaveLength(2);

    left = 1;
    expect((await failure(service.createAgent("mindsdb", { name: "x" }))).code).toBe("service_unreachable");
    expect(server.asked).toHaveLength(3);
  });

  it("works behind a path, and drops credentials in the URL", async () => {
    const { server } = await open(() => {});
    const second = await open((_, response) => play(response, "25.9/status"));
    const { service } = await open(() => {}, {
      baseUrl: `${second.server.url.replace("//", "//user:secret@")}/prefix/`,
    });

    await service.status();

    expect(callOf(second.server)).toBe("GET /prefix/api/status");
    expect(second.server.asked[0]?.headers.authorization).toBeUndefined();
    expect(server.asked).toEqual([]);
  });

  it("goes through a proxy when one is set, except to what is excepted", async () => {
    const proxy = await serve((asked, response) =>
      asked.path.startsWith("http://service.example/") ? play(response, "25.9/status") : json(response, 500, {}),
    );
    const through = await open(() => {}, { baseUrl: "http://service.example", proxy: { httpProxy: proxy.url } });
    const around = await open((_, response) => play(response, "26.1/status"), {
      proxy: { httpProxy: proxy.url, noProxy: "127.0.0.1" },
    });

    expect((await through.service.status()).generation).toBe("25.x");
    expect((await around.service.status()).generation).toBe("26.x");
    expect(proxy.asked).toHaveLength(1);
  });

  it("ends an ordinary request at its limit", async () => {
    const { server, service, clock } = await open(() => {});
    const waiting = failure(service.listAgents("mindsdb"));
    await server.arrived();

    await clock.advance(30_000);

    expect((await waiting).code).toBe("service_busy");
    expect(clock.pending()).toBe(0);
  });

  it("closes when what runs has ended", async () => {
    let finish = () => {};
    const { server, service } = await open((_, response) => {
      finish = () => play(response, "25.9/status");
    });
    const running = service.status();
    await server.arrived();

    const closed = service.close();
    finish();

    expect((await running).generation).toBe("25.x");
    await closed;
    await server.idle();
    expect((await failure(service.status())).code).toBe("service_unreachable");
  });

  it("closes in the end, even when something never ends", async () => {
    const { server, service, clock } = await open(() => {});
    const hanging = failure(service.insert("mindsdb", "docs", { query: "SELECT 1" }));
    await server.arrived();

    const closed = service.close();
    await clock.advance(5000);
    await closed;

    expect((await hanging).code).toBe("service_unreachable");
    expect(clock.pending()).toBe(0);
  });
});
