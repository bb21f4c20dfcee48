/** What the pages for those who run Parley are made of: each page has its own member here, and its own file. */
import type { Places } from "./places.ts";

export type Overview = {
  readonly now: NowCounts;
  readonly places: Places;
};

/** Of this instance. */
export type NowCounts = () => { readonly running: number; readonly waiting: number };
