/** The port to the System page: what runs, what may be written, the settings in force, the latest errors. No secret is in it. */
import type { BudgetKind } from "../metrics.ts";

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

/** A line of the log, or a question that failed. Without secrets. */
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

/** An instance that runs now. */
export type InstanceLine = {
  /** Of the machine or container. */
  readonly host: string;
  /** Parley's. */
  readonly version: string;
  readonly node: string;
  readonly startedAtMs: number;
};

/** What a platform lets Parley write, of one kind. */
export type BudgetLine = {
  readonly platform: string;
  readonly kind: BudgetKind;
  readonly per: "workspace" | "channel";
  /** While the platform doesn't complain. */
  readonly perMinute: number;
  /** Where it has complained, the smallest first. */
  readonly lowered: readonly LoweredLine[];
};

export type LoweredLine = {
  readonly workspace: string;
  readonly channel?: string;
  /** Of a direct message, which isn't named. */
  readonly isDirect?: true;
  /** The channel's; cleaned. */
  readonly name?: string;
  readonly perMinute: number;
  readonly wholeAgainAtMs: number;
};

export type System = {
  /** The one that answers first. */
  readonly instances: readonly InstanceLine[];
  readonly budgets: readonly BudgetLine[];
  readonly settings: readonly SettingRows[];
  /**
   * Newest first, at most a hundred: questions that failed on any instance, and what the instance that answers has logged
   * since its start.
   */
  readonly errors: readonly RecentError[];
};

/** Rejects with state_unavailable. */
export type SystemReader = { readonly read: () => Promise<System> };
