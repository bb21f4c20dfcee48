/** The port to the System page: the settings in force and the latest errors. No secret is in it. */

export type SettingRow = {
  readonly name: string;
  readonly about: string;
  /** Of a secret "set" or "not set". Absent: not set, and there is no default. */
  readonly value?: string;
  readonly isSecret?: true;
  /** It was not set, so its default applies. */
  readonly isDefault: boolean;
  /** What applies if it isn't set. */
  readonly defaultWords?: string;
};

/** Settings under one heading. */
export type SettingRows = { readonly title: string; readonly settings: readonly SettingRow[] };

/** A line of the log, without secrets. */
export type RecentError = {
  readonly atMs: number;
  readonly message: string;
  /** Of the question it is about. */
  readonly ref?: string;
  readonly code?: string;
  /** What the error itself says. */
  readonly cause?: string;
  readonly platform?: string;
};

export type System = {
  readonly version: string;
  readonly node: string;
  readonly startedAtMs: number;
  readonly settings: readonly SettingRows[];
  /** Of the instance that answers, since its start; newest first, at most a hundred. */
  readonly errors: readonly RecentError[];
};

export type SystemReader = { readonly read: () => System };
