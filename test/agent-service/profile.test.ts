import { describe, expect, it } from "vitest";
import { failure, open } from "./open-service.ts";
import { json, play } from "./real-server.ts";

describe("the profile", () => {
  it.each([
    [
      "25.9/status",
      { generation: "25.x", maxRuns: 20, closeStopsRun: false, plainWorks: true, urlSourcesSurvive: true },
    ],
    [
      "26.1/status",
      { generation: "26.x", maxRuns: 2, closeStopsRun: false, plainWorks: false, urlSourcesSurvive: false },
    ],
  ])("of %s", async (name, expected) => {
    const { service } = await open((_, response) => play(response, name));

    expect(await service.profile()).toMatchObject(expected);
  });

  it.each([
    [{ mindsdb_version: "local" }, "unknown", 4],
    [{ mindsdb_version: "27.0.0" }, "unknown", 4],
    [{ version: 5 }, "unknown", 4],
    ["hello", "unknown", 4],
  ])("with status %j is that of a %s service", async (status, generation, maxRuns) => {
    const { service } = await open((_, response) => json(response, 200, status));

    expect(await service.profile()).toMatchObject({ generation, maxRuns });
  });

  it("is that of an unknown service where there is no such path", async () => {
    const { service } = await open((_, response) => play(response, "25.9/path_unknown"));

    expect((await service.profile()).generation).toBe("unknown");
  });

  it("reads the number of runs from the settings", async () => {
    const { service } = await open((_, response) => play(response, "26.1/status"), { maxRuns: 7 });

    expect(await service.profile()).toMatchObject({ generation: "26.x", maxRuns: 7, plainWorks: false });
  });

  it("is read once, and again after a failure of the service", async () => {
    let version = "25.9.1";
    const { server, service } = await open((asked, response) => {
      if (asked.path === "/api/status") return json(response, 200, { mindsdb_version: version });
      json(response, 502, {});
    });
    await service.profile();
    await service.profile();
    expect(server.asked).toHaveLength(1);
    version = "26.1.0";

    await failure(service.listAgents("mindsdb"));

    expect((await service.profile()).generation).toBe("26.x");
  });

  it("holds on while a busy service does not answer", async () => {
    let isUp = true;
    const { service } = await open((_, response) =>
      isUp ? json(response, 200, { mindsdb_version: "26.1.0" }) : json(response, 502, {}),
    );
    await service.profile();
    isUp = false;
    await failure(service.listAgents("mindsdb"));

    expect((await service.profile()).generation).toBe("26.x");
    expect((await failure(service.status())).code).toBe("service_unreachable");
  });

  it("is busy when the service doesn't answer in 5 s, and not understood when it isn't an agent service", async () => {
    const busy = await open(() => {});
    const waiting = failure(busy.service.status());
    await busy.server.arrived();
    await busy.clock.advance(5000);
    expect((await waiting).code).toBe("service_busy");

    const other = await open((_, response) => response.end("<html>Welcome</html>"));
    expect((await failure(other.service.status())).code).toBe("service_not_understood");
  });
});
