import { ReadFailure } from "../pages/read-failure.ts";

export type DiskClaim = {
  /** Call before writing this many more bytes. Throws ReadFailure when there's no room. */
  readonly reserve: (bytes: number) => void;
  /** The actual size, once it is known. */
  readonly settle: (bytes: number) => void;
  /** Idempotent; afterwards nothing is counted for it. */
  readonly release: () => void;
};

export function createDiskRoom(maxBytes: number): { readonly claim: () => DiskClaim } {
  let taken = 0;
  return {
    claim: () => {
      let own = 0;
      let isReleased = false;
      const set = (bytes: number) => {
        if (isReleased) return;
        taken += bytes - own;
        own = bytes;
      };
      return {
        reserve: (bytes) => {
          if (taken + bytes > maxBytes) throw new ReadFailure("unreadable", "Parley's disk is full. Try again later");
          set(own + bytes);
        },
        settle: set,
        release: () => {
          set(0);
          isReleased = true;
        },
      };
    },
  };
}
