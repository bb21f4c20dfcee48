/** How much all files that are under way may take on the disk together, whoever they are for. */
import { contentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type DiskClaim = {
  /** Before so many more bytes are written. Throws ReadFailure where they have no room. */
  readonly reserve: (bytes: number) => void;
  /** What it turned out to be in all. */
  readonly settle: (bytes: number) => void;
  /** Idempotent; nothing is counted for it from then on. */
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
          if (taken + bytes > maxBytes) throw new ReadFailure("unreadable", contentSentences.noRoom);
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
