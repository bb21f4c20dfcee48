/** Deletes what is stored of a workspace that Parley no longer serves. Each step can be repeated. */
import type { App } from "../../app.ts";
import type { Workspace } from "../../core/content/privacy.ts";
import { workspaceKey } from "../../core/model/place.ts";
import { schedulesIn } from "../../core/model/schedule.ts";
import type { AnyCollection } from "../../core/ports/collection.ts";
import { installationKind } from "../../core/ports/installs.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import type { OfOthers } from "./erasing.ts";
import { keptKinds } from "./kinds.ts";
import { formerMember } from "./person.ts";
import { everyRecord, isEnded, isRunning } from "./turns.ts";

/** How long to wait until a running answer was stopped. */
const endsWithinMs = 20_000;

export function createForgetWorkspace(app: App, parts: OfOthers): (workspace: Workspace) => Promise<void> {
  const { state, log } = app;
  const { turns, jobs, works, keyValue } = state;

  return async (workspace) => {
    const prefix = `${workspaceKey(workspace)}/`;
    const isOf = (place: Workspace) => place.platform === workspace.platform && place.workspace === workspace.workspace;
    /** By its key, or by what it says about itself. */
    const isAbout = (key: string, record: unknown): boolean => {
      if (key === workspaceKey(workspace) || key.startsWith(prefix)) return true;
      if (!isObject(record)) return false;
      return [record, record["place"], record["askedIn"], record["conversation"]].some(
        (part) =>
          isObject(part) && part["platform"] === workspace.platform && part["workspace"] === workspace.workspace,
      );
    };

    for await (const { record: schedule } of schedulesIn(state).entries()) {
      if (isOf(schedule.place)) await parts.schedules.delete(schedule);
    }
    for await (const job of everyRecord(jobs)) {
      if (isOf(job.askedIn) && isRunning(job)) await parts.cancelJob(job, formerMember.id);
    }
    for await (const turn of everyRecord(turns)) {
      if (!isOf(turn.askedIn)) continue;
      await parts.forgetTurns([turn], endsWithinMs);
      const now = await turns.get(turn.id);
      if (now !== undefined && isEnded(now)) await turns.delete(turn.id);
    }
    for await (const job of everyRecord(jobs)) {
      if (isOf(job.askedIn) && !isRunning(job)) await jobs.delete(job.id);
    }
    for (const { namespace, isWork } of keptKinds) {
      if (isWork === true) {
        for await (const [key, payload] of works.entries(namespace)) {
          if (isAbout(key, payload)) await works.cancel(namespace, key);
        }
      } else {
        const store = keyValue(namespace);
        for await (const [key] of store.entries(prefix)) await store.delete(key);
      }
    }
    for (const collection of state.collections()) {
      // The platform deletes an installation itself, before this. One that is there was made since.
      if (isOfInstallations(collection.definition.person)) continue;
      for await (const { id, record } of collection.entries()) {
        if (isAbout(id, record)) await collection.delete(id);
      }
    }
    await state.scrub().catch((err: unknown) => log.warn({ err }, "Words of a workspace are still in the files"));
    log.info({ workspace: workspace.workspace }, "What was stored of a workspace was deleted");
  };
}

const isOfInstallations = (person: AnyCollection["definition"]["person"]) =>
  person !== "nobody" && person.kind === installationKind;
