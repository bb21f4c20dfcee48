/** The workspaces, and whole organisations, that installed the app: a collection, with their tokens encrypted. */
import { z } from "zod";
import type { Collection, CollectionDefinition, CollectionFactory, Entry } from "../../../src/core/ports/collection.ts";
import { installationKind } from "../../../src/core/ports/installs.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { parseJson } from "../../../src/core/tools/parse-json.ts";
import { createSeal } from "./sealing.ts";

/** What is encrypted. */
const credentialsSchema = z.object({
  token: z.string(),
  botId: z.string(),
  botUserId: z.string(),
  scopes: z.array(z.string()),
  /** Set if the token rotates. It can be used once. */
  refreshToken: z.string().optional(),
  expiresAtMs: z.number().optional(),
});

export type Credentials = z.infer<typeof credentialsSchema>;

const recordSchema = z.object({
  platform: z.string(),
  /** The team's id; of an organisation its own, which begins with E. */
  workspace: z.string(),
  name: z.string(),
  enterpriseId: z.string().optional(),
  isOrganisation: z.literal(true).optional(),
  /** Workspaces of the organisation from which something was heard. */
  teams: z.array(z.string()),
  /** Who installed it. */
  actorId: z.string(),
  installedAtMs: z.number(),
  /** Someone approved it at /admin. */
  isApproved: z.literal(true).optional(),
  sealed: z.string(),
});

export type StoredInstallation = z.infer<typeof recordSchema>;

type Field = "installedAtMs";

export const installationCollection: CollectionDefinition<StoredInstallation, Field> = {
  holds: "Slack workspaces that installed the app, who did, and their tokens, encrypted",
  person: { kind: installationKind, erase: (installation, strip) => strip(installation) },
  retain: "until it is removed",
  schema: recordSchema,
  fields: { installedAtMs: ({ installedAtMs }) => installedAtMs },
  indexes: [{ by: [], order: "installedAtMs" }],
};

export type Installation = Omit<StoredInstallation, "sealed"> & { readonly credentials: Credentials };

/** `credentials`: undefined if they can't be decrypted. */
export type Listed = Omit<Installation, "credentials"> & { readonly credentials: Credentials | undefined };

const isReadable = (listed: Listed): listed is Installation => listed.credentials !== undefined;

export type Installations = ReturnType<typeof createInstallations>;

/** All of it rejects with state_unavailable. */
export function createInstallations(options: {
  readonly collection: CollectionFactory;
  readonly stateSecret: string;
  readonly log: Log;
}) {
  const { log } = options;
  const stored: Collection<StoredInstallation, Field> = options.collection(
    "slack-installations",
    installationCollection,
  );
  const { seal, open } = createSeal(options.stateSecret);
  const reported = new Set<string>();

  const sealedOf = (workspace: string, credentials: Credentials) => seal(JSON.stringify(credentials), workspace);

  const opened = ({ record }: Entry<StoredInstallation>): Listed => {
    const { sealed, ...about } = record;
    const { workspace } = about;
    const credentials = credentialsSchema.safeParse(parseJson(open(sealed, workspace) ?? "")).data;
    if (credentials !== undefined) return { ...about, credentials };
    if (!reported.has(workspace)) {
      const says =
        "The token of a Slack workspace can't be decrypted: was SLACK_STATE_SECRET changed? Install the app there again";
      log.error({ workspace }, says);
    }
    reported.add(workspace);
    return { ...about, credentials: undefined };
  };

  const list = async (): Promise<readonly Listed[]> => Array.fromAsync(stored.all({ order: "installedAtMs" }), opened);

  return {
    /** Latest first. Without credentials where they can't be decrypted. */
    list,
    /** Installed again: the approval stays. */
    put: async ({ credentials, ...about }: Installation): Promise<void> => {
      const { workspace } = about;
      const record = { ...about, sealed: sealedOf(workspace, credentials) };
      const created = await stored.create(workspace, record);
      if (created.created) return;
      await stored.update(workspace, ({ record: { isApproved, teams } }) => ({ ...record, isApproved, teams }));
    },
    /** Undefined: there is none, or its token can't be decrypted. */
    get: async (workspace: string): Promise<Installation | undefined> => {
      const entry = await stored.get(workspace);
      const found = entry === undefined ? undefined : opened(entry);
      return found !== undefined && isReadable(found) ? found : undefined;
    },
    /** Itself, or by its organisation; also where the token can't be decrypted. */
    isInstalled: async (team: string): Promise<boolean> => {
      for await (const { record } of stored.entries()) {
        if (record.workspace === team || record.teams.includes(team)) return true;
      }
      return false;
    },
    /** Latest first, without those whose token can't be decrypted. */
    all: async (): Promise<readonly Installation[]> => (await list()).filter(isReadable),
    /**
     * Replaces the credentials that had that refresh token. False: they have changed, the app is no longer installed, or
     * a newer fence was stored.
     */
    renew: async (
      workspace: string,
      {
        used,
        credentials,
        fence,
      }: { readonly used: string; readonly credentials: Credentials; readonly fence: number },
    ): Promise<boolean> => {
      const change = (entry: Entry<StoredInstallation>) =>
        opened(entry).credentials?.refreshToken === used
          ? { ...entry.record, sealed: sealedOf(workspace, credentials) }
          : undefined;
      return (await stored.update(workspace, change, fence)) !== undefined;
    },
    /** False: it is no longer installed. */
    approve: async (workspace: string): Promise<boolean> =>
      (await stored.update(workspace, ({ record }) => ({ ...record, isApproved: true }))) !== undefined,
    addTeam: async (organisation: string, team: string): Promise<void> => {
      await stored.update(organisation, ({ record }) =>
        record.teams.includes(team) ? undefined : { ...record, teams: [...record.teams, team] },
      );
    },
    delete: (workspace: string): Promise<void> => stored.delete(workspace),
  };
}
