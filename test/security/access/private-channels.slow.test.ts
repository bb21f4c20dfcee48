/** What was said in one channel, asked for in another one of the same workspace: not everybody may be in both. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { admin, general } from "../../doubles/people.ts";
import { openRoom, type Room } from "../../knowledge/room.ts";

let room: Room;
beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
});
afterEach(() => room.close());

const board = { ...general, channel: "board" };
const bob = { ...admin, id: "U2", name: "Bob", isAdmin: false };

it("lists jobs, whose lines say what was added, only where they were started and to their owners", async () => {
  await room.say("/kb add We will buy Initech", { place: board });
  await room.over();

  const listed = async (changes: Parameters<Room["say"]>[1]) => (await room.say("/kb jobs", changes)).text;

  expect(await listed({ actor: bob, place: general })).toBe("No jobs here yet.");
  expect(await listed({ actor: bob, place: board })).toContain("We will buy Initech");
  expect(await listed({ actor: admin, place: general })).toContain("We will buy Initech");
});

it("completes and cancels only what runs there", async () => {
  const held = Promise.withResolvers<void>();
  room.faults.insert = () => held.promise;
  await room.say("/kb add We will buy Initech", { place: board });
  const complete = (place: typeof general) =>
    room.parts().commands.complete({ completes: "job", typed: "", place, actor: bob });
  const [job] = await room.parts().knowledge.jobs.recent(board, 1);

  expect(await complete(general)).toEqual([]);
  expect(await complete(board)).toHaveLength(1);
  expect((await room.say(`/kb cancel ${job?.ref}`, { actor: bob, place: general })).text).toContain("no running job");

  held.resolve();
  await room.over();
});
