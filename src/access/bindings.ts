/**
 * Stores which agent answers where, and resolves it. The order is: channel, workspace, settings, the only agent there
 * is.
 */
import { randomUUID } from "node:crypto";
import type { Runtime } from "../app.ts";
import {
  type Bindings,
  type BoundPlace,
  noProject,
  type ResolvedBinding,
  type ResolveOptions,
} from "../core/access.ts";
import { type Binding, channelKey, type Mode, type Place, workspaceKey } from "../core/model/place.ts";
import { withLane } from "../core/tools/with-lane.ts";
import { createBoundPlaces, placeOfKey } from "./bound-places.ts";

const defaultMode: Mode = "thread";

export function createBindings({ state, service, settings, clock }: Runtime): Bindings {
  const store = state.keyValue<Partial<Binding>>("bindings");
  /** Tells every instance that bindings changed. */
  const stamps = state.keyValue<string>("binding-stamps");
  /** Runs the changes of one place one after the other, over all instances. */
  const inTurn = <T>(key: string, work: () => Promise<T>) =>
    withLane(`bindings/${key}`, { coordinator: state.coordinator, clock }, work);
  const boundPlaces = createBoundPlaces({
    bindings: store,
    stamps,
    projectOf: settings.projectOf,
    clock,
    newStamp: randomUUID,
  });

  async function stored(
    place: Place,
    { home = place, ignoresOwn = false }: ResolveOptions = {},
  ): Promise<{ channel: Partial<Binding>; workspace: Partial<Binding> }> {
    const { workspace: homeId } = home;
    const [channel, workspace] = await Promise.all([
      ignoresOwn ? undefined : store.get(channelKey(place)),
      homeId === undefined ? undefined : store.get(workspaceKey({ ...place, workspace: homeId })),
    ]);
    return { channel: channel ?? {}, workspace: workspace ?? {} };
  }

  async function resolve(place: Place, how: ResolveOptions = {}): Promise<ResolvedBinding> {
    const { channel, workspace } = await stored(place, how);
    const own = how.project ?? settings.projectOf(place);
    /** Set before the workspace got another project: nothing of the old one is reached any longer. */
    const isOwn = (set: Partial<Binding>) => settings.workspaceProjects === undefined || (set.project ?? own) === own;
    const knowledgeBase = channel.knowledgeBase ?? workspace.knowledgeBase;
    const rest = { mode: channel.mode ?? workspace.mode ?? defaultMode, knowledgeBase };
    const bound = (
      agent: string,
      project: string | undefined,
      from: "channel" | "workspace" | "settings" | "only-agent",
    ) => ({ kind: "bound", binding: { project: project ?? own, agent, ...rest }, from }) as const;
    if (channel.agent !== undefined && isOwn(channel)) return bound(channel.agent, channel.project, "channel");
    if (workspace.agent !== undefined && isOwn(workspace))
      return bound(workspace.agent, workspace.project, "workspace");
    if (own === noProject) return { kind: "none" };
    if (settings.defaultAgent !== undefined) return bound(settings.defaultAgent, undefined, "settings");
    const agents = await (how.listAgents ?? service.listAgents)(own);
    if (agents.length > 1) return { kind: "choose", agents: agents.map((agent) => agent.name) };
    const only = agents[0];
    return only === undefined ? { kind: "none" } : bound(only.name, only.project, "only-agent");
  }

  async function change(key: string, changes: Partial<Binding>): Promise<void> {
    await inTurn(key, async () => {
      await store.set(key, { ...(await store.get(key)), ...changes });
    });
    if (changes.agent !== undefined || changes.knowledgeBase !== undefined) await boundPlaces.changed();
  }

  /** Removes the agent, or the knowledge base; other settings of the place, such as the mode, stay. */
  async function clear(what: "agent" | "knowledgeBase", key: string): Promise<boolean> {
    const isCleared = await inTurn(key, async () => {
      const before = await store.get(key);
      if (before?.[what] === undefined) return false;
      const { agent, project, knowledgeBase, ...others } = before;
      const rest = { ...others, ...(what === "agent" ? { knowledgeBase } : { agent, project }) };
      if (Object.values(rest).every((value) => value === undefined)) await store.delete(key);
      else await store.set(key, rest);
      return true;
    });
    if (isCleared) await boundPlaces.changed();
    return isCleared;
  }

  return {
    resolve,
    own: (place) => store.get(channelKey(place)),
    modeOf: async (place) => {
      const { channel, workspace } = await stored(place);
      return channel.mode ?? workspace.mode ?? defaultMode;
    },
    setChannel: (place, changes) => change(channelKey(place), changes),
    setWorkspace: (place, changes) => change(workspaceKey(place), changes),
    clearChannel: (place) => clear("agent", channelKey(place)),
    clearWorkspace: (place) => clear("agent", workspaceKey(place)),
    clearKnowledgeBase: (place) => clear("knowledgeBase", channelKey(place)),
    removeChannel: async (place) => {
      const key = channelKey(place);
      await inTurn(key, () => store.delete(key));
      await boundPlaces.changed();
    },
    replaceAgent: async (project, from, to) => {
      const keys: string[] = [];
      for await (const [key, binding] of store.entries("")) {
        if (binding.agent === from && (binding.project ?? settings.projectOf(placeOfKey(key))) === project)
          keys.push(key);
      }
      for (const key of keys) await (to === undefined ? clear("agent", key) : change(key, { agent: to }));
    },
    all: async () => {
      const found: { readonly place: BoundPlace; readonly binding: Partial<Binding> }[] = [];
      for await (const [key, binding] of store.entries("")) {
        found.push({ place: placeOfKey(key), binding });
      }
      return found;
    },
    channelsIn: async (place) => {
      const channels: string[] = [];
      const prefix = `${workspaceKey(place)}/`;
      for await (const [key] of store.entries(prefix)) channels.push(decodeURIComponent(key.slice(prefix.length)));
      return channels;
    },
    places: boundPlaces.read,
    placesChoosing: boundPlaces.choosing,
    channelsOf: async (project, agent, { platform, workspace }) =>
      (await boundPlaces.read())(project, agent)
        .filter((bound) => bound.platform === platform && bound.workspace === workspace && bound.channel !== "")
        .map(({ channel }) => channel),
  };
}
