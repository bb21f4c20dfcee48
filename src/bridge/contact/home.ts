/**
 * Publishes Parley's own tab for the person who opens it. It shows the welcome card, the channels they share with
 * Parley and who answers there, and to people who manage what is wrong with the connection.
 */
import type { Inbound } from "../../ports/chat-platform.ts";
import { logFailure, toParleyError } from "../../ports/errors.ts";
import type { Actor, Place } from "../../ports/model/place.ts";
import { present } from "../../ports/tools/present.ts";
import { soon } from "../../ports/tools/soon.ts";
import { errorDocument, homeDocument, type SharedChannel, type Welcome } from "../../presentation/drawing.ts";
import { refusalError } from "../access/refusal.ts";
import type { BridgeDeps } from "../deps.ts";

/** The tab appears without what is not known by then. */
const channelsMs = 2_000;
const maxChannels = 20;

export function createHome(
  deps: BridgeDeps & { readonly welcomeFor: (actor: Actor, place: Place) => Promise<Welcome> },
) {
  const { reach, sites, clock, log, settings, welcomeFor } = deps;

  async function describe(actor: Actor, place: Place): Promise<SharedChannel> {
    const resolved = await reach.resolve(actor, place);
    if (resolved.kind !== "bound") return { channel: place.channel };
    const { project, agent } = resolved.binding;
    return { channel: place.channel, agent: project === settings.project ? agent : `${project}.${agent}` };
  }

  async function sharedWith(actor: Actor, place: Place): Promise<readonly SharedChannel[]> {
    const shared = (await sites.get(place.platform)?.platform.home?.sharedChannels(actor)) ?? [];
    return Promise.all(shared.slice(0, maxChannels).map((channel) => describe(actor, channel)));
  }

  return async ({ actor, place, ack }: Extract<Inbound, { kind: "home-opened" }>): Promise<void> => {
    await ack({ kind: "none" });
    const platform = sites.get(place.platform)?.platform;
    if (platform?.home === undefined) return;
    const verdict = reach.may(actor, "ask", place);
    try {
      if (!verdict.allowed) return await platform.home.publish(actor, errorDocument(refusalError(actor, verdict)));
      const [welcome, channels] = await Promise.all([
        welcomeFor(actor, place),
        soon(
          sharedWith(actor, place).catch(() => undefined),
          channelsMs,
          clock,
        ),
      ]);
      const manages = reach.may(actor, "manage", place).allowed;
      const problem = manages ? platform.health().reason : undefined;
      await platform.home.publish(actor, homeDocument({ welcome, ...present({ channels, problem }) }));
    } catch (failure) {
      // Nobody waits for it, and it is published again the next time.
      logFailure(log, toParleyError(failure), { kind: "home-opened" }, "Parley's own tab could not be published");
    }
  };
}
