/** Names what Slack accepts and a workspace would regret: pings, previews, leaked tokens, blocks without words. */
import { pings } from "../check-blocks.ts";
import type { Json, World } from "../world.ts";

export function createInspection(world: World, violations: string[], secrets: readonly string[]) {
  const pingsOf = ({ text, blocks, view }: Json) => [
    ...pings(blocks),
    ...pings(view),
    ...pings({ type: "mrkdwn", text }),
  ];
  return (method: string, body: Json): void => {
    const { text, blocks } = body;
    for (const ping of pingsOf(body)) {
      const person = /^<@(\w+)>$/.exec(ping)?.[1];
      const isWanted = person !== undefined && method === "chat.postMessage" && world.mayBePinged.has(person);
      // An edit tells nobody whom the message named before.
      const edited = method === "chat.update" ? world.messages.get(String(body["ts"])) : undefined;
      if (isWanted) world.pinged.push(person);
      else if (edited === undefined || !pingsOf({ ...edited }).includes(ping))
        violations.push(`${method} would ping: ${ping}`);
    }
    if (method === "chat.postMessage" && String(body["unfurl_links"]) !== "false") violations.push("previews are on");
    const said = JSON.stringify({ ...body, token: "" });
    if (secrets.some((secret) => said.includes(secret))) violations.push(`${method} carries a token`);
    const isMessage = method !== "blocks.validate";
    if (isMessage && Array.isArray(blocks) && blocks.length > 0 && !text)
      violations.push(`${method} has no text beside its blocks`);
  };
}
