/**
 * Counts, inside Parley's process, edits that are passed to discord.js while another edit of the same message is
 * unanswered. Such an edit would wait in discord.js's queue. It is loaded before Parley and prints the count when the
 * process ends.
 */
import { REST, RESTEvents } from "@discordjs/rest";
import { count } from "../bots/probe.ts";

const { request } = REST.prototype;
const known = new WeakSet<REST>();
const open = new Map<string, number>();
let editsAtOnce = 0;
let heldBack = 0;

REST.prototype.request = async function (asked) {
  if (!known.has(this)) {
    known.add(this);
    this.on(RESTEvents.RateLimited, () => {
      heldBack += 1;
    });
  }
  const isEdit =
    asked.method === "PATCH" && /^\/(channels\/\d+|webhooks\/\d+\/[^/]+)\/messages\/[^/]+$/.test(asked.fullRoute);
  if (!isEdit) return request.call(this, asked);
  const now = (open.get(asked.fullRoute) ?? 0) + 1;
  open.set(asked.fullRoute, now);
  editsAtOnce = Math.max(editsAtOnce, now);
  try {
    return await request.call(this, asked);
  } finally {
    open.set(asked.fullRoute, (open.get(asked.fullRoute) ?? 1) - 1);
  }
};

count(() => ({ editsAtOnce, heldBack }));
