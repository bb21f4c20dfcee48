import { afterEach, describe, expect, it } from "vitest";
import type { Chart, ChartTheme } from "../../../src/core/model/chart.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { until } from "../../doubles/until.ts";
import * as documents from "../documents.ts";
import { event, requestsTo } from "../requests.ts";
import { none, type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());
const { send } = requestsTo(() => scripted);

type Options = Parameters<typeof startScriptedConsole>[0];

/** A thread with a question and an answer, t1.0, whose chart is drawn by `svg`. */
async function answeredWith(
  svg: (chart: Chart, theme: ChartTheme) => Promise<Buffer | undefined>,
  options: Options = {},
) {
  let place: Place | undefined;
  scripted = await startScriptedConsole({
    pictures: { svg },
    script: async (inbound, { show }) => {
      place = inbound.place;
      await show(inbound.place, "t1", documents.compared("chart"));
      await inbound.ack(none);
    },
    ...options,
  });
  const question = event({ text: "What's the trend?" });
  await send("POST", "/api/messages", question);
  if (place === undefined) throw new Error("no question");
  const get = (path: string, headers: Record<string, string> = {}) => fetch(scripted.url + path, { headers });
  return { get, place, thread: question.id, url: `/api/charts/general/${question.id}/t1.0/0` };
}

const drawn = async (chart: Chart, theme: ChartTheme) => Buffer.from(`<svg>${theme} ${chart.title}</svg>`);

describe("the picture of a chart", () => {
  it.each<[string, ChartTheme]>([
    ["", "light"],
    ["?theme=light", "light"],
    ["?theme=dark&width=wide&revision=4", "dark"],
    ["?theme=%3Cscript%3E", "light"],
  ])("is drawn for the message that the URL names: %s", async (query, theme) => {
    const { get, url } = await answeredWith(drawn);

    const response = await get(url + query);

    expect([response.status, await response.text()]).toEqual([200, `<svg>${theme} Bookings per month</svg>`]);
  });

  it("is a document that runs nothing and loads nothing, and no cache keeps it", async () => {
    const { get, url } = await answeredWith(drawn);

    const { headers } = await get(url);

    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; style-src 'unsafe-inline'; sandbox;/),
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
  });

  it.each([
    ["another channel", "/api/charts/random/THREAD/t1.0/0"],
    ["a channel that doesn't exist", "/api/charts/secret/THREAD/t1.0/0"],
    ["another thread", "/api/charts/general/elsewhere/t1.0/0"],
    ["a message that doesn't exist", "/api/charts/general/THREAD/t2.0/0"],
    ["a person's message", "/api/charts/general/THREAD/THREAD/0"],
    ["a path out of the thread", "/api/charts/general/elsewhere/..%2FTHREAD%2Ft1.0/0"],
    ["a chart that the message doesn't have", "/api/charts/general/THREAD/t1.0/1"],
    ["no number", "/api/charts/general/THREAD/t1.0/length"],
    ["a negative number", "/api/charts/general/THREAD/t1.0/-1"],
  ])("isn't there for %s, and nothing is drawn", async (_, path) => {
    let asked = 0;
    const { get, thread } = await answeredWith(async (...given) => {
      asked += 1;
      return drawn(...given);
    });

    const response = await get(path.replaceAll("THREAD", thread));

    expect([response.status, asked]).toEqual([404, 0]);
  });

  it("is gone while the answer is shown as a table, and when the conversation is forgotten", async () => {
    const { get, url, place } = await answeredWith(drawn);

    await scripted.show(place, "t1", documents.compared("table"));
    expect((await get(url)).status).toBe(404);
    await scripted.show(place, "t1", documents.compared("chart"));
    expect((await get(url)).status).toBe(200);
    await scripted.console.forget?.(place);
    expect((await get(url)).status).toBe(404);
  });

  it("is refused to who isn't signed in, and to other sites", async () => {
    scripted = await startScriptedConsole({ token: "a-long-random-word", pictures: { svg: drawn } });
    const at = `${scripted.url}/api/charts/general/thread/t1.0/0`;

    expect((await fetch(at)).status).toBe(401);
    expect((await fetch(at, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  });

  it("is missing when it can't be drawn", async () => {
    const { get, url } = await answeredWith(async () => undefined);

    expect((await get(url)).status).toBe(503);
  });

  it("is missing when it isn't drawn within 5 seconds", async () => {
    const clock = createFakeClock();
    let isAsked = false;
    const { get, url } = await answeredWith(
      () => {
        isAsked = true;
        return new Promise(() => {});
      },
      { clock },
    );

    const response = get(url);
    await until("the picture is asked for", () => isAsked);
    await clock.advance(5_000);

    expect((await response).status).toBe(503);
  });
});
