/** The port to workspaces that install Parley's app on their own, on platforms where they can. */

/** Of the records of installations, in exports and reports. Only their platform deletes them. */
export const installationKind = "installations";

export type InstallLine = {
  readonly workspace: string;
  /** Untrusted text. */
  readonly name: string;
  /** The person's id there. */
  readonly installedBy: string;
  readonly installedAtMs: number;
  /** False: it waits until someone approves it, unless it is lost. Until then nothing is answered there. */
  readonly isServed: boolean;
  /** Its token can't be read: all that is left to do here is removing it. */
  readonly isLost?: true;
  /** One sentence about what it lacks. */
  readonly problem?: string | undefined;
};

/** All of it rejects with state_unavailable. */
export type Installs = {
  /** Latest first. */
  readonly list: () => Promise<readonly InstallLine[]>;
  /** False: it isn't installed. */
  readonly approve: (workspace: string) => Promise<boolean>;
  /**
   * Removes the app there, and everything stored about that workspace. False: it isn't installed. Rejects with
   * platform_unreachable, and nothing is removed.
   */
  readonly remove: (workspace: string) => Promise<boolean>;
};
