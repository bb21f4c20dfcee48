/** Takes Parley's own keys out of what a run does and thinks: a service that repeats its requests would show them to people. */
import type { AgentEvent } from "../../core/model/agent-event.ts";

/** A shorter key can be a word that belongs there: for many local servers it is the server's name. */
const minKeyChars = 12;

/** Answers stay as they are: they come in pieces, and people wait for them. */
export function createKeyRemoval(keys: readonly string[] = []): (event: AgentEvent) => AgentEvent {
  const known = keys.filter((key) => key.length >= minKeyChars);
  if (known.length === 0) return (event) => event;
  const clean = (text: string) => known.reduce((rest, key) => rest.replaceAll(key, "[redacted]"), text);

  return (event) => {
    switch (event.type) {
      case "reasoning":
      case "status":
        return { ...event, text: clean(event.text) };
      case "unknown":
        return { ...event, kind: clean(event.kind) };
      case "step-started":
        return { ...event, tool: clean(event.tool), input: clean(event.input) };
      case "step-finished": {
        const { tool, input } = event;
        const told = { tool: tool && clean(tool), input: input && clean(input) };
        return { ...event, ...told, observation: clean(event.observation) };
      }
      case "approval-requested": {
        const { request } = event;
        return { ...event, request: { ...request, tool: clean(request.tool), input: clean(request.input) } };
      }
      default:
        return event;
    }
  };
}
