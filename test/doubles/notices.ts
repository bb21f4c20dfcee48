/** Notices that are kept instead of posted: each key once. */
import type { Notice, Notices } from "../../src/delivery/notices.ts";

export function keptNotices(): Pick<Notices, "post"> & { readonly kept: readonly Notice[] } {
  const kept: Notice[] = [];
  return {
    kept,
    post: async (notice) => {
      if (kept.some(({ key }) => key === notice.key)) return false;
      kept.push(notice);
      return true;
    },
  };
}
