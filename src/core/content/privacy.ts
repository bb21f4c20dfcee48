/** The port to what Parley keeps about a person: exporting it, and erasing it. */

/** A person of one workspace, as `slack:T1/U123` names them. */
export type Person = { readonly platform: string; readonly workspace: string; readonly id: string };

/** A workspace of a platform. */
export type Workspace = Pick<Person, "platform" | "workspace">;

/** One record about a person, or the part of it that is about them. */
export type KeptRecord = {
  /** "questions", "votes", …: what docs/privacy.md calls it. */
  readonly kind: string;
  readonly record: unknown;
};

export type ErasedKind = {
  readonly kind: string;
  /** Records that are gone. */
  readonly removed: number;
  /** Records that stay, and say "a former member" now. */
  readonly renamed: number;
};

export type Erasure = {
  readonly kinds: readonly ErasedKind[];
  /** What stays, where, and what people can do about it. One sentence each. */
  readonly stays: readonly string[];
  /** False: something was still in use, such as an answer that didn't end in time. Erasing again continues. */
  readonly isComplete: boolean;
};

export type Privacy = {
  /** Everything kept about that person. Rejects with state_unavailable. */
  readonly export: (person: Person) => AsyncIterable<KeptRecord>;
  /** Idempotent: after a crash it can be run again. Rejects with state_unavailable. */
  readonly erase: (person: Person) => Promise<Erasure>;
  /** Deletes everything about that workspace, which Parley no longer serves. Idempotent. Rejects with state_unavailable. */
  readonly forgetWorkspace: (workspace: Workspace) => Promise<void>;
};
