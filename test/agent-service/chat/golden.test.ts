/**
 * Every recorded chat completion replays to the AgentEvents that are kept beside it, whole and however its bytes are cut.
 * After a wanted change: `npx vitest run test/agent-service/chat/golden.test.ts -u`, and read the difference.
 */
import { describe, expect, it } from "vitest";
import { shapedGolden, shapedStream, shapedStreams } from "../shaped-recordings.ts";
import { decode, printed } from "./decoding.ts";

const names = shapedStreams("litellm", "chat_");

describe.each(names)("%s", (name) => {
  const body = shapedStream(name);
  const whole = printed(decode(body).events);

  it("replays to its golden events", async () => {
    const { hasEnded } = decode(body);

    await expect(`${whole}${hasEnded ? "" : "(cut)\n"}`).toMatchFileSnapshot(
      shapedGolden(`${name.replace("litellm/", "chat/")}.txt`),
    );
  });

  it("replays to the same events wherever its bytes are cut in two", () => {
    const step = Math.max(1, Math.floor(body.length / 400));
    for (let at = 1; at < body.length; at += step) {
      expect(printed(decode(body.subarray(0, at), body.subarray(at)).events)).toBe(whole);
    }
  });

  it("replays to the same events byte by byte, and with other line ends", () => {
    const bytes = Array.from(body, (_, at) => body.subarray(at, at + 1));
    const text = body.toString("utf8");

    expect(printed(decode(...bytes).events)).toBe(whole);
    expect(printed(decode(text.replaceAll("\n", "\r\n")).events)).toBe(whole);
    expect(printed(decode(text.replaceAll("\n", "\r")).events)).toBe(whole);
  });
});
