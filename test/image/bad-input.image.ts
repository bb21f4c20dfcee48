/** What people give a container by mistake: each is one plain sentence, and an exit code that says whose turn it is. */
import { chmod } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";
import { createVolume, removeAll, runToEnd, startContainer } from "./container.ts";
import type { Ended } from "./engine.ts";

afterEach(removeAll);

function expectSentence({ code, output }: Ended, expectedCode: number, sentence: RegExp): void {
  expect(output).toMatch(sentence);
  expect(output.trimEnd().split("\n")).toHaveLength(1);
  expect(code).toBe(expectedCode);
}

it("says whose volume it is that belongs to root", async () => {
  const folder = await temporaryFolder("of-root");
  await chmod(folder, 0o755);

  const sentence =
    /^Parley can't start: DATA_DIR isn't writable: \/data\. It belongs to user \d+, and Parley runs as user 10001: chown -R 10001 it/;
  expectSentence(await runToEnd(folder), 1, sentence);
});

it("says so too when only root can look into it", async () => {
  const folder = await temporaryFolder("of-root-alone");
  await chmod(folder, 0o700);

  const sentence =
    /^\/data: is where Parley was started, and user 10001 can't read it\. For example chown -R 10001 \/data$/m;
  expectSentence(await runToEnd(folder), 2, sentence);
});

it("says that the volume is mounted read-only", async () => {
  const sentence = /^Parley can't start: DATA_DIR isn't writable: \/data\. It is mounted read-only: mount it writable/;

  expectSentence(await runToEnd(`${await createVolume()}:ro`), 1, sentence);
});

it("says which secret's file is missing", async () => {
  const options = ["--env", "CONSOLE_TOKEN_FILE=/run/secrets/console-token"];
  const sentence = /^CONSOLE_TOKEN_FILE: names a file that can't be read\. /;

  expectSentence(await runToEnd(await createVolume(), { options }), 2, sentence);
});

it("doesn't open the page to other machines without a sign-in", async () => {
  const options = ["--env", "HOST=0.0.0.0"];

  expectSentence(await runToEnd(await createVolume(), { options }), 2, /^CONSOLE_TOKEN: is missing, but HOST /);
});

it("refuses a command that it doesn't have", async () => {
  const sentence = /^parley has no command "serve"\. /;

  expectSentence(await runToEnd(await createVolume(), { words: ["serve"] }), 2, sentence);
});

it("lets the second of two containers on one volume wait, and take over when the first ends", async () => {
  const volume = await createVolume();
  const first = await startContainer(volume);
  await first.ready();
  const second = await startContainer(volume);
  const waits = "Another Parley is using DATA_DIR; waiting for it to end";
  await until("the second one's line", async () => (await second.log()).includes(waits));

  expect(await second.isReady()).toBe(false);
  expect((await second.log()).trimEnd().split("\n")).toHaveLength(1);
  await first.stop();
  await second.ready();
  expect(await second.stop()).toBe(0);
});
